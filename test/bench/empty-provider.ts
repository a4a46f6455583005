/** A provider that does nothing, in this process: what is left of an operation is the engine's own share. */
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { packageSchema } from "../../provider/package-schema";
import { packageVersion } from "../../provider/version";

export interface EmptyProvider {
  /** Makes the engine attach to it. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function startEmptyProvider(): Promise<EmptyProvider> {
  const server = new Server();
  server.addService(ResourceProviderService, handlers);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return {
    env: { PULUMI_DEBUG_PROVIDERS: `opsmanager:${port}` },
    close: async () => server.forceShutdown(),
  };
}

function answers<Request, Response>(handler: (request: Request) => Response) {
  const unary: handleUnaryCall<Request, Response> = (call, callback) => callback(null, handler(call.request));
  return unary;
}

const handlers: UntypedServiceImplementation = {
  handshake: answers(() => new proto.ProviderHandshakeResponse().setAcceptSecrets(true)),
  attach: answers(() => new Empty()),
  getPluginInfo: answers(() => new PluginInfo().setVersion(packageVersion())),
  getSchema: answers(() => new proto.GetSchemaResponse().setSchema(JSON.stringify(packageSchema()))),
  checkConfig: answers((request: proto.CheckRequest) =>
    new proto.CheckResponse().setInputs(request.getNews()),
  ),
  diffConfig: answers(() => new proto.DiffResponse().setChanges(proto.DiffResponse.DiffChanges.DIFF_NONE)),
  configure: answers(() => new proto.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true)),
  check: answers((request: proto.CheckRequest) => new proto.CheckResponse().setInputs(request.getNews())),
  diff: answers(() => new proto.DiffResponse().setChanges(proto.DiffResponse.DiffChanges.DIFF_NONE)),
  create: answers((request: proto.CreateRequest) =>
    new proto.CreateResponse()
      .setId(request.getUrn())
      .setProperties(request.getProperties())
      .setRefreshBeforeUpdate(true),
  ),
  read: answers((request: proto.ReadRequest) =>
    new proto.ReadResponse()
      .setId(request.getId())
      .setProperties(request.getProperties())
      .setInputs(request.getInputs())
      .setRefreshBeforeUpdate(true),
  ),
  delete: answers(() => new Empty()),
  cancel: answers(() => new Empty()),
};
