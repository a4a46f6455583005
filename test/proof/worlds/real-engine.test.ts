/** A few of the worlds that `npm run proof` plays through the real engine: the same in each run. */
import { disposeStacks } from "../../support";
import { runWorlds } from "./run";

afterEach(disposeStacks);

it("3 random worlds hold every invariant with real pulumi commands, and the model predicts each of them", async () => {
  const result = await runWorlds({ worlds: 3, seed: 3, steps: [5, 12], engine: "real" });
  expect(result.counterexamples.map(({ script }) => script)).toEqual([]);
  expect(result.worlds).toBe(3);
  // The first command of a world is disturbed by nothing.
  expect(result.predictions).toBeGreaterThanOrEqual(3);
});
