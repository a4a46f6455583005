/** A few of the worlds that `npm run proof` plays through the real engine: the same in each run. */
import { disposeStacks, keepDefault } from "../../support";
import { noCounts, playWorld } from "./play";
import { startRealEngine } from "./real-engine";
import { runWorlds } from "./run";

beforeEach(() => {
  for (const name of ["refreshBeforeUpdate", "readCacheSeconds"] as const)
    keepDefault(name, "the world determines the settings, and the model has the same");
});
afterEach(disposeStacks);

it("3 random worlds hold every invariant with real pulumi commands, and the model predicts each of them", async () => {
  const result = await runWorlds({ worlds: 3, seed: 3, steps: [5, 12], engine: "real" });
  expect(result.counterexamples.map(({ script }) => script)).toEqual([]);
  expect(result.worlds).toBe(3);
  // The first command of a world is disturbed by nothing.
  expect(result.predictions).toBeGreaterThanOrEqual(3);
});

it.each(["plugin", "dynamic"] as const)(
  "the model predicts aliases, outside changes and a project that is deleted with its people (%s)",
  async (provider) => {
    const counts = noCounts();
    const steps = [
      { declare: "Project", slot: "payments", tags: ["PROD"], secretTags: true, onDestroy: "delete" },
      { declare: "ProjectMember", slot: "payments", person: "ada", by: "username", roles: ["GROUP_OWNER"] },
      { declare: "ProjectMembers", slot: "legacy", people: { ben: ["GROUP_OWNER"] } },
      { run: "up" },
      { rename: 0, alias: true },
      { outside: "change tags", slot: "payments", tags: [] },
      { outside: "take back", slot: "payments", pick: 0 },
      { run: "preview" },
      { run: "refresh" },
      { run: "up" },
      { remove: 0 },
      { run: "up" },
    ] as const;
    await playWorld({ provider, switches: {}, steps }, counts, { startEngine: startRealEngine });
    // Each `up` is followed by a second one that must change nothing.
    expect(counts.predictions).toBe(8);
  },
);

it.each([
  ["a replacement, which takes an ignored change, and its preview", "plugin", []],
  ["a replacement, which keeps the list of ignored properties", "dynamic", []],
  // The creation of the second Team fails, so nothing is deleted.
  ["the refresh of an object that is still to be deleted", "plugin", ["operators"]],
] as const)("the model predicts %s", async (_, provider, names) => {
  const counts = noCounts();
  const options = { ignoreChanges: ["usernames"] } as const;
  const team = { declare: "Team", resource: "one", first: true, options } as const;
  const steps = [
    { ...team, team: "operators", people: ["ada"] },
    { run: "up" },
    { ...team, team: "readers", people: ["ada", "dora"], adopts: true },
    ...names.map((name) => ({ declare: "Team", resource: "two", team: name, people: ["finn"] }) as const),
    { run: "preview" },
    { run: "up" },
    { run: "refresh" },
  ] as const;
  await playWorld({ provider, switches: {}, steps }, counts, { startEngine: startRealEngine });
  expect(counts.predictions).toBe(5);
});
