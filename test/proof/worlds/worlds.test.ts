/** A small part of what `npm run proof` plays: the same worlds in each run, so that a failure is one of this commit. */
import { runWorlds, type WorldsResult } from "./run";

/** A part ends within the time of one test on a busy machine too. */
const seeds = [20_261_111, 20_261_112, 20_261_113, 20_261_114, 20_261_115, 20_261_116];
const worlds = 20;
const results: WorldsResult[] = [];

const total = (count: "worlds" | "faults" | "interruptions" | "invariants") =>
  results.reduce((sum, result) => sum + result[count], 0);

test.each(seeds)("random worlds hold every invariant (seed %i)", async (seed) => {
  const result = await runWorlds({ worlds, seed, steps: [5, 15] });
  results.push(result);
  expect(result.counterexamples.map(({ script }) => script)).toEqual([]);
});

test("the worlds are disturbed, and invariants are checked", () => {
  expect(total("worlds")).toBe(worlds * results.length);
  // In any order and selection of the tests above.
  expect(total("faults")).toBeGreaterThanOrEqual(3 * results.length);
  expect(total("interruptions")).toBeGreaterThanOrEqual(results.length);
  expect(total("invariants")).toBeGreaterThanOrEqual(500 * results.length);
});
