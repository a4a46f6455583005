/** The engine's own service, which takes messages of both providers. */
import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

const SEVERITIES = {
  debug: LogSeverity.DEBUG,
  info: LogSeverity.INFO,
  warn: LogSeverity.WARNING,
  error: LogSeverity.ERROR,
} as const;

export type Severity = keyof typeof SEVERITIES;

/** @param address host:port */
export function connectToEngine(address: string): EngineClient {
  // grpc-js would use the environment's proxy, which reaches its own loopback address and not
  // this machine's.
  return new EngineClient(address, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
}

/** Resolves when the message has arrived, or when the engine did not take it. */
export function logTo(engine: EngineClient, severity: Severity, message: string, urn = ""): Promise<void> {
  const request = new LogRequest().setSeverity(SEVERITIES[severity]).setMessage(message).setUrn(urn);
  return new Promise((resolve) => {
    engine.log(request, () => resolve());
  });
}
