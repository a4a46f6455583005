import {
  type IgnoreRule,
  parseIgnoreRules,
  withIgnored,
  withIgnoredUnmanaged,
} from "../../../../cli/drift/ignore-rules";
import type { Finding } from "../../../../cli/drift/report/model";
import { finding, report, undeclaredPerson, unmanaged, unowned } from "./reports";

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
    const rule = { property: "tags", kind: "added", stack: "dev", reason: "audit", expires: today };
    expect(parse("# nothing yet\n")).toEqual([]);
    expect(parse(JSON.stringify([{ resource: "pay*", ...rule }]))).toEqual([{ resource: "pay*", ...rule }]);
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
    // The parser throws only when the values are requested, and its stack trace was shown.
    expect(faultsOf("- resource: *missing\n")).toEqual([expect.stringMatching(/^rules\.yaml: .*alias/)]);
  });

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
  const added = finding({ stack: "dev", kind: "added", property: 'members["ada@example.com"][1]' });
  const undeclared = (property: string, object: Partial<Finding["object"]>) => {
    const person = finding({ ...undeclaredPerson, property });
    return { ...person, object: { ...person.object, ...object } as Finding["object"] & object };
  };
  const group = undeclared('idpGroupMappings["everyone"]', { what: "group", name: "everyone" });
  const team = { in: "team", containerId: "5d", containerName: "operators" } as const;
  const clientId = "mdb_sa_id_5f0000000000000000000001";
  const account = undeclared(`serviceAccounts.${clientId}`, { what: "service account", name: clientId });
  const eve = undeclared('teams.operators["eve@example.com"]', { name: "eve@example.com", ...team });

  it.each<{ of: Finding; rule: Partial<IgnoreRule>; takes: boolean }>([
    { of: added, rule: { resource: "pay?ents" }, takes: true },
    { of: added, rule: { resource: "ments" }, takes: false },
    { of: added, rule: { property: "members" }, takes: true },
    { of: added, rule: { property: 'members["*@example.com"]' }, takes: true },
    { of: added, rule: { property: 'members["bob@example.com"]' }, takes: false },
    { of: added, rule: { property: "member" }, takes: false },
    { of: added, rule: { kind: "removed" }, takes: false },
    { of: added, rule: { stack: "de*" }, takes: true },
    { of: finding({ kind: "deleted", property: "" }), rule: { property: "*" }, takes: false },
    // A rule for unmanaged objects takes out what is undeclared, too: a group, and a person of a team.
    { of: group, rule: { kind: "unmanaged", resource: "payments" }, takes: true },
    { of: group, rule: { kind: "unmanaged", property: "idpGroupMappings" }, takes: true },
    { of: group, rule: { kind: "unmanaged", property: "ldapGroupMappings" }, takes: false },
    { of: account, rule: { property: "serviceAccounts" }, takes: true },
    { of: account, rule: { kind: "unmanaged", resource: "payments", property: clientId }, takes: true },
    { of: account, rule: { kind: "unmanaged", property: clientId.toUpperCase() }, takes: false },
    { of: account, rule: { kind: "unmanaged", property: "*2" }, takes: false },
    { of: eve, rule: { kind: "unmanaged", resource: "5d", property: "Eve@*" }, takes: true },
    { of: eve, rule: { kind: "unmanaged", resource: "payments" }, takes: false },
  ])("takes $of.kind $of.property out by $rule: $takes", ({ of, rule, takes }) => {
    const until = { reason: "audit", expires: "2026-12-31" };
    expect(withIgnored([of], [{ resource: "*", ...until, ...rule }])).toEqual([
      takes ? { ...of, ignored: until } : of,
    ]);
  });
});

it.each(["serviceAccounts", "ownerServiceAccounts", "keys", "ownerKeys"] as const)(
  "a rule names one of %s by its ID alone, in the letter case that it has, because anybody can choose its name",
  (kind) => {
    const row = unowned(kind, "Deploy", { holder: { name: "Deploy", id: "mdb_sa_id_5f" } });
    const taken = ["Deploy", "*_5f", "*_5F"].filter((property) => {
      const rule = { resource: "payments", kind: "unmanaged", property, reason: "audit" } as const;
      return withIgnoredUnmanaged([row], [rule]).some(({ ignored }) => ignored);
    });
    expect(taken).toEqual(["*_5f"]);
  },
);

it.each<{ rule: Partial<IgnoreRule>; names: string[] }>([
  { rule: {}, names: ["by-hand", "bob@example.com"] },
  { rule: { resource: "by-*" }, names: ["by-hand"] },
  { rule: { resource: "5f0000000000000000000009" }, names: ["by-hand"] },
  { rule: { property: "Bob@*" }, names: ["bob@example.com"] },
  { rule: { resource: "by-hand", property: "*" }, names: [] },
  { rule: { kind: undefined }, names: [] },
  { rule: { kind: "unreadable" }, names: [] },
])("of unmanaged objects, $rule takes out $names, and its reason stays with them", ({ rule, names }) => {
  const until = { reason: "audit", expires: "2026-12-31" };
  const rows = withIgnoredUnmanaged(report({ unmanaged }).unmanaged?.rows ?? [], [
    { resource: "*", kind: "unmanaged", ...until, ...rule },
  ]);
  const taken = rows.filter(({ ignored }) => ignored);
  expect(taken.map(({ holder, ignored }) => [holder.name, ignored])).toEqual(
    names.map((name) => [name, until]),
  );
});
