/** Waits of the resources for Ops Manager, which take seconds, without their time. */
import timers from "node:timers/promises";

/**
 * Call in a test: from here on each wait ends at once.
 *
 * @returns milliseconds of each wait that was requested
 */
export function shortWaits(): number[] {
  const requested: number[] = [];
  const { setTimeout: wait } = timers;
  jest.spyOn(timers, "setTimeout").mockImplementation((milliseconds = 0, value, options) => {
    requested.push(milliseconds);
    return wait(0, value, options);
  });
  return requested;
}

afterEach(() => jest.restoreAllMocks());
