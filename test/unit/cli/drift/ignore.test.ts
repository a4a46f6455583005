import {
  type IgnoreRule,
  parseIgnoreRules,
  withIgnored,
  withIgnoredUnmanaged,
} from "../../../../cli/drift/ignore-rules";
import type { Finding } from "../../../../cli/drift/report/model";
import { report, unmanaged } from "./reports";
import { urnOf } from "./stream";

const today = "2026-06-15";
const parse = (text: string) => parseIgnoreRules(text, "rules.yaml", today);

function faultsOf(text: string): string[] {
  try {
    parse(text);
  } catch (error) {
    expect(error).toMatchObject({ code: "OPSMANAGER_CONFIGURATION" });
    return (error as Error).message.split("\n");
  }
  return [];
}

describe("the ignore file", () => {
  it("is a list of rules; an empty one has none", () => {
    expect(parse("# nothing yet\n")).toEqual([]);
    const text =
      '- resource: "pay*"\n  property: tags\n  kind: added\n  stack: dev\n  reason: audit\n  expires: 2026-06-15\n';
    expect(parse(text)).toEqual([
      {
        resource: "pay*",
        property: "tags",
        kind: "added",
        stack: "dev",
        reason: "audit",
        expires: "2026-06-15",
      },
    ]);
  });

  it("has every fault named with its line and column", () => {
    const text = [
      "- resource: payments",
      "  reason: '  '",
      "- resorce: tools",
      "  reason: why",
      "  kind: moved",
      "- resource: tools",
      "  reason: why",
      "  expires: 2026-02-30",
      "- just a text",
    ].join("\n");
    expect(faultsOf(text)).toEqual([
      "rules.yaml:2:11: reason must not be empty.",
      "rules.yaml:3:3: resource is missing.",
      expect.stringMatching(/^rules\.yaml:5:9: kind .*"unmanaged"\.$/),
      "rules.yaml:3:3: resorce is not a property of a rule; there are resource, property, kind, stack, reason, expires.",
      "rules.yaml:8:12: expires must be a day that exists, written YYYY-MM-DD.",
      "rules.yaml:9:3: A rule must be a map of resource, property, kind, stack, reason, expires.",
    ]);
  });

  /** The parser throws only when the values are requested, and its stack trace was shown. */
  it("fails loudly once a rule has expired, the day after its last", () => {
    const rule = (expires: string) => `- resource: payments\n  reason: audit\n  expires: ${expires}\n`;
    expect(faultsOf(rule("2026-06-15"))).toEqual([]);
    expect(faultsOf(rule("2026-06-14") + rule("2025-01-01"))).toEqual([
      "rules.yaml:3:12: The rule for payments expired on 2026-06-14. Remove the rule, or give it a later date.",
      "rules.yaml:6:12: The rule for payments expired on 2025-01-01. Remove the rule, or give it a later date.",
    ]);
  });
});

describe("a rule", () => {
  const finding: Finding = {
    stack: "dev",
    urn: urnOf("payments"),
    type: "opsmanager:index:Project",
    name: "payments",
    comparison: "state",
    cause: "outside",
    kind: "added",
    property: 'members["ada@example.com"][1]',
    live: "GROUP_OWNER",
  };

  it.each([
    [{}, true],
    [{ resource: "pay?ents" }, true],
    [{ resource: "*::opsmanager:index:Project::*" }, true],
    [{ resource: "ments" }, false],
    [{ property: "members" }, true],
    [{ property: 'members["ada@example.com"]' }, true],
    [{ property: 'members["ada@example.com"][1]' }, true],
    [{ property: 'members["*@example.com"]' }, true],
    [{ property: 'members["bob@example.com"]' }, false],
    [{ property: "member" }, false],
    [{ kind: "added" as const }, true],
    [{ kind: "removed" as const }, false],
    [{ stack: "de*" }, true],
    [{ stack: "prod" }, false],
  ])("%j takes the finding out: %s", (facts, isTaken) => {
    const rule = { resource: "payments", reason: "audit", expires: "2026-12-31", ...facts };
    const [result] = withIgnored([finding], [rule]);
    expect(result).toEqual(
      isTaken ? { ...finding, ignored: { reason: "audit", expires: "2026-12-31" } } : finding,
    );
  });

  it("about a property does not mention an object that no longer exists", () => {
    const deleted: Finding = { ...finding, kind: "deleted", property: "" };
    expect(withIgnored([deleted], [{ resource: "*", property: "*", reason: "audit" }])).toEqual([deleted]);
  });
});

describe("a rule for unmanaged objects takes out what is undeclared", () => {
  const undeclared = (property: string, object: object): Finding => ({
    ...{ stack: "dev", urn: urnOf("people"), type: "opsmanager:index:ProjectMembers", name: "people" },
    ...{ comparison: "state", cause: "outside", kind: "undeclared", property },
    object: { in: "project", containerId: "5f", containerName: "payments", ...object } as Finding["object"] &
      object,
  });
  const inTeam = {
    what: "person",
    name: "eve@example.com",
    in: "team",
    containerId: "5d",
    containerName: "operators",
  };
  const group = undeclared('idpGroupMappings["everyone"]', { what: "group", name: "everyone" });
  const person = undeclared('teams.operators["eve@example.com"]', inTeam);

  it.each([
    ["a group by its project", group, { resource: "payments" }, true],
    ["a group by its name", group, { resource: "payments", property: "every*" }, true],
    ["a group by the mappings", group, { resource: "payments", property: "idpGroupMappings" }, true],
    ["a group by other mappings", group, { resource: "payments", property: "ldapGroupMappings" }, false],
    ["everyone in a team by the team", person, { resource: "operators" }, true],
    [
      "a person of a team by the ID of the team and by the name",
      person,
      { resource: "5d", property: "Eve@*" },
      true,
    ],
    ["another person of the team", person, { resource: "operators", property: "bob@*" }, false],
    ["a person of a team by the project", person, { resource: "payments" }, false],
  ])("%s", (_, finding, facts, isTaken) => {
    const rule = { kind: "unmanaged", reason: "audit", ...facts } as const;
    expect(withIgnored([finding], [rule])[0]?.ignored).toEqual(isTaken ? { reason: "audit" } : undefined);
  });
});

describe("a rule for unmanaged objects", () => {
  const rule = (facts: Partial<IgnoreRule>): IgnoreRule => ({
    resource: "*",
    kind: "unmanaged",
    reason: "audit",
    ...facts,
  });
  /** The names that it takes out. */
  const taken = (facts: Partial<IgnoreRule>) => {
    const rows = withIgnoredUnmanaged(report({ unmanaged }).unmanaged?.rows ?? [], [rule(facts)]);
    return rows.filter(({ ignored }) => ignored).map(({ holder }) => holder.name);
  };

  it.each<[Partial<IgnoreRule>, string[]]>([
    [{}, ["by-hand", "bob@example.com"]],
    [{ resource: "by-*" }, ["by-hand"]],
    [{ resource: "5f0000000000000000000009" }, ["by-hand"]],
    [{ resource: "payments" }, ["bob@example.com"]],
    [{ property: "Bob@*" }, ["bob@example.com"]],
    [{ property: "*" }, ["bob@example.com"]],
    [{ resource: "by-hand", property: "*" }, []],
    [{ property: "ada@example.com" }, []],
    [{ kind: undefined }, []],
    [{ kind: "unreadable" }, []],
  ])("%j excludes %j", (facts, names) => {
    expect(taken(facts)).toEqual(names);
  });

  it("keeps its reason with what it excludes", () => {
    const [found] = withIgnoredUnmanaged(report({ unmanaged }).unmanaged?.rows ?? [], [
      rule({ expires: "2026-12-31" }),
    ]);
    expect(found?.ignored).toEqual({ reason: "audit", expires: "2026-12-31" });
  });
});
