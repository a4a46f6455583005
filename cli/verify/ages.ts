/** Waits for a moment between the ages at which something is read. */
import type { Trial } from "./trial";

/** In seconds; close together around the observed 60 seconds of a nonce's life. */
const AGES = [1, 2, 5, 10, 20, 30, 45, 59, 60, 61, 90, 120, 180, 300, 600];

/** The ages that the option `--wait` allows. */
export function agesOf({ options }: Trial): readonly number[] {
  return AGES.filter((age) => age <= options.waitSeconds);
}

/** Pauses until this many seconds have passed since a moment of the run's clock. */
export async function waitUntil(trial: Trial, since: number, seconds: number): Promise<void> {
  const rest = since + seconds * 1000 - trial.clock.now();
  if (rest > 0) await trial.clock.pause(rest, trial.stop);
}

/**
 * How long states last that began at the same moment: the first of the ages at which each has
 * ended.
 *
 * @param lasts reads whether the state lasts at this moment, by name
 * @returns a state that outlasts every age is missing
 */
export async function agesAtEnd(
  trial: Trial,
  lasts: Readonly<Record<string, () => Promise<boolean>>>,
): Promise<ReadonlyMap<string, number>> {
  const since = trial.clock.now();
  const ends = new Map<string, number>();
  for (const age of [0, ...agesOf(trial)]) {
    const open = Object.entries(lasts).filter(([name]) => !ends.has(name));
    if (open.length === 0) break;
    await waitUntil(trial, since, age);
    for (const [name, stillLasts] of open) if (!(await stillLasts())) ends.set(name, age);
  }
  return ends;
}
