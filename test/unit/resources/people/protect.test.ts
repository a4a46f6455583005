import {
  type Limits,
  never,
  noOne,
  type PlanFacts,
  protect,
  protectAtTheEnd,
  refusalOf,
} from "../../../../provider/resources/people/protect";
import { RemovalBudget } from "../../../../provider/resources/session/removal-budget";

const everyone = ["ada", "bob", "eve"];

describe("a protection of the plan", () => {
  const nothing: PlanFacts<string> = {
    isIgnored: never,
    isListedName: never,
    isDeclared: never,
    removeUnlisted: false,
    declarerOf: noOne,
  };
  const all: PlanFacts<string> = {
    isIgnored: (name) => name === "ada",
    isListedName: (name) => name === "bob",
    isDeclared: (name) => name === "eve",
    removeUnlisted: false,
    declarerOf: () => "urn:other",
  };

  test("decides before those after it in the table", () => {
    const { leaving, keptBy } = protect([...everyone, "joe"], all);
    expect(leaving).toEqual([]);
    expect(keptBy("ignored")).toEqual(["ada"]);
    expect(keptBy("listed name")).toEqual(["bob"]);
    expect(keptBy("undeclared")).toEqual(["joe"]);
    expect(keptBy("declared elsewhere")).toEqual(["eve"]);
  });

  test("keeps undeclared people unless removeUnlisted is true", () => {
    expect(protect(everyone, nothing).leaving).toEqual([]);
    expect(protect(everyone, { ...nothing, removeUnlisted: true }).leaving).toEqual(everyone);
    expect(protect(everyone, { ...nothing, isDeclared: (name) => name === "eve" }).leaving).toEqual(["eve"]);
  });
});

test("at the end, everyone stays while a listed person could not be added, and else the last owner", () => {
  const isLastOwner = (name: string) => name === "ada";
  const unfinished = protectAtTheEnd(everyone, { unfinished: ["new"], isLastOwner });
  expect(unfinished.keptBy("unfinished")).toEqual(everyone);
  expect(protectAtTheEnd(everyone, { unfinished: [], isLastOwner }).leaving).toEqual(["bob", "eve"]);
});

test("a limit does not count whose end was planned, and reserves removals of the run only if no earlier limit refuses them", () => {
  const settings = { maxRemovalsPerRun: 2, refreshBeforeUpdate: true, readCacheSeconds: 0 };
  const left = new RemovalBudget({ settings } as ConstructorParameters<typeof RemovalBudget>[0]);
  const reason = (leaving: readonly string[], overall = "") => `${leaving.join(", ")}: ${overall}`;
  const removalOf = (holder: string) => ({ placeId: "payments", holder });
  const refusal = (leaving: readonly string[], most: number, more: Partial<Limits<string>> = {}) =>
    refusalOf(leaving, {
      ...{ isPlannedEnd: never, listed: undefined, maxRemovals: { most, reason } },
      ...{ budget: { left, removalOf, reason }, ...more },
    });
  const isPlannedEnd = (name: string) => name === "eve";
  expect(refusal(everyone, 1)).toBe("ada, bob, eve: ");
  expect(refusal(everyone, 0, { listed: { names: [], reason }, isPlannedEnd: () => true })).toBeUndefined();
  expect(refusal(everyone, 2, { isPlannedEnd })).toBeUndefined();
  expect(refusal(["joe"], 5)).toMatch(/^joe: this run would make 3 removals/);
});
