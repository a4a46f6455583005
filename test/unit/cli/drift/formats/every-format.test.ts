/** What the formats for people and for CI systems share. */
import { reportOn } from "../../../../../cli/drift";
import { maskPeople } from "../../../../../cli/drift/mask-people";
import { withEarlier } from "../../../../../cli/drift/previous";
import type { Finding, Report } from "../../../../../cli/drift/report/model";
import { finding, formatNames, formatted, report, unmanaged } from "../reports";

const formats = Object.fromEntries(formatNames.map((name) => [name, formatted(name)]));
const named = Object.entries(formats).filter(([name]) => name !== "json" && name !== "openmetrics");
const earlierDay = "2026-03-03T05:06:07.890Z";

/** The report in one format, as a reader sees it: without code spans, entities and escapes. */
function written(format: ReturnType<typeof formatted>, content: Report): string {
  return format(content)
    .replaceAll(/`|<\/?(?:code|bdi)>/g, "")
    .replaceAll(/&(?:quot|#34);|\\"/g, '"');
}

const billing = { what: finding({ name: "billing" }).urn, reason: "401", stack: "prod" };

it.each(named)(
  "%s names an undetermined resource by its name and kind, also in the next report",
  (name, format) => {
    const first = report({ generatedAt: earlierDay, unreadable: [billing] });
    expect(written(format, first)).toContain("billing (Project)");
    if (name !== "sarif") expect(written(format, first)).not.toContain(billing.what);
  },
);

it.each(named.filter(([name]) => name !== "sarif"))(
  "%s names a resource that can be read again by its name and kind",
  (_, format) => {
    const first = report({ generatedAt: earlierDay, unreadable: [billing] });
    const second = written(format, withEarlier(report(), { report: first }));
    expect(second).toContain("billing (Project)");
    expect(second).not.toContain(billing.what);
  },
);

it.each(named.filter(([name]) => name !== "sarif"))(
  "%s names the stack of what is resolved and of what was not checked",
  (_, format) => {
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

describe("lists of events that could not be read", () => {
  const [payments, billing] = ["5f0000000000000000000001", "5f0000000000000000000002"];
  const refused = (what: string) => ({ what, reason: `Listing the events of ${what} failed: 403.` });
  const lists = [
    refused(`project ${payments}`),
    refused(`project ${billing}`),
    { what: "organization 5e", reason: "The service does not offer events." },
  ];
  const unread = report({ findings: [finding()], eventsUnread: lists });
  const together = `Who changed it is unknown for project ${payments}, project ${billing}: ${lists[0]?.reason}`;
  const sentences = (list: (typeof lists)[number]) =>
    `Who changed it is unknown for ${list.what}: ${list.reason}`;

  it.each(named)("%s has a sentence for each reason, and SARIF for each list", (name, format) => {
    const expected = name === "sarif" ? lists.map(sentences) : [together, ...lists.slice(2).map(sentences)];
    const content = written(format, unread);
    for (const sentence of expected) expect(content.split(sentence)).toHaveLength(2);
    expect(content.split("Who changed it")).toHaveLength(expected.length + 1);
    expect(written(format, report())).not.toContain("Who changed it");
  });
});

describe("a right to own projects", () => {
  const orgId = "5e0000000000000000000001";
  const team = { teamId: "5d00000000000000000000e1", teamName: "operators" };
  const undeclared = (property: string, role: string, object: Partial<Finding["object"]>) =>
    finding({
      ...{ kind: "undeclared", type: "opsmanager:index:ProjectMembers", property },
      ...{ declared: undefined, live: [role] },
      object: {
        ...{ what: "group", name: "x", in: "project", containerId: "5f", containerName: "payments" },
        ...object,
      },
    });
  const projectsOf = (...names: string[]) => ({
    ...({ what: "person", name: "eve@example.com", in: "team", orgId } as const),
    projects: names.map((projectName) => ({ projectId: "5f", projectName })),
  });
  const held = (role: string, status: "active" | "pending" = "active") => ({
    ...{ orgId, username: `${role.toLowerCase()}@example.com`, status, roles: [role] },
  });
  const rights = report({
    findings: [
      undeclared('idpGroupMappings["everyone"]', "GROUP_USER_ADMIN", {}),
      undeclared('teams.operators["eve@example.com"]', "GROUP_OWNER", projectsOf("payments", "billing")),
      undeclared('teams.platform["eve@example.com"]', "GROUP_OWNER", projectsOf("a", "b", "c", "d")),
    ],
    unmanaged: {
      ...unmanaged,
      owners: [held("ORG_OWNER", "pending"), held("GLOBAL_USER_ADMIN"), held("ORG_OF_A_LATER_VERSION")],
      ownerKeys: [{ orgId, keyId: "5d", publicKey: "abcdefgh", name: "deploy", roles: ["ORG_OWNER"] }],
      teamPeople: [{ orgId, ...team, username: "bob@example.com", roles: ["GROUP_READ_ONLY"] }],
    },
  });

  it.each(named)(
    "%s names the role of a group and of who is in a team, and the projects of the team",
    (_, format) => {
      const content = written(format, rights);
      expect(content).toMatch(/idpGroupMappings\["everyone"\].*\["GROUP_USER_ADMIN"\]/s);
      expect(content).toMatch(
        /teams\.operators\["eve@example\.com"\].*\["GROUP_OWNER"\].*in payments, billing/s,
      );
      expect(content).toMatch(/teams\.platform\["eve@example\.com"\].*\["GROUP_OWNER"\].*in 4 projects/s);
    },
  );

  it.each(named.filter(([name]) => name !== "slack"))(
    "%s names the role of who owns an organization, and of who is in a team that owns nothing",
    (_, format) => {
      const content = written(format, rights);
      expect(content).toMatch(
        /org_owner@example\.com.*ORG_OWNER.*global_user_admin@example\.com.*GLOBAL_USER_ADMIN.*ORG_OF_A_LATER_VERSION/s,
      );
      expect(content).toMatch(/deploy.*abcdefgh.*ORG_OWNER/s);
      expect(content).toMatch(/bob@example\.com.*operators.*GROUP_READ_ONLY/s);
    },
  );

  it.each([
    ["text", "org_owner@example.com, invited as an owner of organization"],
    ["text", "global_user_admin@example.com, able to make owners of organization"],
    ["text", "org_of_a_later_version@example.com, a holder of an unknown role in organization"],
    ["sarif", "org_of_a_later_version@example.com is a holder of an unknown role in organization"],
    ["text", "API key deploy (abcdefgh), an owner of organization"],
    ["markdown", "Organization owner keys that no resource owns: 1"],
  ] as const)("%s: %s", (name, sentence) => {
    expect(written(formatted(name), rights)).toContain(sentence);
  });

  it("has the names of projects and people masked together", () => {
    const masked = maskPeople(
      report({
        ...rights,
        findings: [undeclared("teams.x", "GROUP_OWNER", projectsOf("of eve@example.com"))],
      }),
    );
    expect(JSON.stringify(masked)).not.toContain("eve@example.com");
    expect(masked.findings[0]?.object?.projects?.[0]?.projectName).toMatch(/^of person-/);
  });
});

describe("an unmanaged object of each kind", () => {
  const orgId = "5e0000000000000000000001";
  const project = { projectId: "5f0000000000000000000001", projectName: "payments" };
  const key = { keyId: "5d0000000000000000000001", publicKey: "abcdefgh", name: "deploy" };
  const team = { teamId: "5f00000000000000000000e1" };
  const roles = ["GROUP_OWNER"];
  const none = { ...unmanaged, projects: [], people: [] };

  it.each<[string, Partial<typeof unmanaged>, string[]]>([
    ["project", { projects: [{ orgId, projectId: "5f", name: "by-hand" }] }, ["by-hand", orgId]],
    [
      "invited person",
      { people: [{ ...project, username: "svc_eve", status: "pending", roles }] },
      ["svc_eve", "payments", "GROUP_OWNER"],
    ],
    [
      "team",
      { teams: [{ ...project, ...team, name: "operators", roles }] },
      ["operators", "payments", "GROUP_OWNER"],
    ],
    ["API key", { keys: [{ ...project, ...key, roles }] }, ["deploy", "abcdefgh", "payments", "GROUP_OWNER"]],
    [
      "group mapping",
      { mappings: [{ ...project, property: "idpGroupMappings", roles }] },
      ["idpGroupMappings", "payments", "GROUP_OWNER"],
    ],
    [
      "organization owner",
      { owners: [{ orgId, username: "svc_eve", status: "active", roles: ["ORG_OWNER"] }] },
      ["svc_eve", orgId, "ORG_OWNER"],
    ],
    [
      "organization owner key",
      { ownerKeys: [{ orgId, ...key, roles: ["ORG_OWNER"] }] },
      ["deploy", "abcdefgh", orgId, "ORG_OWNER"],
    ],
    [
      "team member",
      { teamPeople: [{ orgId, ...team, teamName: "operators", username: "svc_eve", roles }] },
      ["svc_eve", "operators", orgId, "GROUP_OWNER"],
    ],
  ])("%s: its holder, its place and its roles are in every format", (noun, lists, facts) => {
    const found = report({ unmanaged: { ...none, ...lists } });
    for (const [name, format] of named.filter(([each]) => each !== "slack")) {
      const content = written(format, found);
      expect([name, ...facts.filter((fact) => !content.includes(fact))]).toEqual([name]);
    }
    expect(written(formatted("slack"), found)).toContain(`1 ${noun.replace("invited ", "")}`);
    const masked = maskPeople(found);
    expect(JSON.stringify(masked)).not.toContain("svc_eve");
    for (const fact of facts.filter((each) => each !== "svc_eve"))
      expect(JSON.stringify(masked)).toContain(fact);
  });
});

describe("an unmanaged API key", () => {
  const key = (name: string) => ({
    projectId: "5f0000000000000000000001",
    projectName: "payments",
    keyId: "5d0000000000000000000001",
    publicKey: "abcdefgh",
    name,
    roles: ["GROUP_READ_ONLY"],
  });
  const withKeys = (...names: string[]) => report({ unmanaged: { ...unmanaged, keys: names.map(key) } });
  const earlier = { report: { ...withKeys("deploy", "abcdefgh"), generatedAt: earlierDay } };

  it.each([
    ["resolved", report({ unmanaged })],
    ["not checked", report({ unmanaged, unreadable: [{ what: "list", reason: "401" }] })],
  ])("that is %s is called an API key, by its name and its public key", (_, later) => {
    const { previous } = withEarlier(later, earlier);
    expect([previous?.resolved ?? [], previous?.notChecked ?? []].flat().map(({ what }) => what)).toEqual([
      "API key deploy (abcdefgh) in payments (5f0000000000000000000001)",
      "API key abcdefgh in payments (5f0000000000000000000001)",
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

  it.each(named)("%s has owners first, then people, then the rest", (name, format) => {
    const content = written(format, report({ findings }));
    const places = ["billing", "orders", "tags"].map((resource) =>
      content.indexOf(name === "junit" ? `name="${resource}"` : `${resource} (Project`),
    );
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  it.each(named.filter(([name]) => name !== "sarif" && name !== "junit"))(
    "%s names what a deleted project has taken with it, and counts it apart",
    (_, format) => {
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
    custom: true,
  }));

  /** @param name what the provider calls the resource that explains the cause */
  function refused(name: string): Report {
    const reasonOf = (index: number) => (index === 7 ? explanation : `Key refused: see ${name}.`);
    const undetermined = [
      ...resources.map(({ urn }, index) => ({ what: urn, reason: reasonOf(index), stack: "prod" })),
      { what: "program of stack prod", reason: "Pulumi stopped.", stack: "prod" },
    ];
    const state = {
      stack: "prod",
      project: "platform",
      resources,
      isShared: false,
      pending: [],
      replaced: [],
      components: [],
    };
    return reportOn([{ state: state as never, findings: [], undetermined }], [], { generatedAt: earlierDay });
  }

  it.each([
    ["the plugin", "project-7"],
    ["the dynamic provider", `Project ${resources[7]?.id}`],
  ])("is one entry that explains it, and forty that refer to it in JSON, with the names of %s", (_, name) => {
    const { unreadable, result } = refused(name);
    expect(result).toBe("unknown");
    expect(unreadable).toHaveLength(41);
    expect(unreadable[0]).toMatchObject({ what: resources[7]?.urn, reason: explanation });
    const caused = unreadable.filter(({ sharedCause }) => sharedCause !== undefined);
    expect(caused).toHaveLength(40);
    for (const { sharedCause } of caused)
      expect(sharedCause).toEqual({ name: "Key refused", explainedBy: resources[7]?.urn });
  });

  it.each(named)("is one row in %s, with the number of resources", (_, format) => {
    const text = written(format, refused("project-7"));
    expect(text.split("refused API key abcdwxyz")).toHaveLength(2);
    expect(text).toContain("Key refused, 40 resources");
    expect(text).not.toContain("see project-7");
  });

  it.each(named)("is no row in %s where a rule ignores all of it", (_, format) => {
    const { unreadable, ...others } = refused("project-7");
    const ignored = unreadable.map((thing) => ({ ...thing, ignored: { reason: "known" } }));
    const text = written(format, { ...others, unreadable: ignored, result: "clean" });
    expect(text).not.toContain("Not determined: Key refused");
  });

  it("is counted as one result in SARIF, and keeps its name in JUnit whatever the number is", () => {
    const { results } = JSON.parse(formatted("sarif")(refused("project-7"))).runs[0];
    expect(results).toMatchObject([{ occurrenceCount: 40 }, {}]);
    expect(formatted("junit")(refused("project-7"))).toContain('name="Key refused"');
  });
});
