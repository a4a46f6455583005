/** Plays worlds against a provider with faults: continues after each counterexample, and names the known fault that it shows. */
import { knownFaults } from "./known-faults";
import { noCounts } from "./play";
import { asRegressionTest } from "./script";
import { counterexampleOf, type Share, shortenCounterexample, worldsOf } from "./search";

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
  for (const { world, number: afterWorlds } of worldsOf(share)) {
    const counts = noCounts();
    const found = await counterexampleOf(world, counts);
    if (found === undefined) continue;
    const known = knownFaults.find((fault) => fault.isShownBy(found));
    const name = known?.name ?? found.invariant;
    // To shorten a world takes as long as to play a hundred.
    if (reported.has(name)) continue;
    reported.add(name);
    const shortest = await shortenCounterexample(world, counts.steps, found);
    const script = asRegressionTest(shortest.world, shortest.found);
    onFound({ name, isKnown: known !== undefined, afterWorlds, script });
  }
}
