/** Calls of the plugin's service as the engine makes them, for what no `pulumi` command can show. */
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckRequest,
  type CheckResponse,
  ConfigureRequest,
  CreateRequest,
  type CreateResponse,
  ProviderHandshakeRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";

type Properties = Readonly<Record<string, JavaScriptValue>>;
type Callback<Response> = (error: ServiceError | null, response: Response) => void;

export interface PluginClient {
  handshake(): Promise<void>;
  /** As the default provider of a program. */
  configure(settings: Properties): Promise<void>;
  checkProject(name: string, inputs: Properties): Promise<CheckResponse>;
  createProject(name: string, inputs: Properties): Promise<CreateResponse>;
  cancel(): Promise<void>;
  close(): void;
}

const stack = "urn:pulumi:test::platform";
const projectUrn = (name: string) => `${stack}::opsmanager:index:Project::${name}`;

/** @param port that the plugin has printed */
export function connectToPlugin(port: number): PluginClient {
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
    "grpc.enable_http_proxy": 0,
    "grpc.use_local_subchannel_pool": 1, // a connection of its own, as each provider of the engine has
  });
  return {
    handshake: async () =>
      void (await promised((callback) => client.handshake(new ProviderHandshakeRequest(), callback))),
    configure: async (settings) => {
      const request = new ConfigureRequest()
        .setUrn(`${stack}::pulumi:providers:opsmanager::default`)
        .setArgs(Struct.fromJavaScript({ ...settings }));
      await promised((callback) => client.configure(request, callback));
    },
    checkProject: (name, inputs) => {
      const request = new CheckRequest()
        .setUrn(projectUrn(name))
        .setNews(Struct.fromJavaScript({ ...inputs }));
      return promised((callback) => client.check(request, callback));
    },
    createProject: (name, inputs) => {
      const request = new CreateRequest()
        .setUrn(projectUrn(name))
        .setProperties(Struct.fromJavaScript({ ...inputs }));
      return promised((callback) => client.create(request, callback));
    },
    cancel: async () => void (await promised((callback) => client.cancel(new Empty(), callback))),
    close: () => client.close(),
  };
}

function promised<Response>(call: (callback: Callback<Response>) => unknown): Promise<Response> {
  return new Promise((resolve, reject) => {
    call((error, response) => (error ? reject(error) : resolve(response)));
  });
}
