/** Divides the worlds of a run among processes. The same seed gives the same worlds with any number of processes. */

export interface Share {
  readonly worlds: number;
  readonly seed: number;
  /** Which part of the worlds is meant, of how many; default: all. */
  readonly part?: { readonly index: number; readonly of: number };
}

export interface Batch {
  readonly seed: number;
  readonly size: number;
  /** Worlds of the run before the first of this batch. */
  readonly before: number;
}

const batchSize = 50;

export function batchesOf({ worlds, seed, part = { index: 0, of: 1 } }: Share): readonly Batch[] {
  const count = Math.ceil(worlds / batchSize);
  return Array.from({ length: count }, (_, index) => {
    const before = index * batchSize;
    return { seed: (seed + index) % 2 ** 31, size: Math.min(batchSize, worlds - before), before };
  }).filter((_, index) => index % part.of === part.index);
}
