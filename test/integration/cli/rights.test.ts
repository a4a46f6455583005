/** Who holds which right in a project whose people are declared: what `drift` makes of each, with and without `--unmanaged`. */
import { undeclaredInReads } from "../../../cli/drift/undeclared";
import { Declarations, type OwnedResource } from "../../../cli/lib/access/declared";
import { rowsOf } from "../../unit/cli/drift/reports";
import { clientFactory } from "../client/with-client";
import { declared, findBoth, namesIn, reasonsIn } from "./drift-search";

const start = clientFactory();
const [OWNER, ADMIN, READER] = ["GROUP_OWNER", "GROUP_USER_ADMIN", "GROUP_READ_ONLY"] as const;
const LATER = "GROUP_OF_A_LATER_VERSION";
const roles = [OWNER, ADMIN, READER, LATER] as const;
const olga = "olga@example.com";

type Declarer = "ProjectMember" | "ProjectMembers";
type World = Awaited<ReturnType<typeof setUp>>;
type Found = Awaited<ReturnType<typeof findBoth>>;
type FederatedRole = { readonly role: string; readonly orgId?: string; readonly groupId?: string };

/** A project whose owner olga is declared, and an organization that has one owner. */
async function setUp(declaredBy: Declarer, switches: { readonly teamRolesInUsers?: boolean } = {}) {
  const connection = await start.sandbox({
    ...switches,
    ldap: true,
    idpMappings: "present",
    serviceAccountLists: "offered",
    seed: { projects: [{ name: "payments", members: { [olga]: [OWNER] } }] },
  });
  const { sandbox } = connection;
  const { orgId } = sandbox;
  const projectId = sandbox.state.projects[0]?.id ?? "";
  const outputs = { orgId, groupName: "payments" };
  /** What declares olga with this role, after a refresh. */
  const people = (role: string = OWNER) =>
    declaredBy === "ProjectMember"
      ? declared("ProjectMember", `${projectId}/${olga}`, {
          ...{ name: "people", outputs },
          inputs: { projectId, username: olga, roles: [role] },
        })
      : declared("ProjectMembers", projectId, {
          name: "people",
          inputs: { projectId, members: { [olga]: [role] } },
          outputs: { ...outputs, memberDetails: recordedPeople() },
        });

  function recordedPeople() {
    const { users, invitations } = sandbox.state;
    const invited = invitations.filter(({ groupId }) => groupId === projectId);
    const members = users.flatMap(({ id: userId, username, roles: all }) => {
      const held = all.filter(({ groupId }) => groupId === projectId).map(({ roleName }) => roleName);
      const invitationId = invited.find((invitation) => invitation.username === username)?.id;
      return held.length > 0 ? [{ userId, invitationId, username, status: "active", roles: held }] : [];
    });
    const pending = invited.flatMap(({ id: invitationId, username, roles: held }) =>
      members.some((member) => member.username === username)
        ? []
        : [{ invitationId, username, status: "pending", roles: held }],
    );
    return [...members, ...pending].map((person) => ({ ...person, declared: person.username === olga }));
  }
  return { ...connection, orgId, projectId, people };
}

/** The outcome for a holder by its name. */
function outcomeOf({ alone, all }: Found, { projectId }: World, holder: string, role: string) {
  const isFound = ({ object, live }: Found["alone"]["findings"][number]) =>
    object?.name === holder && JSON.stringify(live) === JSON.stringify([role]);
  // People are not named, because only a report that has their names as such can mask them.
  const shown = holder.endsWith("@example.com") ? "2 people" : holder;
  const isUnknown = ({ what, reason }: Found["alone"]["undetermined"][number]) =>
    what.startsWith(`role ${role} in project `) && what.includes(projectId) && reason.includes(shown);
  const ofSearch = ({ findings, undetermined }: Pick<Found["all"], "findings" | "undetermined">) =>
    findings.some(isFound) ? "difference" : undetermined.some(isUnknown) ? "unknown" : "nothing";
  const { rows } = all;
  const isListed = rows.some(
    ({ holder: { name, id }, roles: held }) => [name, id].includes(holder) && held.includes(role),
  );
  const listed = isListed ? "listed" : "nothing";
  const unmanaged = ofSearch(all);
  return [ofSearch(alone), unmanaged === "difference" ? unmanaged : listed];
}

/** Each gives a role of the project to someone or something of its own, and returns the name. */
const holders: Readonly<Record<string, (world: World, role: string, short: string) => string>> = {
  member: ({ sandbox, projectId }, role, short) => {
    const username = `member-${short}@example.com`;
    sandbox.setMember(projectId, { username }, [role]);
    return username;
  },
  invitation: ({ sandbox, projectId }, role, short) => {
    const username = `invited-${short}@example.com`;
    sandbox.addInvitation(projectId, { username, roles: [role] });
    return username;
  },
  team: ({ sandbox, projectId }, role, short) => {
    const { id, name } = sandbox.addTeam({ name: `team-${short}` });
    sandbox.setProjectTeam(projectId, { teamId: id, roleNames: [role] });
    return name;
  },
  "API key": ({ sandbox, projectId, orgId }, role, short) => {
    const publicKey = `key-${short}`;
    sandbox.addKey({ publicKey, desc: publicKey, orgId, roles: [{ groupId: projectId, roleName: role }] });
    return publicKey;
  },
  "service account": ({ sandbox, projectId }, role, short) => {
    const roles = [{ groupId: projectId, roleName: role }];
    return sandbox.addServiceAccount({ name: `account-${short}`, roles }).clientId;
  },
  "LDAP group": ({ sandbox, projectId }, role, short) => {
    const name = `group-ldap-${short}`;
    const { ldapGroupMappings = [] } = sandbox.project(projectId) ?? {};
    const mapping = { roleName: role, ldapGroups: [name] };
    sandbox.changeProject(projectId, { ldapGroupMappings: [...ldapGroupMappings, mapping] });
    return name;
  },
  "group of an identity provider": ({ sandbox, projectId }, role, short) => {
    const name = `group-idp-${short}`;
    const { idpGroupMappings = [] } = sandbox.project(projectId) ?? {};
    const mapping = { roleName: role, idpGroups: [name] };
    sandbox.changeProject(projectId, { idpGroupMappings: [...idpGroupMappings, mapping] });
    return name;
  },
};

const difference = ["difference", "difference"];
const listed = ["nothing", "listed"];
const unknown = ["unknown", "listed"];
const beside = { [OWNER]: difference, [ADMIN]: difference, [READER]: listed, [LATER]: unknown };
// `--unmanaged` lists no service account and no group of readers.
const unlistedReaders = { ...beside, [READER]: ["nothing", "nothing"] };
const always = Object.fromEntries(roles.map((role) => [role, difference]));

it.each([
  { declaredBy: "ProjectMember", member: beside, invitation: beside, team: beside },
  { declaredBy: "ProjectMembers", member: always, invitation: always, team: always },
] as const)(
  "where a $declaredBy declares people, a right to own the project is a difference for each kind of holder, and a role of a later version is unknown",
  async ({ declaredBy, ...expected }) => {
    const world = await setUp(declaredBy);
    const named = Object.entries(holders).map(([kind, give]) => {
      const short = (role: string) => role.toLowerCase().replaceAll("_", "-");
      return [kind, roles.map((role) => [role, give(world, role, short(role))] as const)] as const;
    });
    const found = await findBoth(world, [world.people()]);
    const outcomes = named.map(([kind, names]) => [
      kind,
      Object.fromEntries(names.map(([role, name]) => [role, outcomeOf(found, world, name, role)])),
    ]);
    expect(Object.fromEntries(outcomes)).toEqual({
      ...expected,
      "API key": beside,
      "service account": unlistedReaders,
      "LDAP group": unlistedReaders,
      "group of an identity provider": unlistedReaders,
    });
  },
);

it.each<{ declaredBy: Declarer; teamRolesInUsers: boolean; own?: string }>([
  { declaredBy: "ProjectMember", teamRolesInUsers: true },
  { declaredBy: "ProjectMember", teamRolesInUsers: false },
  { declaredBy: "ProjectMember", teamRolesInUsers: true, own: READER },
  { declaredBy: "ProjectMembers", teamRolesInUsers: true },
])(
  "what a declared team gives is not the person's own: %j",
  async ({ declaredBy, teamRolesInUsers, own }) => {
    const { sandbox, client, orgId, projectId, people } = await setUp(declaredBy, { teamRolesInUsers });
    const { id: userId } = sandbox.setOrgMember(orgId, ada, ["ORG_MEMBER"]);
    if (own !== undefined) sandbox.setMember(projectId, ada, [own]);
    const { id: teamId } = sandbox.addTeam({ name: "owners", userIds: [userId] });
    sandbox.setProjectTeam(projectId, { teamId, roleNames: [OWNER] });
    const team = [
      declared("Team", `${orgId}/${teamId}`, {
        inputs: { orgId, name: "owners", usernames: [ada.username] },
        outputs: { teamId, people: [{ userId, ...ada, declared: true }] },
      }),
      declared("ProjectTeam", `${projectId}/${teamId}`, { outputs: { teamId } }),
    ];
    const { alone, all } = await findBoth({ client }, [people(), ...team]);
    expect([alone, all].map(namesIn)).toEqual([[], []]);
    const shown = own === undefined ? { status: "indirect" } : { status: "active", roles: [own] };
    expect(rowsOf(all, "people")).toContainEqual(
      expect.objectContaining({ holder: { name: ada.username, id: ada.username }, ...shown }),
    );
  },
);

it("groups of one name in LDAP and in an identity provider are two holders", async () => {
  const world = await setUp("ProjectMember");
  const { sandbox, projectId, people } = world;
  const ldapGroupMappings = [{ roleName: LATER, ldapGroups: ["ops"] }];
  const idpGroupMappings = [{ roleName: LATER, idpGroups: ["ops"] }];
  sandbox.changeProject(projectId, { ldapGroupMappings, idpGroupMappings });
  const project = declared("Project", projectId, { inputs: { ldapGroupMappings } });
  const named = async (resources: readonly OwnedResource[]) => {
    const { alone, all } = await findBoth(world, resources);
    return [alone, all].map(({ undetermined }) =>
      undetermined.map(({ reason }) => /it: (.*?)\./.exec(reason)?.[1]),
    );
  };
  const both = ["LDAP group ops, identity provider group ops"];
  expect(await named([people()])).toEqual([both, both]);
  expect(await named([people(), project])).toEqual([
    ["identity provider group ops"],
    ["identity provider group ops"],
  ]);
});

it("a role of a later version is in doubt unless it is declared or its holder owns the organization", async () => {
  for (const declaredBy of ["ProjectMember", "ProjectMembers"] as const) {
    const world = await setUp(declaredBy);
    const { sandbox, projectId, orgId } = world;
    sandbox.setMember(projectId, { username: olga }, [LATER]);
    const resources = [world.people(LATER)];
    if (declaredBy === "ProjectMember") {
      sandbox.setMember(projectId, ada, [LATER]);
      sandbox.setOrgMember(orgId, ada, ["ORG_OWNER"]);
    }
    const { alone, all } = await findBoth(world, resources);
    expect([alone, all].map(reasonsIn)).toEqual([[], []]);
    sandbox.addInvitation(projectId, { username: olga, roles: [LATER, `${LATER}_YET`] });
    const again = await findBoth(world, [world.people(LATER)]);
    const offered = expect.stringMatching(`^role ${LATER}_YET in project`);
    expect([again.alone, again.all].map(reasonsIn)).toEqual([[offered], [offered]]);
  }
});

it("the owners of an organization that a file lists completely are differences, and not listed beside them", async () => {
  const world = await setUp("ProjectMember");
  const { sandbox, orgId, client } = world;
  sandbox.setOrgMember(orgId, ada, ["ORG_OWNER"]);
  sandbox.addOrgInvitation(orgId, { ...ivy, roles: ["ORG_OWNER"] });
  const roles = [{ orgId, roleName: "ORG_OWNER" }];
  sandbox.addKey({ publicKey: "platform", desc: "", orgId, roles });
  const [platform, own] = ["platform", "own"].map(
    (name) => sandbox.addServiceAccount({ name, roles }).clientId,
  );
  sandbox.addServiceAccount({ name: "reader", roles: [{ orgId, roleName: "ORG_READ_ONLY" }] });
  sandbox.changeKey(client.publicKey ?? "", { orgId, roles });
  federate(world, ["ORG_OWNER"], { role: "ORG_OWNER", orgId });
  const owner = declared("OrganizationMember", `${orgId}/owner@example.com`);
  const urn = "urn:pulumi:test::platform::opsmanager:index:OrganizationFile::acme";
  const complete = [{ urn, stack: "test", orgId }];
  const { alone, all } = await findBoth(world, [world.people(), owner], {
    ...{ complete, otherKeys: [own ?? ""] },
  });
  const names = [ada.username, ivy.username, "platform", platform, "everyone who signs in", "admins"];
  expect([alone, all].map(namesIn)).toEqual([names, names]);
  const kinds = ["owners", "ownerKeys", "ownerServiceAccounts", "ownerGroups"] as const;
  expect(kinds.map((kind) => rowsOf(all, kind))).toEqual([[], [], [], []]);
  const [ofOne, ofThree] = [1, 3].map((total) => ({ total }));
  expect(all.unmanaged.organizations).toMatchObject([
    {
      owners: { ...ofThree, managed: 1 },
      ownerKeys: { ...ofOne, managed: 0 },
      ownerServiceAccounts: { ...ofOne, managed: 0 },
      ownerGroups: { total: 2, managed: 0 },
    },
  ]);
});

it("the groups to which a federation gives a right to own a project are listed beside it", async () => {
  const world = await setUp("ProjectMember");
  const { projectId: groupId, people, sandbox } = world;
  federate(world, ["ORG_MEMBER"], { role: OWNER, groupId });
  const { alone, all } = await findBoth(world, [people()]);
  expect([alone, all].map(namesIn)).toEqual([[], []]);
  expect(rowsOf(all, "mappings")).toMatchObject([
    { holder: { name: "admins", id: "roleMappings.admins" }, place: { name: "payments" }, roles: [OWNER] },
  ]);
  sandbox.addFault({ pathPattern: "/federationSettings", times: 0, fault: { status: 403 } });
  const unread = await findBoth(world, [people()]);
  expect(reasonsIn(unread.all)).toEqual([expect.stringMatching(/^federation of organization /)]);
});

/** The federation gives roles to everyone who signs in, and a role to the group admins. */
function federate({ sandbox, orgId }: World, postAuthRoleGrants: string[], role: FederatedRole): void {
  sandbox.setSwitches({ federationSettings: "offered" });
  sandbox.changeOrg(orgId, {
    ...{ federationId: "5f00000000000000000000fe", postAuthRoleGrants },
    roleMappings: [{ externalGroupName: "admins", roleAssignments: [role] }],
  });
}

it("a group that owns an organization is a difference where the organization or all of its owners are declared, and else listed", async () => {
  const world = await setUp("ProjectMember");
  const { sandbox, orgId, people } = world;
  const owning = { roleName: "ORG_OWNER", idpGroups: ["ops"] };
  sandbox.changeOrg(orgId, {
    ldapGroupMappings: [
      { roleName: "ORG_USER_ADMIN", ldapGroups: ["ops", "helpers"] },
      { roleName: "ORG_READ_ONLY", ldapGroups: ["readers"] },
      { roleName: LATER, ldapGroups: ["later"] },
    ],
    idpGroupMappings: [owning],
  });
  const { ldapGroupMappings, idpGroupMappings } = sandbox.state.orgs.find(({ id }) => id === orgId) ?? {};
  const outputs = { orgId, name: "acme", ldapGroupMappings, idpGroupMappings };
  const urn = "urn:pulumi:test::platform::opsmanager:index:OrganizationFile::acme";
  const complete = [{ urn, stack: "test", orgId }];
  const itself = (inputs: OwnedResource["inputs"]) =>
    declared("Organization", orgId, { name: "acme", inputs, outputs });
  const outcome = async (
    organization: readonly OwnedResource[],
    options: Parameters<typeof findBoth>[2] = {},
  ) => {
    const resources = [
      people(),
      declared("OrganizationMember", `${orgId}/owner@example.com`),
      ...organization,
    ];
    const { alone, all } = await findBoth(world, resources, options);
    const inReads = undeclaredInReads(
      { owners: new Declarations(resources), planned: new Declarations([]), comparison: "program" },
      new Set(),
    );
    const found = [alone, all].map(({ findings, undetermined }) => {
      const [groups, doubts] = [
        [...findings, ...inReads.findings],
        [...undetermined, ...inReads.undetermined],
      ];
      return {
        groups: groups.map(({ urn: subject, property }) => `${property} of ${subject.split("::").at(-1)}`),
        doubts: doubts.map(({ what }) => what),
      };
    });
    expect(found[1]).toEqual(found[0]);
    const rows = rowsOf(all, "ownerGroups").map(({ holder, place }) => `${holder.id} in ${place.id}`);
    return { ...found[0], rows, counts: all.unmanaged.organizations[0]?.ownerGroups };
  };
  const ldap = ["ldapGroupMappings.helpers", "ldapGroupMappings.ops"];
  const groups = [...ldap, "idpGroupMappings.ops"];
  const later = [`role ${LATER} in organization ${orgId}`];
  const of = (names: readonly string[]) => names.map((name) => `${name} of acme`).sort();
  const rows = (names: readonly string[]) => names.map((name) => `${name} in ${orgId}`).sort();
  const listed = [...ldap, "ldapGroupMappings.later", "idpGroupMappings.ops"];
  const sorted = async (...args: Parameters<typeof outcome>) => {
    const { groups: found = [], rows: all, ...others } = await outcome(...args);
    return { groups: found.sort(), rows: all.sort(), ...others };
  };
  const total = listed.length;
  expect(await sorted([])).toEqual({
    groups: [],
    doubts: [],
    rows: rows(listed),
    counts: { total, managed: 0 },
  });
  const doubtful = { rows: rows(["ldapGroupMappings.later"]), doubts: later, counts: { total, managed: 0 } };
  expect(await sorted([], { complete })).toEqual({ ...doubtful, groups: of(groups) });
  expect(await sorted([itself({ orgId, name: "acme" })])).toEqual({ ...doubtful, groups: of(groups) });
  const withIdp = itself({ orgId, idpGroupMappings });
  expect(await sorted([withIdp], { complete })).toEqual({
    ...{ groups: of(ldap), doubts: later, rows: doubtful.rows },
    counts: { total, managed: 1 },
  });
});

const ada = { username: "ada@example.com" };
const ivy = { username: "ivy@example.com" };

it.each<{ whoever: string; change: (world: World) => void; differences: readonly string[] }>([
  {
    whoever: "owns the organization",
    change: ({ sandbox, orgId }) => sandbox.setOrgMember(orgId, ada, ["ORG_OWNER"]),
    differences: [],
  },
  {
    whoever: "owns the whole service",
    change: ({ sandbox }) => {
      const { id = "", roles: held = [] } = sandbox.user(ada) ?? {};
      sandbox.changeUser(id, { roles: [...held, { roleName: "GLOBAL_OWNER" }] });
    },
    differences: [],
  },
  {
    whoever: "owns another organization",
    change: ({ sandbox }) => sandbox.setOrgMember(sandbox.addOrg({ name: "Other" }).id, ada, ["ORG_OWNER"]),
    differences: [ada.username],
  },
  {
    whoever: "will own the organization, once the invitation is accepted",
    change: ({ sandbox, orgId }) => {
      sandbox.setOrgMember(orgId, ada, ["ORG_MEMBER"]);
      sandbox.addOrgInvitation(orgId, { ...ada, roles: ["ORG_OWNER"] });
    },
    differences: [ada.username],
  },
  {
    whoever: "can make owners of the organization",
    change: ({ sandbox, orgId }) => sandbox.setOrgMember(orgId, ada, ["ORG_USER_ADMIN"]),
    differences: [ada.username],
  },
])(
  "the right to own a project is news unless it comes from above: for who $whoever",
  async ({ change, differences }) => {
    for (const declaredBy of ["ProjectMember", "ProjectMembers"] as const) {
      const world = await setUp(declaredBy);
      const { sandbox, projectId, orgId } = world;
      sandbox.setMember(projectId, ada, [OWNER]);
      change(world);
      // An invited person, an API key and a service account that own the organization.
      sandbox.setOrgMember(orgId, ivy, ["ORG_OWNER"]);
      sandbox.addInvitation(projectId, { ...ivy, roles: [OWNER] });
      const rights = [
        { orgId, roleName: "ORG_OWNER" },
        { groupId: projectId, roleName: OWNER },
      ];
      sandbox.addKey({ publicKey: "platform", desc: "", orgId, roles: rights });
      sandbox.addServiceAccount({ name: "platform", roles: rights });
      const { alone, all } = await findBoth(world, [world.people()]);
      expect([alone, all].map(reasonsIn)).toEqual([[], []]);
      expect([alone, all].map(namesIn)).toEqual([differences, differences]);
    }
  },
);

it.each<{ who: string; declaredBy: Declarer; name: string; role?: string; live?: readonly string[] }>([
  {
    who: "a reader whom nothing declares",
    declaredBy: "ProjectMember",
    name: ada.username,
    live: [OWNER, READER],
  },
  { who: "a declared reader", declaredBy: "ProjectMember", name: olga, role: READER, live: [OWNER] },
  { who: "a declared reader", declaredBy: "ProjectMembers", name: olga, role: READER, live: [OWNER] },
  { who: "a declared owner", declaredBy: "ProjectMember", name: olga, role: OWNER },
  { who: "a declared owner", declaredBy: "ProjectMembers", name: olga, role: OWNER },
])("beside a $declaredBy, $who is invited to own the project", async ({ declaredBy, name, role, live }) => {
  const world = await setUp(declaredBy);
  const { sandbox, projectId, people } = world;
  sandbox.setMember(projectId, { username: name }, [READER]);
  sandbox.addInvitation(projectId, { username: name, roles: [OWNER] });
  const { alone, all } = await findBoth(world, [people(role)]);
  for (const { findings } of [alone, all])
    expect(findings).toMatchObject(live === undefined ? [] : [{ object: { name }, live }]);
});

describe("a person of a team that a ProjectTeam declares", () => {
  const mallory = "mallory@example.com";

  /** A team of these people with a role in the project. */
  function addTeam({ sandbox, projectId, orgId }: World, name: string, role: string, usernames: string[]) {
    const userIds = usernames.map((username) => sandbox.setOrgMember(orgId, { username }, ["ORG_MEMBER"]).id);
    const { id } = sandbox.addTeam({ name, userIds });
    sandbox.setProjectTeam(projectId, { teamId: id, roleNames: [role] });
    return { id, resource: declared("ProjectTeam", `${projectId}/${id}`, { outputs: { orgId } }) };
  }
  /** What declares the people of a team. */
  const peopleOf = ({ orgId }: World, teamId: string, name: string, usernames: readonly string[]) =>
    declared("Team", `${orgId}/${teamId}`, {
      inputs: { orgId, name, usernames },
      outputs: { orgId, teamId, name },
    });
  const asMember = ({ projectId }: World, role: string) => [
    declared("ProjectMember", `${projectId}/${mallory}`, {
      inputs: { projectId, username: mallory, roles: [role] },
    }),
  ];
  const asOfOtherTeam = (world: World, role: string) => {
    const { id, resource } = addTeam(world, "auditors", role, [mallory]);
    return [resource, peopleOf(world, id, "auditors", [mallory])];
  };

  it.each<{
    who: string;
    role?: string;
    people?: string[];
    /** To the organization and the team. */
    invited?: readonly string[];
    /** What else is declared. */
    more?: (world: World, teamId: string) => readonly OwnedResource[];
    change?: (world: World) => void;
    /** Property and status of each. */
    differences?: readonly string[];
    undetermined?: readonly RegExp[];
    listed?: readonly string[];
  }>([
    {
      who: "is a difference if the team can own the project, unless they are declared or own the organization",
      people: [mallory, olga, "owner@example.com"],
      change: ({ sandbox, orgId }) =>
        sandbox.setOrgMember(orgId, { username: "owner@example.com" }, ["ORG_OWNER"]),
      differences: [`teams.operators["${mallory}"]`],
      listed: [olga],
    },
    {
      who: "is a difference if the team can make owners",
      role: ADMIN,
      differences: [`teams.operators["${mallory}"]`],
    },
    { who: "is listed if the team can own nothing", role: READER, listed: [mallory] },
    {
      who: "is unknown if the team has a role of a later version",
      role: LATER,
      undetermined: [/^role GROUP_OF_A_LATER_VERSION in project .*1 person of team operators/],
      listed: [mallory],
    },
    {
      who: "is a difference as soon as an invitation to the organization names the team",
      people: [olga],
      invited: [mallory, olga],
      differences: [`teams.operators["${mallory}"] pending`],
      listed: [olga],
    },
    {
      who: "is a difference as soon as an invitation names the team, if a Team declares its people",
      people: [olga],
      invited: [mallory, olga],
      more: (world, teamId) => [peopleOf(world, teamId, "operators", [olga])],
      differences: [`usernames["${mallory}"] pending`],
    },
    {
      who: "is a difference as soon as an invitation to the project names the team",
      people: [olga],
      change: ({ sandbox, projectId }) => {
        const teamIds = sandbox.state.teams.map(({ id }) => id);
        sandbox.addInvitation(projectId, { username: mallory, roles: [READER], teamIds });
      },
      more: (world) => asMember(world, READER),
      differences: [`teams.operators["${mallory}"] pending`],
      listed: [olga],
    },
    {
      who: "is listed if an invitation names a team that can own nothing, and a Team declares its people",
      role: READER,
      people: [olga],
      invited: [mallory, olga],
      more: (world, teamId) => [peopleOf(world, teamId, "operators", [olga])],
      listed: [mallory],
    },
    {
      who: "is a difference if the invitations cannot be read, and the team is undetermined",
      change: ({ sandbox, orgId }) =>
        sandbox.addFault({ pathPattern: `/orgs/${orgId}/invites`, times: 0, fault: { status: 403 } }),
      differences: [`teams.operators["${mallory}"]`],
      undetermined: [/403/],
    },
    {
      who: "is a difference if a gateway responds in place of the invitations, and the team is undetermined",
      change: ({ sandbox, orgId }) =>
        sandbox.addFault({ pathPattern: `/orgs/${orgId}/invites`, times: 0, fault: { status: 404 } }),
      differences: [`teams.operators["${mallory}"]`],
      undetermined: [/404/],
    },
    {
      who: "is unknown if the team belongs to another organization",
      change: ({ sandbox }) => {
        const [team] = sandbox.state.teams;
        sandbox.changeTeam(team?.id ?? "", { orgId: sandbox.addOrg({ name: "Other" }).id });
      },
      undetermined: [/^people of team .*404 TEAM_NOT_/],
    },
    {
      who: "is a difference if a ProjectMember declares a reader",
      more: (world) => asMember(world, READER),
      differences: [`teams.operators["${mallory}"]`],
    },
    {
      who: "is none if a ProjectMember declares an owner",
      more: (world) => asMember(world, OWNER),
      listed: [mallory],
    },
    {
      who: "is none if another team that owns the project has them declared",
      more: (world) => asOfOtherTeam(world, OWNER),
      listed: [mallory],
    },
    {
      who: "is a difference if the other team reads the project",
      more: (world) => asOfOtherTeam(world, READER),
      differences: [`teams.operators["${mallory}"]`],
    },
  ])("$who", async ({ role = OWNER, people = [mallory], invited = [], more = () => [], ...row }) => {
    const world = await setUp("ProjectMembers");
    const { sandbox, orgId } = world;
    const { id: teamId, resource } = addTeam(world, "operators", role, people);
    for (const username of invited)
      sandbox.addOrgInvitation(orgId, { username, roles: ["ORG_MEMBER"], teamIds: [teamId] });
    row.change?.(world);
    const { alone, all } = await findBoth(world, [world.people(), resource, ...more(world, teamId)]);
    const { differences = [], undetermined = [], listed: names = [] } = row;
    for (const found of [alone, all]) {
      const texts = found.findings.map(({ property, object }) => [property, object?.status].join(" ").trim());
      expect(texts).toEqual(differences);
      expect(reasonsIn(found)).toEqual(undetermined.map((reason) => expect.stringMatching(reason)));
    }
    expect(rowsOf(all, "teamPeople").map(({ holder }) => holder.name)).toEqual(names);
  });

  it("is a difference if a Team declares the people, even if they own the organization", async () => {
    const world = await setUp("ProjectMembers");
    const { sandbox, orgId } = world;
    const owner = sandbox.setOrgMember(orgId, { username: "owner@example.com" }, ["ORG_OWNER"]);
    const { id: teamId } = sandbox.addTeam({ name: "operators", userIds: [owner.id] });
    const declaring = peopleOf(world, teamId, "operators", [olga]);
    const people = [{ userId: owner.id, username: owner.username, declared: false }];
    const team = { ...declaring, outputs: { ...declaring.outputs, people } };
    const none = new Declarations([]);
    const compared = { owners: new Declarations([team]), planned: none, comparison: "program" } as const;
    const alone = undeclaredInReads(compared, new Set());
    const { all } = await findBoth(world, [team]);
    for (const found of [alone, all]) expect(namesIn(found)).toEqual([owner.username]);
  });

  it("is one difference in however many projects, and the team counts as managed only with its people", async () => {
    const world = await setUp("ProjectMembers");
    const { sandbox, orgId, projectId } = world;
    const team = addTeam(world, "operators", ADMIN, [mallory]);
    const others = ["billing", "archive"].flatMap((name) => {
      const { id } = sandbox.addProject({ name });
      sandbox.setProjectTeam(id, { teamId: team.id, roleNames: [ADMIN] });
      const inputs = { projectId: id, members: { [olga]: [OWNER] } };
      return [
        declared("ProjectMembers", id, { inputs, outputs: { orgId, memberDetails: [] } }),
        declared("ProjectTeam", `${id}/${team.id}`, { outputs: { orgId, teamId: team.id } }),
      ];
    });
    const resources = [world.people(), team.resource, ...others];
    const { alone, all } = await findBoth(world, resources);
    const projects = expect.arrayContaining([expect.objectContaining({ projectId })]);
    for (const { findings } of [alone, all]) {
      const place = { in: "team", containerId: team.id, containerName: "operators", orgId };
      const object = { what: "person", name: mallory, ...place, projects };
      expect(findings).toMatchObject([{ stack: "test", kind: "undeclared", live: [ADMIN], object }]);
      expect(findings[0]?.object?.projects).toHaveLength(3);
    }
    // The team counts as managed only with its people.
    const withPeople = await findBoth(world, [
      ...resources,
      peopleOf(world, team.id, "operators", [mallory]),
    ]);
    const managedTeams = [all, withPeople.all].map(({ unmanaged }) => unmanaged.organizations[0]?.teams);
    expect(managedTeams).toEqual([
      { total: 3, managed: 0 },
      { total: 3, managed: 3 },
    ]);
  });

  it("is unknown if the members of the project are secret", async () => {
    const world = await setUp("ProjectMembers");
    const team = addTeam(world, "operators", OWNER, [mallory]);
    const { orgId } = world;
    const secret = { ...world.people(), inputs: {}, outputs: { orgId, memberDetails: {} } };
    const { alone } = await findBoth(world, [secret, team.resource]);
    expect(alone.undetermined).toMatchObject([{ what: `people of team operators (${team.id})` }]);
  });
});
