/** Runs random worlds and reports what they came to. */
import { startModel } from "./engine";
import { type Counts, noCounts } from "./play";
import { startRealEngine } from "./real-engine";
import { asRegressionTest } from "./script";
import { counterexampleOf, type Share, shortenCounterexample, worldsOf } from "./search";

export interface WorldsOptions extends Share {
  /** No world begins after so many minutes. */
  readonly minutes?: number;
  /** Steps of a world; default 5 to 30. */
  readonly steps?: readonly [number, number];
  /** What carries out the commands; default: the engine's model in this process. */
  readonly engine?: "model" | "real";
}

/** How many worlds are played to make a counterexample shorter. */
const shrinks = { model: 300, real: 30 } as const;

export interface FoundCounterexample {
  readonly invariant: string;
  readonly detail: string;
  /** A test that fails while the fault exists. */
  readonly script: string;
}

export interface WorldsResult extends Counts {
  readonly worlds: number;
  /** At most one: the run ends with the first, in its shortest form. */
  readonly counterexamples: readonly FoundCounterexample[];
}

export async function runWorlds(options: WorldsOptions): Promise<WorldsResult> {
  const { minutes = Number.POSITIVE_INFINITY, steps, engine = "model" } = options;
  const startEngine = engine === "real" ? startRealEngine : startModel;
  const counts = noCounts();
  const until = performance.now() + minutes * 60_000;
  let played = 0;
  for (const { world } of worldsOf(options, steps)) {
    if (performance.now() > until) break;
    played += 1;
    const before = counts.steps;
    const first = await counterexampleOf(world, counts, { startEngine });
    if (first === undefined) continue;
    const ends = counts.steps - before;
    const short = await shortenCounterexample(world, ends, first, { startEngine }, shrinks[engine]);
    const { invariant, detail } = short.found;
    const script = asRegressionTest(short.world, short.found, engine);
    return { ...counts, worlds: played, counterexamples: [{ invariant, detail, script }] };
  }
  return { ...counts, worlds: played, counterexamples: [] };
}
