/** Contradictions that are open: each test fails once its fault is mended. Its row in `open.ts` leaves then, and its world becomes a regression. */
import { noCounts, playWorld } from "../play";
import { open } from "./open";

test.each(open)("is open: $invariant", async ({ invariant, world }) => {
  const found = playWorld(world, noCounts(), { isStrict: true });
  await expect(found).rejects.toMatchObject({ invariant });
});
