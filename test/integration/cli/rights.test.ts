/** Who holds which right in a project whose people are declared: what `drift` makes of each, with and without `--unmanaged`. */
import { findUndeclared } from "../../../cli/drift/find-undeclared";
import { findUnmanaged } from "../../../cli/drift/unmanaged";
import { type OwnedResource, Ownership } from "../../../cli/lib/ownership";
import { listsOf } from "../../unit/cli/drift/reports";
import { clientFactory, type SandboxConnection } from "../client/with-client";

const start = clientFactory();
const plugin = (kind: string) => `opsmanager:index:${kind}`;
const OWNER = "GROUP_OWNER";
const LATER = "GROUP_OF_A_LATER_VERSION";
const roles = [OWNER, "GROUP_USER_ADMIN", "GROUP_READ_ONLY", LATER] as const;

type World = Awaited<ReturnType<typeof setUp>>;

/** A project whose owner olga is declared, and an organization that has one owner. */
async function setUp(declaredBy: "ProjectMember" | "ProjectMembers") {
  const connection = await start.sandbox({
    seed: { projects: [{ name: "payments", members: { "olga@example.com": [OWNER] } }] },
  });
  const { sandbox, client } = connection;
  sandbox.setSwitches({ ldap: true, idpMappings: "present" });
  const { orgId } = sandbox;
  const projectId = sandbox.state.projects[0]?.id ?? "";
  const inputs =
    declaredBy === "ProjectMember"
      ? { projectId, username: "olga@example.com", roles: [OWNER] }
      : { projectId, members: { "olga@example.com": [OWNER] } };
  const id = declaredBy === "ProjectMember" ? `${projectId}/olga@example.com` : projectId;
  const people = (): OwnedResource => ({
    type: plugin(declaredBy),
    urn: `urn:pulumi:test::platform::${plugin(declaredBy)}::people`,
    stack: "test",
    id,
    inputs,
    isRead: true,
    outputs: {
      orgId,
      groupName: "payments",
      ...(declaredBy === "ProjectMembers" && {
        memberDetails: recordedPeople(connection, projectId),
      }),
    },
  });
  return { ...connection, client, orgId, projectId, people };
}

/** What the last refresh of a ProjectMembers has recorded. */
function recordedPeople({ sandbox }: SandboxConnection, projectId: string) {
  const { users, invitations } = sandbox.state;
  const inProject = (held: (typeof users)[number]["roles"]) =>
    held.filter(({ groupId }) => groupId === projectId).map(({ roleName }) => roleName);
  const members = users.filter(({ roles }) => inProject(roles).length > 0).map(({ username }) => username);
  const invitationOf = (username: string) =>
    invitations.find((invitation) => invitation.groupId === projectId && invitation.username === username)
      ?.id;
  return [
    ...users
      .filter((user) => inProject(user.roles).length > 0)
      .map(({ id: userId, username, roles: held }) => ({
        userId,
        invitationId: invitationOf(username),
        username,
        status: "active",
        roles: inProject(held),
        declared: username === "olga@example.com",
      })),
    ...invitations
      .filter(({ groupId, username }) => groupId === projectId && !members.includes(username))
      .map(({ id: invitationId, username, roles: held }) => ({
        invitationId,
        username,
        status: "pending",
        roles: held,
        declared: false,
      })),
  ];
}

interface MoreResources {
  readonly more?: readonly OwnedResource[];
}

/** What both searches find: differences, what could not be determined, and what is only listed. */
async function search(world: World, { more = [] }: MoreResources = {}) {
  const { client, orgId } = world;
  const owners = new Ownership([world.people(), ...more]);
  const declared = { owners, planned: new Ownership([]), comparison: "program" } as const;
  const ownKeys = new Set([client.publicKey ?? ""]);
  const { signal } = new AbortController();
  const declarers = owners.declarers().filter(({ owner }) => owners.teamOf(owner) === undefined);
  const alone = await findUndeclared({ declared, client, ownKeys, signal }, declarers);
  const terminal = { stderr: () => {}, isWatched: false };
  const found = await findUnmanaged({ declared, client, ownKeys, orgIds: [orgId], signal, terminal });
  const all = { ...found, unmanaged: listsOf(found) };
  return { alone, all };
}

type Found = Awaited<ReturnType<typeof search>>;

/** The outcome for a holder by its name. */
function outcomeOf({ alone, all }: Found, { projectId }: World, holder: string, role: string) {
  const isFound = ({ object, live }: Found["alone"]["findings"][number]) =>
    object?.name === holder && JSON.stringify(live) === JSON.stringify([role]);
  // People are not named, because only a report that has their names as such can mask them.
  const shown = holder.endsWith("@example.com") ? "2 people" : ` ${holder}`;
  const isUnknown = ({ what, reason }: Found["alone"]["undetermined"][number]) =>
    what.startsWith(`role ${role} in project `) && what.includes(projectId) && reason.includes(shown);
  const ofSearch = ({ findings, undetermined }: Pick<Found["all"], "findings" | "undetermined">) =>
    findings.some(isFound) ? "difference" : undetermined.some(isUnknown) ? "unknown" : "nothing";
  const { rows } = all;
  const isListed = rows.some((row) => row.holder.name === holder && row.roles.includes(role));
  const isMapping = rows.some(({ kind, roles: held }) => kind === "mappings" && held.includes(role));
  const listed = isListed || (holder.startsWith("group") && isMapping) ? "listed" : "nothing";
  const unmanaged = ofSearch(all);
  return [ofSearch(alone), unmanaged === "difference" ? unmanaged : listed];
}

const short = (role: string) => role.toLowerCase().replaceAll("_", "-");

/** Each gives a role of the project to someone or something of its own, and returns the name. */
const holders: Readonly<Record<string, (world: World, role: string) => string>> = {
  member: ({ sandbox, projectId }, role) => {
    const username = `member-${short(role)}@example.com`;
    sandbox.setMember(projectId, { username }, [role]);
    return username;
  },
  invitation: ({ sandbox, projectId }, role) => {
    const username = `invited-${short(role)}@example.com`;
    sandbox.addInvitation(projectId, { username, roles: [role] });
    return username;
  },
  team: ({ sandbox, projectId }, role) => {
    const { id, name } = sandbox.addTeam({ name: `team-${short(role)}` });
    sandbox.setProjectTeam(projectId, { teamId: id, roleNames: [role] });
    return name;
  },
  "API key": ({ sandbox, projectId, orgId }, role) => {
    const publicKey = `key-${short(role)}`;
    sandbox.addKey({ publicKey, desc: publicKey, orgId, roles: [{ groupId: projectId, roleName: role }] });
    return publicKey;
  },
  "LDAP group": ({ sandbox, projectId }, role) => {
    const name = `group-ldap-${short(role)}`;
    const { ldapGroupMappings = [] } = sandbox.project(projectId) ?? {};
    const mapping = { roleName: role, ldapGroups: [name] };
    sandbox.changeProject(projectId, { ldapGroupMappings: [...ldapGroupMappings, mapping] });
    return name;
  },
  "group of an identity provider": ({ sandbox, projectId }, role) => {
    const name = `group-idp-${short(role)}`;
    const { idpGroupMappings = [] } = sandbox.project(projectId) ?? {};
    const mapping = { roleName: role, idpGroups: [name] };
    sandbox.changeProject(projectId, { idpGroupMappings: [...idpGroupMappings, mapping] });
    return name;
  },
};

const difference = ["difference", "difference"];
const listed = ["nothing", "listed"];
const unknown = ["unknown", "listed"];

const beside = {
  [OWNER]: difference,
  GROUP_USER_ADMIN: difference,
  GROUP_READ_ONLY: listed,
  [LATER]: unknown,
};
const always = Object.fromEntries(roles.map((role) => [role, difference]));

it.each([
  { declaredBy: "ProjectMember", member: beside, invitation: beside, team: beside },
  { declaredBy: "ProjectMembers", member: always, invitation: always, team: always },
] as const)(
  "where a $declaredBy declares people, a right to own the project is a difference for each kind of holder, and a role of a later version is unknown",
  async ({ declaredBy, ...expected }) => {
    const world = await setUp(declaredBy);
    const named = Object.entries(holders).map(
      ([kind, give]) => [kind, roles.map((role) => [role, give(world, role)] as const)] as const,
    );
    const found = await search(world);
    const outcomes = named.map(([kind, names]) => [
      kind,
      Object.fromEntries(names.map(([role, name]) => [role, outcomeOf(found, world, name, role)])),
    ]);
    expect(Object.fromEntries(outcomes)).toEqual({
      ...expected,
      "API key": beside,
      "LDAP group": beside,
      "group of an identity provider": beside,
    });
  },
);

/** The names of the differences, which are the same for each search and each kind of resource. */
async function differencesFor(change: (world: World) => void) {
  const [found, ...others] = await Promise.all(
    (["ProjectMember", "ProjectMembers"] as const).map(async (declaredBy) => {
      const world = await setUp(declaredBy);
      change(world);
      const { alone, all } = await search(world);
      expect([...alone.undetermined, ...all.undetermined]).toEqual([]);
      return [alone, all].map(({ findings }) => findings.map(({ object }) => object?.name).sort());
    }),
  );
  const [names, ...same] = [found, ...others].flatMap((each) => each ?? []);
  for (const each of same) expect(each).toEqual(names);
  return names;
}

const ada = { username: "ada@example.com" };

it.each<[string, (world: World) => void]>([
  ["a member", ({ sandbox, orgId }) => sandbox.setOrgMember(orgId, ada, ["ORG_OWNER"])],
  [
    "an account with GLOBAL_OWNER",
    ({ sandbox }) => {
      const { id = "", roles: held = [] } = sandbox.user(ada) ?? {};
      sandbox.changeUser(id, { roles: [...held, { roleName: "GLOBAL_OWNER" }] });
    },
  ],
])("a role in the project gives an owner of the organization nothing new: %s", async (_, makeOwner) => {
  const found = await differencesFor((world) => {
    const { sandbox, projectId, orgId } = world;
    sandbox.setMember(projectId, ada, [OWNER]);
    makeOwner(world);
    const name = "ivy@example.com";
    sandbox.setOrgMember(orgId, { username: name }, ["ORG_OWNER"]);
    sandbox.addInvitation(projectId, { username: name, roles: [OWNER] });
    const keyRoles = [
      { orgId, roleName: "ORG_OWNER" },
      { groupId: projectId, roleName: OWNER },
    ];
    sandbox.addKey({ publicKey: "platform", desc: "", orgId, roles: keyRoles });
  });
  expect(found).toEqual([]);
});

it.each<[string, (world: World) => void]>([
  [
    "another organization",
    ({ sandbox }) => sandbox.setOrgMember(sandbox.addOrg({ name: "Other" }).id, ada, ["ORG_OWNER"]),
  ],
  [
    "this one, once the invitation is accepted",
    ({ sandbox, orgId }) => {
      sandbox.setOrgMember(orgId, ada, ["ORG_MEMBER"]);
      sandbox.addOrgInvitation(orgId, { ...ada, roles: ["ORG_OWNER"] });
    },
  ],
  [
    "no one, but can make owners",
    ({ sandbox, orgId }) => sandbox.setOrgMember(orgId, ada, ["ORG_USER_ADMIN"]),
  ],
])("a person who owns %s, is a difference in the project", async (_, change) => {
  const found = await differencesFor((world) => {
    world.sandbox.setMember(world.projectId, ada, [OWNER]);
    change(world);
  });
  expect(found).toEqual([ada.username]);
});

it("a member who is invited to own the project is a difference beside a ProjectMember", async () => {
  const world = await setUp("ProjectMember");
  const { sandbox, projectId } = world;
  sandbox.setMember(projectId, ada, ["GROUP_READ_ONLY"]);
  sandbox.addInvitation(projectId, { ...ada, roles: [OWNER] });
  const { alone, all } = await search(world);
  for (const { findings } of [alone, all])
    expect(findings).toMatchObject([{ object: { name: ada.username }, live: [OWNER, "GROUP_READ_ONLY"] }]);
});

it.each(["ProjectMember", "ProjectMembers"] as const)(
  "a declared reader who is invited to own the project is a difference beside a %s, and a declared owner is none",
  async (declaredBy) => {
    const world = await setUp(declaredBy);
    const { sandbox, projectId } = world;
    const setRole = (role: string) => {
      const olga = { username: "olga@example.com" };
      sandbox.setMember(projectId, olga, ["GROUP_READ_ONLY"]);
      sandbox.addInvitation(projectId, { ...olga, roles: [OWNER] });
      const { people } = world;
      const inputs =
        declaredBy === "ProjectMember" ? { roles: [role] } : { members: { "olga@example.com": [role] } };
      return search({ ...world, people: () => ({ ...people(), inputs: { ...people().inputs, ...inputs } }) });
    };
    const { alone, all } = await setRole("GROUP_READ_ONLY");
    for (const { findings } of [alone, all]) {
      expect(findings).toMatchObject([
        { object: { name: "olga@example.com", status: "pending" }, live: [OWNER] },
      ]);
    }
    const owner = await setRole(OWNER);
    expect([owner.alone.findings, owner.all.findings]).toEqual([[], []]);
  },
);

describe("a person who joins a team whose people no Team declares", () => {
  const teamRoles = (held: string) => [held];

  /** A team with a role in the project, declared by a ProjectTeam. */
  function declaredTeam(world: World, name: string, role: string, usernames: readonly string[]) {
    const { sandbox, projectId, orgId } = world;
    const userIds = usernames.map((username) => sandbox.setOrgMember(orgId, { username }, ["ORG_MEMBER"]).id);
    const { id } = sandbox.addTeam({ name, userIds });
    sandbox.setProjectTeam(projectId, { teamId: id, roleNames: teamRoles(role) });
    return {
      id,
      resource: resource("ProjectTeam", `${projectId}/${id}`, { projectId, teamId: id }, { orgId }),
    };
  }

  const resource = (kind: string, id: string, inputs: object, outputs: object) => ({
    ...{ type: plugin(kind), urn: `urn:pulumi:test::platform::${plugin(kind)}::${id}`, stack: "test" },
    ...{ id, inputs: { ...inputs }, outputs: { ...outputs }, isRead: true },
  });

  const mallory = "mallory@example.com";

  it.each([OWNER, "GROUP_USER_ADMIN"])(
    "is a difference if the team has %s, with the role and the project",
    async (role) => {
      const world = await setUp("ProjectMembers");
      const { projectId, orgId } = world;
      const team = declaredTeam(world, "operators", role, [mallory, "olga@example.com", "owner@example.com"]);
      world.sandbox.setOrgMember(orgId, { username: "owner@example.com" }, ["ORG_OWNER"]);
      const { alone, all } = await search(world, { more: [team.resource] });
      const difference = {
        ...{
          stack: "test",
          name: projectId,
          kind: "undeclared",
          property: `teams.operators["${mallory}"]`,
          live: [role],
        },
        object: {
          ...{
            what: "person",
            name: mallory,
            in: "team",
            containerId: team.id,
            containerName: "operators",
            orgId,
          },
          projects: [{ projectId }],
        },
      };
      expect(alone.findings).toMatchObject([{ ...difference, name: "people" }]);
      expect(all.findings).toMatchObject([{ ...difference, name: "people" }]);
      expect(all.unmanaged.teamPeople).toEqual([
        expect.objectContaining({ username: "olga@example.com", teamName: "operators", roles: [role] }),
      ]);
      expect(all.unmanaged.organizations).toMatchObject([
        { teams: { total: 1, managed: 0 }, teamPeople: { total: 2, managed: 0 } },
      ]);
    },
  );

  it.each([
    { what: "a team whose people no Team declares", isDeclared: false, property: "teams.operators" },
    { what: "a team whose people a Team declares", isDeclared: true, property: "usernames" },
  ])(
    "is a difference as soon as an invitation to the organization names $what",
    async ({ isDeclared, property }) => {
      const world = await setUp("ProjectMembers");
      const team = declaredTeam(world, "operators", OWNER, ["olga@example.com"]);
      const { sandbox, orgId } = world;
      for (const username of [mallory, "olga@example.com"])
        sandbox.addOrgInvitation(orgId, { username, roles: ["ORG_MEMBER"], teamIds: [team.id] });
      const inputs = { orgId, name: "operators", usernames: ["olga@example.com"] };
      const outputs = { orgId, teamId: team.id, name: "operators" };
      const people = resource("Team", `${orgId}/${team.id}`, inputs, outputs);
      const more = [team.resource, ...(isDeclared ? [people] : [])];
      const { alone, all } = await search(world, { more });
      for (const { findings, undetermined } of [alone, all]) {
        expect(undetermined).toEqual([]);
        const object = { in: "team", name: mallory, status: "pending" };
        expect(findings).toMatchObject([{ property: `${property}["${mallory}"]`, object }]);
      }
    },
  );

  it("and an invitation that cannot be read leaves the team undetermined, but not its people", async () => {
    const world = await setUp("ProjectMembers");
    const team = declaredTeam(world, "operators", OWNER, [mallory]);
    world.sandbox.addFault({ pathPattern: `/orgs/${world.orgId}/invites`, times: 0, fault: { status: 403 } });
    const { alone, all } = await search(world, { more: [team.resource] });
    for (const { findings, undetermined } of [alone, all]) {
      expect(findings).toMatchObject([{ object: { in: "team", name: mallory } }]);
      expect(undetermined).toHaveLength(1);
    }
  });

  it("is listed with the role if the team can own nothing, and the team counts as managed only with its people", async () => {
    const world = await setUp("ProjectMembers");
    const { orgId } = world;
    const team = declaredTeam(world, "auditors", "GROUP_READ_ONLY", [mallory]);
    const unlisted = await search(world, { more: [team.resource] });
    expect([...unlisted.alone.findings, ...unlisted.all.findings]).toEqual([]);
    expect(unlisted.all.unmanaged.teamPeople).toEqual([
      { orgId, teamId: team.id, teamName: "auditors", username: mallory, roles: ["GROUP_READ_ONLY"] },
    ]);
    expect(unlisted.all.unmanaged.organizations).toMatchObject([
      { teams: { total: 1, managed: 0 }, teamPeople: { total: 1, managed: 0 } },
    ]);

    const inputs = { orgId, name: "auditors", usernames: [mallory] };
    const people = resource("Team", `${orgId}/${team.id}`, inputs, {
      orgId,
      teamId: team.id,
      name: "auditors",
    });
    const { all } = await search(world, { more: [team.resource, people] });
    expect(all.unmanaged.teamPeople).toEqual([]);
    expect(all.unmanaged.organizations).toMatchObject([
      { teams: { total: 1, managed: 1 }, teamPeople: { total: 1, managed: 1 } },
    ]);
  });

  it.each<[string, (world: World) => MoreResources["more"], readonly string[]]>([
    [
      "a reader of the project by a ProjectMember",
      ({ projectId }) => [
        resource(
          "ProjectMember",
          `${projectId}/${mallory}`,
          { projectId, username: mallory, roles: ["GROUP_READ_ONLY"] },
          {},
        ),
      ],
      [mallory],
    ],
    [
      "an owner of the project by a ProjectMember",
      ({ projectId }) => [
        resource(
          "ProjectMember",
          `${projectId}/${mallory}`,
          { projectId, username: mallory, roles: [OWNER] },
          {},
        ),
      ],
      [],
    ],
    [
      "a member of another team that owns the project",
      (world) => {
        const { id, resource: inProject } = declaredTeam(world, "platform", OWNER, [mallory]);
        const { orgId } = world;
        const inputs = { orgId, name: "platform", usernames: [mallory] };
        return [
          inProject,
          resource("Team", `${orgId}/${id}`, inputs, { orgId, teamId: id, name: "platform" }),
        ];
      },
      [],
    ],
    [
      "a member of another team that reads the project",
      (world) => {
        const { id, resource: inProject } = declaredTeam(world, "auditors", "GROUP_READ_ONLY", [mallory]);
        const { orgId } = world;
        const inputs = { orgId, name: "auditors", usernames: [mallory] };
        return [
          inProject,
          resource("Team", `${orgId}/${id}`, inputs, { orgId, teamId: id, name: "auditors" }),
        ];
      },
      [mallory],
    ],
  ])("and is declared as %s", async (_, more, expected) => {
    const world = await setUp("ProjectMembers");
    const declared = more(world) ?? [];
    const team = declaredTeam(world, "operators", OWNER, [mallory]);
    const { alone, all } = await search(world, { more: [team.resource, ...declared] });
    for (const { findings } of [alone, all])
      expect(findings.map(({ object }) => object?.name)).toEqual(expected);
  });

  it("is one difference in however many projects", async () => {
    const world = await setUp("ProjectMembers");
    const { sandbox, orgId } = world;
    const team = declaredTeam(world, "operators", OWNER, [mallory]);
    const others = ["billing", "archive"].map((name) => {
      const { id } = sandbox.addProject({ name });
      sandbox.setProjectTeam(id, { teamId: team.id, roleNames: [OWNER] });
      const members = { members: { "olga@example.com": [OWNER] } };
      return [
        resource("ProjectMembers", id, { projectId: id, ...members }, { orgId, memberDetails: [] }),
        resource("ProjectTeam", `${id}/${team.id}`, {}, { orgId, teamId: team.id }),
      ];
    });
    const { alone } = await search(world, { more: [team.resource, ...others.flat()] });
    expect(alone.findings).toMatchObject([{ object: { name: mallory, projects: { length: 3 } } }]);
  });

  it("is unknown if a role of the team is one of a later version, or if the members of the project are secret", async () => {
    const world = await setUp("ProjectMembers");
    const team = declaredTeam(world, "operators", LATER, [mallory]);
    const later = await search(world, { more: [team.resource] });
    for (const { findings, undetermined } of [later.alone, later.all]) {
      expect(findings).toEqual([]);
      expect(undetermined).toMatchObject([
        {
          what: expect.stringContaining(`role ${LATER} in project `),
          reason: expect.stringContaining("1 person of team operators"),
        },
      ]);
    }
    world.sandbox.setProjectTeam(world.projectId, { teamId: team.id, roleNames: [OWNER] });
    const secret = {
      ...world.people(),
      inputs: {},
      outputs: { ...world.people().outputs, memberDetails: {} },
    };
    const hidden = await search({ ...world, people: () => secret }, { more: [team.resource] });
    expect(hidden.alone.undetermined).toMatchObject([{ what: `people of team operators (${team.id})` }]);
  });
});
