import { findingsOfProgram, findingsOfRefresh } from "../../../../cli/drift/findings";
import type { Finding } from "../../../../cli/drift/report/model";
import { valueDifferences } from "../../../../cli/lib/value-differences";
import { parsePath, pathText } from "../../../../provider/resources/contract/property-path";
import { planned, refreshed, runOf, type StepFacts, secretValue, type Values } from "./stream";

function rows(findings: readonly Finding[] | undefined) {
  return findings?.map(({ kind, property, declared, live }) => [kind, property, declared, live]);
}

const afterRefresh = (facts: StepFacts) =>
  runOf(refreshed(facts)).steps.flatMap((step) => findingsOfRefresh(step, "test") ?? []);
const afterPreview = (facts: StepFacts) =>
  runOf(planned(facts)).steps.flatMap((step) => findingsOfProgram(step, "test") ?? []);

describe("a last day that is over", () => {
  const overdueReason = "Put off: by the service's clock, the last day is not over.";
  const stepOf = (until: string) => ({
    op: "update",
    ...{ old: { until }, new: { until, ended: "as planned" }, outputs: { overdueReason } },
  });
  const today = new Date().toISOString().slice(0, 10);
  const day = "2000-01-01";

  it.each<StepFacts & { title: string; found: Values[] }>([
    {
      title: "is said of what the program declares for the first time",
      ...{ op: "create", new: { until: day, ended: true } },
      found: [{ kind: "removed", end: { until: day } }],
    },
    { title: "is no difference on the day on which the next update applies it", ...stepOf(today), found: [] },
    {
      title: "is one after that, with what it was put off for",
      ...stepOf(day),
      found: [{ kind: "added", cause: "not-applied", end: { until: day, overdueReason } }],
    },
  ])("$title", ({ found, title: _, ...facts }) => {
    expect(afterPreview(facts)).toMatchObject(found);
  });
});

describe("differences of values", () => {
  const mapping = { roleName: "OWNER", ldapGroups: ["a"] };

  it.each([
    { declared: "a", live: "b", found: ['changed p: "a" -> "b"'] },
    { declared: ["a"], live: [], found: ['removed p: ["a"] -> '] },
    { declared: ["a"], live: undefined, found: ['removed p: ["a"] -> '] },
    { declared: undefined, live: "b", found: ['added p:  -> "b"'] },
    { declared: undefined, live: undefined, found: [] },
    // The entries of a set that differ, once and without an index.
    { declared: ["A", "B", "C"], live: ["0", "B", "D"], found: ['changed p: ["A","C"] -> ["0","D"]'] },
    { declared: ["B"], live: ["A", "B"], found: ['added p:  -> ["A"]'] },
    { declared: { a: ["x", "y"] }, live: { a: ["y", "x"] }, found: [] },
    // No longer a set of mappings.
    { declared: [mapping, "B"], live: ["B"], found: [`removed p: [${JSON.stringify(mapping)}] -> `] },
    { declared: [], live: {}, found: ["changed p: [] -> {}"] },
  ])("are of $declared -> $live: $found", ({ declared, live, found }) => {
    const text = (value: unknown) => JSON.stringify(value) ?? "";
    const differences = valueDifferences(["p"], declared, live).map(
      ({ path, kind, ...sides }) =>
        `${kind} ${pathText(path)}: ${text(sides.declared)} -> ${text(sides.live)}`,
    );
    expect(differences).toEqual(found);
  });

  it.each([
    'members["ada@example.com"][1]',
    "tags[10]",
    "ldapGroupMappings[0].ldapGroups[1]",
    'm["a\\"b\\\\c"].d',
  ])("are at paths that are parsed as they are written: %s", (path) => {
    expect(pathText(parsePath(path))).toBe(path);
  });
});

/** The plugin's diff holds one kind for a path; the engine's own, for the dynamic provider, compares by index. */
it.each([
  { provider: "plugin", diff: { "tags[0]": "update" } },
  { provider: "dynamic", diff: { "tags[0]": "update", "tags[1]": "update", "tags[2]": "delete" } },
])("a refresh has the same differences whatever the $provider provider calls them", ({ diff }) => {
  const step = { op: "update", diff, old: { tags: ["A", "B", "C"] }, new: { tags: ["B", "C"] } };
  expect(rows(afterRefresh(step))).toEqual([["removed", "tags", ["A"], undefined]]);
});

it("a secret differs, and its values are never reported", () => {
  for (const path of ["tags", "tags[1]"]) {
    const sides = { old: { tags: secretValue }, new: { tags: secretValue } };
    expect(rows(afterRefresh({ op: "update", diff: { [path]: "add" }, ...sides }))).toEqual([
      ["changed", "tags", "[secret]", "[secret]"],
    ]);
  }
});

// As with ignoreChanges: ["members[\"eve@example.com\"]"]: the record differs, and the engine does not mind.
it("no property is named but those that the engine names", () => {
  const step = {
    op: "update",
    type: "opsmanager:index:ProjectMembers",
    diff: { 'members["ada@example.com"][0]': "update" },
    old: { projectId: "1", members: { "ada@example.com": ["A"], "eve@example.com": ["A"] } },
    new: { projectId: "2", members: { "ada@example.com": ["B"], "eve@example.com": ["B"] } },
  };
  expect(rows(afterRefresh(step))).toEqual([["changed", 'members["ada@example.com"]', ["A"], ["B"]]]);
});

it("a preview names no unknown value of the program", () => {
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const diff = { projectId: "update-replace" };
  const step = { op: "replace", diff, old: { projectId: "1" }, new: { projectId: unknown } };
  expect(rows(afterPreview(step))).toEqual([["changed", "projectId", "[not known yet]", "1"]]);
});

describe("the cause of a difference", () => {
  interface Compared {
    readonly state: Values;
    readonly live: Values;
    readonly program: Values;
    readonly isUnfinished?: boolean;
  }

  /** Of each difference between live object and program, with what the state holds. */
  function causes({ state, live, program, isUnfinished = false }: Compared) {
    const paths = (one: Values, other: Values) =>
      Object.fromEntries(
        [...new Set([...Object.keys(one), ...Object.keys(other)])]
          .filter((key) => !key.startsWith("__") && JSON.stringify(one[key]) !== JSON.stringify(other[key]))
          .map((key) => [key, "update"]),
      );
    const run = runOf(
      refreshed({ op: "refresh", diff: paths(state, live), old: state, new: live }),
      planned({ op: "update", diff: paths(live, program), old: live, new: program }),
    );
    const [refresh, step] = run.steps;
    if (!refresh || !step) throw new Error("no steps");
    return findingsOfProgram(step, "test", { refresh, isUnfinished })?.map(
      ({ kind, property, cause }) => `${property} ${kind}: ${cause}`,
    );
  }
  const [a, b, c] = [{ name: "a" }, { name: "b" }, { name: "c" }];
  const read = { name: "b", tags: ["A"] };

  it.each<Compared & { title: string; found: string[] }>([
    { title: "state and program agree", state: a, live: b, program: a, found: ["name changed: outside"] },
    { title: "state and live agree", state: a, live: a, program: b, found: ["name changed: not-applied"] },
    { title: "all three differ", state: a, live: b, program: c, found: ["name changed: both"] },
    { title: "no end", state: a, live: b, program: a, isUnfinished: true, found: ["name changed: unknown"] },
    {
      title: "the state has a value from a read, which proves nothing of what was applied",
      state: { ...read, __inputsRead: ["name"] },
      live: read,
      program: { name: "a", tags: ["B"] },
      found: ["name changed: unknown", "tags changed: not-applied"],
    },
  ])("$title", ({ found, ...compared }) => {
    expect(causes(compared)).toEqual(found);
  });

  it("is determined for a secret only where the engine finds state and live object equal", () => {
    const sides = { old: { tags: secretValue }, new: { tags: secretValue } };
    const update = planned({ op: "update", ...sides, diff: { tags: "update" } });
    const causeAfter = (diff: StepFacts["diff"]) => {
      const [refresh, then] = runOf(
        refreshed({ op: "refresh", ...sides, ...(diff && { diff }) }),
        update,
      ).steps;
      return then && findingsOfProgram(then, "test", { refresh, isUnfinished: false })?.[0]?.cause;
    };
    expect([causeAfter(undefined), causeAfter({ tags: "update" })]).toEqual(["not-applied", "unknown"]);
  });
});
