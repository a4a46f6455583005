/** A small part of what `npm run proof` plays: the same worlds in each run, so that a failure is one of this commit. */
import { runWorlds } from "./run";

test("300 random worlds hold every invariant", async () => {
  const result = await runWorlds({ worlds: 300, seed: 20_261_122, steps: [5, 15] });
  expect(result.counterexamples.map(({ script }) => script)).toEqual([]);
  expect(result.worlds).toBe(300);
  // A tester that disturbs nothing or checks nothing proves nothing.
  expect(result.faults).toBeGreaterThan(100);
  expect(result.interruptions).toBeGreaterThan(20);
  expect(result.invariants).toBeGreaterThan(10_000);
});
