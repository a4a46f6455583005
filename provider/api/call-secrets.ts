/**
 * What one call of the engine keeps secret. All that the call says passes `redact`: its messages, its failure, and the
 * reasons of what it rejects.
 */
import { alsoRedact, createRedact, type Redact } from "../transport";
import type { ApiClient } from "./client";
import { ObjectNames } from "./names";

type Masking = Pick<ApiClient, "names" | "redact">;

export class CallSecrets {
  #texts: readonly string[] = [];
  #client: Masking = { names: new ObjectNames(), redact: createRedact([]) };
  #mask: Redact | undefined;

  /** Masks the secrets of the settings as well, and gives objects their names. */
  connect(client: Masking): void {
    this.#client = client;
    this.add([]);
  }

  add(texts: readonly string[]): void {
    this.#texts = [...this.#texts, ...texts];
    this.#client.names.hide(this.#texts);
    this.#mask = undefined;
  }

  readonly redact: Redact = (text) => {
    const { names, redact } = this.#client;
    // A call that says nothing needs no mask.
    this.#mask ??= alsoRedact(redact, this.#texts);
    return this.#mask(names.inText(text));
  };
}
