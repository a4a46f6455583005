/** How many calls are under way at once and how many begin in a second; first come, first served. */
import { pause, unlessInterrupted } from "./interruption";
import type { Layer } from "./wire";

export interface LimitSettings {
  readonly maxConcurrentRequests: number;
  /** `undefined`: no limit. */
  readonly requestsPerSecond?: number | undefined;
}

export function createLimit(settings: LimitSettings): Layer {
  const gate = new Gate(settings.maxConcurrentRequests);
  const pace = createPace(settings.requestsPerSecond);
  return (next) => async (request) => {
    await gate.enter(request.signal);
    try {
      await pace(request.signal);
      return await next(request);
    } finally {
      gate.leave();
    }
  };
}

class Gate {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  async enter(signal: AbortSignal | undefined): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    let admit = () => {};
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
    });
    this.#waiting.add(admit);
    try {
      await unlessInterrupted(admitted, signal);
    } catch (error) {
      // Who was let in at the very moment of the interruption holds a place and has to give it back.
      if (!this.#waiting.delete(admit)) this.leave();
      throw error;
    }
  }

  leave(): void {
    const [first] = this.#waiting;
    if (!first) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(first);
    first();
  }
}

/** A token bucket that holds one second's worth, at least one: each request books the next free moment. */
function createPace(perSecond: number | undefined): (signal?: AbortSignal) => Promise<void> {
  if (perSecond === undefined) return async () => undefined;
  const interval = 1000 / perSecond;
  const saved = Math.max(1000, interval);
  let booked = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    const now = performance.now();
    booked = Math.max(booked, now - saved) + interval;
    if (booked > now) await pause(booked - now, signal);
  };
}
