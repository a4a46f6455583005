/** The clock of the layers that wait. A test can replace it. */
import { pause } from "./interruption";

export interface Clock {
  /** Milliseconds since some moment in the past; never decreases. */
  now(): number;
  /**
   * Resolves when `now` has advanced by at least this many milliseconds.
   *
   * @throws the interruption as soon as the signal is aborted
   */
  pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

/**
 * The clock of this process. Timers of Node.js count whole milliseconds and may end in the last
 * one. Each pause is therefore rounded up and one millisecond longer.
 */
export const processClock: Clock = {
  now: () => performance.now(),
  pause: (milliseconds, signal) => pause(Math.ceil(milliseconds) + 1, signal),
};
