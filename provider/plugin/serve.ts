/** The life of the plugin's process: announces the port, serves, and ends with the engine. */
import { fstatSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
} from "@grpc/grpc-js";
import { messageOf, stackOf } from "../text/errors";
import { visibleText } from "../text/visible-text";
import type { EngineConnections } from "./connections";
import { rejectsOperation } from "./rejections";
import type { Construct } from "./service";

const CHANNEL_OPTIONS = {
  // The engine sends up to 400 MiB (sdk/go/common/util/rpcutil); grpc-js takes 4 MiB by default.
  "grpc.max_receive_message_length": 400 * 1024 * 1024,
  "grpc.max_send_message_length": 400 * 1024 * 1024,
  // By default, queued calls are canceled after 30 s if the event loop was busy
  // (pulumi/pulumi#20920).
  "grpc.server_max_unrequested_time_in_server": 1800,
};
/** The engine's first call, without the protocol buffers: they may be what could not be loaded. */
const HANDSHAKE_ALONE: ServiceDefinition = {
  handshake: {
    path: "/pulumirpc.ResourceProvider/Handshake",
    requestStream: false,
    responseStream: false,
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: (bytes) => bytes,
    responseSerialize: () => Buffer.alloc(0),
    responseDeserialize: (bytes) => bytes,
  },
};
const PARENT_CHECK_MILLISECONDS = 5_000;

/**
 * By default V8 lets the heap grow to many times of what is in use, because it expects a machine of
 * its own. A run has one plugin process for each provider. With these flags, 10,000 projects take
 * 170 MB instead of 350 MB, for a fifth more processor time of this process (`npm run bench`).
 */
const V8_FLAGS = ["--semi-space-growth-factor=1", "--heap-growing-percent=100"];

/**
 * @param args as the engine starts a plugin: flags first, the engine's address last; without an
 * address the engine sends it later (attach)
 * @param construct declares a component
 */
export async function serve(args: readonly string[], construct: Construct): Promise<void> {
  for (const flag of V8_FLAGS) setFlagsFromString(flag);
  const address = args.filter((arg) => /^[^-].*:\d+$/.test(arg)).at(-1);
  const server = new Server(CHANNEL_OPTIONS);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  let service: EngineConnections | undefined;
  const end = (code: number) => {
    service?.close();
    server.forceShutdown();
    process.exit(code);
  };
  endWithTheEngine(end, address !== undefined);
  endOnFault(end, (text) => service?.redact(text) ?? text);
  // The port is the first line of stdout; nothing may precede it (plugin.go).
  process.stdout.write(`${port}\n`);
  // Loads most modules. Meanwhile the engine reads the line and connects. No call is processed before this turn of the event
  // loop ends.
  try {
    const { ResourceProviderService } =
      require("@pulumi/pulumi/proto/provider_grpc_pb") as typeof import("@pulumi/pulumi/proto/provider_grpc_pb");
    const { createService } = require("./service") as typeof import("./service");
    const { keepingNames } = require("./lost-names") as typeof import("./lost-names");
    service = createService(address, () => end(0), construct);
    server.addService(keepingNames(ResourceProviderService), service.handlers);
  } catch (error) {
    // If the process ended here, the engine would try to connect for ten seconds and hide the
    // reason among other lines.
    server.addService(HANDSHAKE_ALONE, { handshake: refuse(error) });
  }
}

function refuse(error: unknown): handleUnaryCall<unknown, never> {
  const [first = ""] = messageOf(error).split("\n");
  const reason = visibleText(first);
  const isIncomplete =
    error instanceof SyntaxError || (error as { code?: unknown }).code === "MODULE_NOT_FOUND";
  const details = isIncomplete
    ? `The provider could not be loaded: ${reason}. Its installation is not complete; install pulumi-opsmanager again.`
    : `The provider could not be loaded. ${faultReport(error)}`;
  return (_call, callback) => callback({ code: status.FAILED_PRECONDITION, details });
}

/** The engine shows this output, because a process that ends like this does not answer Cancel. */
function endOnFault(end: (code: number) => void, redact: (text: string) => string): void {
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (error: unknown) => {
      if (rejectsOperation(error)) return;
      process.stderr.write(`pulumi-resource-opsmanager has to end. ${redact(faultReport(error))}\n`);
      end(1);
    });
  }
}

function faultReport(error: unknown): string {
  return `This is a fault of the provider, please report it with these lines:\n${stackOf(error)}`;
}

function endWithTheEngine(end: (code: number) => void, startedByEngine: boolean): void {
  process.on("SIGINT", () => end(0));
  process.on("SIGTERM", () => end(0));
  if (!startedByEngine) return;
  // Ends with the engine. A killed engine sends no Cancel. Its connection breaks (engine-log.ts),
  // and so does a pipe on stdin. A language host passes /dev/null, which is at its end from the
  // start. If that host is killed and the engine still runs, only the parent's process id shows
  // it.
  if (fstatSync(0).isFIFO() || fstatSync(0).isSocket()) {
    process.stdin.resume();
    process.stdin.once("end", () => end(0));
    process.stdin.once("error", () => end(0));
  }
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end(0);
  }, PARENT_CHECK_MILLISECONDS).unref();
}
