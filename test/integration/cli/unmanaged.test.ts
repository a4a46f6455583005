/** Unmanaged objects: objects of the sandbox that no resource of a state owns. */

import type { OwnedResource } from "../../../cli/lib/access/declared";
import { pluginType } from "../../../cli/lib/own-resources";
import type { FaultRule } from "../../../sandbox";
import { rowsOf } from "../../unit/cli/drift/reports";
import { clientFactory, type SandboxConnection } from "../client/with-client";
import { declared, dynamicType, findAll, namesIn, owner, reader, reasonsIn } from "./drift-search";

const start = clientFactory();
const [ada, olga, eve] = ["ada@example.com", "olga@example.com", "eve@example.com"] as const;
const invited = "Invited@example.com";

interface Situation extends SandboxConnection {
  readonly payments: string;
  readonly orgId: string;
  /** Declares the project payments. */
  readonly project: OwnedResource;
}

async function setup(): Promise<Situation> {
  const connection = await start.sandbox({
    seed: {
      orgs: [{ name: "Example" }, { name: "Other" }],
      projects: [
        {
          name: "payments",
          members: { [olga]: owner, [ada]: reader },
          invitations: [{ username: invited, roles: reader }],
        },
      ],
    },
  });
  const { sandbox } = connection;
  const { orgId } = sandbox;
  const payments = sandbox.state.projects[0]?.id ?? "";
  return { ...connection, payments, orgId, project: declared("Project", payments, { outputs: { orgId } }) };
}

type Found = Awaited<ReturnType<typeof findAll>>;

const projectsIn = (found: Found) => rowsOf(found, "projects").map(({ holder }) => holder.name);
const peopleIn = (found: Found) =>
  rowsOf(found, "people").map(({ holder, place, status }) => `${holder.name} in ${place.name}, ${status}`);

it("names the projects and people that no resource of either provider owns, and how much is covered", async () => {
  const situation = await setup();
  const { sandbox, payments, orgId, project } = situation;
  const added = sandbox.addProject({ name: "by-hand" });
  sandbox.setMember(added.id, { username: eve }, owner);
  const bucket = {
    type: "aws:s3/bucket:Bucket",
    id: added.id,
    outputs: { orgId: "5e00000000000000000000ff" },
  };
  const found = await findAll(situation, [
    { ...project, type: dynamicType("Project") },
    // Only read, or replaced and still to be deleted.
    ...[{ external: true }, { delete: true }].map((fact) => declared("Project", added.id, fact)),
    declared("ProjectMember", `${payments}/OLGA@example.com`),
    bucket,
  ]);
  expect(found.undetermined).toEqual([]);
  expect(found.unmanaged.organizations).toMatchObject([
    { orgId, name: "Example", projects: { total: 2, managed: 1 }, people: { total: 4, managed: 1 } },
  ]);
  expect(projectsIn(found)).toEqual(["by-hand"]);
  const direct = rowsOf(found, "people").filter(({ status }) => status !== "indirect");
  expect(direct.map(({ holder, place, roles }) => [holder.name, place.name, roles])).toEqual([
    [eve, "by-hand", owner],
    [invited, "payments", reader],
    [ada, "payments", reader],
  ]);
});

it("does not list or count whom ignoreUsers of a ProjectMembers matches, in its project alone", async () => {
  const situation = await setup();
  const { sandbox, payments, orgId } = situation;
  const added = sandbox.addProject({ name: "by-hand" });
  sandbox.setMember(added.id, { username: olga }, owner);
  const ignoreUsers = ["OLGA@*", "invited@example.com", "owner@example.com"];
  const inputs = { members: { [ada]: reader }, ignoreUsers };
  const found = await findAll(situation, [
    declared("ProjectMembers", payments, { inputs, outputs: { orgId } }),
  ]);
  expect(peopleIn(found)).toEqual([
    "olga@example.com in by-hand, active",
    "owner@example.com in by-hand, indirect",
  ]);
  expect(found.findings).toEqual([]);
  expect(found.unmanaged.organizations).toMatchObject([{ people: { total: 2, managed: 1 } }]);
});

describe("a person is the one", () => {
  const [adaId, invitationId] = ["5f00000000000000000000d1", "5f00000000000000000000e1"];
  const lovelace = "ada.lovelace@example.com";

  interface Row {
    /** By whose account or invitation. */
    readonly who: string;
    /** What became of ada before the search. */
    readonly since?: "renamed" | "renamed, and another account has the name";
    /** How the state has ada; her account exists with the id that it has. */
    readonly state: (situation: Situation & { readonly userId: string }) => readonly OwnedResource[];
    /** The others, of ada, lovelace, olga and the invited person. */
    readonly others: readonly string[];
  }
  const member = (of: Situation, id: string, inputs = {}, outputs = {}) =>
    declared("ProjectMember", `${of.payments}/${id}`, { inputs, outputs });
  const members = ({ payments, orgId }: Situation, inputs: object, memberDetails: readonly object[]) =>
    declared("ProjectMembers", payments, { inputs: { ...inputs }, outputs: { orgId, memberDetails } });
  const isRead = { __inputsRead: ["members"] };

  it.each<Row>([
    {
      who: "with the recorded account, before the name",
      since: "renamed, and another account has the name",
      state: (of) => [member(of, ada, {}, { username: ada, userId: of.userId })],
      others: [invited, ada, olga],
    },
    {
      who: "with the recorded account, not one that has taken the name",
      state: (of) => [member(of, ada, { userId: adaId }, { username: ada, userId: adaId })],
      others: [invited, ada, olga],
    },
    {
      who: "whose account is declared, and who accepted the invitation with it",
      since: "renamed",
      state: (of) => [member(of, ada, { userId: of.userId }, { username: ada, invitationId })],
      others: [invited, olga],
    },
    {
      who: "whom a ProjectMembers declares, not whom a refresh has recorded beside",
      since: "renamed",
      state: (of) => [
        members(of, { members: { [olga]: owner }, ...isRead }, [
          { username: ada, userId: of.userId, declared: true },
          { username: "INVITED@example.com", declared: true },
          // An owner who was added outside Pulumi, and whose removal has failed.
          { username: olga, declared: false },
        ]),
      ],
      others: [olga],
    },
    {
      who: "whom the program's inputs list, whatever the state has recorded",
      state: (of) => [
        members(of, { members: { [ada]: owner, [olga]: owner } }, [{ username: olga, declared: false }]),
      ],
      others: [invited],
    },
  ])("$who", async ({ since, state, others }) => {
    const situation = await setup();
    const { sandbox, payments, project } = situation;
    const userId = sandbox.user({ username: ada })?.id ?? "";
    if (since !== undefined) sandbox.changeUser(userId, { username: lovelace });
    if (since?.includes("another")) sandbox.setMember(payments, { username: ada }, reader);
    const found = await findAll(situation, [project, ...state({ ...situation, userId })]);
    const listed = rowsOf(found, "people").filter(({ status }) => status !== "indirect");
    const names = [...listed.map(({ holder }) => holder.name), ...namesIn(found)];
    expect(names.sort()).toEqual(others);
    const total = since?.includes("another") ? 4 : 3;
    expect(found.unmanaged.organizations).toMatchObject([
      { people: { total, managed: total - others.length } },
    ]);
  });
});

it("names API keys with roles in projects by description or public key; those of the stacks are never a difference", async () => {
  const situation = await setup();
  const { sandbox, client, payments, orgId } = situation;
  const key = (publicKey: string, roleName: string, desc = `key ${publicKey}`) =>
    sandbox.addKey({ publicKey, desc, orgId, roles: [{ groupId: payments, roleName }] });
  const { id: declaredId } = key("declared", "GROUP_READ_ONLY");
  key("other stack", "GROUP_OWNER");
  key("unnamed", "GROUP_READ_ONLY", "");
  const rights = [
    { orgId, roleName: "ORG_OWNER" },
    { groupId: payments, roleName: "GROUP_OWNER" },
  ];
  sandbox.changeKey(client.publicKey ?? "", { orgId, roles: rights });
  const resources = [
    declared("ProjectMember", `${payments}/${olga}`, { outputs: { orgId } }),
    declared("ProjectApiKey", `${payments}/${declaredId}`),
  ];
  const found = await findAll(situation, resources, { otherKeys: ["other stack"] });
  expect([found.undetermined, found.findings]).toEqual([[], []]);
  const others = rowsOf(found, "keys").filter(({ holder }) => holder.id !== client.publicKey);
  expect(others.map(({ holder }) => [holder.id, holder.name]).sort()).toEqual([
    ["other stack", "key other stack"],
    ["unnamed", "unnamed"],
  ]);
  expect(found.unmanaged.organizations[0]?.keys).toEqual({ total: 4, managed: 1 });
});

it("names who owns an organization or can make owners, people and keys, and no resource declares; those of the stacks' keys apart", async () => {
  const situation = await setup();
  const { sandbox, orgId, client, project } = situation;
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
  const key = (publicKey: string, roleName: string) =>
    sandbox.addKey({ publicKey, desc: `key ${publicKey}`, orgId, roles: [{ orgId, roleName }] });
  const rights = [{ orgId, roleName: "ORG_READ_ONLY" }, { roleName: "GLOBAL_OWNER" }];
  sandbox.addKey({ publicKey: "service", desc: "key service", orgId, roles: rights });
  const { id: declaredKey } = key("declared", "ORG_OWNER");
  key("unlisted", "ORG_OWNER");
  key("reading", "ORG_READ_ONLY");
  sandbox.changeKey(client.publicKey ?? "", { orgId, roles: [{ orgId, roleName: "ORG_OWNER" }] });
  const resources = [
    project,
    declared("OrganizationMember", `${orgId}/ADA@example.com`),
    declared("ApiKey", `${orgId}/${declaredKey}`, { outputs: { publicKey: "declared" } }),
  ];
  const found = await findAll(situation, resources);
  expect([found.undetermined, found.findings]).toEqual([[], []]);
  const held = (name: string, role: string, status = "active") => ({
    kind: "owners",
    holder: { name: `${name}@example.com`, id: `${name}@example.com` },
    ...{ place: { name: "Example", id: orgId }, orgId, orgName: "Example", status, roles: [role] },
  });
  expect(rowsOf(found, "owners")).toEqual([
    held("eve", "ORG_OWNER"),
    held("ivy", "ORG_OWNER", "pending"),
    held("later", "ORG_OF_A_LATER_VERSION"),
    held("owner", "ORG_OWNER"),
    held("promoted", "ORG_OWNER"),
    held("root", "GLOBAL_USER_ADMIN"),
  ]);
  expect(rowsOf(found, "ownerKeys")).toMatchObject([
    { orgId, holder: { name: "key service", id: "service" }, roles: ["GLOBAL_OWNER"] },
    { orgId, holder: { name: "key unlisted", id: "unlisted" }, roles: owners },
  ]);
  expect(found.unmanaged.organizations).toMatchObject([
    { owners: { total: 7, managed: 1 }, ownerKeys: { total: 3, managed: 1 } },
  ]);

  for (const list of ["invites", "apiKeys"])
    sandbox.addFault({ pathPattern: `/orgs/${orgId}/${list}`, times: 0, fault: { status: 403 } });
  const unread = await findAll(situation, resources);
  expect(unread.undetermined).toMatchObject([
    { what: `owners of organization Example (${orgId})` },
    { what: `API keys of organization Example (${orgId})` },
  ]);
  expect([rowsOf(unread, "owners"), rowsOf(unread, "ownerKeys")]).toEqual([[], []]);
});

it("names the groups with a right to own the project that no Project declares", async () => {
  const situation = await setup();
  const { sandbox, payments, orgId } = situation;
  sandbox.setSwitches({ ldap: true, idpMappings: "present" });
  const other = sandbox.addProject({ name: "declared" }).id;
  const ldapGroupMappings = [
    { roleName: "GROUP_OWNER", ldapGroups: ["cn=owners"] },
    { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=owners", "cn=readers"] },
  ];
  const idpGroupMappings = [{ roleName: "GROUP_USER_ADMIN", idpGroups: ["auditors"] }];
  for (const id of [payments, other]) sandbox.changeProject(id, { ldapGroupMappings });
  sandbox.changeProject(payments, { idpGroupMappings });
  const found = await findAll(situation, [
    declared("Project", payments, { inputs: { idpGroupMappings }, outputs: { orgId } }),
    declared("Project", other, { inputs: { ldapGroupMappings }, outputs: { orgId } }),
  ]);
  const holder = { name: "cn=owners", id: 'ldapGroupMappings["cn=owners"]' };
  const place = { name: "payments", id: payments };
  expect(rowsOf(found, "mappings")).toEqual([
    { kind: "mappings", holder, place, roles: [...owner, ...reader] },
  ]);
  expect(found.unmanaged.organizations[0]?.mappings).toEqual({ total: 3, managed: 2 });
});

it("reads an organization that is only named, and asks for one where no resource records it", async () => {
  const situation = await setup();
  const { sandbox, orgId, project } = situation;
  const other = sandbox.state.orgs[1]?.id ?? "";
  sandbox.changeKey(sandbox.publicKey, { roles: [{ roleName: "GLOBAL_OWNER" }] });
  sandbox.addProject({ name: "elsewhere", orgId: other });
  const both = await findAll(situation, [project], { orgIds: [other.toUpperCase(), orgId] });
  expect(projectsIn(both)).toEqual(["elsewhere"]);
  expect(both.unmanaged.organizations).toHaveLength(2);
  expect(reasonsIn(await findAll(situation, []))).toEqual([
    expect.stringMatching(/^organizations: .*Name the organization with --org\.$/),
  ]);
});

const pathUnknown = { status: 404, body: { error: 404, errorCode: "RESOURCE_NOT_FOUND", detail: "None." } };
const offersNone = "The service seems to offer no invitations, by its response for project";

it.each<{
  list: string;
  fault: FaultRule["fault"];
  /** Teams that are listed anyway, of two. */
  teams: number;
  undetermined: readonly RegExp[];
}>([
  {
    list: "/invites$",
    fault: { status: 404 },
    teams: 2,
    undetermined: [
      /^owners of organization .*404/,
      RegExp(`^pending invitations in .*${offersNone} .+ and 1 more\\. `),
    ],
  },
  { list: "/invites$", fault: pathUnknown, teams: 2, undetermined: [] },
  {
    list: "PAYMENTS/invites$",
    fault: pathUnknown,
    teams: 2,
    undetermined: [RegExp(`^pending invitations in .*${offersNone} payments \\(\\w+\\)\\. `)],
  },
  {
    list: "/groups/PAYMENTS/teams",
    fault: pathUnknown,
    teams: 1,
    undetermined: [/^teams of project payments/],
  },
  {
    list: "PAYMENTS/users",
    fault: { status: 403 },
    teams: 2,
    undetermined: [/^people of project payments \(\w+\): .*\.$/],
  },
  {
    list: "v1.0/groups\\?",
    fault: { status: 403 },
    teams: 2,
    undetermined: [/^group mappings of the projects: .*failed: 403/],
  },
])(
  "a list is unknown if a gateway may have sent the response, or if another project has it: $list, $fault",
  async ({ list, fault, teams, undetermined }) => {
    const situation = await setup();
    const { sandbox, payments, orgId, project } = situation;
    const billing = sandbox.addProject({ name: "billing" }).id;
    const team = sandbox.addTeam({ name: "owners" });
    for (const id of [payments, billing])
      sandbox.setProjectTeam(id, { teamId: team.id, roleNames: ["GROUP_OWNER"] });
    const pathPattern = list.replace("PAYMENTS", payments);
    sandbox.addFault({ method: "GET", pathPattern, fault, times: 0 });
    // The response for this project comes last, so nothing contradicts the other one before.
    sandbox.addFault({ pathPattern: `${billing}/invites$`, fault: { delayMs: 200 } });
    const found = await findAll(situation, [project]);
    expect(reasonsIn(found)).toEqual(undetermined.map((reason) => expect.stringMatching(reason)));
    expect([projectsIn(found), rowsOf(found, "teams").length]).toEqual([["billing"], teams]);
    expect(found.unmanaged.organizations).toMatchObject([{ orgId }]);
  },
);

it("a list that cannot be read makes the resource undetermined that declares people of the project, else the list", async () => {
  const situation = await setup();
  const { sandbox, payments, orgId } = situation;
  const billing = sandbox.addProject({ name: "billing" }).id;
  sandbox.addFault({ pathPattern: "/groups/[0-9a-f]+/teams", fault: { status: 403 }, times: 0 });
  const people = declared("ProjectMembers", payments, { inputs: { members: {} }, outputs: { orgId } });
  const { undetermined } = await findAll(situation, [people]);
  const reason = expect.stringMatching(/^The teams of project .* cannot be read, so/);
  expect(undetermined).toHaveLength(2);
  expect(undetermined).toEqual(
    expect.arrayContaining([
      { what: people.urn, stack: "test", reason },
      { what: `teams of project billing (${billing})`, reason: expect.stringContaining("403") },
    ]),
  );
});

it("claims nothing of a project whose members are secret in the state", async () => {
  const situation = await setup();
  const { payments, orgId, project } = situation;
  const outputs = { orgId, memberDetails: { ciphertext: "secret" } };
  const found = await findAll(situation, [project, declared("ProjectMembers", payments, { outputs })]);
  expect(rowsOf(found, "people")).toEqual([]);
  expect(reasonsIn(found)).toEqual([
    expect.stringMatching(
      `^people of project payments \\(${payments}\\): .*keeps the members of this project secret`,
    ),
  ]);
});

describe("people of a team that a Team declares", () => {
  /** The team `owners` of ada, olga and eve, and the resource that declares it with these outputs. */
  async function withTeam() {
    const situation = await setup();
    const { sandbox, orgId } = situation;
    sandbox.addUser({ username: eve });
    const userId = (username: string) => sandbox.user({ username })?.id ?? "";
    const { id: teamId } = sandbox.addTeam({ name: "owners", userIds: [eve, olga, ada].map(userId) });
    const person = (username: string, isDeclared: boolean) => ({
      ...{ userId: userId(username), username, declared: isDeclared },
    });
    const team = (outputs: Readonly<Record<string, unknown>>, inputs = {}, type = pluginType("Team")) =>
      declared("Team", `${orgId}/${teamId}`, {
        type,
        inputs,
        outputs: { orgId, teamId, name: "owners", ...outputs },
      });
    return { ...situation, teamId, userId, person, team };
  }

  it("are undeclared if no Team of either provider declares them", async () => {
    const situation = await withTeam();
    const { sandbox, orgId, teamId, person, team } = situation;
    sandbox.addTeam({ name: "of no resource", userIds: [situation.userId(eve)] });
    sandbox.clearRequests();
    // A refresh has recorded eve, who was added outside Pulumi. Its inputs declare no one.
    const inputs = { usernames: [ada, eve, olga], __inputsRead: ["usernames"] };
    const people = [person(ada, true), person(eve, false), person(olga, true)];
    const resource = team({ people }, inputs, dynamicType("Team"));
    const found = await findAll(situation, [resource, resource]);
    const { unmanaged, findings, undetermined } = found;
    expect([undetermined, rowsOf(found, "teamPeople")]).toEqual([[], []]);
    const object = { name: eve, in: "team", containerId: teamId, containerName: "owners" };
    expect(findings).toMatchObject([{ kind: "undeclared", property: `usernames["${eve}"]`, object }]);
    expect(unmanaged.organizations[0]?.teamPeople).toEqual({ total: 3, managed: 2 });
    const reads = sandbox.requests.filter(({ path, status }) => path.includes("/teams/") && status === 200);
    expect(reads).toMatchObject([{ path: expect.stringMatching(`/orgs/${orgId}/teams/${teamId}/users$`) }]);
  });

  it("are declared by several stacks together, by the program's names, and by a recorded account before its name", async () => {
    const situation = await withTeam();
    const { sandbox, userId, person, team } = situation;
    const ofStacks = [ada, olga].map((name) => team({ people: [person(name, true)] }));
    expect(namesIn(await findAll(situation, ofStacks))).toEqual([eve]);

    const people = [person(ada, true), person(eve, false)];
    const inputs = { usernames: ["ADA@example.com", "Eve@example.com"] };
    expect(namesIn(await findAll(situation, [team({ people }, inputs)]))).toEqual([olga]);
    // The recorded account has another name now, and an account of another person has the declared name.
    sandbox.changeUser(userId(ada), { username: "ada.lovelace@example.com" });
    sandbox.changeUser(userId(olga), { username: ada });
    expect(namesIn(await findAll(situation, [team({ people }, inputs)]))).toEqual([ada]);
  });

  it("are reported also if the projects of the organization cannot be listed", async () => {
    const situation = await withTeam();
    situation.sandbox.addFault({ pathPattern: "/orgs/[0-9a-f]+/groups", fault: { status: 403 }, times: 0 });
    const found = await findAll(situation, [situation.team({ people: [] })]);
    expect(found.undetermined).toMatchObject([
      { what: `projects of organization Example (${situation.orgId})` },
    ]);
    expect(namesIn(found)).toEqual([ada, eve, olga]);
  });

  const secret = { ciphertext: "secret" };
  it.each<{
    why: string;
    people?: unknown;
    inputs?: object;
    change?: (situation: Awaited<ReturnType<typeof withTeam>>) => void;
    reason?: string;
  }>([
    {
      why: "they cannot be read",
      change: ({ sandbox, teamId }) =>
        sandbox.addFault({ pathPattern: `/teams/${teamId}/users`, fault: { status: 403 } }),
      reason: "Listing the people of team owners",
    },
    {
      why: "the program keeps them secret",
      inputs: { usernames: secret },
      reason: "keeps the usernames of this team secret",
    },
    {
      why: "the program keeps one of them secret",
      inputs: { usernames: [ada, secret] },
      reason: "keeps the usernames of this team secret",
    },
    { why: "the team is deleted", change: ({ sandbox, teamId }) => void sandbox.removeTeam(teamId) },
  ])("count neither way if $why", async ({ people = [], inputs = {}, change, reason }) => {
    const situation = await withTeam();
    change?.(situation);
    const found = await findAll(situation, [situation.team({ people }, { ...inputs })]);
    const what = `people of team owners (${situation.teamId})`;
    expect(found.undetermined).toEqual(
      reason === undefined ? [] : [{ what, reason: expect.stringContaining(reason) }],
    );
    expect(namesIn(found)).toEqual([]);
    expect(found.unmanaged.organizations[0]?.teamPeople).toEqual({ total: 0, managed: 0 });
  });
});

it("stops when canceled, and makes no partial report", async () => {
  const situation = await setup();
  await expect(findAll(situation, [situation.project], { signal: AbortSignal.abort() })).rejects.toThrow();
});
