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

describe("a limit", () => {
  const reason = (leaving: readonly string[], overall = "") => `${leaving.join(", ")}: ${overall}`;

  function limitsWith(maxRemovalsPerRun = 100): Limits<string> {
    const settings = { maxRemovalsPerRun, refreshBeforeUpdate: true, readCacheSeconds: 0 };
    const left = new RemovalBudget({ settings } as ConstructorParameters<typeof RemovalBudget>[0]);
    const removalOf = (holder: string) => ({ placeId: "payments", holder });
    const budget = { left, removalOf, reason };
    return { isEnded: never, listed: undefined, maxRemovals: { most: 5, reason }, budget };
  }

  test.each<[title: string, limits: Partial<Limits<string>>, refusal: string | undefined]>([
    ["an empty list", { listed: { names: [], reason } }, "ada, bob, eve: "],
    ["a list with a name", { listed: { names: ["joe"], reason } }, undefined],
    ["more people than maxRemovals", { maxRemovals: { most: 2, reason } }, "ada, bob, eve: "],
    [
      "more people than maxRemovals, one of whom has ended",
      { maxRemovals: { most: 2, reason }, isEnded: (name) => name === "eve" },
      undefined,
    ],
    [
      "an empty list, and everyone has ended",
      { listed: { names: [], reason }, isEnded: () => true },
      undefined,
    ],
    ["as many people as maxRemovals", { maxRemovals: { most: 3, reason } }, undefined],
  ])("refuses all removals or none: %s", (_, limits, refusal) => {
    expect(refusalOf(everyone, { ...limitsWith(), ...limits })).toBe(refusal);
  });

  test("of an empty list concerns only removals", () => {
    expect(refusalOf([], { ...limitsWith(), listed: { names: [], reason } })).toBeUndefined();
  });

  test("reserves removals of the run only if no earlier limit refuses them", () => {
    const limits = limitsWith(3);
    expect(refusalOf(everyone, { ...limits, maxRemovals: { most: 1, reason } })).toBe("ada, bob, eve: ");
    expect(refusalOf(everyone, limits)).toBeUndefined();
    expect(refusalOf(["joe"], limits)).toMatch(/^joe: this run would make 4 removals/);
  });
});
