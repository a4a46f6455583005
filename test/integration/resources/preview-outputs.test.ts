/** The outputs of a preview: what is declared or recorded, and nothing that only the real run can know. */
import { resourceNamed } from "../../../provider/resources";
import { Session } from "../../../provider/resources/contract/session";
import { type Properties, UNKNOWN } from "../../../provider/resources/contract/values";
import type { ResourceKind } from "../../../provider/resources/kinds";
import { clientFactory } from "../client/with-client";

const start = clientFactory();
const orgId = "5f00000000000000000000b1";
const projectId = "5f00000000000000000000a1";
const teamId = "5f00000000000000000000c1";
const keyId = "5f00000000000000000000d1";
const roles = ["GROUP_READ_ONLY"];
const ada = "ada@example.com";
const notKnown =
  "Some values are not known yet, so this preview checked only the others. The update checks all values before it writes.";

const seed = {
  orgs: [{ id: orgId, name: "Example Org" }],
  projects: [{ id: projectId, name: "payments" }],
  users: [{ username: ada, roles: [{ orgId, roleName: "ORG_MEMBER" }] }],
  teams: [{ id: teamId, name: "operators", usernames: [ada] }],
  keys: [
    {
      id: "5f00000000000000000000d0",
      publicKey: "adminkey",
      privateKey: "secret",
      desc: "admin",
      orgId,
      roles: [{ orgId, roleName: "ORG_OWNER" }],
    },
    { id: keyId, publicKey: "theirkey", desc: "theirs", orgId, roles: [{ orgId, roleName: "ORG_MEMBER" }] },
  ],
};

/** Handlers of one kind in an operation of their own, and the messages of it. */
async function operation(kind: ResourceKind) {
  const { sandbox, client, settings } = await start.sandbox(
    { seed },
    { publicKey: "adminkey", privateKey: "secret" },
  );
  const messages: string[] = [];
  const log = (message: string) => void messages.push(message);
  const context = {
    session: new Session(client, settings),
    urn: `urn:pulumi:dev::proj::opsmanager:index:${kind}::it`,
    log: { info: log, warn: log },
    signal: new AbortController().signal,
  };
  const { create, update } = resourceNamed(kind);
  return {
    sandbox,
    messages,
    create: (inputs: Properties) => create({ inputs, preview: true, context }),
    update: (id: string, state: Properties, inputs: Properties) =>
      update({ id, state, oldInputs: inputs, inputs, ignoreChanges: [], preview: true, context }),
  };
}

const newTeam = { orgId, name: "admins", usernames: [ada] };
const newKey = { orgId, description: "ci", roles: ["ORG_MEMBER"] };
const agents = { projectId, description: "agents" };
const inProject = { projectId, teamId, roles };
const byName = { projectId, teamName: "operators", roles };
const access = { projectId, keyId, roles };
const person = { orgId, username: "new@example.com", roles: ["ORG_MEMBER"] };

const teamUnknown: Properties = {
  teamId: UNKNOWN,
  people: UNKNOWN,
  origin: UNKNOWN,
  onDestroy: UNKNOWN,
  maxRemovals: 5,
  removeUnlisted: false,
};
const keyUnknown: Properties = {
  keyId: UNKNOWN,
  publicKey: UNKNOWN,
  privateKey: UNKNOWN,
  privateKeyEnd: UNKNOWN,
  origin: "created",
  onDestroy: "remove",
};
const agentUnknown: Properties = {
  key: UNKNOWN,
  keyId: UNKNOWN,
  keySuffix: UNKNOWN,
  createdAt: UNKNOWN,
  origin: "created",
  onDestroy: "remove",
};
const inProjectUnknown: Properties = { orgId: UNKNOWN, origin: UNKNOWN, onDestroy: "remove" };

test.each<[ResourceKind, string, Properties, Properties]>([
  ["Team", "", newTeam, { ...newTeam, ...teamUnknown }],
  ["Team", "", { ...newTeam, onDestroy: "delete" }, { ...newTeam, ...teamUnknown, onDestroy: "delete" }],
  ["Team", `${orgId}/${teamId}`, { ...newTeam, teamId }, { ...newTeam, ...teamUnknown, teamId }],
  ["ProjectTeam", "", inProject, { ...inProject, ...inProjectUnknown, teamName: UNKNOWN }],
  ["ProjectTeam", "", byName, { ...byName, ...inProjectUnknown, teamId }],
  ["ApiKey", "", newKey, { ...newKey, ...keyUnknown }],
  ["ProjectApiKey", "", access, { ...access, ...inProjectUnknown, publicKey: "theirkey" }],
  [
    "ProjectApiKey",
    "",
    { projectId, publicKey: "theirkey", roles },
    { ...access, ...inProjectUnknown, publicKey: "theirkey" },
  ],
  ["AgentApiKey", "", agents, { ...agents, ...agentUnknown }],
  ["OrganizationMember", "", person, { ...person, status: UNKNOWN, origin: UNKNOWN, onDestroy: "remove" }],
])("a new %s has the id %j and the declared outputs (%j)", async (kind, id, inputs, state) => {
  const { sandbox, create } = await operation(kind);
  expect(await create(inputs)).toEqual({ id, state });
  expect(sandbox.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test.each<[ResourceKind, string, Properties, Properties]>([
  ["ProjectTeam", teamId, inProject, { ...inProject, ...inProjectUnknown, teamName: UNKNOWN }],
  ["ProjectTeam", teamId, byName, { ...byName, ...inProjectUnknown, teamId }],
  ["ProjectApiKey", keyId, access, { ...access, ...inProjectUnknown, publicKey: "theirkey" }],
])("a %s that the project has already has its id %s in the preview", async (kind, id, inputs, state) => {
  const { sandbox, messages, create } = await operation(kind);
  sandbox.setProjectTeam(projectId, { teamId, roleNames: ["GROUP_OWNER"] });
  sandbox.changeKey("theirkey", { roles: [{ groupId: projectId, roleName: "GROUP_OWNER" }] });
  expect(await create(inputs)).toEqual({ id: `${projectId}/${id}`, state });
  expect(messages).toEqual([
    expect.stringContaining(`in project ${projectId} already: roles GROUP_OWNER become GROUP_READ_ONLY.`),
  ]);
});

test.each<[ResourceKind, Properties, Properties]>([
  ["Team", { ...newTeam, usernames: UNKNOWN }, teamUnknown],
  ["ProjectTeam", { ...inProject, teamId: UNKNOWN }, { ...inProjectUnknown, teamName: UNKNOWN }],
  ["ProjectTeam", { ...byName, teamName: UNKNOWN }, { ...inProjectUnknown, teamId: UNKNOWN }],
  ["ProjectTeam", { ...inProject, roles: UNKNOWN }, { ...inProjectUnknown, teamName: UNKNOWN }],
  ["ApiKey", { ...newKey, description: UNKNOWN }, keyUnknown],
  ["ApiKey", { ...newKey, orgId: UNKNOWN }, keyUnknown],
  ["ApiKey", { ...newKey, onDestroy: UNKNOWN }, { ...keyUnknown, onDestroy: UNKNOWN }],
  ["ProjectApiKey", { ...access, keyId: UNKNOWN }, { ...inProjectUnknown, publicKey: UNKNOWN }],
  ["AgentApiKey", { ...agents, description: UNKNOWN }, agentUnknown],
  [
    "OrganizationMember",
    { ...person, roles: UNKNOWN },
    { status: UNKNOWN, origin: UNKNOWN, onDestroy: "remove" },
  ],
])(
  "a new %s of which something is unknown warns, and has the other outputs (%j)",
  async (kind, inputs, outputs) => {
    const { messages, create } = await operation(kind);
    expect(await create(inputs)).toEqual({ id: "", state: { ...inputs, ...outputs } });
    expect(messages).toEqual([notKnown]);
  },
);

test.each<[ResourceKind, Properties]>([
  ["Team", { ...newTeam, orgId: UNKNOWN }],
  ["ProjectTeam", { ...inProject, projectId: UNKNOWN }],
  ["ProjectApiKey", { ...access, projectId: UNKNOWN }],
  ["AgentApiKey", { ...agents, projectId: UNKNOWN }],
  ["OrganizationMember", { ...person, orgId: UNKNOWN }],
])(
  "a new %s in something that does not exist yet has no warning and sends no request",
  async (kind, inputs) => {
    const { sandbox, messages, create } = await operation(kind);
    sandbox.clearRequests();
    expect(await create(inputs)).toMatchObject({ id: "" });
    expect(messages).toEqual([]);
    expect(sandbox.requests).toEqual([]);
  },
);

const recordedTeam = {
  ...newTeam,
  teamId,
  people: [],
  origin: "created",
  onDestroy: "delete",
  maxRemovals: 5,
  removeUnlisted: false,
};
const recordedInProject = {
  ...inProject,
  teamName: "operators",
  orgId,
  origin: "created",
  onDestroy: "remove",
};
const recordedKey = {
  ...newKey,
  keyId,
  publicKey: "theirkey",
  privateKey: "p",
  privateKeyEnd: "cdef",
  origin: "imported",
  onDestroy: "remove",
};
const recordedAccess = { ...access, publicKey: "theirkey", orgId, origin: "adopted", onDestroy: "remove" };
const recordedAgents = {
  ...agents,
  key: "k",
  keyId,
  keySuffix: "cdef",
  origin: "created",
  onDestroy: "remove",
};
const recordedPerson = {
  ...person,
  status: "pending",
  invitationId: "i1",
  origin: "created",
  onDestroy: "remove",
};

test.each<[ResourceKind, string, Properties, Properties, Properties]>([
  [
    "Team",
    `${orgId}/${teamId}`,
    recordedTeam,
    { ...newTeam, name: UNKNOWN },
    { ...newTeam, ...teamUnknown, teamId, name: UNKNOWN, origin: "created", onDestroy: "delete" },
  ],
  [
    "ProjectTeam",
    `${projectId}/${teamId}`,
    recordedInProject,
    { ...inProject, roles: UNKNOWN },
    { ...recordedInProject, roles: UNKNOWN },
  ],
  [
    "ProjectTeam",
    `${projectId}/${teamId}`,
    recordedInProject,
    { ...byName, teamName: UNKNOWN, onDestroy: UNKNOWN },
    { ...recordedInProject, teamId: UNKNOWN, onDestroy: UNKNOWN },
  ],
  [
    "ApiKey",
    `${orgId}/${keyId}`,
    recordedKey,
    { ...newKey, description: UNKNOWN },
    { ...recordedKey, description: UNKNOWN },
  ],
  [
    "ApiKey",
    `${orgId}/${keyId}`,
    recordedKey,
    { ...newKey, triggers: UNKNOWN },
    { ...newKey, ...keyUnknown, triggers: UNKNOWN },
  ],
  [
    "ProjectApiKey",
    `${projectId}/${keyId}`,
    recordedAccess,
    { ...access, roles: UNKNOWN },
    { ...recordedAccess, roles: UNKNOWN },
  ],
  [
    "AgentApiKey",
    `${projectId}/${keyId}`,
    recordedAgents,
    { ...agents, description: UNKNOWN },
    { ...agents, ...agentUnknown, description: UNKNOWN },
  ],
  [
    "OrganizationMember",
    `${orgId}/new@example.com`,
    recordedPerson,
    { ...person, roles: UNKNOWN },
    { ...recordedPerson, roles: UNKNOWN },
  ],
])(
  "%s that exists (%s) keeps what is recorded, and warns of what is unknown",
  async (kind, id, state, inputs, outputs) => {
    const { messages, update } = await operation(kind);
    expect(await update(id, state, inputs)).toEqual(outputs);
    expect(messages).toEqual([notKnown]);
  },
);
