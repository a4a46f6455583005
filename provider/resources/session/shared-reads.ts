/** Reads of the service that several resources of one operation share, where that is safe. */

/** What a read is for. Before a write, the service's answer of today decides. */
export type Purpose = "reading" | "writing";

/** A preview writes nothing. */
export function purposeOf(preview: boolean): Purpose {
  return preview ? "reading" : "writing";
}

interface Fetch<T> {
  readonly response: Promise<T>;
  /** The signal of the caller that started the read. */
  readonly signal: AbortSignal;
}

interface StartedFetch<T> extends Fetch<T> {
  /** Milliseconds of the process's clock. */
  readonly begun: number;
}

/**
 * Reads by key. Each key has one read under way at a time.
 *
 * The resources of a refresh share one read. Writes never use a read that began before them.
 * Callers that arrive during a read share the next one.
 */
export class SharedReads<T> {
  readonly #last = new Map<string, StartedFetch<T>>();
  /** When the latest read began, also if a write has followed. */
  readonly #begun = new Map<string, number>();
  readonly #running = new Map<string, StartedFetch<T>>();
  readonly #queued = new Map<string, Fetch<T>>();

  /**
   * @param load reads what the key names
   * @param maxAgeSeconds largest age of a response that `shared` returns; 0: only a read in progress
   */
  constructor(
    private readonly load: (key: string, signal: AbortSignal) => Promise<T>,
    private readonly maxAgeSeconds: number,
  ) {}

  /**
   * For reading: at most `maxAgeSeconds` old, and never older than this process's last write to the
   * object.
   */
  async shared(key: string, signal: AbortSignal): Promise<T> {
    const fetch = this.#usable(key) ?? this.#start(key, signal);
    const response = await unlessCallerInterrupted(fetch, signal);
    return response === interrupted ? this.shared(key, signal) : response;
  }

  /**
   * For writing: a read that starts after this call.
   *
   * @param since milliseconds of the process's clock: a read that began later will do as well
   */
  async fresh(key: string, signal: AbortSignal, since = performance.now()): Promise<T> {
    const last = this.#last.get(key);
    const fetch = last && last.begun > since ? last : this.#next(key, signal);
    const response = await unlessCallerInterrupted(fetch, signal);
    return response === interrupted ? this.fresh(key, signal, since) : response;
  }

  /** The read that the purpose requires: `shared` or `fresh`. */
  async read(key: string, purpose: Purpose, signal: AbortSignal): Promise<T> {
    return purpose === "reading" ? this.shared(key, signal) : this.fresh(key, signal);
  }

  /** Whether `shared` needs no request of its own. */
  has(key: string): boolean {
    return this.#usable(key) !== undefined;
  }

  /** Milliseconds since the latest read of the key began; infinite if there was none. */
  ageOf(key: string): number {
    return performance.now() - (this.#begun.get(key) ?? Number.NEGATIVE_INFINITY);
  }

  /** Discards what was read before a write. */
  written(key: string): void {
    this.#last.delete(key);
  }

  #usable(key: string): StartedFetch<T> | undefined {
    const last = this.#last.get(key);
    if (last === undefined || this.#running.get(key) === last) return last;
    return (performance.now() - last.begun) / 1000 <= this.maxAgeSeconds ? last : undefined;
  }

  /**
   * The next read, which all callers share that arrive during a read; without one, it starts at
   * once.
   */
  #next(key: string, signal: AbortSignal): Fetch<T> {
    const running = this.#running.get(key);
    if (!running) return this.#start(key, signal);
    const queued = this.#queued.get(key);
    if (queued) return queued;
    const response = running.response.then(ignore, ignore).then(() => {
      this.#queued.delete(key);
      return this.#start(key, signal).response;
    });
    const next = { response, signal };
    this.#queued.set(key, next);
    return next;
  }

  #start(key: string, signal: AbortSignal): StartedFetch<T> {
    const fetch = { begun: performance.now(), response: this.load(key, signal), signal };
    this.#begun.set(key, fetch.begun);
    this.#last.set(key, fetch);
    this.#running.set(key, fetch);
    const ended = () => {
      if (this.#running.get(key) === fetch) this.#running.delete(key);
    };
    fetch.response.then(ended, () => {
      ended();
      // A failed read proves nothing and is discarded.
      if (this.#last.get(key) === fetch) this.#last.delete(key);
    });
    return fetch;
  }
}

const interrupted = Symbol("interrupted");

/**
 * @returns `interrupted` if the caller that started the read was interrupted, and this one was not
 */
async function unlessCallerInterrupted<T>(
  fetch: Fetch<T>,
  signal: AbortSignal,
): Promise<T | typeof interrupted> {
  try {
    return await fetch.response;
  } catch (error) {
    if (fetch.signal.aborted && !signal.aborted) return interrupted;
    throw error;
  }
}

function ignore(): void {}
