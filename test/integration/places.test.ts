/**
 * Places contain places: deleting a person or an API key of an organization, a team, or a project ends access
 * in other places as well. What the same run declares there stays.
 */
import type { Sandbox } from "../../sandbox";
import { bothProviders, emptyProgram, errorsOf, messagesOf } from "../engine/support/project-program";
import { type Program, type ProviderKind, succeeded } from "../support";
import { type Stack, setUpStack, tearDownStacks } from "../support/model-stack";

afterEach(tearDownStacks);

const orgId = "5f00000000000000000000b1";
const payments = "5f00000000000000000000a1";
const billing = "5f00000000000000000000a2";
const adaId = "5f00000000000000000000d1";
const [ada, grace, olga] = ["ada@example.com", "grace@example.com", "olga@example.com"];
const readers = ["GROUP_READ_ONLY"];

type Resources = NonNullable<Program["resources"]>;
type Options = Resources[string]["options"];

const organizationMember = (username: string, options: Options = {}, more: object = {}) => ({
  type: "OrganizationMember",
  properties: { orgId, username, roles: ["ORG_MEMBER"], ...more },
  options,
});
const team = (more: object = {}) => ({
  type: "Team",
  properties: { orgId, name: "operators", usernames: [ada, grace], ...more },
});
const projectMembers = (projectId: string, ...names: string[]) => ({
  type: "ProjectMembers",
  properties: {
    projectId,
    members: Object.fromEntries([[olga, ["GROUP_OWNER"]], ...names.map((name) => [name, readers])]),
  },
});
const projectMember = (person: object, projectId = billing) => ({
  type: "ProjectMember",
  properties: { projectId, roles: readers, ...person },
});

async function setUp(
  resources: Resources,
  provider: ProviderKind = "plugin",
  config: Readonly<Record<string, number>> = {},
) {
  const inOrganization = [{ orgId, roleName: "ORG_MEMBER" }];
  const setup = await setUpStack({
    provider,
    config,
    sandbox: {
      orgUserChanges: "offered",
      bypassInvitations: true,
      seed: {
        orgs: [{ id: orgId, name: "Example Org" }],
        projects: [
          { id: payments, name: "payments", members: { [olga]: ["GROUP_OWNER"] } },
          { id: billing, name: "billing", members: { [olga]: ["GROUP_OWNER"] } },
        ],
        users: [
          { username: olga, roles: [{ orgId, roleName: "ORG_OWNER" }] },
          { id: adaId, username: ada, roles: inOrganization },
          { username: grace, roles: inOrganization },
        ],
      },
    },
    program: () => (Object.keys(resources).length === 0 ? emptyProgram : { resources }),
  });
  await succeeded(setup.stack.up());
  const declare = (declared: Resources) =>
    setup.stack.setProgram(Object.keys(declared).length === 0 ? emptyProgram : { resources: declared });
  return { ...setup, declare };
}

/** Who has access, in every place: what no refused run may change. */
function accessIn({ state }: Sandbox) {
  const { users, keys, teams, projects, invitations } = state;
  return JSON.parse(JSON.stringify({ users, keys, teams, projects, invitations })) as unknown;
}

interface Row {
  readonly begin: Resources;
  /** What happens in the service after the run of all resources. */
  readonly meanwhile?: (sandbox: Sandbox) => unknown;
  /** The name of the resource whose deletion is refused. */
  readonly leaving: string;
  /** The program after it has left, or become another one. */
  readonly next: (stack: Stack, sandbox: Sandbox) => Promise<Resources>;
  /** What the refusal names. */
  readonly named: readonly string[];
}

const outputOf = async (stack: Stack, name: string, output: string) =>
  String((await stack.resource(name))?.outputs?.[output]);

const belowAda: Resources = {
  list: projectMembers(payments, ada),
  one: projectMember({ userId: adaId }),
  team: team(),
};
const placesOfAda = [`project ${payments}`, `project ${billing}`, 'team "operators"'];

const newProject: Resources = { created: { type: "Project", properties: { orgId, name: "search" } } };

const rows: Readonly<Record<string, Row>> = {
  "a person of the organization": {
    begin: { ...belowAda, ada: organizationMember(ada) },
    leaving: "ada",
    next: async () => belowAda,
    named: placesOfAda,
  },
  "a person whose resource is for another one now": {
    begin: { ...belowAda, ada: organizationMember(ada) },
    leaving: "ada",
    next: async () => ({ ...belowAda, ada: organizationMember(grace) }),
    named: placesOfAda,
  },
  "a person whom a program calls by another letter case": {
    begin: { one: projectMember({ username: "ADA@Example.com" }), ada: organizationMember(ada) },
    leaving: "ada",
    next: async () => ({ one: projectMember({ username: "ADA@Example.com" }) }),
    named: [`project ${billing}`],
  },
  "a person whom a program gives by an invitation that was accepted": {
    begin: { ada: organizationMember(ada) },
    meanwhile: (sandbox) => sandbox.acceptInvitation([...sandbox.state.invitations][0]?.id ?? ""),
    leaving: "ada",
    next: async (_, sandbox) => {
      sandbox.setSwitches({ bypassInvitations: false });
      const { id } = sandbox.addInvitation(billing, { username: ada, roles: readers });
      return { one: projectMember({ invitationId: id }) };
    },
    named: [`project ${billing}`],
  },
  "an API key": {
    begin: {
      key: { type: "ApiKey", properties: { orgId, description: "ci", roles: ["ORG_MEMBER"] } },
      roles: {
        type: "ProjectApiKey",
        properties: { projectId: payments, keyId: "${key.keyId}", roles: readers },
      },
    },
    leaving: "key",
    next: async (stack) => ({
      roles: {
        type: "ProjectApiKey",
        properties: { projectId: payments, keyId: await outputOf(stack, "key", "keyId"), roles: readers },
      },
    }),
    named: [`project ${payments}`],
  },
  "a team": {
    begin: {
      team: team(),
      roles: {
        type: "ProjectTeam",
        properties: { projectId: payments, teamName: "operators", roles: readers },
        options: { dependsOn: ["${team}"] },
      },
    },
    leaving: "team",
    next: async () => ({
      roles: {
        type: "ProjectTeam",
        properties: { projectId: payments, teamName: "operators", roles: readers },
      },
    }),
    named: [`project ${payments}`],
  },
  "a project": {
    begin: newProject,
    leaving: "created",
    next: async (stack) => {
      const projectId = await outputOf(stack, "created", "projectId");
      return {
        one: projectMember({ username: ada }, projectId),
        agents: { type: "AgentApiKey", properties: { projectId, description: "agents" } },
      };
    },
    named: [ada, "an agent API key"],
  },
};

describe.each(bothProviders)("the deletion is refused of (%s)", (provider) => {
  it.each(Object.entries(rows))("%s, while the run declares access below", async (_, row) => {
    const { stack, sandbox, declare } = await setUp(row.begin, provider);
    const next = await row.next(stack, sandbox);
    await declare({ ...next, ...row.begin });
    await succeeded(stack.up());
    row.meanwhile?.(sandbox);
    await succeeded(stack.up());
    const before = accessIn(sandbox);
    await declare(next);
    const errors = await errorsOf(stack.up());
    for (const text of ["this run still declares access that would end with it", ...row.named])
      expect(errors).toContain(text);
    expect(accessIn(sandbox)).toEqual(before);
    expect((await stack.state()).resources.map(({ urn }) => urn.split("::").at(-1))).toContain(row.leaving);
    // Everything leaves together.
    await declare({});
    await succeeded(stack.up());
  });
});

describe("a person leaves the organization", () => {
  const all: Resources = { ...belowAda, ada: organizationMember(ada) };

  it.each(bothProviders)("together with everything below, also by destroy (%s)", async (provider) => {
    const { stack, sandbox } = await setUp(all, provider);
    await succeeded(stack.destroy());
    expect(sandbox.user({ username: ada })?.roles).toEqual([]);
    expect((await stack.state()).resources).toEqual([]);
  });

  it("and the run names the access that no program declares and that ends with it", async () => {
    const { stack, sandbox, declare } = await setUp({ ada: organizationMember(ada) });
    sandbox.setMember(billing, { username: ada }, readers);
    await declare({});
    expect(messagesOf(await succeeded(stack.up()))).toContain(
      `${ada} left organization ${orgId}, and with it project ${billing} (GROUP_READ_ONLY).`,
    );
  });

  it.each([
    ["groups", `project ${payments} (GROUP_READ_ONLY), team "operators"`],
    ["teams", `project ${payments} (GROUP_READ_ONLY), team 5f00000000000000000000e1`],
  ])(
    "and the run names what it may end if the %s of the organization cannot be listed",
    async (list, named) => {
      const { stack, sandbox, declare } = await setUp({ ada: organizationMember(ada) });
      sandbox.setMember(payments, { username: ada }, readers);
      sandbox.addTeam({ id: "5f00000000000000000000e1", orgId, name: "operators", userIds: [adaId] });
      sandbox.addFault({ pathPattern: `/orgs/${orgId}/${list}`, times: 0, fault: { status: 403 } });
      await declare({});
      expect(messagesOf(await succeeded(stack.up()))).toContain(`and with it ${named}.`);
    },
  );

  it.each(bothProviders)("although the program declares them in another one (%s)", async (provider) => {
    const { stack, sandbox, declare } = await setUp({ ada: organizationMember(ada) }, provider);
    const { id } = sandbox.addProject({ name: "search", orgId: sandbox.addOrg({ name: "Other Org" }).id });
    sandbox.setMember(id, { username: ada }, readers);
    const elsewhere = { one: projectMember({ userId: adaId }, id) };
    await declare(elsewhere);
    await succeeded(stack.up());
    const left = sandbox.user({ username: ada })?.roles ?? [];
    expect(left.map((role) => role.orgId)).not.toContain(orgId);
    expect(left.map(({ groupId }) => groupId)).toContain(id);
  });

  it("not as the last direct owner of a project, and beside another one", async () => {
    const { stack, sandbox, declare } = await setUp({ ada: organizationMember(ada) });
    sandbox.setMember(billing, { username: ada }, ["GROUP_OWNER"]);
    sandbox.setMember(billing, { username: olga }, readers);
    await declare({});
    expect(await errorsOf(stack.up())).toContain(
      `no direct owner would be left in project ${billing} (GROUP_OWNER). Give GROUP_OWNER there`,
    );
    sandbox.setMember(billing, { username: olga }, ["GROUP_OWNER"]);
    await succeeded(stack.up());
    expect(sandbox.user({ username: ada })?.roles).toEqual([]);
  });

  it.each(bothProviders)("not before the rest of the program is known (%s)", async (provider) => {
    const { stack, sandbox, declare } = await setUp(
      { ...belowAda, ada: organizationMember(ada, { deleteBeforeReplace: true }) },
      provider,
    );
    const before = accessIn(sandbox);
    // Everything that gives ada access follows the replacement.
    const later = { dependsOn: ["${ada}"] };
    const below = Object.entries(belowAda).map(([name, one]) => [name, { ...one, options: later }]);
    await declare({
      ada: organizationMember(grace, { deleteBeforeReplace: true }),
      ...Object.fromEntries(below),
    });
    expect(await errorsOf(stack.up())).toMatch(
      /this run still declares access|deleteBeforeReplace would end/,
    );
    expect(accessIn(sandbox)).toEqual(before);
  });
});

describe("maxRemovalsPerRun counts each holder once in each place", () => {
  const inOrganization: Resources = { ada: organizationMember(ada) };

  it.each([
    [3, "more than the setting maxRemovalsPerRun (3) allows"],
    [4, undefined],
  ])("of a person in an organization, two projects and a team: %s", async (most, refusal) => {
    const { stack, sandbox, declare } = await setUp(inOrganization, "plugin", { maxRemovalsPerRun: most });
    for (const projectId of [payments, billing]) sandbox.setMember(projectId, { username: ada }, readers);
    sandbox.addTeam({ orgId, name: "operators", userIds: [adaId] });
    await declare({});
    if (refusal === undefined) await succeeded(stack.up());
    else expect(await errorsOf(stack.up())).toContain(refusal);
  });

  it("of a person who accepts the invitation in the middle of the run", async () => {
    const { stack, sandbox, declare } = await setUp({}, "plugin", { maxRemovalsPerRun: 1 });
    const { id } = sandbox.addOrgInvitation(orgId, { username: "new@example.com", roles: ["ORG_MEMBER"] });
    await declare({ new: organizationMember("new@example.com") });
    await succeeded(stack.up());
    await stack.before("DELETE", /./, () => sandbox.acceptInvitation(id));
    await declare({});
    await succeeded(stack.up());
    expect(sandbox.user({ username: "new@example.com" })?.roles).toEqual([]);
  });

  it("also if resources of the run remove the person there as well", async () => {
    const { stack } = await setUp({ ...belowAda, ...inOrganization }, "plugin", { maxRemovalsPerRun: 5 });
    // Ada in the organization, two projects and the team, and grace in the team.
    await succeeded(stack.destroy());
  });

  const key = (triggers: string) => ({
    type: "ApiKey",
    properties: { orgId, description: "ci", roles: ["ORG_MEMBER"], triggers: { date: triggers } },
  });
  const roles = (given: readonly string[]) => ({
    type: "ProjectApiKey",
    properties: { projectId: payments, keyId: "${key.keyId}", roles: given },
  });

  it.each([
    ["the key of an organization", { key: key("1") }, {}],
    ["the roles of a key in a project", { key: key("1"), roles: roles(readers) }, { key: key("1") }],
  ])("of %s", async (_, begin, then: Resources) => {
    const { stack, declare } = await setUp(begin, "plugin", { maxRemovalsPerRun: 0 });
    await declare(then);
    expect(await errorsOf(stack.up())).toContain("maxRemovalsPerRun (0)");
  });

  it.each(bothProviders)("but not a key that one with the same roles replaces (%s)", async (provider) => {
    const { stack, declare } = await setUp({ key: key("1"), roles: roles(readers) }, provider, {
      maxRemovalsPerRun: 0,
    });
    await declare({ key: key("2"), roles: roles(readers) });
    await succeeded(stack.up());
    await declare({ key: key("3"), roles: roles(["GROUP_OWNER"]) });
    expect(await errorsOf(stack.up())).toContain("maxRemovalsPerRun (0)");
  });
});
