/**
 * Random worlds, each a separate test. A mutant runs only the worlds that reach it, and the first
 * failure ends the search. `npm run mutation` alone needs them: `worlds/worlds.test.ts` plays
 * others in parts, and shortens what it finds.
 */
import { playWorld } from "../worlds/play";
import { worldsOf } from "../worlds/search";

/** They wait up to a minute for the deletion of a project, and show nothing that others do not. */
const slow = new Set([82, 92, 152]);
const drawn = [...worldsOf({ worlds: 160, seed: 20_261_122 }, [15, 30])];

test.each(drawn.filter(({ number }) => !slow.has(number)))(
  "random world $number holds every invariant",
  ({ world }) => playWorld(world),
);
