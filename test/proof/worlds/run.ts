/** Runs random worlds and reports what they came to. */
import fc from "fast-check";
import { worlds } from "./arbitrary";
import { batchesOf, type Share } from "./batches";
import { startModel } from "./engine";
import { Counterexample, type Counts, noCounts, playWorld } from "./play";
import { startRealEngine } from "./real-engine";
import { asRegressionTest } from "./script";
import type { World } from "./world";

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
  /** Which world of the run it is, from 1. */
  readonly afterWorlds: number;
  readonly world: World;
  readonly story: readonly string[];
  /** A test that fails while the fault exists. */
  readonly script: string;
}

export interface WorldsResult extends Counts {
  readonly worlds: number;
  /** At most one: the run ends with the first, in its shortest form. */
  readonly counterexamples: readonly FoundCounterexample[];
}

export async function runWorlds(options: WorldsOptions): Promise<WorldsResult> {
  const { minutes = Number.POSITIVE_INFINITY, steps = [5, 30], engine = "model" } = options;
  const startEngine = engine === "real" ? startRealEngine : startModel;
  const play = (world: World, own: Counts) => playWorld(world, own, { startEngine });
  const counts = noCounts();
  const until = performance.now() + minutes * 60_000;
  let played = 0;
  for (const { seed, size, before } of batchesOf(options)) {
    if (performance.now() > until) break;
    let failedAfter: number | undefined;
    let extra = 0;
    let ran = 0;
    const property = fc.asyncProperty(worlds(...steps), async (world) => {
      if (failedAfter === undefined) {
        if (performance.now() > until) return;
        ran += 1;
      } else {
        extra += 1;
        if (extra > shrinks[engine]) return;
      }
      try {
        await play(world, failedAfter === undefined ? counts : noCounts());
      } catch (error) {
        failedAfter ??= before + ran;
        throw error;
      }
    });
    const { failed, counterexample, errorInstance } = await fc.check(property, { numRuns: size, seed });
    played += ran;
    if (!failed) continue;
    const [world] = counterexample ?? [];
    if (world === undefined || !(errorInstance instanceof Counterexample)) throw errorInstance;
    const { invariant, detail, story } = errorInstance;
    const script = asRegressionTest(world, errorInstance, engine);
    const found = { invariant, detail, afterWorlds: failedAfter ?? before, world, story, script };
    return { ...counts, worlds: played, counterexamples: [found] };
  }
  return { ...counts, worlds: played, counterexamples: [] };
}
