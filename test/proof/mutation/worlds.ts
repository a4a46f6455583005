/**
 * A few random worlds, each a separate test. A mutant runs only the worlds that reach it, and the
 * first failure ends the search. `npm run mutation` alone needs them: `worlds/worlds.test.ts` plays
 * more in the same time, and shortens what it finds.
 */
import { playWorld } from "../worlds/play";
import { worldsOf } from "../worlds/search";

test.each([...worldsOf({ worlds: 80, seed: 20_261_122 }, [15, 30])])(
  "random world $number holds every invariant",
  ({ world }) => playWorld(world),
);
