/** Unmanaged objects: objects of the sandbox that no resource of a state owns. */
import { reportOn } from "../../../cli/drift";
import { unmanagedOf } from "../../../cli/drift/report/model";
import { findUnmanaged } from "../../../cli/drift/unmanaged";
import { type OwnedResource, Ownership } from "../../../cli/lib/ownership";
import type { FaultRule } from "../../../sandbox";
import { listsOf } from "../../unit/cli/drift/reports";
import { clientFactory, type SandboxConnection } from "../client/with-client";

const start = clientFactory();
const owner = ["GROUP_OWNER"];
const reader = ["GROUP_READ_ONLY"];

interface Situation extends SandboxConnection {
  readonly payments: string;
  readonly orgId: string;
}

async function setup(): Promise<Situation> {
  const connection = await start.sandbox({
    seed: {
      orgs: [{ name: "Example" }, { name: "Other" }],
      projects: [
        {
          name: "payments",
          members: { "olga@example.com": owner, "ada@example.com": reader },
          invitations: [{ username: "Invited@example.com", roles: reader }],
        },
      ],
    },
  });
  const { sandbox } = connection;
  return { ...connection, payments: sandbox.state.projects[0]?.id ?? "", orgId: sandbox.orgId };
}

async function findFor(
  { client }: Pick<SandboxConnection, "client">,
  resources: readonly OwnedResource[],
  {
    orgIds = [],
    otherKeys = [],
    signal = new AbortController().signal,
  }: { orgIds?: string[]; otherKeys?: string[]; signal?: AbortSignal } = {},
) {
  const terminal = { stderr: () => {}, isWatched: false };
  const declared = {
    owners: new Ownership(resources),
    planned: new Ownership([]),
    comparison: "state",
  } as const;
  const ownKeys = new Set([client.publicKey ?? "", ...otherKeys]);
  const found = await findUnmanaged({ declared, client, ownKeys, orgIds, signal, terminal });
  return { ...found, unmanaged: listsOf(found) };
}

const plugin = (kind: string) => `opsmanager:index:${kind}`;
const dynamic = (kind: string) => `pulumi-nodejs:dynamic/opsmanager:${kind}`;

function names({ unmanaged }: Awaited<ReturnType<typeof findFor>>) {
  return {
    projects: unmanaged.projects.map(({ name }) => name),
    people: unmanaged.people.map(
      ({ username, projectName, status }) => `${username} in ${projectName}, ${status}`,
    ),
  };
}

it("does not list or count whom ignoreUsers of a ProjectMembers matches, in its project alone", async () => {
  const situation = await setup();
  const { sandbox, payments, orgId } = situation;
  const added = sandbox.addProject({ name: "by-hand" });
  sandbox.setMember(added.id, { username: "olga@example.com" }, owner);
  const ignoreUsers = ["OLGA@*", "invited@example.com", "owner@example.com"];
  const inputs = { members: { "ada@example.com": reader }, ignoreUsers };
  const people = { type: plugin("ProjectMembers"), id: payments, inputs, outputs: { orgId } };
  const found = await findFor(situation, [people]);
  expect(names(found).people).toEqual([
    "olga@example.com in by-hand, active",
    "owner@example.com in by-hand, indirect",
  ]);
  expect(found.findings).toEqual([]);
  expect(found.unmanaged.organizations).toMatchObject([{ people: { total: 2, managed: 1 } }]);
});

it("names the projects and people that no resource of either provider owns, and how much is covered", async () => {
  const situation = await setup();
  const { sandbox, payments, orgId } = situation;
  const added = sandbox.addProject({ name: "by-hand" });
  sandbox.setMember(added.id, { username: "eve@example.com" }, owner);
  const { unmanaged, undetermined } = await findFor(situation, [
    { type: dynamic("Project"), id: payments, outputs: { orgId } },
    { type: plugin("ProjectMember"), id: `${payments}/OLGA@example.com`, outputs: { projectId: payments } },
    { type: "aws:s3/bucket:Bucket", id: added.id, outputs: { orgId: "5e00000000000000000000ff" } },
  ]);
  expect(undetermined).toEqual([]);
  expect(unmanaged.organizations).toEqual([
    {
      orgId,
      name: "Example",
      projects: { total: 2, managed: 1 },
      people: { total: 4, managed: 1 },
      owners: { total: 1, managed: 0 },
    },
  ]);
  expect(unmanaged.projects).toEqual([{ orgId, projectId: added.id, name: "by-hand" }]);
  const inPayments = { projectId: payments, projectName: "payments", roles: reader };
  expect(unmanaged.people.filter(({ status }) => status !== "indirect")).toEqual([
    {
      projectId: added.id,
      projectName: "by-hand",
      username: "eve@example.com",
      status: "active",
      roles: owner,
    },
    { ...inPayments, username: "Invited@example.com", status: "pending" },
    { ...inPayments, username: "ada@example.com", status: "active" },
  ]);
});

it("gives a ProjectMembers only the people whom it declares, not those whom a refresh has recorded", async () => {
  const situation = await setup();
  const { sandbox, payments, orgId } = situation;
  const { id: userId } = sandbox.setMember(payments, { username: "former@example.com" }, owner);
  sandbox.changeUser(userId, { username: "renamed@example.com" });
  const detail = (username: string, declared: boolean) => ({ username, declared, ignored: false });
  const memberDetails = [
    detail("Olga@example.com", true),
    detail("invited@example.com", true),
    { ...detail("former@example.com", true), userId },
    // An owner who was added outside Pulumi, and whose removal has failed.
    detail("ada@example.com", false),
  ];
  const outputs = { orgId, memberDetails };
  const members = { "ada@example.com": owner };
  const inputs = { members, __inputsRead: ["members"] };
  const response = await findFor(situation, [
    { type: plugin("Project"), id: payments, outputs: { orgId } },
    { type: dynamic("ProjectMembers"), id: payments, inputs, outputs },
  ]);
  expect(names(response).people.filter((person) => !person.endsWith("indirect"))).toEqual([]);
  expect(response.findings).toMatchObject([
    { kind: "undeclared", property: 'members["ada@example.com"]', object: { containerName: "payments" } },
  ]);
  expect(response.unmanaged.organizations[0]?.people).toEqual({ total: 4, managed: 3 });

  // Inputs of the program, such as after an import that needed no update.
  const listed = await findFor(situation, [
    { type: plugin("Project"), id: payments, outputs: { orgId } },
    { type: dynamic("ProjectMembers"), id: payments, inputs: { members }, outputs },
  ]);
  expect(listed.unmanaged.organizations[0]?.people).toEqual({ total: 4, managed: 4 });
});

it("claims nothing of a project whose members are secret in the state", async () => {
  const situation = await setup();
  const { payments, orgId } = situation;
  const response = await findFor(situation, [
    { type: plugin("Project"), id: payments, outputs: { orgId } },
    {
      type: plugin("ProjectMembers"),
      id: payments,
      outputs: { orgId, memberDetails: { ciphertext: "secret" } },
    },
  ]);
  expect(response.unmanaged.people).toEqual([]);
  expect(response.undetermined).toEqual([
    {
      what: `people of project payments (${payments})`,
      reason: expect.stringContaining("keeps the members of this project secret"),
    },
  ]);
});

it("knows a person by account or invitation before the name", async () => {
  const situation = await setup();
  const { sandbox, payments, orgId } = situation;
  const ada = sandbox.user({ username: "ada@example.com" })?.id ?? "";
  sandbox.changeUser(ada, { username: "ada.lovelace@example.com" });
  sandbox.setMember(payments, { username: "ada@example.com" }, reader);
  const [invitation] = sandbox.state.invitations;
  const response = await findFor(situation, [
    { type: plugin("Project"), id: payments, outputs: { orgId } },
    {
      type: plugin("ProjectMember"),
      id: `${payments}/ada@example.com`,
      outputs: { username: "ada@example.com", userId: ada },
    },
    { type: plugin("ProjectMember"), id: `${payments}/${invitation?.id}`, outputs: {} },
    { type: plugin("ProjectMember"), id: `${payments}/olga@example.com`, outputs: {} },
  ]);
  expect(names(response).people.filter((person) => !person.endsWith("indirect"))).toEqual([
    "ada@example.com in payments, active",
  ]);
});

it("counts an account that has taken the name of a recorded account as undeclared", async () => {
  const situation = await setup();
  const { payments, orgId } = situation;
  const [ada, olga] = ["ada@example.com", "olga@example.com"];
  const accountIds = { ada: "5f00000000000000000000d1", olga: "5f00000000000000000000d2" };
  const response = await findFor(situation, [
    { type: plugin("Project"), id: payments, outputs: { orgId } },
    {
      type: plugin("ProjectMember"),
      id: `${payments}/${ada}`,
      inputs: { userId: accountIds.ada },
      outputs: { username: ada, userId: accountIds.ada },
    },
    {
      type: plugin("ProjectMembers"),
      id: payments,
      inputs: { members: {}, __inputsRead: ["members"] },
      outputs: { orgId, memberDetails: [{ username: olga, userId: accountIds.olga, declared: true }] },
    },
  ]);
  const found = response.findings.map(({ object }) => `${object?.name}, ${object?.status}`);
  expect(found.sort()).toEqual(["Invited@example.com, pending", `${ada}, active`, `${olga}, active`]);
});

it("knows who accepted the invitation of a declared account by this account", async () => {
  const situation = await setup();
  const { sandbox, payments, orgId } = situation;
  const userId = sandbox.user({ username: "ada@example.com" })?.id ?? "";
  sandbox.changeUser(userId, { username: "ada.lovelace@example.com" });
  const outputs = { username: "ada@example.com", invitationId: "5f00000000000000000000e1" };
  const response = await findFor(situation, [
    { type: plugin("Project"), id: payments, outputs: { orgId } },
    { type: plugin("ProjectMember"), id: `${payments}/ada@example.com`, inputs: { userId }, outputs },
  ]);
  expect(names(response).people).not.toContain("ada.lovelace@example.com in payments, active");
});

it("knows by name who accepted an invitation that is declared by its id", async () => {
  const situation = await setup();
  const { payments, orgId } = situation;
  const invitationId = "5f00000000000000000000e1";
  const response = await findFor(situation, [
    { type: plugin("Project"), id: payments, outputs: { orgId } },
    {
      type: plugin("ProjectMember"),
      id: `${payments}/${invitationId}`,
      inputs: { invitationId },
      outputs: { username: "ada@example.com", invitationId },
    },
  ]);
  expect(names(response).people).not.toContain("ada@example.com in payments, active");
});

it("lists those who are in only through a team or the organization apart, and counts them nowhere", async () => {
  const situation = await setup();
  const { sandbox, payments, orgId } = situation;
  const teammate = sandbox.addUser({ username: "team@example.com" });
  const team = sandbox.addTeam({ name: "platform", userIds: [teammate.id] });
  sandbox.setProjectTeam(payments, { teamId: team.id, roleNames: reader });
  const response = await findFor(situation, [
    { type: plugin("Project"), id: payments, outputs: { orgId } },
    {
      type: plugin("ProjectMembers"),
      id: payments,
      outputs: {
        orgId,
        memberDetails: ["olga", "ada", "invited"].map((name) => ({
          username: `${name}@example.com`,
          declared: true,
        })),
      },
    },
    { type: plugin("ProjectMember"), id: `${payments}/team@example.com`, outputs: {} },
  ]);
  expect(names(response)).toEqual({
    projects: [],
    people: expect.arrayContaining(["team@example.com in payments, indirect"]),
  });
  expect(response.unmanaged.people.every(({ status }) => status === "indirect")).toBe(true);
  expect(response.unmanaged.organizations[0]?.people).toEqual({ total: 3, managed: 3 });
});

it("names the API keys with roles in projects that no resource owns, and those of the stacks are never a difference", async () => {
  const situation = await setup();
  const { sandbox, client, payments, orgId } = situation;
  const rolesOf = (groupId: string, roleName: string) => [{ groupId, roleName }];
  const keys = Object.fromEntries(
    [
      ["declared", "GROUP_READ_ONLY"],
      ["reading", "GROUP_READ_ONLY"],
      ["owning", "GROUP_OWNER"],
      ["other stack", "GROUP_OWNER"],
    ].map(([publicKey = "", roleName = ""]) => [
      publicKey,
      sandbox.addKey({ publicKey, desc: `key ${publicKey}`, orgId, roles: rolesOf(payments, roleName) }),
    ]),
  );
  sandbox.addKey({ publicKey: "unnamed", desc: "", orgId, roles: rolesOf(payments, "GROUP_READ_ONLY") });
  sandbox.changeKey(client.publicKey ?? "", {
    orgId,
    roles: [{ orgId, roleName: "ORG_OWNER" }, ...rolesOf(payments, "GROUP_OWNER")],
  });
  const people = { type: plugin("ProjectMember"), id: `${payments}/olga@example.com`, outputs: { orgId } };
  const resources = [
    { ...people, isRead: true },
    { type: plugin("ProjectApiKey"), id: `${payments}/${keys.declared?.id}`, outputs: {} },
  ];
  const found = await findFor(situation, resources, { otherKeys: ["other stack"] });
  expect(found.undetermined).toEqual([]);
  expect(found.findings).toMatchObject([
    {
      kind: "undeclared",
      property: "apiKeys.owning",
      live: owner,
      object: { what: "key", name: "owning", in: "project", containerName: "payments" },
    },
  ]);
  expect(found.unmanaged.keys?.map(({ publicKey }) => publicKey).sort()).toEqual(
    [client.publicKey, "other stack", "reading", "unnamed"].sort(),
  );
  expect(found.unmanaged.keys).toContainEqual(
    expect.objectContaining({ projectName: "payments", name: "key reading", roles: reader }),
  );
  expect(found.unmanaged.keys).toContainEqual(
    expect.objectContaining({ publicKey: "unnamed", name: "unnamed" }),
  );
  expect(found.unmanaged.organizations[0]?.keys).toEqual({ total: 6, managed: 1 });
});

it("names who owns an organization or can make owners, people and keys, and no resource declares; those of the stacks' keys apart", async () => {
  const situation = await setup();
  const { sandbox, orgId, payments, client } = situation;
  const owners = ["ORG_OWNER"];
  const named = (name: string) => ({ username: `${name}@example.com` });
  for (const name of ["ada", "eve"]) sandbox.setOrgMember(orgId, named(name), owners);
  sandbox.addOrgInvitation(orgId, { ...named("ivy"), roles: owners });
  sandbox.addOrgInvitation(orgId, { ...named("reader"), roles: ["ORG_READ_ONLY"] });
  sandbox.setOrgMember(orgId, named("later"), ["ORG_OF_A_LATER_VERSION", "ORG_MEMBER"]);
  const { id: rootId, roles } = sandbox.setOrgMember(orgId, named("root"), ["ORG_MEMBER"]);
  sandbox.changeUser(rootId, { roles: [...roles, { roleName: "GLOBAL_USER_ADMIN" }] });
  sandbox.setOrgMember(orgId, named("promoted"), ["ORG_MEMBER"]);
  sandbox.addOrgInvitation(orgId, { ...named("promoted"), roles: owners });
  const ofService = [{ orgId, roleName: "ORG_READ_ONLY" }, { roleName: "GLOBAL_OWNER" }];
  sandbox.addKey({ publicKey: "service", desc: "key service", orgId, roles: ofService });
  const key = (publicKey: string, roleName: string) =>
    sandbox.addKey({ publicKey, desc: `key ${publicKey}`, orgId, roles: [{ orgId, roleName }] });
  const { id: declaredKey } = key("declared", "ORG_OWNER");
  key("unlisted", "ORG_OWNER");
  key("reading", "ORG_READ_ONLY");
  sandbox.changeKey(client.publicKey ?? "", { orgId, roles: [{ orgId, roleName: "ORG_OWNER" }] });
  const resources = [
    { type: plugin("Project"), id: payments, outputs: { orgId } },
    { type: plugin("OrganizationMember"), id: `${orgId}/ADA@example.com` },
    { type: plugin("ApiKey"), id: `${orgId}/${declaredKey}`, outputs: { publicKey: "declared" } },
  ];
  const { unmanaged, undetermined, findings } = await findFor(situation, resources);
  expect([undetermined, findings]).toEqual([[], []]);
  const held = (name: string, role: string, status = "active") => ({
    orgId,
    ...named(name),
    status,
    roles: [role],
  });
  expect(unmanaged.owners).toEqual([
    held("eve", "ORG_OWNER"),
    held("ivy", "ORG_OWNER", "pending"),
    held("later", "ORG_OF_A_LATER_VERSION"),
    held("owner", "ORG_OWNER"),
    held("promoted", "ORG_OWNER"),
    held("root", "GLOBAL_USER_ADMIN"),
  ]);
  expect(unmanaged.ownerKeys).toMatchObject([
    { orgId, publicKey: "service", name: "key service", roles: ["GLOBAL_OWNER"] },
    { orgId, publicKey: "unlisted", name: "key unlisted", roles: owners },
  ]);
  expect(unmanaged.organizations).toMatchObject([
    { owners: { total: 7, managed: 1 }, ownerKeys: { total: 3, managed: 1 } },
  ]);

  const refusal = { error: 403, reason: "Forbidden", errorCode: "NOT_ALLOWED", detail: "Not for you." };
  for (const list of ["invites", "apiKeys"]) {
    const pathPattern = `/orgs/${orgId}/${list}`;
    sandbox.addFault({ method: "GET", pathPattern, times: 0, fault: { status: 403, body: refusal } });
  }
  const unread = await findFor(situation, resources);
  expect(unread.undetermined).toMatchObject([
    { what: `owners of organization Example (${orgId})` },
    { what: `API keys of organization Example (${orgId})` },
  ]);
  expect([unread.unmanaged.owners, unread.unmanaged.ownerKeys]).toEqual([[], []]);
});

it("names the group mappings that no Project declares", async () => {
  const situation = await setup();
  const { sandbox, payments, orgId } = situation;
  sandbox.setSwitches({ ldap: true, idpMappings: "present" });
  const declared = sandbox.addProject({ name: "declared" }).id;
  const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners"] }];
  const idpGroupMappings = [{ roleName: "GROUP_READ_ONLY", idpGroups: ["auditors"] }];
  for (const id of [payments, declared]) sandbox.changeProject(id, { ldapGroupMappings });
  sandbox.changeProject(payments, { idpGroupMappings });
  const { unmanaged } = await findFor(situation, [
    { type: plugin("Project"), id: payments, inputs: { idpGroupMappings }, outputs: { orgId } },
    { type: plugin("Project"), id: declared, inputs: { ldapGroupMappings }, outputs: { orgId } },
  ]);
  expect(unmanaged.mappings).toEqual([
    {
      projectId: payments,
      projectName: "payments",
      property: "ldapGroupMappings",
      roles: ["GROUP_OWNER"],
    },
  ]);
  expect(unmanaged.organizations[0]?.mappings).toEqual({ total: 3, managed: 2 });
});

it("reports the group mappings as unknown if the list that shows them cannot be read, and all else as found", async () => {
  const situation = await setup();
  const { sandbox, payments, orgId } = situation;
  sandbox.addProject({ name: "by-hand" });
  sandbox.addFault({ method: "GET", pathPattern: "v1.0/groups\\?", fault: { status: 403 }, times: 0 });
  const found = await findFor(situation, [{ type: plugin("Project"), id: payments, outputs: { orgId } }]);
  expect(found.undetermined).toEqual([
    { what: "group mappings of the projects", reason: expect.stringContaining("failed: 403") },
  ]);
  expect(found.unmanaged.mappings).toEqual([]);
  expect(names(found).projects).toEqual(["by-hand"]);
});

it("counts nothing as owned that is only read, or replaced and still to be deleted", async () => {
  const situation = await setup();
  const { payments, orgId } = situation;
  const response = await findFor(situation, [
    { type: plugin("Project"), id: payments, outputs: { orgId }, external: true },
    { type: plugin("Project"), id: payments, outputs: { orgId }, delete: true },
  ]);
  expect(response.unmanaged.organizations).toEqual([]);
  expect(response.undetermined).toEqual([
    { what: "organizations", reason: expect.stringContaining("Name the organization with --org.") },
  ]);
});

it("reads an organization that is only named, too", async () => {
  const situation = await setup();
  const { sandbox, payments, orgId } = situation;
  const other = sandbox.state.orgs[1]?.id ?? "";
  sandbox.changeKey(sandbox.publicKey, { roles: [{ roleName: "GLOBAL_OWNER" }] });
  sandbox.addProject({ name: "elsewhere", orgId: other });
  const resources = [{ type: plugin("Project"), id: payments, outputs: { orgId } }];
  expect(names(await findFor(situation, resources)).projects).toEqual([]);
  const both = await findFor(situation, resources, { orgIds: [other.toUpperCase(), orgId] });
  expect(names(both).projects).toEqual(["elsewhere"]);
  expect(both.unmanaged.organizations).toHaveLength(2);
});

it("reports what it could not read, and continues with the rest", async () => {
  const situation = await setup();
  const { sandbox, payments, orgId } = situation;
  const billing = sandbox.addProject({ name: "billing" }).id;
  sandbox.setMember(billing, { username: "eve@example.com" }, owner);
  // May see all projects of the organization, and the people of this one only.
  sandbox.changeKey(sandbox.publicKey, {
    roles: [
      { orgId, roleName: "ORG_READ_ONLY" },
      { groupId: billing, roleName: "GROUP_OWNER" },
    ],
  });
  const response = await findFor(situation, [{ type: plugin("Project"), id: payments, outputs: { orgId } }], {
    orgIds: ["5e00000000000000000000ff"],
  });
  expect(response.undetermined.map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      "projects of organization 5e00000000000000000000ff",
      `people of project payments (${payments})`,
    ]),
  );
  expect(names(response).people).toContain("eve@example.com in billing, active");
  for (const { reason } of response.undetermined) expect(reason).toMatch(/\.$/);
});

const pathUnknown = { status: 404, body: { error: 404, errorCode: "RESOURCE_NOT_FOUND", detail: "None." } };

describe("invitations that the service does not offer, by its response", () => {
  async function unreadableWith(fault: FaultRule["fault"], ofOne = false) {
    const situation = await setup();
    const { sandbox, payments, orgId } = situation;
    const billing = sandbox.addProject({ name: "billing" }).id;
    sandbox.addFault({ pathPattern: ofOne ? `${payments}/invites$` : "/invites$", fault, times: 0 });
    // The response for this project comes last, so nothing contradicts the other one before.
    sandbox.addFault({ pathPattern: `${billing}/invites$`, fault: { delayMs: 200 } });
    const owned = { type: plugin("Project"), id: payments, outputs: { orgId } };
    return (await findFor(situation, [owned])).undetermined.map(
      ({ what, reason }) => `${what.replace(orgId, "ORG")}: ${reason}`,
    );
  }
  const inDoubt = (projects: string) => [
    expect.stringMatching(
      `^pending invitations in organization ORG: The response for project ${projects} means that the service does not offer`,
    ),
  ];

  it("are unknown if the response has no error code of Ops Manager: a gateway may have sent it", async () => {
    expect(await unreadableWith({ status: 404 })).toEqual(inDoubt("\\w+ \\(\\w+\\) and 1 more"));
  });

  it("are none if Ops Manager itself does not know the path", async () => {
    expect(await unreadableWith(pathUnknown)).toEqual([]);
  });

  it("are unknown if the invitations to another project are listed", async () => {
    expect(await unreadableWith(pathUnknown, true)).toEqual(inDoubt("payments \\(\\w+\\)"));
  });
});

describe("teams of projects, by the response to their list", () => {
  async function foundWith(fault: FaultRule["fault"], ofOne: boolean) {
    const situation = await setup();
    const { sandbox, payments, orgId } = situation;
    const billing = sandbox.addProject({ name: "billing" }).id;
    const team = sandbox.addTeam({ name: "owners", userIds: [] });
    for (const id of [payments, billing]) {
      sandbox.setProjectTeam(id, { teamId: team.id, roleNames: ["GROUP_OWNER"] });
    }
    const pathPattern = ofOne ? `/groups/${payments}/teams` : "/groups/[^/]+/teams";
    sandbox.addFault({ method: "GET", pathPattern, fault, times: 0 });
    const owned = { type: plugin("Project"), id: payments, outputs: { orgId } };
    const { unmanaged, undetermined } = await findFor(situation, [owned]);
    return {
      teams: unmanaged.teams.length,
      undetermined: undetermined.map(({ what }) => what.replace(/ \(.*/, "")),
    };
  }

  it.each([
    ["are unknown if a gateway may have sent a 404", { status: 404 }, false, 0, ["billing", "payments"]],
    ["are unknown for one project if those of another are listed", pathUnknown, true, 1, ["payments"]],
    ["are none if Ops Manager itself does not know the path", pathUnknown, false, 0, []],
  ])("%s", async (_, fault, ofOne, teams, unknown) => {
    const found = await foundWith(fault, ofOne);
    expect(found.teams).toBe(teams);
    expect(found.undetermined.sort()).toEqual(unknown.map((name) => `teams of project ${name}`));
  });
});

describe("people of a team that a Team declares", () => {
  const [ada, olga, eve] = ["ada@example.com", "olga@example.com", "eve@example.com"] as const;

  /** The team `owners` of ada, olga and eve, and the resource that declares it with these outputs. */
  async function withTeam() {
    const situation = await setup();
    const { sandbox, orgId } = situation;
    sandbox.addUser({ username: eve });
    const userId = (username: string) => sandbox.user({ username })?.id ?? "";
    const { id: teamId } = sandbox.addTeam({ name: "owners", userIds: [eve, olga, ada].map(userId) });
    const person = (username: string, declared: boolean) => ({
      userId: userId(username),
      username,
      declared,
    });
    const team = (outputs: Readonly<Record<string, unknown>>, inputs = {}, type = plugin("Team")) => ({
      type,
      id: `${orgId}/${teamId}`,
      inputs,
      outputs: { orgId, teamId, name: "owners", ...outputs },
    });
    return { ...situation, teamId, userId, person, team };
  }
  const namesOf = ({ findings }: Awaited<ReturnType<typeof findFor>>) =>
    findings.map(({ object }) => object?.name);

  it.each([plugin("Team"), dynamic("Team")])("are undeclared if no %s declares them", async (type) => {
    const situation = await withTeam();
    const { sandbox, orgId, teamId, person, team } = situation;
    sandbox.addTeam({ name: "of no resource", userIds: [situation.userId(eve)] });
    sandbox.clearRequests();
    // A refresh has recorded eve, who was added outside Pulumi. Its inputs declare no one.
    const inputs = { usernames: [ada, eve, olga], __inputsRead: ["usernames"] };
    const people = [person(ada, true), person(eve, false), person(olga, true)];
    const resource = team({ people }, inputs, type);
    const { unmanaged, findings, undetermined } = await findFor(situation, [resource, resource]);
    expect(undetermined).toEqual([]);
    expect(unmanaged.teamPeople).toEqual([]);
    const object = { name: eve, in: "team", containerId: teamId, containerName: "owners" };
    expect(findings).toMatchObject([{ kind: "undeclared", property: `usernames["${eve}"]`, object }]);
    expect(unmanaged.organizations[0]?.teamPeople).toEqual({ total: 3, managed: 2 });
    const reads = sandbox.requests.filter(({ path, status }) => path.includes("/teams/") && status === 200);
    expect(reads).toMatchObject([{ path: expect.stringMatching(`/orgs/${orgId}/teams/${teamId}/users$`) }]);
  });

  it("are declared by the program's names, and by account where one is recorded under the name", async () => {
    const situation = await withTeam();
    const { sandbox, userId, person, team } = situation;
    const people = [person(ada, true), person(eve, false)];
    const inputs = { usernames: ["ADA@example.com", "Eve@example.com"] };
    expect(namesOf(await findFor(situation, [team({ people }, inputs)]))).toEqual([olga]);
    // The recorded account has another name now, and an account of another person has the declared name.
    sandbox.changeUser(userId(ada), { username: "ada.lovelace@example.com" });
    sandbox.changeUser(userId(olga), { username: ada });
    expect(namesOf(await findFor(situation, [team({ people }, inputs)]))).toEqual([ada]);
  });

  it("are declared by several stacks together", async () => {
    const situation = await withTeam();
    const { person, team } = situation;
    const response = await findFor(situation, [
      team({ people: [person(ada, true)] }),
      team({ people: [person(olga, true)] }),
    ]);
    expect(namesOf(response)).toEqual([eve]);
  });

  it("are reported also if the projects of the organization cannot be listed", async () => {
    const situation = await withTeam();
    situation.sandbox.addFault({ pathPattern: "/orgs/[0-9a-f]+/groups", fault: { status: 403 }, times: 0 });
    const response = await findFor(situation, [situation.team({ people: [] })]);
    expect(response.undetermined).toMatchObject([
      { what: `projects of organization Example (${situation.orgId})` },
    ]);
    expect(namesOf(response)).toEqual([ada, eve, olga]);
  });

  it("count neither way if they cannot be read or are secret, and are none of a deleted team", async () => {
    const situation = await withTeam();
    const { sandbox, teamId, team } = situation;
    const counts = { total: 0, managed: 0 };
    sandbox.addFault({ pathPattern: `/teams/${teamId}/users`, fault: { status: 403 } });
    const refused = await findFor(situation, [team({ people: [] })]);
    const what = `people of team owners (${teamId})`;
    expect(refused.undetermined).toEqual([
      { what, reason: expect.stringContaining("Listing the people of team owners") },
    ]);
    expect(namesOf(refused)).toEqual([]);
    expect(refused.unmanaged.organizations[0]?.teamPeople).toEqual(counts);

    const secret = { ciphertext: "secret" };
    for (const resource of [
      team({ people: secret }),
      team({ people: [] }, { usernames: secret }),
      team({ people: [] }, { usernames: [ada, secret] }),
    ]) {
      const hidden = await findFor(situation, [resource]);
      expect(hidden.undetermined).toEqual([
        { what, reason: expect.stringContaining("keeps the usernames of this team secret") },
      ]);
      expect(namesOf(hidden)).toEqual([]);
    }

    sandbox.removeTeam(teamId);
    const deleted = await findFor(situation, [team({ people: [] })]);
    expect(deleted.undetermined).toEqual([]);
    expect(namesOf(deleted)).toEqual([]);
    expect(deleted.unmanaged.organizations[0]?.teamPeople).toEqual(counts);
  });

  it("are drift unless a rule ignores them, whether unmanaged objects count or not", async () => {
    const situation = await withTeam();
    const { person, team } = situation;
    const { unmanaged: _, ...found } = await findFor(situation, [
      { type: plugin("Project"), id: situation.payments, outputs: { orgId: situation.orgId } },
      ...["olga@example.com", "ada@example.com", "invited@example.com"].map((name) => ({
        type: plugin("ProjectMember"),
        id: `${situation.payments}/${name}`,
      })),
      team({ people: [person(ada, true), person(olga, true)] }),
      { type: plugin("OrganizationMember"), id: `${situation.orgId}/owner@example.com` },
    ]);
    const resultWith = (property: string, failOnUnmanaged: boolean) => {
      const rules = [{ resource: "owners", property, kind: "unmanaged", reason: "audit" } as const];
      const generatedAt = "2026-06-15T00:00:00Z";
      return reportOn([], rules, {
        generatedAt,
        beside: { ...found, unmanaged: unmanagedOf(found) },
        failOnUnmanaged,
      }).result;
    };
    expect(resultWith(ada, false)).toBe("drift");
    expect(resultWith("EVE@example.com", false)).toBe("clean");
    expect(resultWith("EVE@example.com", true)).toBe("clean");
  });
});

it("a list that cannot be read makes the resource undetermined that declares people of the project, else the list", async () => {
  const situation = await setup();
  const { sandbox, payments, orgId } = situation;
  const billing = sandbox.addProject({ name: "billing" }).id;
  sandbox.addFault({ pathPattern: "/groups/[0-9a-f]+/teams", fault: { status: 403 }, times: 0 });
  const urn = "urn:pulumi:prod::platform::opsmanager:index:ProjectMembers::people";
  const inputs = { members: {} };
  const people = {
    urn,
    stack: "prod",
    type: plugin("ProjectMembers"),
    id: payments,
    inputs,
    outputs: { orgId },
  };
  const { undetermined } = await findFor(situation, [people]);
  expect(undetermined).toHaveLength(2);
  expect(undetermined).toEqual(
    expect.arrayContaining([
      {
        what: urn,
        stack: "prod",
        reason: expect.stringMatching(/^The teams of project .* cannot be read, so/),
      },
      { what: `teams of project billing (${billing})`, reason: expect.stringContaining("403") },
    ]),
  );
});

it("stops when canceled, and makes no partial report", async () => {
  const situation = await setup();
  const { payments, orgId } = situation;
  const stopped = findFor(situation, [{ type: plugin("Project"), id: payments, outputs: { orgId } }], {
    signal: AbortSignal.abort(),
  });
  await expect(stopped).rejects.toThrow();
});
