import type { ApiClient } from "../../api/client";

export interface SessionSettings {
  /** Whether replies request a read of the object before the next plain preview or up. */
  readonly refreshBeforeUpdate: boolean;
  /** Largest age in seconds of a response that the reads of a refresh share; 0: only a read in progress. */
  readonly readCacheSeconds: number;
  /** Largest number of people whom all resources together may remove in one operation. */
  readonly maxRemovalsPerRun: number;
  /** The organization of resources and lookups that name none. */
  readonly orgId?: string | undefined;
}

/** Shared objects are made from this alone, so none of them can depend on another. */
export type Configured = Pick<Session, "client" | "settings">;

type SharedClass<T> = new (configured: Configured) => T;

/** A configured provider: its client, and what the resources of one operation share. */
export class Session {
  readonly #shared = new Map<SharedClass<object>, object>();

  constructor(
    readonly client: ApiClient,
    readonly settings: SessionSettings,
  ) {}

  /** The shared instance of a class, made on first use, so a session doesn't need to know what resources share. */
  of<T extends object>(shared: SharedClass<T>): T {
    const existing = this.#shared.get(shared);
    if (existing instanceof shared) return existing;
    const instance = new shared(this);
    this.#shared.set(shared, instance);
    return instance;
  }

  /** Ends the operation (Cancel): the next one shares nothing with it, because it may declare other objects. */
  forget(): void {
    this.#shared.clear();
  }
}
