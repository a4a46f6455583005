/** What the state holds of each kind after a creation, an adoption, an import and a refresh: every output, and nothing else. */

import type { ResourceKind } from "../../../provider/resources/kinds";
import type { Sandbox } from "../../../sandbox";
import { bothProviders, errorsOf, writes } from "../../engine/support/project-program";
import { type Program, type ProviderKind, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

afterEach(tearDownStacks);

const orgId = "5f00000000000000000000b1";
const [payments, search] = ["5f00000000000000000000a1", "5f00000000000000000000a2"];
const [adaId, olgaId] = ["5f00000000000000000000d1", "5f00000000000000000000d2"];
const [ada, olga, newcomer] = ["ada@example.com", "olga@example.com", "zo\u00eb@example.com"];
const [readers, owners] = [["GROUP_READ_ONLY"], ["GROUP_OWNER"]];
const teamId = "5f00000000000000000000e1";
const [keyId, adminId] = ["5f00000000000000000000c1", "5f00000000000000000000c0"];
const privateKey = "5e5e5e5e-0000-4000-8000-0123456789ab";

const seed = {
  orgs: [{ id: orgId, name: "Example Org" }],
  users: [
    { id: olgaId, username: olga, roles: [{ orgId, roleName: "ORG_OWNER" }] },
    { id: adaId, username: ada, roles: [{ orgId, roleName: "ORG_MEMBER" }] },
  ],
  projects: [
    { id: payments, orgId, name: "payments", tags: ["PROD"], members: { [olga]: owners, [ada]: readers } },
    {
      id: search,
      orgId,
      name: "search",
      members: { [olga]: owners },
      teams: [{ teamId, roleNames: owners }],
    },
  ],
  teams: [{ id: teamId, orgId, name: "operators", usernames: [ada] }],
  keys: [
    {
      id: adminId,
      publicKey: "adminkey",
      privateKey,
      desc: "admin",
      orgId,
      roles: [{ orgId, roleName: "ORG_OWNER" }],
    },
    {
      ...{ id: keyId, publicKey: "theirkey", desc: "ci", orgId },
      roles: [
        { orgId, roleName: "ORG_MEMBER" },
        { groupId: search, roleName: "GROUP_OWNER" },
      ],
    },
  ],
};

async function begin(provider: ProviderKind, resources: Program["resources"]) {
  return setUpStack({
    provider,
    sandbox: { seed, orgUserChanges: "offered" },
    config: { publicKey: "adminkey", privateKey },
    program: () => ({ resources: resources ?? {} }),
  });
}

const program = {
  books: { type: "Project", properties: { orgId, name: "books", tags: ["TEST"] } },
  payments: { type: "Project", properties: { projectId: payments } },
  guest: { type: "ProjectMember", properties: { projectId: payments, username: newcomer, roles: readers } },
  ada: { type: "ProjectMember", properties: { projectId: payments, username: ada, roles: owners } },
  people: {
    type: "ProjectMembers",
    properties: { projectId: search, members: { [olga]: owners, [newcomer]: readers } },
  },
  team: { type: "Team", properties: { orgId, name: "admins", usernames: [olga] } },
  operators: {
    type: "ProjectTeam",
    properties: { projectId: payments, teamName: "operators", roles: readers },
  },
  agents: { type: "AgentApiKey", properties: { projectId: payments, description: "agents" } },
  pipeline: { type: "ApiKey", properties: { orgId, description: "pipeline", roles: ["ORG_READ_ONLY"] } },
  access: { type: "ProjectApiKey", properties: { projectId: payments, keyId, roles: readers } },
  newcomer: { type: "OrganizationMember", properties: { orgId, username: newcomer, roles: ["ORG_MEMBER"] } },
} as const satisfies Program["resources"];

const anId = expect.stringMatching(/^[0-9a-f]{24}$/);
const aTime = expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/);
/** A wrapped one in the plugin; the class of the dynamic resource wraps it in the engine. */
const aSecret = expect.anything();
const anEnd = expect.stringMatching(/^\w{4}$/);
const invited = { invitationId: anId, createdAt: aTime, expiresAt: aTime, inviterUsername: "adminkey" };
const inPayments = { projectId: payments, orgId, onDestroy: "remove" };
const ofList = { maxRemovals: 5, removeUnlisted: false };
const listed = { declared: true, ignored: false };

const created = {
  books: {
    ...{ orgId, projectId: anId, name: "books", tags: ["TEST"], tagsVisible: true },
    ...{ origin: "created", onDestroy: "delete" },
  },
  payments: {
    ...{ orgId, projectId: payments, name: "payments", tags: ["PROD"], tagsVisible: true },
    ...{ origin: "adopted", onDestroy: "release" },
  },
  guest: {
    ...{ ...inPayments, groupName: "payments", origin: "created", username: newcomer, roles: readers },
    ...{ status: "pending", ...invited },
  },
  ada: {
    ...{ ...inPayments, groupName: "payments", origin: "adopted", username: ada, roles: owners },
    ...{ status: "active", userId: adaId },
  },
  people: {
    ...{ projectId: search, orgId, members: { [olga]: owners, [newcomer]: readers }, ignoreUsers: [] },
    ...{ ...ofList, origin: "created", onDestroy: "release" },
    memberDetails: [
      { ...listed, username: olga, roles: owners, status: "active", userId: olgaId },
      {
        ...listed,
        username: newcomer,
        roles: readers,
        status: "pending",
        ...invited,
        inviterUsername: undefined,
      },
    ],
  },
  team: {
    ...{ orgId, teamId: anId, name: "admins", usernames: [olga], ...ofList },
    ...{
      origin: "created",
      onDestroy: "delete",
      people: [{ declared: true, username: olga, userId: olgaId }],
    },
  },
  operators: { ...inPayments, teamId, teamName: "operators", roles: readers, origin: "created" },
  agents: {
    ...{ ...inPayments, description: "agents", origin: "created" },
    ...{ keyId: anId, key: aSecret, keySuffix: anEnd, createdAt: aTime },
  },
  pipeline: {
    ...{ orgId, description: "pipeline", roles: ["ORG_READ_ONLY"], origin: "created", onDestroy: "remove" },
    ...{ keyId: anId, publicKey: expect.stringMatching(/^\w{8}$/), privateKey: aSecret },
    privateKeyEnd: anEnd,
  },
  access: { ...inPayments, keyId, publicKey: "theirkey", roles: readers, origin: "created" },
  newcomer: {
    ...{ orgId, username: newcomer, roles: ["ORG_MEMBER"], origin: "created", onDestroy: "remove" },
    ...{ status: "pending", ...invited },
  },
};

type Stack = Awaited<ReturnType<typeof begin>>["stack"];

/** The outputs by the name of the resource, without what only the dynamic provider records. */
async function outputsIn(stack: Stack) {
  const { resources } = await stack.state();
  return Object.fromEntries(
    resources.map(({ urn, outputs = {} }) => [
      urn.split("::").at(-1),
      Object.fromEntries(Object.entries(outputs).filter(([name]) => !name.startsWith("__"))),
    ]),
  );
}

test.each(bothProviders)(
  "a program of all kinds is recorded as it is carried out, and as it is read later (%s)",
  async (provider) => {
    const { stack, sandbox } = await begin(provider, program);
    await succeeded(stack.up());
    expect(await outputsIn(stack)).toEqual(created);
    // The same is read, and an accepted invitation is none any more.
    for (const { id } of [...sandbox.state.invitations]) sandbox.acceptInvitation(id);
    const { id: userId } = sandbox.user({ username: newcomer }) ?? {};
    const accepted = {
      status: "active",
      userId,
      invitationId: undefined,
      createdAt: undefined,
      expiresAt: undefined,
      inviterUsername: undefined,
    };
    await succeeded(stack.refresh());
    const { guest, people, newcomer: member, ...others } = created;
    const [owner, person] = people.memberDetails;
    expect(await outputsIn(stack)).toEqual({
      ...others,
      guest: { ...guest, ...accepted },
      people: { ...people, memberDetails: [owner, { ...person, ...accepted }] },
      newcomer: { ...member, ...accepted },
    });
  },
);

const inSearch = { projectId: search, roles: owners };
const imported = { origin: "imported", onDestroy: "remove" };

interface Imported {
  readonly id: string | ((sandbox: Sandbox) => string);
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Beside the inputs. */
  readonly outputs: object;
}

const imports: Readonly<Record<ResourceKind, Imported>> = {
  Project: {
    id: payments,
    inputs: { orgId, name: "payments", tags: ["PROD"] },
    outputs: { projectId: payments, tagsVisible: true, origin: "imported", onDestroy: "release" },
  },
  ProjectMember: {
    id: `${payments}/${ada}`,
    inputs: { projectId: payments, username: ada, roles: readers },
    outputs: { orgId, groupName: "payments", status: "active", userId: adaId, ...imported },
  },
  ProjectMembers: {
    id: search,
    inputs: { projectId: search, members: { [olga]: owners } },
    outputs: {
      ...{ orgId, ...ofList, ignoreUsers: [], origin: "imported", onDestroy: "release" },
      memberDetails: [{ ...listed, username: olga, roles: owners, status: "active", userId: olgaId }],
    },
  },
  Team: {
    id: `${orgId}/${teamId}`,
    inputs: { orgId, name: "operators", usernames: [ada] },
    outputs: {
      ...{ teamId, ...ofList, origin: "imported", onDestroy: "release" },
      people: [{ declared: true, username: ada, userId: adaId }],
    },
  },
  ProjectTeam: {
    id: `${search}/${teamId}`,
    inputs: { ...inSearch, teamId },
    outputs: { orgId, teamName: "operators", ...imported },
  },
  ApiKey: {
    id: `${orgId}/${keyId}`,
    inputs: { orgId, description: "ci", roles: ["ORG_MEMBER"] },
    outputs: { keyId, publicKey: "theirkey", privateKeyEnd: anEnd, ...imported },
  },
  ProjectApiKey: {
    id: `${search}/${keyId}`,
    inputs: { ...inSearch, keyId },
    outputs: { orgId, publicKey: "theirkey", ...imported },
  },
  AgentApiKey: {
    id: ({ state }) => `${search}/${state.projects.find(({ id }) => id === search)?.agentKeys[0]?.id}`,
    inputs: { projectId: search, description: "" },
    outputs: { orgId, keyId: anId, keySuffix: anEnd, createdAt: aTime, ...imported },
  },
  OrganizationMember: {
    id: `${orgId}/${ada}`,
    inputs: { orgId, username: ada, roles: ["ORG_MEMBER"] },
    outputs: { status: "active", userId: adaId, ...imported },
  },
};

test.each(Object.entries(imports))(
  "an imported %s is recorded as it is, and a program of it has no difference",
  async (kind, { id, inputs, outputs }) => {
    const { stack, sandbox } = await begin("plugin", {});
    await succeeded(
      stack.import(`opsmanager:index:${kind}`, "it", typeof id === "string" ? id : id(sandbox)),
    );
    const [it] = (await stack.state()).resources;
    expect(it?.inputs).toEqual(inputs);
    expect(it?.outputs).toEqual({ ...inputs, ...outputs });
    await stack.setProgram({ resources: { it: { type: kind, properties: inputs } } });
    await succeeded(stack.up({ expectNoChanges: true }));
  },
);

/** Other letter case, and `\u00eb` as two characters. */
const otherwise = (text: string) => text.normalize("NFD").toUpperCase();

test.each(bothProviders)(
  "a program in other letters and another order is the same one (%s)",
  async (provider) => {
    const two = ["GROUP_OWNER", "GROUP_READ_ONLY"];
    const written = (form: (id: string) => string, order: <T>(...entries: T[]) => T[]) =>
      ({
        books: {
          type: "Project",
          properties: { orgId: form(orgId), name: "books", tags: order("PROD", "TEST") },
        },
        ada: {
          type: "ProjectMember",
          properties: { projectId: form(payments), username: form(ada), roles: order(...two) },
        },
        olga: {
          type: "ProjectMember",
          properties: { projectId: form(payments), userId: form(olgaId), roles: order(...two) },
        },
        people: {
          type: "ProjectMembers",
          properties: {
            projectId: form(search),
            members: Object.fromEntries(order([form(newcomer), order(...two)], [form(olga), owners])),
          },
        },
        team: {
          type: "Team",
          properties: { orgId: form(orgId), name: "admins", usernames: order(form(ada), form(olga)) },
        },
        operators: {
          type: "ProjectTeam",
          properties: { projectId: form(payments), teamId: form(teamId), roles: order(...two) },
        },
        agents: { type: "AgentApiKey", properties: { projectId: form(payments), description: "agents" } },
        pipeline: {
          type: "ApiKey",
          properties: {
            ...{ orgId: form(orgId), description: "pipeline", roles: order("ORG_MEMBER", "ORG_READ_ONLY") },
            accessList: order("192.0.2.0/24", "2001:db8::1"),
          },
        },
        access: {
          type: "ProjectApiKey",
          properties: { projectId: form(payments), keyId: form(keyId), roles: order(...two) },
        },
        newcomer: {
          type: "OrganizationMember",
          properties: {
            orgId: form(orgId),
            username: form(newcomer),
            roles: order("ORG_MEMBER", "ORG_READ_ONLY"),
          },
        },
      }) as const;
    const asShown = written(
      (id) => id,
      (...entries) => entries,
    );
    const { stack, sandbox } = await begin(provider, asShown);
    await succeeded(stack.up());
    sandbox.clearRequests();
    await stack.setProgram({ resources: written(otherwise, (...entries) => entries.reverse()) });
    await succeeded(stack.up({ expectNoChanges: true }));
    expect(writes(sandbox)).toEqual([]);
  },
);

test.each(bothProviders)(
  "a program with faults in every resource is refused with all of them, and writes nothing (%s)",
  async (provider) => {
    const inProject = { projectId: payments };
    /** The faulty inputs of each kind, and the beginnings of what is said of them. */
    const faulty: Readonly<Record<ResourceKind, readonly [inputs: object, ...reasons: string[]]>> = {
      Project: [
        { orgId, tags: ["two words"], onDestroy: "keep" },
        ...["tags[0] must have", 'onDestroy must be "delete" or', "name is missing"],
      ],
      ProjectMember: [
        { ...inProject, roles: [], onDestroy: "keep" },
        ...[
          "roles must not be empty",
          'onDestroy must be "remove" or',
          "One of username, userId and invitationId",
        ],
      ],
      ProjectMembers: [
        { ...inProject, members: { [ada]: [] }, maxRemovals: -1 },
        ...[`members["${ada}"] must not be empty`, "maxRemovals must be 0 or more"],
      ],
      Team: [
        { orgId, name: "", usernames: [ada, ada.toUpperCase()] },
        ...["name must not be empty", `usernames contains "${ada}" more than once`],
      ],
      ProjectTeam: [
        { ...inProject, teamId, teamName: "operators", roles: [] },
        ...["roles must not be empty", "teamId and teamName are both set"],
      ],
      AgentApiKey: [
        { projectId: "payments", description: "" },
        ...["projectId must be the id of a project", "description must not be empty"],
      ],
      ApiKey: [
        { orgId, description: "ci", roles: readers, accessList: ["192.0.2.7/24", "::1", "0::1"] },
        ...[
          'roles contains "GROUP_READ_ONLY", which is a role of a project',
          'accessList[0] "192.0.2.7/24" must be',
        ],
        "accessList contains ::1 more than once",
      ],
      ProjectApiKey: [
        { ...inProject, roles: ["Project Owner"] },
        ...["Did you mean GROUP_OWNER?", "The API key is missing: set keyId or publicKey"],
      ],
      OrganizationMember: [
        { orgId: "example", username: ada, roles: ["ORG_MEMBER", "ORG_MEMBER"] },
        ...["orgId must be the id of an organization", 'roles contains "ORG_MEMBER" more than once'],
      ],
    };
    const resources = Object.entries(faulty).map(([type, [properties]]) => [
      `of${type}`,
      { type, properties },
    ]);
    const { stack, sandbox } = await begin(provider, Object.fromEntries(resources));
    const errors = await errorsOf(stack.up());
    for (const reason of Object.values(faulty).flatMap(([, ...reasons]) => reasons))
      expect(errors).toContain(reason);
    expect(writes(sandbox)).toEqual([]);
  },
);
