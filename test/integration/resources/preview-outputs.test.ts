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
  orgId: UNKNOWN,
  key: UNKNOWN,
  keyId: UNKNOWN,
  keySuffix: UNKNOWN,
  createdAt: UNKNOWN,
  origin: "created",
  onDestroy: "remove",
};
const personUnknown: Properties = { status: UNKNOWN, origin: UNKNOWN, onDestroy: "remove" };
const inProjectUnknown: Properties = { orgId: UNKNOWN, origin: UNKNOWN, onDestroy: "remove" };

/** Something new: what is declared, one property of it that is not known, and the outputs beside the inputs. */
const created: readonly {
  readonly kind: ResourceKind;
  readonly inputs: Properties;
  readonly unknown?: string;
  readonly outputs: Properties;
}[] = [
  { kind: "Team", inputs: newTeam, outputs: teamUnknown },
  {
    kind: "Team",
    inputs: { ...newTeam, onDestroy: "delete" },
    unknown: "usernames",
    outputs: { ...teamUnknown, onDestroy: "delete" },
  },
  { kind: "ProjectTeam", inputs: inProject, outputs: { ...inProjectUnknown, teamName: UNKNOWN } },
  { kind: "ProjectTeam", inputs: byName, outputs: { ...inProjectUnknown, teamId } },
  {
    kind: "ProjectTeam",
    inputs: byName,
    unknown: "teamName",
    outputs: { ...inProjectUnknown, teamId: UNKNOWN },
  },
  { kind: "ApiKey", inputs: newKey, outputs: keyUnknown },
  { kind: "ApiKey", inputs: newKey, unknown: "onDestroy", outputs: { ...keyUnknown, onDestroy: UNKNOWN } },
  { kind: "ProjectApiKey", inputs: access, outputs: { ...inProjectUnknown, publicKey: "theirkey" } },
  {
    kind: "ProjectApiKey",
    inputs: { projectId, publicKey: "theirkey", roles },
    outputs: { ...inProjectUnknown, keyId },
  },
  {
    kind: "ProjectApiKey",
    inputs: access,
    unknown: "keyId",
    outputs: { ...inProjectUnknown, publicKey: UNKNOWN },
  },
  { kind: "AgentApiKey", inputs: agents, outputs: agentUnknown },
  {
    kind: "ProjectMember",
    inputs: { projectId, username: "new@example.com", roles },
    outputs: personUnknown,
  },
  {
    kind: "ProjectMember",
    inputs: { projectId, userId: teamId, roles, onDestroy: "release" },
    unknown: "roles",
    outputs: { ...personUnknown, username: UNKNOWN, onDestroy: "release" },
  },
  { kind: "OrganizationMember", inputs: person, outputs: personUnknown },
  { kind: "OrganizationMember", inputs: person, unknown: "roles", outputs: personUnknown },
];

test.each(created)(
  "a new $kind ($inputs, of which $unknown is unknown) has the declared outputs, no id, and a warning of what is unknown",
  async ({ kind, inputs: declared, unknown, outputs }) => {
    const inputs: Properties = unknown === undefined ? declared : { ...declared, [unknown]: UNKNOWN };
    const { sandbox, messages, create } = await operation(kind);
    expect(await create(inputs)).toEqual({ id: "", state: { ...inputs, ...outputs } });
    expect(messages).toEqual(unknown === undefined ? [] : [notKnown]);
    expect(sandbox.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  },
);

test.each<{ kind: ResourceKind; id: string; inputs: Properties; outputs: Properties }>([
  { kind: "ProjectTeam", id: teamId, inputs: inProject, outputs: { teamName: UNKNOWN } },
  { kind: "ProjectTeam", id: teamId, inputs: byName, outputs: { teamId } },
  { kind: "ProjectApiKey", id: keyId, inputs: access, outputs: { publicKey: "theirkey" } },
])("a $kind that the project has already has its id $id in the preview", async (row) => {
  const { kind, id, inputs, outputs } = row;
  const { sandbox, messages, create } = await operation(kind);
  sandbox.setProjectTeam(projectId, { teamId, roleNames: ["GROUP_OWNER"] });
  sandbox.changeKey("theirkey", { roles: [{ groupId: projectId, roleName: "GROUP_OWNER" }] });
  const state = { ...inputs, ...inProjectUnknown, ...outputs };
  expect(await create(inputs)).toEqual({ id: `${projectId}/${id}`, state });
  expect(messages).toEqual([
    expect.stringContaining(`in project ${projectId} already: roles GROUP_OWNER become GROUP_READ_ONLY.`),
  ]);
});

test.each<{ kind: ResourceKind; place: Properties; given: readonly string[]; declared: readonly string[] }>([
  { kind: "ProjectMember", place: { projectId }, given: ["GROUP_OWNER"], declared: roles },
  { kind: "OrganizationMember", place: { orgId }, given: ["ORG_MEMBER"], declared: ["ORG_READ_ONLY"] },
])(
  "a $kind of a person who is there already has the id and the outputs of the member in the preview",
  async (row) => {
    const { kind, place, given, declared } = row;
    const { sandbox, messages, create } = await operation(kind);
    sandbox.setMember(projectId, { username: ada }, ["GROUP_OWNER"]);
    const inputs = { ...place, username: ada.toUpperCase(), roles: declared };
    const [placeId] = Object.values(place);
    expect(await create(inputs)).toEqual({
      id: `${placeId as string}/${ada.toUpperCase()}`,
      state: {
        ...{ ...inputs, username: ada, userId: sandbox.user({ username: ada })?.id },
        ...{ status: "active", origin: "adopted", onDestroy: "remove" },
      },
    });
    expect(messages).toEqual([expect.stringContaining(`already: roles ${given} become ${declared}.`)]);
  },
);

test.each<{ kind: ResourceKind; inputs: Properties }>([
  { kind: "Team", inputs: { ...newTeam, orgId: UNKNOWN } },
  { kind: "ProjectMember", inputs: { projectId: UNKNOWN, username: ada, roles } },
  { kind: "ProjectMembers", inputs: { projectId: UNKNOWN, members: { [ada]: roles } } },
  { kind: "ProjectTeam", inputs: { ...inProject, projectId: UNKNOWN } },
  { kind: "ProjectApiKey", inputs: { ...access, projectId: UNKNOWN } },
  { kind: "AgentApiKey", inputs: { ...agents, projectId: UNKNOWN } },
  { kind: "ApiKey", inputs: { ...newKey, orgId: UNKNOWN } },
  { kind: "OrganizationMember", inputs: { ...person, orgId: UNKNOWN } },
  { kind: "Organization", inputs: { orgId: UNKNOWN, name: "Example" } },
])("a new $kind in something that does not exist yet has no warning and sends no request", async (row) => {
  const { sandbox, messages, create } = await operation(row.kind);
  sandbox.clearRequests();
  expect(await create(row.inputs)).toMatchObject({ id: "" });
  expect([messages, sandbox.requests]).toEqual([[], []]);
});

const recordedInProject = { orgId, origin: "created", onDestroy: "remove" };
const inTeam = { ...inProject, ...recordedInProject, teamName: "operators" };
const recorded = { keyId, origin: "created", onDestroy: "remove" };
const inProjectByKey = { ...access, ...recordedInProject, publicKey: "theirkey" };
const active = { ...recordedInProject, userId: "5f00000000000000000000e1", status: "active" };
const declaredPeople = { projectId, members: { [ada]: roles } };
const limits = { maxRemovals: 5, removeUnlisted: false, ignoreUsers: [] };
const list = { ...declaredPeople, orgId, origin: "created", onDestroy: "release", ...limits };
const recordedKey = { ...newKey, ...recorded, publicKey: "theirkey", privateKey: "p", privateKeyEnd: "cdef" };

/** What exists: its record, and the inputs that a preview does not know. */
const existing: readonly {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly state: Properties;
  readonly inputs: Properties;
  /** What is shown in place of the record with the inputs. */
  readonly outputs?: Properties;
}[] = [
  {
    kind: "Team",
    id: `${orgId}/${teamId}`,
    state: { ...newTeam, teamId, people: [], origin: "created", onDestroy: "delete" },
    inputs: { ...newTeam, name: UNKNOWN },
    outputs: { ...newTeam, ...teamUnknown, teamId, name: UNKNOWN, origin: "created", onDestroy: "delete" },
  },
  {
    kind: "ProjectTeam",
    id: `${projectId}/${teamId}`,
    state: inTeam,
    inputs: { ...byName, teamName: UNKNOWN, onDestroy: UNKNOWN },
    outputs: { ...inTeam, teamId: UNKNOWN, onDestroy: UNKNOWN },
  },
  {
    kind: "ProjectApiKey",
    id: `${projectId}/${keyId}`,
    state: inProjectByKey,
    inputs: { ...access, roles: UNKNOWN },
  },
  {
    kind: "ProjectMember",
    id: `${projectId}/${ada}`,
    state: { projectId, username: "Ada@example.com", roles, ...active },
    inputs: { projectId, username: ada, roles: UNKNOWN },
    outputs: { projectId, username: "Ada@example.com", roles: UNKNOWN, ...active },
  },
  {
    kind: "OrganizationMember",
    id: `${orgId}/${ada}`,
    state: { ...person, ...active, username: ada },
    inputs: { ...person, username: ada, roles: [UNKNOWN] },
  },
  {
    kind: "ProjectMembers",
    id: projectId,
    state: { ...list, memberDetails: [] },
    inputs: { ...declaredPeople, members: { [ada]: UNKNOWN } },
    outputs: { ...list, memberDetails: UNKNOWN, members: { [ada]: UNKNOWN } },
  },
  {
    kind: "ApiKey",
    id: `${orgId}/${keyId}`,
    state: recordedKey,
    inputs: { ...newKey, triggers: UNKNOWN },
    outputs: { ...newKey, ...keyUnknown, triggers: UNKNOWN },
  },
  {
    kind: "AgentApiKey",
    id: `${projectId}/${keyId}`,
    state: { ...agents, ...recorded, key: "k", keySuffix: "cdef" },
    inputs: { ...agents, description: UNKNOWN },
    outputs: { ...agents, ...agentUnknown, description: UNKNOWN },
  },
  {
    kind: "Organization",
    id: orgId,
    state: { orgId, name: "Example", ldapGroupMappings: [], origin: "adopted", onDestroy: "release" },
    inputs: { orgId, idpGroupMappings: UNKNOWN },
  },
];

test.each(existing)(
  "$kind that exists keeps what is recorded, and warns of what is unknown ($inputs)",
  async (row) => {
    const { kind, id, state, inputs, outputs = { ...state, ...inputs } } = row;
    const { messages, update } = await operation(kind);
    expect(await update(id, state, inputs)).toEqual(outputs);
    expect(messages).toEqual([notKnown]);
  },
);
