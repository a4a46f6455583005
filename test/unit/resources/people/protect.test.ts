import { type Facts, protect } from "../../../../provider/resources/people/protect";
import { RemovalBudget } from "../../../../provider/resources/session/removal-budget";

const everyone = ["ada", "bob", "eve"];

function budgetOf(maxRemovalsPerRun: number): RemovalBudget {
  const settings = { maxRemovalsPerRun, refreshBeforeUpdate: true, readCacheSeconds: 0 };
  return new RemovalBudget({ settings } as ConstructorParameters<typeof RemovalBudget>[0]);
}

describe("a protection", () => {
  const facts: Facts<string> = {
    isIgnored: (name) => name === "ada",
    isListedName: (name) => name === "bob",
    isDeclared: (name) => name === "eve",
    declarerOf: () => "urn:other",
  };

  test("decides before those after it in the table", () => {
    const { leaving, keptBy } = protect([...everyone, "joe"], facts);
    expect(leaving).toEqual([]);
    expect(keptBy("ignored")).toEqual(["ada"]);
    expect(keptBy("listed name")).toEqual(["bob"]);
    expect(keptBy("undeclared")).toEqual(["joe"]);
    expect(keptBy("declared elsewhere")).toEqual(["eve"]);
  });

  test("applies only where its fact is given", () => {
    expect(protect(everyone, {}).leaving).toEqual(everyone);
  });

  test("does not keep undeclared people where removeUnlisted is true", () => {
    const { leaving } = protect(everyone, { isDeclared: () => false, removeUnlisted: true });
    expect(leaving).toEqual(everyone);
  });

  test("keeps everyone while a listed person could not be added, and else the last owner", () => {
    const isLastOwner = (name: string) => name === "ada";
    expect(protect(everyone, { unfinished: ["new"], isLastOwner }).keptBy("unfinished")).toEqual(everyone);
    expect(protect(everyone, { unfinished: [], isLastOwner }).leaving).toEqual(["bob", "eve"]);
  });
});

describe("a limit", () => {
  const reason = (leaving: readonly string[], overall = "") => `${leaving.join(", ")}: ${overall}`;

  test.each<[title: string, facts: Facts<string>, refusal: string | undefined]>([
    ["an empty list", { listed: { names: [], reason } }, "ada, bob, eve: "],
    ["a list with a name", { listed: { names: ["joe"], reason } }, undefined],
    ["more people than maxRemovals", { maxRemovals: { most: 2, reason } }, "ada, bob, eve: "],
    ["as many people as maxRemovals", { maxRemovals: { most: 3, reason } }, undefined],
  ])("refuses all removals or none: %s", (_, facts, refusal) => {
    const decided = protect(everyone, facts);
    expect(decided.refusal).toBe(refusal);
    expect(decided.leaving).toEqual(refusal === undefined ? everyone : []);
  });

  test("counts only people whom no other protection keeps", () => {
    const facts = { isIgnored: (name: string) => name === "ada", maxRemovals: { most: 2, reason } };
    expect(protect(everyone, facts).leaving).toEqual(["bob", "eve"]);
  });

  test("reserves removals of the run only if no earlier limit refuses them", () => {
    const left = budgetOf(3);
    const budget = { left, removalOf: (holder: string) => ({ placeId: "payments", holder }), reason };
    expect(protect(everyone, { maxRemovals: { most: 1, reason }, budget }).leaving).toEqual([]);
    expect(protect(everyone, { budget }).leaving).toEqual(everyone);
    expect(protect(["joe"], { budget }).refusal).toMatch(/^joe: this run would make 4 removals/);
  });
});
