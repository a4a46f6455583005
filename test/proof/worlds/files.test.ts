/** A few of the worlds of files that `npm run proof` plays, and what they have found. */
import { disposeStacks, keepDefault } from "../../support";
import { playFilesWorld, runFilesWorlds } from "./files";

beforeEach(() => {
  keepDefault("refreshBeforeUpdate", "a plain up sees who was brought back");
  keepDefault("readCacheSeconds", "the worlds are the same in each run");
});
afterEach(disposeStacks);

it("2 random worlds of files end what is over by both clocks, beside failures too, and nothing else", async () => {
  const result = await runFilesWorlds({ worlds: 2, seed: 21 });
  expect(result.counterexamples.map(({ script }) => script)).toEqual([]);
  expect(result.worlds).toBe(2);
});

it("a failed project keeps no access that is over, and a day that passed by one clock ends nothing", () =>
  playFilesWorld({
    steps: [
      { do: "list", place: "ledger", holder: "cleo", until: "2030-03-20" },
      { do: "list", place: "payments", holder: "operators", until: "2030-03-20" },
      { do: "list", place: "acme", holder: "finn", until: "2030-03-20" },
      { do: "list", place: "acme", holder: "ci", until: "2030-03-20" },
      { do: "up" },
      { do: "wait", clock: "machine", days: 1 },
      { do: "up" },
      { do: "break", isBroken: true },
      { do: "wait", clock: "service", days: 1 },
      { do: "up" },
      { do: "bring back", pick: 0 },
      { do: "up" },
    ],
  }));

it("whoever is brought back after the last day and then left out of a list is nobody's any more", () =>
  playFilesWorld({
    steps: [
      { do: "list", place: "operators", holder: "ada", until: "2999-12-31" },
      { do: "list", place: "operators", holder: "cleo", until: "2030-03-19" },
      { do: "up" },
      { do: "bring back", pick: 0 },
      { do: "leave out", pick: 1 },
      { do: "up" },
    ],
  }));
