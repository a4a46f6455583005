/** Runs random worlds and reports what they came to. */
import fc from "fast-check";
import { worlds } from "./arbitrary";
import { startModel } from "./engine";
import { Counterexample, type Counts, noCounts, playWorld } from "./play";
import { startRealEngine } from "./real-engine";
import { asRegressionTest } from "./script";
import type { World } from "./world";

export interface WorldsOptions {
  /** How many worlds, at most; default 300. */
  readonly worlds?: number;
  /** Default: a random one, which the result contains. */
  readonly seed?: number;
  /** No world begins after so many minutes. */
  readonly minutes?: number;
  /** Steps of a world; default 5 to 30. */
  readonly steps?: readonly [number, number];
  /** Worlds that are made shorter after a counterexample; default 300, and 30 with real commands. */
  readonly shrinks?: number;
  /** What carries out the commands; default: the engine's model in this process. */
  readonly engine?: "model" | "real";
}

export interface FoundCounterexample {
  readonly invariant: string;
  readonly detail: string;
  readonly seed: number;
  /** How many worlds were played until then. */
  readonly afterWorlds: number;
  readonly world: World;
  readonly story: readonly string[];
  /** A test that fails while the fault exists. */
  readonly script: string;
}

export interface WorldsResult extends Counts {
  readonly seed: number;
  readonly worlds: number;
  readonly seconds: number;
  /** At most one: the run ends with the first, in its shortest form. */
  readonly counterexamples: readonly FoundCounterexample[];
}

export async function runWorlds(options: WorldsOptions = {}): Promise<WorldsResult> {
  const { worlds: most = 300, minutes, steps = [5, 30], engine = "model" } = options;
  const { shrinks = engine === "real" ? 30 : 300 } = options;
  const startEngine = engine === "real" ? startRealEngine : startModel;
  const seed = options.seed ?? Date.now() % 2 ** 31;
  const counts = noCounts();
  const started = performance.now();
  const until = minutes === undefined ? Number.POSITIVE_INFINITY : started + minutes * 60_000;
  let played = 0;
  let failedAfter: number | undefined;
  let extra = 0;
  const property = fc.asyncProperty(worlds(...steps), async (world) => {
    if (failedAfter === undefined) {
      if (performance.now() > until) return;
      played += 1;
    } else {
      extra += 1;
      if (extra > shrinks) return;
    }
    try {
      await playWorld(world, failedAfter === undefined ? counts : noCounts(), startEngine);
    } catch (error) {
      failedAfter ??= played;
      throw error;
    }
  });
  const details = await fc.check(property, { numRuns: most, seed, endOnFailure: false });
  const counterexamples: FoundCounterexample[] = [];
  if (details.failed) {
    const [world] = details.counterexample ?? [];
    const error = details.errorInstance;
    if (world === undefined || !(error instanceof Counterexample)) throw error;
    counterexamples.push({
      invariant: error.invariant,
      detail: error.detail,
      seed,
      afterWorlds: failedAfter ?? played,
      world,
      story: error.story,
      script: asRegressionTest(world, error, engine),
    });
  }
  const seconds = (performance.now() - started) / 1000;
  return { ...counts, seed, worlds: played, seconds, counterexamples };
}
