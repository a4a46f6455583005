/**
 * Logs to the user through Engine.Log. The engine hides the output of the plugin's own process.
 */
import { connectivityState } from "@grpc/grpc-js";
import type { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { connectToEngine, logTo, type Severity } from "../engine-client";
import { visibleText } from "../text/visible-text";
import type { Redact } from "../transport";

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
    this.#client = connectToEngine(address);
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
    if (!this.#client) return;
    const sending = logTo(this.#client, severity, text, urn);
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
