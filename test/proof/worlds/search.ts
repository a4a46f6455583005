/** Draws worlds, plays them until one shows a fault, and makes that one short. */
import fc from "fast-check";
import { worlds } from "./arbitrary";
import { Counterexample, noCounts, type PlayOptions, playWorld } from "./play";
import type { World } from "./world";

/** Which worlds of a run: the same seed gives the same worlds with any number of threads. */
export interface Share {
  readonly worlds: number;
  readonly seed: number;
  /** Which part of the worlds is meant, of how many; default: all. */
  readonly part?: { readonly index: number; readonly of: number };
}

export interface DrawnWorld {
  readonly world: World;
  /** Which world of the run it is, from 1. */
  readonly number: number;
}

const batchSize = 50;

/** @param steps least and most steps of a world */
export function* worldsOf(
  { worlds: count, seed, part = { index: 0, of: 1 } }: Share,
  steps: readonly [number, number] = [5, 30],
): Generator<DrawnWorld> {
  for (let batch = part.index; batch * batchSize < count; batch += part.of) {
    const before = batch * batchSize;
    const numRuns = Math.min(batchSize, count - before);
    const drawn = fc.sample(worlds(...steps), { seed: (seed + batch) % 2 ** 31, numRuns });
    for (const [index, world] of drawn.entries()) yield { world, number: before + index + 1 };
  }
}

/** The invariant that does not hold in the world, if one does not. */
export async function counterexampleOf(
  world: World,
  counts = noCounts(),
  options: PlayOptions = {},
): Promise<Counterexample | undefined> {
  try {
    await playWorld(world, counts, options);
    return undefined;
  } catch (error) {
    if (error instanceof Counterexample) return error;
    throw error;
  }
}

/**
 * Leaves out each step and each disturbance without which the world still shows the same.
 *
 * @param again what a shorter world shows, if it is the same
 * @param most so many worlds are played at most
 */
export async function shorten<Played extends { readonly steps: readonly object[] }, Found>(
  world: Played,
  found: Found,
  again: (world: Played) => Promise<Found | undefined>,
  most = 300,
): Promise<{ readonly world: Played; readonly found: Found }> {
  let best = { world, found };
  let played = 0;
  const attempt = async (steps: Played["steps"]): Promise<void> => {
    played += 1;
    if (played > most) return;
    const shorter = { ...best.world, steps };
    const shown = await again(shorter);
    if (shown !== undefined) best = { world: shorter, found: shown };
  };
  for (let before = 0; before !== best.world.steps.length; ) {
    before = best.world.steps.length;
    for (let index = before - 1; index >= 0; index -= 1) await attempt(best.world.steps.toSpliced(index, 1));
  }
  for (const [index, step] of best.world.steps.entries()) {
    if (!("run" in step) || Object.keys(step).length === 1) continue;
    await attempt(best.world.steps.with(index, { run: step.run }));
  }
  return best;
}

/** @param ends after how many steps the world has shown it */
export function shortenCounterexample(
  { steps, ...world }: World,
  ends: number,
  found: Counterexample,
  options: PlayOptions = {},
  most?: number,
) {
  const again = async (shorter: World) => {
    const shown = await counterexampleOf(shorter, noCounts(), options);
    return shown?.invariant === found.invariant ? shown : undefined;
  };
  return shorten({ ...world, steps: steps.slice(0, ends) }, found, again, most);
}
