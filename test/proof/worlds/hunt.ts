/** Plays worlds against a provider with faults: continues after each counterexample, and names the known fault that it shows. */
import fc from "fast-check";
import { worlds } from "./arbitrary";
import { batchesOf, type Share } from "./batches";
import { knownFaults } from "./known-faults";
import { Counterexample, noCounts, playWorld } from "./play";
import { asRegressionTest } from "./script";
import { shorten } from "./shorten";
import type { World } from "./world";

export interface FoundFault {
  /** The known fault, or the invariant that does not hold. */
  readonly name: string;
  readonly isKnown: boolean;
  /** How many worlds were played until then. */
  readonly afterWorlds: number;
  /** A test that fails while the fault exists. */
  readonly script: string;
}

/** @param onFound gets the first counterexample of each fault, in its shortest form */
export async function hunt(share: Share, onFound: (fault: FoundFault) => void): Promise<void> {
  const reported = new Set<string>();
  for (const { seed, size, before } of batchesOf(share)) {
    const batch = fc.sample(worlds(5, 30), { seed, numRuns: size });
    for (const [index, world] of batch.entries()) {
      const counts = noCounts();
      const found = await counterexampleOf(world, counts);
      if (found === undefined) continue;
      const known = knownFaults.find((fault) => fault.isShownBy(found));
      const name = known?.name ?? found.invariant;
      // To shorten a world takes as long as to play a hundred.
      if (reported.has(name)) continue;
      reported.add(name);
      const played = { ...world, steps: world.steps.slice(0, counts.steps) };
      const shortest = await shorten(played, found, async (shorter) => {
        const again = await counterexampleOf(shorter);
        return again?.invariant === found.invariant ? again : undefined;
      });
      onFound({
        name,
        isKnown: known !== undefined,
        afterWorlds: before + index + 1,
        script: asRegressionTest(shortest.world, shortest.found),
      });
    }
  }
}

async function counterexampleOf(world: World, counts = noCounts()): Promise<Counterexample | undefined> {
  try {
    await playWorld(world, counts);
    return undefined;
  } catch (error) {
    if (error instanceof Counterexample) return error;
    throw error;
  }
}
