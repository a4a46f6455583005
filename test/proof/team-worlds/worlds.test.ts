/** A small part of what `npm run proof` plays of teams, people and agent API keys: the same worlds in each run. */
import { runWorlds } from "../worlds/run";

test("150 random worlds of teams, people and agent API keys hold every invariant, although they are disturbed", async () => {
  const result = await runWorlds({ worlds: 150, seed: 20_261_123, steps: [5, 20], engine: "teams" });
  expect(result.counterexamples.map(({ script }) => script)).toEqual([]);
  expect(result.faults).toBeGreaterThan(20);
  expect(result.interruptions).toBeGreaterThan(10);
  expect(result.secretsSearched).toBeGreaterThan(1000);
});
