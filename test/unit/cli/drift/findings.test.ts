import { findingsOfProgram, findingsOfRefresh } from "../../../../cli/drift/findings";
import type { Finding } from "../../../../cli/drift/report/model";
import { valueDifferences } from "../../../../cli/lib/value-differences";
import { parsePath, pathText } from "../../../../provider/resources/contract/property-path";
import { planned, refreshed, runOf, type StepFacts, secretValue, type Values } from "./stream";

function rows(findings: readonly Finding[] | undefined) {
  return findings?.map(({ kind, property, declared, live }) => [kind, property, declared, live]);
}

function afterRefresh(facts: StepFacts) {
  const [step] = runOf(refreshed(facts)).steps;
  if (!step) throw new Error("no step");
  return findingsOfRefresh(step, "test");
}

function afterPreview(facts: StepFacts) {
  const [step] = runOf(planned(facts)).steps;
  if (!step) throw new Error("no step");
  return findingsOfProgram(step, "test");
}

describe("differences of values", () => {
  const between = (declared: unknown, live: unknown) =>
    valueDifferences(["p"], declared, live).map(({ path, kind, ...values }) => [
      kind,
      pathText(path),
      values,
    ]);

  it("name the entries that differ, once for a set and without an index", () => {
    expect(between(["A", "B", "C"], ["0", "B", "D"])).toEqual([
      ["changed", "p", { declared: ["A", "C"], live: ["0", "D"] }],
    ]);
    expect(between(["B"], ["A", "B"])).toEqual([["added", "p", { live: ["A"] }]]);
  });

  it("are none where only the order of a set differs", () => {
    expect(between(["A", "B"], ["B", "A"])).toEqual([]);
    expect(between({ a: ["x", "y"], b: ["z"] }, { b: ["z"], a: ["y", "x"] })).toEqual([]);
  });

  it("name a set that becomes empty, or is no longer one of mappings, as a whole", () => {
    const mapping = { roleName: "OWNER", ldapGroups: ["a"] };
    expect(between([mapping], [])).toEqual([["removed", "p", { declared: [mapping] }]]);
    expect(between([mapping, "B"], ["B"])).toEqual([["removed", "p", { declared: [mapping] }]]);
    expect(between([], {})).toEqual([["changed", "p", { declared: [], live: {} }]]);
  });

  it.each([
    ["p", "a", "b", [["changed", "p", { declared: "a", live: "b" }]]],
    ["an empty list", ["a"], [], [["removed", "p", { declared: ["a"] }]]],
    ["no list", ["a"], undefined, [["removed", "p", { declared: ["a"] }]]],
    ["no declaration", undefined, "b", [["added", "p", { live: "b" }]]],
    ["nothing on both sides", undefined, undefined, []],
  ])("know %s", (_, declared, live, expected) => {
    expect(between(declared, live)).toEqual(expected);
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

describe("a refresh", () => {
  it("has the state as declared and the service as live", () => {
    const step = {
      op: "update",
      diff: { name: "update" },
      old: { name: "payments" },
      new: { name: "by-hand" },
    };
    expect(afterRefresh(step)).toEqual([
      {
        stack: "test",
        urn: "urn:pulumi:test::platform::opsmanager:index:Project::payments",
        type: "opsmanager:index:Project",
        name: "payments",
        id: "5f0000000000000000000001",
        comparison: "state",
        cause: "outside",
        kind: "changed",
        property: "name",
        declared: "payments",
        live: "by-hand",
      },
    ]);
  });

  /** The plugin's diff holds one kind for a path; the engine's own, for the dynamic provider, compares by index. */
  it.each([
    ["plugin", { "tags[0]": "update" }],
    ["dynamic", { "tags[0]": "update", "tags[1]": "update", "tags[2]": "delete" }],
  ])("has the same differences whatever the %s provider calls them", (_, diff) => {
    const step = { op: "update", diff, old: { tags: ["A", "B", "C"] }, new: { tags: ["B", "C"] } };
    expect(rows(afterRefresh(step))).toEqual([["removed", "tags", ["A"], undefined]]);
  });

  it("reports that a secret differs, and never its values", () => {
    for (const path of ["tags", "tags[1]"]) {
      const sides = { old: { tags: secretValue }, new: { tags: secretValue } };
      const step = { op: "update", diff: { [path]: "add" }, ...sides };
      expect(rows(afterRefresh(step))).toEqual([["changed", "tags", "[secret]", "[secret]"]]);
    }
  });

  it("names no properties but those that the engine names", () => {
    const step = {
      op: "update",
      type: "opsmanager:index:ProjectMembers",
      // As with ignoreChanges: ["members[\"eve@example.com\"]"]: the record differs, and the engine does not mind.
      diff: { 'members["ada@example.com"][0]': "update" },
      old: { projectId: "1", members: { "ada@example.com": ["A"], "eve@example.com": ["A"] } },
      new: { projectId: "2", members: { "ada@example.com": ["B"], "eve@example.com": ["B"] } },
    };
    expect(rows(afterRefresh(step))).toEqual([["changed", 'members["ada@example.com"]', ["A"], ["B"]]]);
  });
});

describe("a preview", () => {
  it("has the program as declared and the service as live", () => {
    const step = {
      op: "update",
      diff: { "tags[0]": "update" },
      old: { tags: ["LIVE"] },
      new: { tags: ["PROGRAM"] },
    };
    expect(rows(afterPreview(step))).toEqual([["changed", "tags", ["PROGRAM"], ["LIVE"]]]);
  });

  it("shows what would be made, destroyed and replaced", () => {
    expect(rows(afterPreview({ op: "create", new: { name: "a" } }))).toEqual([
      ["removed", "", undefined, undefined],
    ]);
    expect(rows(afterPreview({ op: "delete", old: { name: "a" } }))).toEqual([
      ["added", "", undefined, undefined],
    ]);
    const replaced = { op: "replace", diff: { projectId: "update-replace" }, old: { projectId: "1" } };
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    expect(rows(afterPreview({ ...replaced, new: { projectId: unknown } }))).toEqual([
      ["changed", "projectId", "[not known yet]", "1"],
    ]);
  });
});

describe("the cause of a difference", () => {
  /** Of each difference between live object and program, with what the state holds. */
  function causes(applied: Values, live: Values, program: Values, isUnfinished = false) {
    const paths = (one: Values, other: Values) =>
      Object.fromEntries(
        [...new Set([...Object.keys(one), ...Object.keys(other)])]
          .filter((key) => !key.startsWith("__") && JSON.stringify(one[key]) !== JSON.stringify(other[key]))
          .map((key) => [key, "update"]),
      );
    const run = runOf(
      refreshed({ op: "refresh", diff: paths(applied, live), old: applied, new: live }),
      planned({ op: "update", diff: paths(live, program), old: live, new: program }),
    );
    const [refresh, step] = run.steps;
    if (!refresh || !step) throw new Error("no steps");
    return findingsOfProgram(step, "test", { refresh, isUnfinished })?.map(
      ({ kind, property, cause }) => `${property} ${kind}: ${cause}`,
    );
  }

  it.each([
    ["state and program agree", "a", "b", "a", "outside"],
    ["state and live object agree", "a", "a", "b", "not-applied"],
    ["all three differ", "a", "b", "c", "both"],
  ])("is determined from the state where %s", (_, applied, live, program, cause) => {
    expect(causes({ name: applied }, { name: live }, { name: program })).toEqual([`name changed: ${cause}`]);
  });

  it("is determined for a set, and for each entry of a map", () => {
    expect(causes({ tags: ["A", "OLD"] }, { tags: ["A", "OLD", "X"] }, { tags: ["A", "NEW"] })).toEqual([
      "tags changed: both",
    ]);
    expect(causes({ tags: ["A", "B"] }, { tags: ["A"] }, { tags: ["A", "B"] })).toEqual([
      "tags removed: outside",
    ]);
    const [ada, bob] = [{ "ada@example.com": ["R"] }, { "bob@example.com": ["R"] }];
    expect(causes({ members: ada }, { members: { ...ada, ...bob } }, { members: {} })).toEqual([
      'members["ada@example.com"] added: not-applied',
      'members["bob@example.com"] added: outside',
    ]);
  });

  it("is unknown where the state does not prove what was applied last", () => {
    expect(causes({ name: "a" }, { name: "b" }, { name: "a" }, true)).toEqual(["name changed: unknown"]);
    const read = { name: "b", tags: ["A"], __inputsRead: ["name"] };
    const program = { name: "a", tags: ["B"] };
    expect(causes(read, { name: "b", tags: ["A"] }, program)).toEqual([
      "name changed: unknown",
      "tags changed: not-applied",
    ]);
  });

  it("is unknown of a resource that is not in the state: a refresh may have dropped it", () => {
    for (const op of ["create", "import"]) {
      expect(afterPreview({ op, new: { name: "a" } })).toMatchObject([{ cause: "unknown", kind: "removed" }]);
    }
    expect(afterPreview({ op: "delete", old: { name: "a" } })).toMatchObject([{ cause: "not-applied" }]);
  });

  it("is determined for a secret only where the engine finds state and live object equal", () => {
    const secret = { tags: secretValue };
    const step = (op: string, diff?: Record<string, string>) => ({
      op,
      old: secret,
      new: secret,
      ...(diff && { diff }),
    });
    const update = planned(step("update", { tags: "update" }));
    const causeAfter = (diff?: Record<string, string>) => {
      const [refresh, then] = runOf(refreshed(step("refresh", diff)), update).steps;
      return then && findingsOfProgram(then, "test", { refresh, isUnfinished: false })?.[0]?.cause;
    };
    expect([causeAfter(), causeAfter({ tags: "update" })]).toEqual(["not-applied", "unknown"]);
  });
});
