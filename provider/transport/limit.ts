/**
 * How many calls are under way at once and how many begin in a second; fair between the objects they are about.
 *
 * A call keeps its place while it waits before its next attempt. So a service that asks for patience gets it: the calls that it
 * has put off hold the places of those that it would put off next.
 */
import { type Clock, processClock } from "./clock";
import { FairQueue } from "./fair-queue";
import { unlessInterrupted } from "./interruption";
import type { Layer } from "./wire";

export interface LimitSettings {
  readonly maxConcurrentRequests: number;
  /** `undefined`: no limit. */
  readonly requestsPerSecond?: number | undefined;
}

export function createLimit(settings: LimitSettings, clock: Clock = processClock): Layer {
  const gate = new Gate(settings.maxConcurrentRequests);
  const pace = createPace(settings.requestsPerSecond, clock);
  return (next) => async (request) => {
    if (!gate.enterAtOnce()) await gate.enter(request.line ?? "", request.signal);
    try {
      if (pace) await pace(request.signal);
      return await next(request);
    } finally {
      gate.leave();
    }
  };
}

class Gate {
  readonly #waiting = new FairQueue<() => void>();
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /** @returns whether there was a place */
  enterAtOnce(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Waits for a place, in its turn. */
  async enter(line: string, signal: AbortSignal | undefined): Promise<void> {
    let admit = () => {};
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
    });
    this.#waiting.push(line, admit);
    try {
      await unlessInterrupted(admitted, signal);
    } catch (error) {
      // Who was let in at the very moment of the interruption holds a place and has to give it back.
      if (!this.#waiting.delete(line, admit)) this.leave();
      throw error;
    }
  }

  leave(): void {
    const first = this.#waiting.shift();
    if (first) first();
    else this.#free += 1;
  }
}

/** A token bucket that holds one second's worth, at least one: each request books the next free moment. */
function createPace(
  perSecond: number | undefined,
  clock: Clock,
): ((signal?: AbortSignal) => Promise<void>) | undefined {
  if (perSecond === undefined) return undefined;
  const interval = 1000 / perSecond;
  const saved = Math.max(1000, interval);
  let booked = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    const now = clock.now();
    booked = Math.max(booked, now - saved) + interval;
    if (booked > now) await clock.pause(booked - now, signal);
  };
}
