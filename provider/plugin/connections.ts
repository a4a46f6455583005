/**
 * Finds the provider that a call is for. A process that the engine starts serves one provider.
 *
 * An engine can also attach to a running process (PULUMI_DEBUG_PROVIDERS). It then opens a
 * connection for each provider resource of each operation and calls Attach on it (NewProvider in
 * provider_plugin.go). Create, Read and the other calls name no provider, so the connection
 * identifies it.
 */
import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { own } from "../text/own";

/** A call whose response is a stream has no callback. */
// biome-ignore lint/suspicious/noExplicitAny: each method has messages of its own
type Handler = (call: any, callback: any) => void;

export type Handlers = Readonly<Record<string, Handler>>;

export interface Connected {
  readonly handlers: Handlers;
  /** The engine has called Cancel, so the operation is over. */
  readonly isOver: boolean;
  redact(text: string): string;
  close(): void;
}

export class EngineConnections {
  readonly handlers: UntypedServiceImplementation;
  readonly #own: Connected;
  readonly #attach: (engineAddress: string) => Connected;
  /** Providers by the remote address of their connection. */
  readonly #attached = new Map<string, Connected>();

  /**
   * @param standing serves every connection without Attach
   * @param attach creates the server of a connection, for the engine at this address
   */
  constructor(standing: Connected, attach: (engineAddress: string) => Connected) {
    this.#own = standing;
    this.#attach = attach;
    const forward = (name: string): Handler => {
      return (call, callback) => own(this.#servedBy(call.getPeer()).handlers, name)?.(call, callback);
    };
    const names = Object.keys(this.#own.handlers);
    this.handlers = {
      ...Object.fromEntries(names.map((name) => [name, forward(name)])),
      attach: this.#attachConnection,
    };
  }

  /** Masks the secrets of all served providers. */
  redact(text: string): string {
    return [this.#own, ...this.#attached.values()].reduce(
      (masked, provider) => provider.redact(masked),
      text,
    );
  }

  close(): void {
    for (const provider of [this.#own, ...this.#attached.values()]) provider.close();
  }

  /**
   * After 30 idle minutes, an engine's connection continues from another port, without Attach
   * (grpc-go, idle timeout).
   */
  #servedBy(peer: string): Connected {
    const attached = this.#attached.get(peer);
    if (attached) return attached;
    const [only, ...others] = [...this.#attached.values()].filter(({ isOver }) => !isOver);
    return only && others.length === 0 ? only : this.#own;
  }

  readonly #attachConnection: handleUnaryCall<PluginAttach, Empty> = (call, callback) => {
    for (const [peer, provider] of this.#attached) {
      if (!provider.isOver) continue;
      provider.close();
      this.#attached.delete(peer);
    }
    this.#attached.set(call.getPeer(), this.#attach(call.request.getAddress()));
    callback(null, new Empty());
  };
}
