/** What Diff finds between a program and the record of each kind. */
import { resourceNamed } from "../../../provider/resources";
import { type Properties, UNKNOWN, type Value } from "../../../provider/resources/contract/values";
import type { ResourceKind } from "../../../provider/resources/kinds";
import { newSession, urnOf } from "./checker";

const orgId = "5f00000000000000000000b1";
const projectId = "5f00000000000000000000a1";
const id = "5f00000000000000000000c1";
const otherId = "5f00000000000000000000c2";
const ada = "ada@example.com";
const grace = "grace@example.com";
const linus = "linus@example.com";

interface Kept {
  /** The record, and the program that made it. */
  readonly state: Properties;
  readonly inputs: Properties;
}

const key = { keyId: id, publicKey: "abcdefgh", origin: "created", onDestroy: "remove" };

const kept = {
  Project: {
    inputs: { orgId, name: "payments", tags: ["A", "B"], ignoreTags: ["K*"] },
    state: {
      projectId,
      orgId,
      name: "payments",
      tags: ["A", "B"],
      ignoreTags: ["K*"],
      origin: "created",
      onDestroy: "delete",
      tagsVisible: true,
    },
  },
  ProjectMember: {
    inputs: { projectId, username: ada, roles: ["GROUP_OWNER"] },
    state: {
      projectId,
      username: "lovelace@example.com",
      userId: "u1",
      status: "active",
      roles: ["GROUP_OWNER"],
      origin: "created",
      onDestroy: "remove",
    },
  },
  ProjectMembers: {
    inputs: { projectId, members: { [ada]: ["GROUP_OWNER"], [grace]: ["GROUP_READ_ONLY"] } },
    state: {
      projectId,
      members: { [ada]: ["GROUP_OWNER"], [grace]: ["GROUP_READ_ONLY"] },
      memberDetails: [
        {
          username: "lovelace@example.com",
          declaredAs: ada,
          userId: "u1",
          status: "active",
          roles: ["GROUP_OWNER"],
          declared: true,
          ignored: false,
        },
        {
          username: grace,
          userId: "u2",
          status: "active",
          roles: ["GROUP_READ_ONLY"],
          declared: true,
          ignored: false,
        },
        // Who has got the former name of a declared person is not declared.
        {
          username: ada,
          userId: "u3",
          status: "active",
          roles: ["GROUP_OWNER"],
          declared: false,
          ignored: false,
        },
      ],
      origin: "created",
      onDestroy: "release",
      ignoreUsers: [],
      maxRemovals: 5,
      removeUnlisted: false,
    },
  },
  Team: {
    inputs: { orgId, name: "operators", usernames: [ada, grace] },
    state: {
      orgId,
      teamId: id,
      name: "operators",
      usernames: [ada, grace],
      people: [
        { userId: "u1", username: ada, declared: true },
        { userId: "u2", username: grace, declared: true },
        { userId: "u3", username: linus, declared: false },
      ],
      origin: "created",
      onDestroy: "delete",
      maxRemovals: 5,
      removeUnlisted: false,
    },
  },
  ProjectTeam: {
    inputs: { projectId, teamName: "operators", roles: ["GROUP_OWNER"] },
    state: {
      projectId,
      teamId: id,
      teamName: "admins",
      roles: ["GROUP_OWNER"],
      orgId,
      origin: "created",
      onDestroy: "remove",
    },
  },
  ApiKey: {
    inputs: {
      orgId,
      description: "ci",
      roles: ["ORG_MEMBER"],
      accessList: ["192.0.2.7"],
      triggers: { a: "1" },
    },
    state: {
      ...key,
      orgId,
      description: "ci",
      roles: ["ORG_MEMBER"],
      accessList: ["192.0.2.7"],
      privateKey: "11111111-2222-4333-8444-55555555cdef",
      privateKeyEnd: "cdef",
    },
  },
  ProjectApiKey: {
    inputs: { projectId, keyId: id, roles: ["GROUP_OWNER"] },
    state: { ...key, projectId, roles: ["GROUP_OWNER"], orgId },
  },
  AgentApiKey: {
    inputs: { projectId, description: "agents" },
    state: {
      projectId,
      description: "agents",
      key: "secret",
      keyId: id,
      origin: "created",
      onDestroy: "remove",
    },
  },
  OrganizationMember: {
    inputs: { orgId, username: ada, roles: ["ORG_MEMBER"] },
    state: {
      orgId,
      username: "lovelace@example.com",
      userId: "u1",
      status: "active",
      roles: ["ORG_MEMBER"],
      origin: "created",
      onDestroy: "remove",
    },
  },
} satisfies Partial<Record<ResourceKind, Kept>>;

type Kind = keyof typeof kept;

function diff(
  kind: Kind,
  {
    state,
    inputs,
    ignoreChanges = [],
  }: { state?: Properties; inputs?: Properties; ignoreChanges?: string[] },
) {
  const { state: recorded, inputs: before }: Kept = kept[kind];
  const owner = kind.startsWith("Project") || kind === "AgentApiKey" ? projectId : orgId;
  // The keys of these programs are not the provider's own.
  const session = newSession({}, { publicKey: "adminkey" });
  const request = {
    id: `${owner}/${id}`,
    state: { ...recorded, ...state },
    oldInputs: before,
    inputs: JSON.parse(JSON.stringify(before)),
    ignoreChanges,
    context: { session, urn: urnOf(kind, "it") },
  };
  return resourceNamed(kind).diff({ ...request, inputs: { ...request.inputs, ...inputs } });
}

test.each(Object.keys(kept) as Kind[])("a program that made the record of %s has no difference", (kind) => {
  expect(diff(kind, {})).toEqual([]);
});

const update = (property: string) => ({ path: [property], kind: "update" });
const replace = (property: string) => ({ path: [property], kind: "update", replace: true });
const mayReplace = (property: string) => ({ path: [property], kind: "update", replace: false });
const setting = (property: string) => ({ path: [property], kind: "add", inputDiff: true });

const ofAda = (...roles: readonly Value[]) => ({ [ada]: [...roles], [grace]: ["GROUP_READ_ONLY"] });

test.each<[Kind, Properties, readonly object[]]>([
  ["Project", { projectId }, []],
  ["Project", { projectId: otherId }, [{ path: ["projectId"], kind: "add", replace: true, byProgram: true }]],
  [
    "Project",
    { projectId: UNKNOWN },
    [{ path: ["projectId"], kind: "add", replace: false, byProgram: true }],
  ],
  ["Project", { orgId: otherId }, [replace("orgId")]],
  ["Project", { name: "orders" }, [update("name")]],
  [
    "Project",
    { tags: ["B", "C", "D"] },
    [
      { path: ["tags", 0], kind: "delete" },
      { path: ["tags", 1], kind: "add" },
      { path: ["tags", 2], kind: "add" },
    ],
  ],
  ["Project", { tags: ["A", UNKNOWN] }, [update("tags")]],
  ["Project", { tags: undefined as never }, [{ path: ["tags"], kind: "delete", inputDiff: true }]],
  ["Project", { ignoreTags: ["K*", "L*"] }, [{ path: ["ignoreTags", 1], kind: "add" }]],
  ["Project", { ignoreTags: UNKNOWN }, [update("ignoreTags")]],
  ["Project", { projectOwnerId: id }, [{ path: ["projectOwnerId"], kind: "add", inputDiff: true }]],
  [
    "Project",
    { ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["g"] }] },
    [{ path: ["ldapGroupMappings"], kind: "add" }],
  ],
  ["Project", { ldapGroupMappings: [] }, []],
  ["Project", { onDestroy: "delete" }, []],
  ["Project", { onDestroy: "release" }, [update("onDestroy")]],
  ["ProjectMember", { projectId: otherId }, [{ ...replace("projectId"), byProgram: true }]],
  ["ProjectMember", { username: "LOVELACE@example.com" }, []],
  ["ProjectMember", { username: grace }, [replace("username")]],
  ["ProjectMember", { username: UNKNOWN }, [update("username")]],
  ["ProjectMember", { username: undefined as never, userId: "u1" }, []],
  [
    "ProjectMember",
    { username: undefined as never, userId: "u2" },
    [{ path: ["userId"], kind: "add", replace: true }],
  ],
  // An update finds out who is meant, and refuses.
  ["ProjectMember", { userId: "u2" }, [{ path: ["userId"], kind: "add", replace: false }]],
  ["ProjectMember", { userId: UNKNOWN }, [{ path: ["userId"], kind: "add" }]],
  ["ProjectMember", { roles: ["GROUP_READ_ONLY"] }, [{ path: ["roles", 0], kind: "update" }]],
  ["ProjectMember", { roles: UNKNOWN }, [update("roles")]],
  ["ProjectMember", { onDestroy: "release" }, [update("onDestroy")]],
  ["ProjectMembers", { projectId: otherId }, [{ ...replace("projectId"), byProgram: true }]],
  ["ProjectMembers", { members: { [ada.toUpperCase()]: ["GROUP_OWNER"], [grace]: ["GROUP_READ_ONLY"] } }, []],
  [
    "ProjectMembers",
    { members: { "lovelace@example.com": ["GROUP_OWNER"], [grace]: ["GROUP_READ_ONLY"] } },
    [],
  ],
  ["ProjectMembers", { members: ofAda("GROUP_READ_ONLY") }, [{ path: ["members", ada, 0], kind: "update" }]],
  ["ProjectMembers", { members: ofAda(UNKNOWN) }, [{ path: ["members", ada], kind: "update" }]],
  [
    "ProjectMembers",
    { members: { [ada]: ["GROUP_OWNER"], [linus]: ["GROUP_OWNER"] } },
    [
      { path: ["members", grace], kind: "delete" },
      { path: ["members", linus], kind: "add" },
    ],
  ],
  ["ProjectMembers", { members: UNKNOWN }, [update("members")]],
  ["ProjectMembers", { ignoreUsers: [] }, []],
  ["ProjectMembers", { ignoreUsers: UNKNOWN }, [{ path: ["ignoreUsers"], kind: "add", inputDiff: true }]],
  ["ProjectMembers", { maxRemovals: 5, removeUnlisted: false, onDestroy: "release" }, []],
  ["ProjectMembers", { maxRemovals: 1 }, [setting("maxRemovals")]],
  ["ProjectMembers", { onDestroy: "remove" }, [setting("onDestroy")]],
  ["Team", { orgId: otherId }, [replace("orgId")]],
  ["Team", { orgId: UNKNOWN }, [mayReplace("orgId")]],
  ["Team", { teamId: id }, []],
  ["Team", { teamId: otherId }, [{ path: ["teamId"], kind: "add", replace: true }]],
  ["Team", { teamId: UNKNOWN }, [{ path: ["teamId"], kind: "add", replace: false }]],
  ["Team", { name: "admins" }, [update("name")]],
  ["Team", { usernames: [ada.toUpperCase(), grace] }, []],
  ["Team", { usernames: [ada] }, [{ path: ["usernames", 1], kind: "delete" }]],
  ["Team", { usernames: UNKNOWN }, [update("usernames")]],
  ["Team", { usernames: [ada, UNKNOWN] }, [update("usernames")]],
  ["Team", { maxRemovals: 5, removeUnlisted: false, onDestroy: "delete" }, []],
  ["Team", { maxRemovals: 1 }, [setting("maxRemovals")]],
  ["Team", { removeUnlisted: true }, [setting("removeUnlisted")]],
  ["Team", { onDestroy: "release" }, [setting("onDestroy")]],
  ["ProjectTeam", { projectId: otherId }, [{ ...replace("projectId"), byProgram: true }]],
  ["ProjectTeam", { teamName: "admins" }, []],
  ["ProjectTeam", { teamName: "readers" }, [replace("teamName")]],
  ["ProjectTeam", { teamName: UNKNOWN }, [mayReplace("teamName")]],
  ["ProjectTeam", { teamId: id }, []],
  ["ProjectTeam", { teamId: otherId }, [{ path: ["teamId"], kind: "add", replace: true }]],
  ["ProjectTeam", { roles: ["GROUP_READ_ONLY"] }, [{ path: ["roles", 0], kind: "update" }]],
  ["ProjectTeam", { roles: UNKNOWN }, [update("roles")]],
  ["ProjectTeam", { onDestroy: "release" }, [update("onDestroy")]],
  ["ApiKey", { orgId: otherId }, [{ ...replace("orgId"), byProgram: true }]],
  ["ApiKey", { orgId: UNKNOWN }, [{ ...mayReplace("orgId"), byProgram: true }]],
  ["ApiKey", { description: "new" }, [update("description")]],
  ["ApiKey", { roles: ["ORG_OWNER"] }, [{ path: ["roles", 0], kind: "update" }]],
  ["ApiKey", { accessList: [] }, [{ path: ["accessList", 0], kind: "delete" }]],
  ["ApiKey", { accessList: undefined as never }, [{ path: ["accessList"], kind: "delete", inputDiff: true }]],
  ["ApiKey", { triggers: { a: "2" } }, [replace("triggers")]],
  ["ApiKey", { triggers: UNKNOWN }, [mayReplace("triggers")]],
  ["ApiKey", { onDestroy: "release" }, [update("onDestroy")]],
  ["ProjectApiKey", { projectId: otherId }, [{ ...replace("projectId"), byProgram: true }]],
  ["ProjectApiKey", { keyId: otherId }, [replace("keyId")]],
  ["ProjectApiKey", { keyId: UNKNOWN }, [mayReplace("keyId")]],
  ["ProjectApiKey", { keyId: undefined as never, publicKey: "abcdefgh" }, []],
  [
    "ProjectApiKey",
    { keyId: undefined as never, publicKey: "otherkey" },
    [{ path: ["publicKey"], kind: "add", replace: true }],
  ],
  ["ProjectApiKey", { roles: ["GROUP_READ_ONLY"] }, [{ path: ["roles", 0], kind: "update" }]],
  ["ProjectApiKey", { onDestroy: "release" }, [update("onDestroy")]],
  ["AgentApiKey", { projectId: otherId }, [{ ...replace("projectId"), byProgram: true }]],
  ["AgentApiKey", { description: "new" }, [replace("description")]],
  ["AgentApiKey", { description: UNKNOWN }, [mayReplace("description")]],
  ["AgentApiKey", { triggers: {} }, []],
  ["AgentApiKey", { triggers: { a: "1" } }, [{ path: ["triggers"], kind: "add", replace: true }]],
  ["AgentApiKey", { onDestroy: "release" }, [update("onDestroy")]],
  ["OrganizationMember", { orgId: otherId }, [{ ...replace("orgId"), byProgram: true }]],
  ["OrganizationMember", { username: "LOVELACE@example.com" }, []],
  ["OrganizationMember", { username: grace }, [replace("username")]],
  ["OrganizationMember", { username: UNKNOWN }, [update("username")]],
  ["OrganizationMember", { roles: ["ORG_OWNER"] }, [{ path: ["roles", 0], kind: "update" }]],
  ["OrganizationMember", { onDestroy: "release" }, [update("onDestroy")]],
])("%s with %j differs by what it declares, unless ignoreChanges names it", (kind, inputs, differences) => {
  expect(diff(kind, { inputs })).toEqual(differences);
  const ignoreChanges = Object.keys(inputs);
  expect(diff(kind, { inputs, ignoreChanges })).toEqual([]);
});

test.each<[string, Kind, Properties, readonly object[]]>([
  [
    "a person whom the program lists and no update has declared",
    "Team",
    { people: [{ userId: "u1", username: ada, declared: false }] },
    [update("usernames")],
  ],
  [
    "a private key that no state holds",
    "ApiKey",
    { privateKey: undefined as never },
    [{ path: ["privateKey"], kind: "add", replace: true }],
  ],
  ["a private key that was made again", "ApiKey", { privateKeyEnd: "beef" }, [replace("privateKey")]],
  ["a private key whose end the service does not show", "ApiKey", { privateKeyEnd: undefined as never }, []],
  [
    "an imported key without a private key",
    "ApiKey",
    { privateKey: undefined as never, origin: "imported" },
    [],
  ],
  ["the provider's own key", "ApiKey", { publicKey: "adminkey", privateKeyEnd: "beef" }, []],
  [
    "an agent key that no state holds",
    "AgentApiKey",
    { key: undefined as never },
    [{ path: ["key"], kind: "add", replace: true }],
  ],
  ["an imported agent key", "AgentApiKey", { key: undefined as never, origin: "imported" }, []],
])("%s is the difference of the record", (_, kind, state, differences) => {
  expect(diff(kind, { state })).toEqual(differences);
});

/** Programs that call one object by two parts of its identity. Pulumi checks them side by side, before it compares either. */
test.each<[Kind, Properties, Properties, string]>([
  [
    "Team",
    { teamId: id, name: "one" },
    { name: "operators" },
    `Team "operators" is already declared by FIRST`,
  ],
  [
    "ProjectTeam",
    { teamName: undefined as never, teamId: id },
    {},
    `Team admins in project ${projectId} is already declared by FIRST`,
  ],
  [
    "ProjectApiKey",
    { keyId: undefined as never, publicKey: "abcdefgh" },
    {},
    `API key abcdefgh in project ${projectId} is already declared by SECOND`,
  ],
  ["ApiKey", {}, {}, `API key ${id} of organization ${orgId} is already declared by FIRST`],
  [
    "OrganizationMember",
    { username: "lovelace@example.com" },
    {},
    `${ada} in organization ${orgId} is already declared by FIRST`,
  ],
])("two resources that hold one %s (%j and %j) are refused", (kind, one, other, message) => {
  const session = newSession({}, { publicKey: "adminkey" });
  const { state, inputs }: Kept = kept[kind];
  const { check, diff: compare } = resourceNamed(kind);
  const [first, second] = [urnOf(kind, "first"), urnOf(kind, "second")];
  const log = { info: () => undefined, warn: () => undefined };
  const given = { [first]: { ...inputs, ...one }, [second]: { ...inputs, ...other } };
  for (const urn of [first, second])
    expect(check({ inputs: given[urn] ?? {}, context: { session, urn, log } }).failures).toEqual([]);
  const ofUrn = (urn: string) =>
    compare({
      id: `${kind.startsWith("Project") ? projectId : orgId}/${id}`,
      state,
      oldInputs: inputs,
      inputs: given[urn] ?? {},
      ignoreChanges: [],
      context: { session, urn },
    });
  const refused = () => {
    for (const urn of [first, second]) ofUrn(urn);
  };
  expect(refused).toThrow(message.replace("FIRST", first).replace("SECOND", second));
});
