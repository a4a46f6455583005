/**
 * Limits how many calls are in flight at once and how many begin per second; fair between the
 * objects they are about.
 *
 * A call keeps its slot while it waits before its next attempt. So a service that requires waiting
 * is not sent further calls: the delayed calls hold the slots of the next ones.
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
    if (!gate.enterAtOnce()) await gate.enter(request.queueKey ?? "", request.signal);
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

  constructor(slots: number) {
    this.#free = slots;
  }

  /** @returns whether a slot was free */
  enterAtOnce(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Waits for a slot, in turn. */
  async enter(queueKey: string, signal: AbortSignal | undefined): Promise<void> {
    let takeTurn = () => {};
    const turn = new Promise<void>((resolve) => {
      takeTurn = resolve;
    });
    this.#waiting.push(queueKey, takeTurn);
    try {
      await unlessInterrupted(turn, signal);
    } catch (error) {
      // A call that got a slot at the moment of the interruption releases it.
      if (!this.#waiting.delete(queueKey, takeTurn)) this.leave();
      throw error;
    }
  }

  leave(): void {
    const first = this.#waiting.shift();
    if (first) first();
    else this.#free += 1;
  }
}

/**
 * A token bucket that holds the tokens of one second, at least one. Each request books the next
 * free moment.
 */
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
