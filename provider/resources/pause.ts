/** Waiting for the service to finish what it has accepted. */
import { setTimeout as wait } from "node:timers/promises";

/**
 * Ends early, without an error, when the operation is canceled: the next request fails with the
 * reason.
 */
export async function pauseUnlessCanceled(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => undefined);
}
