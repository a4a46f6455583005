/** What the formats for people and for CI systems share. */
import { reportOn } from "../../../../../cli/drift";
import { maskPeople } from "../../../../../cli/drift/mask-people";
import { withEarlier } from "../../../../../cli/drift/previous";
import type { Finding, Report } from "../../../../../cli/drift/report/model";
import {
  finding,
  formatNames,
  formatted,
  orgId,
  report,
  undeclaredPerson,
  unmanaged,
  unowned,
  unownedProject,
} from "../reports";
import { stateOf } from "../stream";

const named = formatNames
  .filter((name) => name !== "json")
  .map((name) => ({ name, format: formatted(name) }));
const without = (...others: string[]) => named.filter(({ name }) => !others.includes(name));
const earlierDay = "2026-03-03T05:06:07.890Z";

/** The report in one format, as a reader sees it: without code spans, entities and escapes. */
function written(format: ReturnType<typeof formatted>, content: Report): string {
  return format(content)
    .replaceAll(/`|<\/?(?:code|bdi)>/g, "")
    .replaceAll(/&(?:quot|#34);|\\"/g, '"');
}

const billing = { what: finding({ name: "billing" }).urn, reason: "401", stack: "prod" };

it.each(named)(
  "$name names an undetermined resource by its name and kind, also in the next report",
  ({ name, format }) => {
    const first = report({ generatedAt: earlierDay, unreadable: [billing] });
    expect(written(format, first)).toContain("billing (Project)");
    if (name === "sarif") return;
    const second = written(format, withEarlier(report(), { report: first }));
    expect(second).toContain("billing (Project)");
    expect(written(format, first) + second).not.toContain(billing.what);
  },
);

it.each(named)("$name has the lines of a reason in one", ({ format }) => {
  const reason = "There are 2 faults; nothing was changed:\nprojects/payments.yaml: name is missing";
  const text = written(
    format,
    report({ unreadable: [{ what: "program of stack prod", reason, stack: "prod" }] }),
  );
  expect(text).not.toMatch(/changed:(\\n|\\u000a|&#10;|\n)/);
});

it.each(without("sarif"))(
  "$name names the stack of what is resolved and of what was not checked",
  ({ format }) => {
    const first = report({
      generatedAt: earlierDay,
      findings: ["prod", "test"].map((stack) => finding({ stack, urn: `${finding().urn}-${stack}` })),
    });
    const stacks = [{ stack: "test", project: "platform", resources: 1 }];
    const unreadable = [{ what: "stack prod", reason: "401", stack: "prod" }];
    const second = withEarlier(report({ stacks, unreadable }), { report: first });
    const sections = written(format, second).matchAll(
      /\b(?:Resolved|Not checked this time)\b.*?\b(prod|test)\b/gs,
    );
    expect([...sections].map(([, stack]) => stack).sort()).toEqual(["prod", "test"]);
  },
);

it.each(named)(
  "$name has a sentence for each reason why events could not be read, and SARIF for each list",
  ({ name, format }) => {
    const [payments, billing] = ["5f0000000000000000000001", "5f0000000000000000000002"];
    const refused = (what: string) => ({ what, reason: `Listing the events of ${what} failed: 403.` });
    const lists = [
      refused(`project ${payments}`),
      refused(`project ${billing}`),
      { what: "organization 5e", reason: "The service does not offer events." },
    ];
    const sentence = ({ what, reason }: (typeof lists)[number]) =>
      `Who changed it is unknown for ${what}: ${reason}`;
    const together = { what: `project ${payments}, project ${billing}`, reason: lists[0]?.reason ?? "" };
    const expected = (name === "sarif" ? lists : [together, ...lists.slice(2)]).map(sentence);
    const content = written(format, report({ findings: [finding()], eventsUnread: lists }));
    for (const each of expected) expect(content.split(each)).toHaveLength(2);
    expect(content.split("Who changed it")).toHaveLength(expected.length + 1);
    expect(written(format, report())).not.toContain("Who changed it");
  },
);

it.each(named)(
  "$name names an undeclared right to own projects: who has it, by what, and where",
  ({ format }) => {
    const undeclared = (property: string, role: string, object: Partial<Finding["object"]> = {}) =>
      finding({
        ...{ kind: "undeclared", type: "opsmanager:index:ProjectMembers", property },
        ...{ declared: undefined, live: [role] },
        object: {
          ...{ what: "group", name: "x", in: "project", containerId: "5f", containerName: "payments" },
          ...object,
        },
      });
    const inTeam = (...names: string[]) => ({
      ...({ what: "person", name: "eve@example.com", in: "team", orgId: "5e" } as const),
      projects: names.map((projectName) => ({ projectId: "5f", projectName })),
    });
    const content = report({
      findings: [
        undeclared('idpGroupMappings["everyone"]', "GROUP_USER_ADMIN"),
        undeclared('teams.operators["eve@example.com"]', "GROUP_OWNER", inTeam("payments", "billing")),
        undeclared('teams.platform["eve@example.com"]', "GROUP_OWNER", inTeam("a", "b", "c", "d")),
      ],
    });
    for (const fact of [
      /idpGroupMappings\["everyone"\].*\["GROUP_USER_ADMIN"\]/s,
      /teams\.operators\["eve@example\.com"\].*\["GROUP_OWNER"\].*in payments, billing/s,
      /teams\.platform\["eve@example\.com"\].*\["GROUP_OWNER"\].*in 4 projects/s,
    ])
      expect(written(format, content)).toMatch(fact);
    // Names of people in the names of projects are masked as well.
    const masked = maskPeople(
      report({ findings: [undeclared("teams.x", "GROUP_OWNER", inTeam("of eve@example.com"))] }),
    );
    expect(written(format, masked)).not.toContain("eve@example.com");
    expect(written(format, masked)).toMatch(/in "of person-/);
  },
);

it("the text says how a holder can own an organization: by invitation, by making owners, by an unknown role, by a key", () => {
  const held = (role: string, status: "active" | "pending" = "active") =>
    unowned("owners", `${role.toLowerCase()}@example.com`, { orgId, status, roles: [role] });
  const rows = [
    held("ORG_OWNER", "pending"),
    held("GLOBAL_USER_ADMIN"),
    held("ORG_OF_A_LATER_VERSION"),
    unowned("ownerKeys", "deploy", {
      holder: { name: "deploy", id: "abcdefgh" },
      orgId,
      roles: ["ORG_OWNER"],
    }),
  ];
  const content = written(formatted("text"), report({ unmanaged: { ...unmanaged, rows } }));
  for (const sentence of [
    "org_owner@example.com, invited as an owner of organization",
    "global_user_admin@example.com, able to make owners of organization",
    "org_of_a_later_version@example.com, a holder of an unknown role in organization",
    "API key deploy (abcdefgh), an owner of organization",
  ])
    expect(content).toContain(sentence);
});

it.each(named)("$name begins with the differences", ({ format }) => {
  const undeclared = finding(undeclaredPerson);
  const ignored = finding({ name: "known", ignored: { reason: "for the auditors" } });
  const before = report({ generatedAt: earlierDay, findings: [finding({ name: "repaired" })] });
  const all = report({ findings: [ignored, undeclared], unreadable: [billing], unmanaged });
  const content = written(format, withEarlier(all, { report: before }));
  const first = content.indexOf("mallory@example.com");
  expect(first).toBeGreaterThan(0);
  for (const later of [
    "for the auditors",
    "repaired",
    "billing",
    "memberships managed",
    "| stack |",
    "stay, unless",
  ])
    expect([later, content.indexOf(later) > first || !content.includes(later)]).toEqual([later, true]);
});

describe("unmanaged objects of each kind", () => {
  const key = (name: string) => ({
    holder: { name, id: `public-${name}` },
    keyId: "5d0000000000000000000001",
  });
  const account = (name: string) => ({ holder: { name, id: `mdb_sa_id_${name}` } });
  const rows = [
    unownedProject("by-hand"),
    unowned("people", "svc_person", { status: "pending", roles: ["ROLE_person"] }),
    unowned("teams", "operators", { roles: ["ROLE_team"] }),
    unowned("keys", "", { ...key("deploy"), roles: ["ROLE_key"] }),
    unowned("serviceAccounts", "", { ...account("ci"), roles: ["ROLE_account"] }),
    unowned("mappings", "dba", {
      holder: { name: "dba", id: "idpGroupMappings.dba" },
      roles: ["ROLE_group"],
    }),
    unowned("owners", "svc_owner", { orgId, status: "pending", roles: ["ROLE_owner"] }),
    unowned("ownerKeys", "", { ...key("root"), orgId, roles: ["ROLE_ownerKey"] }),
    unowned("ownerGroups", "platform", {
      holder: { name: "platform", id: "idpGroupMappings.platform" },
      orgId,
      roles: ["ROLE_ownerGroup"],
    }),
    unowned("ownerServiceAccounts", "", { ...account("ops"), orgId, roles: ["ROLE_ownerAccount"] }),
    unowned("teamPeople", "svc_joe", { place: { name: "platform", id: "5d" }, orgId, roles: ["ROLE_joe"] }),
  ];
  const found = report({ unmanaged: { ...unmanaged, rows } });
  const facts = [
    { kind: "project", names: ["by-hand", orgId] },
    { kind: "person", names: ["svc_person", "payments", "ROLE_person"] },
    { kind: "team", names: ["operators", "payments", "ROLE_team"] },
    { kind: "API key", names: ["deploy", "public-deploy", "ROLE_key"] },
    { kind: "service account", names: ["ci", "mdb_sa_id_ci", "payments", "ROLE_account"] },
    { kind: "group mapping", names: ["dba", "ROLE_group"] },
    { kind: "organization owner", names: ["svc_owner", "ROLE_owner"] },
    { kind: "organization owner key", names: ["root", "public-root", "ROLE_ownerKey"] },
    { kind: "organization owner group", names: ["platform", "ROLE_ownerGroup"] },
    { kind: "organization owner account", names: ["ops", "mdb_sa_id_ops", "ROLE_ownerAccount"] },
    { kind: "team member", names: ["svc_joe", "platform", "ROLE_joe"] },
  ];
  const missingIn = (content: string) =>
    facts.flatMap(({ kind, names }) =>
      names.filter((name) => !content.includes(name)).map((name) => `${kind}: ${name}`),
    );

  it.each(named)("$name names the holder, the place and the roles of each", ({ format }) => {
    expect(missingIn(written(format, found))).toEqual([]);
  });

  it("have no names of people with --mask-people", () => {
    expect(missingIn(JSON.stringify(maskPeople(found)))).toEqual([
      "person: svc_person",
      "organization owner: svc_owner",
      "team member: svc_joe",
    ]);
  });
});

describe("what matters", () => {
  const [projectId, teamId] = ["5f0000000000000000000001", "5d0000000000000000000001"];
  const gone = (type: string, name: string, id: string) =>
    finding({ type: `opsmanager:index:${type}`, name, id, kind: "deleted", property: "", live: undefined });
  const inPeople = { type: "opsmanager:index:ProjectMembers", property: "members.bob" };
  const people = finding({ ...inPeople, name: "orders" });
  const owner = finding({ ...inPeople, name: "billing", kind: "undeclared", live: ["GROUP_OWNER"] });
  const findings = [
    finding({ name: "tags", property: "tags" }),
    people,
    owner,
    gone("Project", "payments", projectId),
    gone("ProjectMembers", "payments", projectId),
    gone("ProjectTeam", "payments/platform", `${projectId}/${teamId}`),
  ];

  it.each(named)("$name has owners first, then people, then the rest", ({ name, format }) => {
    const content = written(format, report({ findings }));
    const places = ["billing", "orders", "tags"].map((resource) =>
      content.indexOf(name === "junit" ? `name="${resource}"` : `${resource} (Project`),
    );
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  it.each(without("sarif", "junit"))(
    "$name names what a deleted project has taken with it, and counts it apart",
    ({ format }) => {
      const content = written(format, report({ findings }));
      expect(content).toContain("4 differences in 4 resources, and 2 resources of deleted projects");
      expect(content).toContain("2 resources: payments (ProjectMembers), payments/platform (ProjectTeam)");
      expect(content.split("The whole object no longer exists")).toHaveLength(2);
    },
  );

  it("keeps a result for each resource in SARIF and JUnit", () => {
    expect(JSON.parse(formatted("sarif")(report({ findings }))).runs[0].results).toHaveLength(6);
    expect(formatted("junit")(report({ findings })).split("<failure")).toHaveLength(7);
  });
});

describe("a cause that forty resources have in common", () => {
  const explanation = "Reading project 5f failed: 401. The service refused API key abcdwxyz.";
  const resources = Array.from({ length: 40 }, (_, index) => ({
    ...finding({ name: `project-${index}`, id: `5f${String(index).padStart(22, "0")}` }),
  }));

  /** @param name what the provider calls the resource that explains the cause */
  function refused(name: string): Report {
    const reasonOf = (index: number) => (index === 7 ? explanation : `Key refused: see ${name}.`);
    const undetermined = [
      ...resources.map(({ urn }, index) => ({ what: urn, reason: reasonOf(index), stack: "prod" })),
      { what: "program of stack prod", reason: "Pulumi stopped.", stack: "prod" },
    ];
    const state = { ...stateOf({}), stack: "prod", resources };
    return reportOn([{ state, findings: [], undetermined }], [], { generatedAt: earlierDay });
  }

  it.each([
    { provider: "plugin", name: "project-7" },
    { provider: "plugin, for a resource of the same name", name: "Project project-7" },
    { provider: "dynamic", name: `Project ${resources[7]?.id}` },
  ])("is one entry that explains it, and forty that refer to it in JSON ($provider provider)", ({ name }) => {
    const { unreadable, result } = refused(name);
    expect(result).toBe("unknown");
    expect(unreadable).toHaveLength(41);
    expect(unreadable[0]).toMatchObject({ what: resources[7]?.urn, reason: explanation });
    const causes = unreadable.flatMap((each) => each.sharedCause ?? []);
    expect(causes).toEqual(Array(40).fill({ name: "Key refused", explainedBy: resources[7]?.urn }));
  });

  it.each(named)(
    "is one row in $name, with the number of resources, and none if a rule ignores it",
    ({ format }) => {
      const found = refused("project-7");
      const text = written(format, found);
      expect(text.split("refused API key abcdwxyz")).toHaveLength(2);
      expect(text).toContain("Key refused, 40 resources");
      expect(text).not.toContain("see project-7");
      const unreadable = found.unreadable.map((thing) => ({ ...thing, ignored: { reason: "known" } }));
      const ignored = written(format, { ...found, unreadable, result: "clean" });
      expect(ignored).not.toContain("Not determined: Key refused");
    },
  );

  it("is counted as one result in SARIF, and keeps its name in JUnit whatever the number is", () => {
    const { results } = JSON.parse(formatted("sarif")(refused("project-7"))).runs[0];
    expect(results).toMatchObject([{ occurrenceCount: 40 }, {}]);
    expect(formatted("junit")(refused("project-7"))).toContain('name="Key refused"');
  });
});
