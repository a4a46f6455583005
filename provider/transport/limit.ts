/** How many requests are under way at once and how many begin in a second; first come, first served. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Layer } from "./wire";

export interface LimitSettings {
  readonly maxConcurrentRequests: number;
  /** `undefined`: no limit. */
  readonly requestsPerSecond?: number | undefined;
}

export function createLimit(settings: LimitSettings): Layer {
  const enter = createGate(settings.maxConcurrentRequests);
  const pace = createPace(settings.requestsPerSecond);
  return (next) => async (request) => {
    const leave = await enter();
    try {
      await pace(request.signal);
      return await next(request);
    } finally {
      leave();
    }
  };
}

function createGate(places: number): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let free = places;
  const leave = () => {
    const first = waiting.shift();
    if (first) first();
    else free += 1;
  };
  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return leave;
  };
}

/** A token bucket that holds one second's worth: each request books the next free moment. */
function createPace(perSecond: number | undefined): (signal?: AbortSignal) => Promise<void> {
  if (perSecond === undefined) return async () => undefined;
  const interval = 1000 / perSecond;
  let booked = 0;
  return async (signal) => {
    const now = performance.now();
    booked = Math.max(booked + interval, now - 1000 + interval);
    if (booked > now) await sleep(booked - now, undefined, signal ? { signal } : {});
  };
}
