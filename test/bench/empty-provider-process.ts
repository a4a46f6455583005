/** The process of `empty-provider.ts`. */
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
import type { PlainReads } from "./empty-provider";
import { plainReader } from "./plain-reader";
import { responseLines } from "./wire/protocol";

responseLines({
  start: async (plainReads: Partial<PlainReads>) => {
    const server = new Server();
    const read = hasRequests(plainReads) ? plainReader(plainReads) : async () => {};
    server.addService(ResourceProviderService, handlers(read));
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    return { port };
  },
});

function hasRequests(plainReads: Partial<PlainReads>): plainReads is PlainReads {
  return plainReads.requestsPerRead !== undefined;
}

function responses<Request, Response>(handler: (request: Request) => Response) {
  const unary: handleUnaryCall<Request, Response> = (call, callback) => callback(null, handler(call.request));
  return unary;
}

/** @param read sends the requests of a Read; it gets the id of the resource */
function handlers(read: (id: string) => Promise<void>): UntypedServiceImplementation {
  const responseRead: handleUnaryCall<proto.ReadRequest, proto.ReadResponse> = ({ request }, callback) => {
    const response = new proto.ReadResponse()
      .setId(request.getId())
      .setProperties(request.getProperties())
      .setInputs(request.getInputs())
      .setRefreshBeforeUpdate(true);
    read(request.getId()).then(() => callback(null, response), callback);
  };
  return {
    handshake: responses(() => new proto.ProviderHandshakeResponse().setAcceptSecrets(true)),
    attach: responses(() => new Empty()),
    getPluginInfo: responses(() => new PluginInfo().setVersion(packageVersion())),
    getSchema: responses(() => new proto.GetSchemaResponse().setSchema(JSON.stringify(packageSchema()))),
    checkConfig: responses((request: proto.CheckRequest) =>
      new proto.CheckResponse().setInputs(request.getNews()),
    ),
    diffConfig: responses(() =>
      new proto.DiffResponse().setChanges(proto.DiffResponse.DiffChanges.DIFF_NONE),
    ),
    configure: responses(() => new proto.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true)),
    check: responses((request: proto.CheckRequest) => new proto.CheckResponse().setInputs(request.getNews())),
    diff: responses(() => new proto.DiffResponse().setChanges(proto.DiffResponse.DiffChanges.DIFF_NONE)),
    create: responses((request: proto.CreateRequest) =>
      new proto.CreateResponse()
        .setId(request.getUrn())
        .setProperties(request.getProperties())
        .setRefreshBeforeUpdate(true),
    ),
    read: responseRead,
    delete: responses(() => new Empty()),
    cancel: responses(() => new Empty()),
  };
}
