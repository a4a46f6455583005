/** The log over gRPC as the engine takes it: a server is in for the engine's side of the connection. */
import { Server, ServerCredentials, type UntypedHandleCall } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { EngineLog } from "../../../provider/plugin/engine-log";

let server: Server;
let received: string[];

async function connected(): Promise<EngineLog> {
  received = [];
  server = new Server();
  const log: UntypedHandleCall = (
    call: { request: LogRequest },
    callback: (error: null, response: Empty) => void,
  ) => {
    received.push(call.request.getMessage());
    callback(null, new Empty());
  };
  server.addService(EngineService, { log });
  const port = await new Promise<number>((resolve, reject) => {
    const bound = (error: Error | null, at: number) => (error ? reject(error) : resolve(at));
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), bound);
  });
  const engineLog = new EngineLog();
  engineLog.connect(`127.0.0.1:${port}`, () => undefined);
  return engineLog;
}

afterEach(() => server.forceShutdown());

it.each(["debug", "info", "warn"] as const)(
  "a message (%s) is one line in which nothing hides",
  async (severity) => {
    const log = await connected();
    log.write(severity, "Project pay\nments\u001b[2J\u202e of s3cret", "urn", (text) =>
      text.replace("s3cret", "[secret]"),
    );
    await log.flush();
    log.close();
    expect(received).toEqual(["Project pay\\u000aments\\u001b[2J\\u202e of [secret]"]);
  },
);
