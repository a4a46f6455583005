/** A run: each point in its order, then the removal of what was created, however the run ended. */

import { allPoints, unobservable } from "./points";
import type { Points, PointValue } from "./points/point";
import type { Leftover } from "./throwaways";
import type { Trial } from "./trial";
import { Undetermined } from "./undetermined";

/** A point with the value that was observed, or with the reason why there is none. */
export type PointResult =
  | { readonly name: string; readonly tries: string; readonly value: PointValue }
  | { readonly name: string; readonly tries?: string; readonly reason: string };

export interface VerifyResult {
  /** One for each switch, in the order of the points. */
  readonly results: readonly PointResult[];
  /** How many throw-away projects were removed. */
  readonly removed: number;
  readonly leftovers: readonly Leftover[];
  /** What was thrown before the last point was tried. */
  readonly failure: unknown;
}

/** @param onProgress called after each point with how many are done */
export async function runPoints(trial: Trial, onProgress: (done: number) => void): Promise<VerifyResult> {
  const results: PointResult[] = [];
  let failure: unknown;
  try {
    for (const [name, point] of Object.entries(allPoints)) {
      results.push(await tryPoint(name, point, trial));
      onProgress(results.length);
    }
  } catch (error) {
    failure = error;
  }
  const leftovers = await trial.throwaways.removeAll();
  const notReached = Object.entries(allPoints)
    .slice(results.length)
    .map(([name, [tries]]) => ({ name, tries, reason: "The run ended before." }));
  const others = Object.entries(unobservable).map(([name, reason]) => ({ name, reason }));
  return {
    results: [...results, ...notReached, ...others],
    removed: trial.throwaways.removed,
    leftovers,
    failure,
  };
}

/** @throws OpsManagerError if the service gave no response, or the run was interrupted */
async function tryPoint(name: string, [tries, observe]: Points[string], trial: Trial): Promise<PointResult> {
  try {
    return { name, tries, value: await trial.run(observe) };
  } catch (error) {
    if (error instanceof Undetermined) return { name, tries, reason: error.reason };
    throw error;
  }
}
