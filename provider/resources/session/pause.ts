/** Waits until the service has finished what it has accepted. */
import { setTimeout as wait } from "node:timers/promises";

/**
 * Ends early, without an error, when the operation is canceled: the next request fails with the
 * reason.
 */
export async function pauseUnlessCanceled(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => undefined);
}

/**
 * Repeats an attempt that the service refuses for a while.
 *
 * @param waitOf milliseconds before the next attempt, from the error and the number of earlier
 * refusals; `undefined` ends with this error
 */
export async function whileRefused<T>(
  attempt: () => Promise<T>,
  waitOf: (error: unknown, refusals: number) => number | undefined | Promise<number | undefined>,
  signal: AbortSignal,
): Promise<T> {
  for (let refusals = 0; ; refusals += 1) {
    try {
      return await attempt();
    } catch (error) {
      const milliseconds = await waitOf(error, refusals);
      if (milliseconds === undefined) throw error;
      await pauseUnlessCanceled(milliseconds, signal);
    }
  }
}

/** About a minute together. */
const WAITS_FOR_DELETION = [500, 1000, 2000, 4000, 8000, 16_000, 30_000] as const;
/**
 * If no deletion is known, the obstacle may be an object that this key cannot see. Then waiting does
 * not help.
 */
const ATTEMPTS_ON_SUSPICION = 3;

/** Milliseconds to wait if the deletion of a project may not be finished. */
export function waitForDeletion(refusals: number, isKnown: boolean): number | undefined {
  return refusals < ATTEMPTS_ON_SUSPICION || isKnown ? WAITS_FOR_DELETION[refusals] : undefined;
}
