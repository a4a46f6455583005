/** Calls of the plugin's service as the engine makes them, for what no `pulumi` command can show. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
/** @type {typeof import("@grpc/grpc-js")} */
const grpc = require("@grpc/grpc-js");
/** @type {typeof import("@pulumi/pulumi/proto/provider_grpc_pb.js")} */
const { ResourceProviderClient } = require("@pulumi/pulumi/proto/provider_grpc_pb");
/** @type {typeof import("@pulumi/pulumi/proto/provider_pb.js")} */
const provider = require("@pulumi/pulumi/proto/provider_pb");
/** @type {typeof import("google-protobuf/google/protobuf/empty_pb.js")} */
const { Empty } = require("google-protobuf/google/protobuf/empty_pb");
/** @type {typeof import("google-protobuf/google/protobuf/struct_pb.js")} */
const { Struct } = require("google-protobuf/google/protobuf/struct_pb");

/** @typedef {Record<string, any>} Properties */

const stack = "urn:pulumi:test::estate";
const defaultProvider = `${stack}::pulumi:providers:opsmanager::default`;
/** @param {string} name */
const projectUrn = (name) => `${stack}::opsmanager:index:Project::${name}`;

/** @param {number} port that the plugin has said */
export function connectToPlugin(port) {
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), {
    "grpc.enable_http_proxy": 0,
    "grpc.use_local_subchannel_pool": 1, // a connection of its own, as each provider of the engine has
  });
  /**
   * @template Request, Response
   * @param {(request: Request, callback: (error: Error | null, response: Response) => void) => unknown} method
   * @param {Request} request
   * @returns {Promise<Response>}
   */
  const call = (method, request) =>
    new Promise((resolve, reject) => {
      method.call(client, request, (error, response) => (error ? reject(error) : resolve(response)));
    });

  return {
    handshake: () => call(client.handshake, new provider.ProviderHandshakeRequest()),
    /** @param {Properties} settings */
    configure: (settings) =>
      call(
        client.configure,
        new provider.ConfigureRequest()
          .setUrn(defaultProvider)
          .setArgs(Struct.fromJavaScript(settings))
          .setAcceptsecrets(true),
      ),
    /** @param {string} name @param {Properties} inputs */
    checkProject: (name, inputs) =>
      call(
        client.check,
        new provider.CheckRequest().setUrn(projectUrn(name)).setNews(Struct.fromJavaScript(inputs)),
      ),
    /** @param {string} name @param {Properties} inputs */
    createProject: (name, inputs) =>
      call(
        client.create,
        new provider.CreateRequest().setUrn(projectUrn(name)).setProperties(Struct.fromJavaScript(inputs)),
      ),
    cancel: () => call(client.cancel, new Empty()),
    close: () => client.close(),
  };
}
