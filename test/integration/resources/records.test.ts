/** What the state holds of each kind after a creation, a refresh and an import: every output, and nothing else. */
import type { ResourceKind } from "../../../provider/resources/kinds";
import type { Sandbox } from "../../../sandbox";
import { bothProviders } from "../../engine/support/project-program";
import { type Program, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import {
  ada,
  adaId,
  begin,
  keyId,
  newcomer,
  olga,
  olgaId,
  orgId,
  owners,
  payments,
  readers,
  search,
  teamId,
} from "./service";

afterEach(tearDownStacks);

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
  example: { type: "Organization", properties: { orgId } },
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
  example: { orgId, name: "Example Org", origin: "adopted", onDestroy: "release" },
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
  Organization: {
    id: orgId,
    inputs: { orgId },
    outputs: { name: "Example Org", origin: "imported", onDestroy: "release" },
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
