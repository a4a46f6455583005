/** What a row of `npm run bench` is: one file or folder in this folder, listed in `index.ts`. */

export interface Conditions {
  /** A few rounds of few objects, to see that it runs; the figures have no meaning. */
  readonly quick: boolean;
  /** Says on stderr what is being measured. */
  print(line: string): void;
}

export interface Cell {
  readonly table: string;
  readonly line: string;
  readonly column: string;
}

export interface Figure {
  readonly what: string;
  /** Median of the samples. */
  readonly value: number;
  /** `times` is a ratio. */
  readonly unit: "ms" | "s" | "MB" | "requests" | "times";
  /** At most this much is to be reached. */
  readonly target?: number;
  /** Its position when many of one kind are laid out side by side. */
  readonly cell?: Cell;
  /** How many times the same of something else. */
  readonly ratio?: { readonly to: string; readonly times: number };
  readonly samples: readonly number[];
}

export interface Row {
  readonly name: string;
  /** Takes too long for each run: runs if `--only` or `--all` requests it. */
  readonly isSeparate?: boolean;
  run(conditions: Conditions): Promise<readonly Figure[]>;
}

export function figure(
  what: string,
  unit: Figure["unit"],
  samples: readonly number[],
  more: {
    target?: number;
    cell?: Cell;
    ratioTo?: { name: string; samples: readonly number[] };
  } = {},
): Figure {
  const value = median(samples);
  const { ratioTo, ...others } = more;
  return {
    what,
    value,
    unit,
    samples,
    ...others,
    ...(ratioTo && { ratio: { to: ratioTo.name, times: value / median(ratioTo.samples) } }),
  };
}

export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 0 ? (low + high) / 2 : high;
}

/** How many times the other, within each round: other work of the machine slows down both. */
export function ratios(samples: readonly number[], others: readonly number[]): number[] {
  return samples.map((value, round) => value / (others[round] ?? median(others)));
}

/** `1000` is `1,000`. */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

/** Milliseconds until the work is done. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
