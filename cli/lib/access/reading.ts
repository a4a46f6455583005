/** What was read, and what could not be: in one type, so that no command forgets the second. */
import { messageOf, stopsAll } from "../../../provider/text/errors";

/** What could not be read, and why. */
export interface Unread {
  readonly what: string;
  readonly reason: string;
}

/** A value with its gaps. Only `take` gives the value, so that its caller decides what becomes of each gap. */
export class Reading<T, Gap> {
  readonly #value: T;
  readonly #gaps: readonly Gap[];

  constructor(value: T, gaps: readonly Gap[]) {
    this.#value = value;
    this.#gaps = gaps;
  }

  /** @param onGap called with each part that the value lacks */
  take(onGap: (gap: Gap) => void): T {
    this.#gaps.forEach(onGap);
    return this.#value;
  }
}

/** What a command of `take` passes for gaps that others report, or that change nothing. The call says why. */
export function reportedElsewhere(): void {}

/**
 * Reads what other reads do not depend on. The gap is the reason; the value is then `undefined`.
 *
 * @throws the error if every call fails for its cause, and the reason with which `signal` was aborted
 */
export async function orReason<T>(
  read: Promise<T>,
  signal: AbortSignal,
): Promise<Reading<T | undefined, string>> {
  try {
    return new Reading<T | undefined, string>(await read, []);
  } catch (error) {
    signal.throwIfAborted();
    if (stopsAll(error)) throw error;
    return new Reading<T | undefined, string>(undefined, [messageOf(error)]);
  }
}

/** One of several things that could not be read, and why. */
interface UnreadOf<Thing> {
  readonly of: Thing;
  readonly reason: string;
}

/**
 * Reads each thing, as many at once as the settings allow.
 *
 * @param options `onProgress` is called after each thing with how many are done
 * @throws as `orReason` does
 */
export async function readEach<Thing, T>(
  things: readonly Thing[],
  read: (thing: Thing) => Promise<T>,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress?: (done: number) => void },
): Promise<Reading<ReadonlyMap<Thing, T>, UnreadOf<Thing>>> {
  const found = new Map<Thing, T>();
  const gaps: UnreadOf<Thing>[] = [];
  let done = 0;
  const readOne = async (of: Thing) => {
    const value = (await orReason(read(of), signal)).take((reason) => gaps.push({ of, reason }));
    if (value !== undefined) found.set(of, value);
    done += 1;
    onProgress?.(done);
  };
  await Promise.all(things.map(readOne));
  return new Reading(found, gaps);
}
