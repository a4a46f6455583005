/** A provider that does nothing. With it, an operation takes the time of the engine, the program and the state file. */
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
  close(): void;
}

export async function startEmptyProvider(): Promise<EmptyProvider> {
  const server = new Server();
  server.addService(ResourceProviderService, handlers);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { env: { PULUMI_DEBUG_PROVIDERS: `opsmanager:${port}` }, close: () => server.forceShutdown() };
}

function responses<Request, Response>(handler: (request: Request) => Response) {
  const unary: handleUnaryCall<Request, Response> = (call, callback) => callback(null, handler(call.request));
  return unary;
}

const handlers: UntypedServiceImplementation = {
  handshake: responses(() => new proto.ProviderHandshakeResponse().setAcceptSecrets(true)),
  attach: responses(() => new Empty()),
  getPluginInfo: responses(() => new PluginInfo().setVersion(packageVersion())),
  getSchema: responses(() => new proto.GetSchemaResponse().setSchema(JSON.stringify(packageSchema()))),
  checkConfig: responses((request: proto.CheckRequest) =>
    new proto.CheckResponse().setInputs(request.getNews()),
  ),
  diffConfig: responses(() => new proto.DiffResponse().setChanges(proto.DiffResponse.DiffChanges.DIFF_NONE)),
  configure: responses(() => new proto.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true)),
  check: responses((request: proto.CheckRequest) => new proto.CheckResponse().setInputs(request.getNews())),
  diff: responses(() => new proto.DiffResponse().setChanges(proto.DiffResponse.DiffChanges.DIFF_NONE)),
  create: responses((request: proto.CreateRequest) =>
    new proto.CreateResponse()
      .setId(request.getUrn())
      .setProperties(request.getProperties())
      .setRefreshBeforeUpdate(true),
  ),
  read: responses((request: proto.ReadRequest) =>
    new proto.ReadResponse()
      .setId(request.getId())
      .setProperties(request.getProperties())
      .setInputs(request.getInputs())
      .setRefreshBeforeUpdate(true),
  ),
  delete: responses(() => new Empty()),
  cancel: responses(() => new Empty()),
};
