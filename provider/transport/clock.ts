/** Time as the layers that wait see it; a test may bring one of its own. */
import { pause } from "./interruption";

export interface Clock {
  /** Milliseconds since some moment in the past; never runs back. */
  now(): number;
  /** @throws the interruption as soon as the signal says stop */
  pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

export const processClock: Clock = { now: () => performance.now(), pause };
