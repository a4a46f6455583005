/**
 * A few random worlds, each a separate test. A mutant runs only the worlds that reach it, and the
 * first failure ends the search. `npm run mutation` alone needs them: `worlds/worlds.test.ts` plays
 * more in the same time, and shortens what it finds.
 */
import fc from "fast-check";
import { worlds } from "../worlds/arbitrary";
import { playWorld } from "../worlds/play";

const sample = fc.sample(worlds(15, 30), { seed: 20_261_122, numRuns: 40 });

test.each(sample.map((world, index) => ({ world, number: index + 1 })))(
  "random world $number holds every invariant",
  async ({ world }) => {
    await playWorld(world);
  },
);
