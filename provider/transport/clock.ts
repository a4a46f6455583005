/** Time as the layers that wait see it; a test may bring one of its own. */
import { pause } from "./interruption";

export interface Clock {
  /** Milliseconds since some moment in the past; never runs back. */
  now(): number;
  /**
   * Ends when `now` has advanced by at least so many milliseconds.
   *
   * @throws the interruption as soon as the signal is aborted
   */
  pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

/** Timers of Node.js count whole milliseconds and may end in the last of them, so each pause is one longer than its whole number. */
export const processClock: Clock = {
  now: () => performance.now(),
  pause: (milliseconds, signal) => pause(Math.ceil(milliseconds) + 1, signal),
};
