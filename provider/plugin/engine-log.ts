/**
 * Logs to the user through Engine.Log. The engine hides the output of the plugin's own process.
 */
import { connectivityState, credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { visibleText } from "../text/visible-text";
import type { Redact } from "../transport";

type Severity = "debug" | "info" | "warn";

const SEVERITIES: Readonly<Record<Severity, LogSeverity>> = {
  debug: LogSeverity.DEBUG,
  info: LogSeverity.INFO,
  warn: LogSeverity.WARNING,
};

export class EngineLog {
  #client: EngineClient | undefined;
  /**
   * Messages already logged in this operation: a warning once for all resources, a remark once for
   * each.
   */
  readonly #logged = new Set<string>();
  readonly #sending = new Set<Promise<void>>();

  /**
   * @param address host:port of the engine
   * @param onEngineLost called when a connected engine disappears: a killed one sends no Cancel
   */
  connect(address: string, onEngineLost: () => void): void {
    // grpc-js would use the environment's proxy, which reaches its own loopback address and not
    // this machine's.
    const options = { "grpc.enable_http_proxy": 0 };
    this.#client = new EngineClient(address, credentials.createInsecure(), options);
    this.#watch(this.#client.getChannel(), false, onEngineLost);
  }

  #watch(channel: ReturnType<EngineClient["getChannel"]>, wasThere: boolean, onEngineLost: () => void): void {
    if (!this.#client) return;
    // `true` reconnects after a long idle time. Idleness alone does not show that the engine
    // ended.
    const state = channel.getConnectivityState(true);
    if (state === connectivityState.TRANSIENT_FAILURE && wasThere) {
      onEngineLost();
      return;
    }
    const isThere = wasThere || state === connectivityState.READY;
    channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, () =>
      this.#watch(channel, isThere, onEngineLost),
    );
  }

  write(severity: Severity, message: string, urn: string, redact: Redact): void {
    const text = visibleText(redact(message));
    if (severity !== "debug") {
      const key = `${severity} ${severity === "warn" ? "" : urn} ${text}`;
      if (this.#logged.has(key)) return;
      this.#logged.add(key);
    }
    this.#send(severity, text, urn);
  }

  #send(severity: Severity, message: string, urn: string): void {
    const request = new LogRequest();
    request.setSeverity(SEVERITIES[severity]);
    request.setMessage(message);
    request.setUrn(urn);
    const sending = new Promise<void>((resolve) => {
      if (this.#client) this.#client.log(request, () => resolve());
      else resolve();
    });
    this.#sending.add(sending);
    sending.then(() => this.#sending.delete(sending));
  }

  /**
   * Resolves when all messages have arrived: the engine may close the operation right after a
   * reply.
   */
  async flush(): Promise<void> {
    await Promise.all(this.#sending);
  }

  /** Ends the operation; the next one logs its warnings again. */
  reset(): void {
    this.#logged.clear();
  }

  close(): void {
    const client = this.#client;
    this.#client = undefined;
    client?.close();
  }
}
