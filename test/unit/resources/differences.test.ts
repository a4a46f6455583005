/** What Diff finds between a program and the record of each kind. */
import { resourceNamed } from "../../../provider/resources";
import type { Difference } from "../../../provider/resources/contract/difference";
import { pathText } from "../../../provider/resources/contract/property-path";
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

const detail = { status: "active", roles: ["GROUP_OWNER"], declared: true, ignored: false };
const ofList = { origin: "created", maxRemovals: 5, removeUnlisted: false };
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
        { ...detail, username: "lovelace@example.com", declaredAs: ada, userId: "u1" },
        { ...detail, username: grace, userId: "u2", roles: ["GROUP_READ_ONLY"] },
        // Who has got the former name of a declared person is not declared.
        { ...detail, username: ada, userId: "u3", declared: false },
      ],
      ...ofList,
      onDestroy: "release",
      ignoreUsers: [],
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
      ...ofList,
      onDestroy: "delete",
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
  Organization: {
    inputs: { orgId, name: "Example" },
    state: {
      orgId,
      name: "Example",
      ldapGroupMappings: [],
      idpGroupMappings: [{ roleName: "ORG_OWNER", idpGroups: ["owners"] }],
      origin: "adopted",
    },
  },
} satisfies Record<ResourceKind, Kept>;

type Kind = keyof typeof kept;

interface Given {
  readonly state?: Properties;
  readonly inputs?: Properties;
  readonly ignoreChanges?: string[];
}

function requestOf(kind: Kind, { state, inputs, ignoreChanges = [] }: Given) {
  const { state: recorded, inputs: before }: Kept = kept[kind];
  const owner = kind.startsWith("Project") || kind === "AgentApiKey" ? projectId : orgId;
  return {
    id: `${owner}/${id}`,
    state: { ...recorded, ...state },
    oldInputs: before,
    inputs: { ...JSON.parse(JSON.stringify(before)), ...inputs },
    ignoreChanges,
  };
}

function diff(kind: Kind, given: Given) {
  // The keys of these programs are not the provider's own.
  const context = { session: newSession({}, { publicKey: "adminkey" }), urn: urnOf(kind, "it") };
  return resourceNamed(kind).diff({ ...requestOf(kind, given), context });
}

test.each(Object.keys(kept) as Kind[])("a program that made the record of %s has no difference", (kind) => {
  expect(diff(kind, {})).toEqual([]);
});

/** `replace? update roles[0]`: may be a replacement. `by program`: only a program makes it. `of input`: of the old input. */
function drawn({ path, kind, replace, byProgram, inputDiff }: Difference): string {
  const words = [
    replace === undefined ? [] : [replace ? "replace" : "replace?"],
    [kind, pathText(path)],
    byProgram ? ["by program"] : [],
    inputDiff ? ["of input"] : [],
  ];
  return words.flat().join(" ");
}

const absent = undefined as never;
const ofAda = (...roles: readonly Value[]) => ({ [ada]: [...roles], [grace]: ["GROUP_READ_ONLY"] });

/** What each kind shows for these inputs in place of those of its record. */
const changes: Readonly<Record<Kind, readonly (readonly [inputs: Properties, ...differences: string[]])[]>> =
  {
    Project: [
      [{ projectId }],
      [{ projectId: otherId }, "replace add projectId by program"],
      [{ projectId: UNKNOWN }, "replace? add projectId by program"],
      [{ orgId: otherId }, "replace update orgId"],
      [{ name: "orders" }, "update name"],
      [{ tags: ["B", "C", "D"] }, "delete tags[0]", "add tags[1]", "add tags[2]"],
      [{ tags: ["A", UNKNOWN] }, "update tags"],
      [{ tags: absent }, "delete tags of input"],
      [{ ignoreTags: ["K*", "L*"] }, "add ignoreTags[1]"],
      [{ ignoreTags: UNKNOWN }, "update ignoreTags"],
      [{ projectOwnerId: id }, "add projectOwnerId of input"],
      [{ ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["g"] }] }, "add ldapGroupMappings"],
      [{ ldapGroupMappings: [] }],
      [{ onDestroy: "delete" }],
      [{ onDestroy: "release" }, "update onDestroy"],
    ],
    ProjectMember: [
      [{ projectId: otherId }, "replace update projectId by program"],
      [{ username: "LOVELACE@example.com" }],
      [{ username: grace }, "replace update username"],
      [{ username: UNKNOWN }, "update username"],
      [{ username: absent, userId: "u1" }],
      [{ username: absent, userId: "u2" }, "replace add userId"],
      // An update finds out who is meant, and refuses.
      [{ userId: "u2" }, "replace? add userId"],
      [{ userId: UNKNOWN }, "add userId"],
      [{ roles: ["GROUP_READ_ONLY"] }, "update roles[0]"],
      [{ roles: UNKNOWN }, "update roles"],
      [{ onDestroy: "release" }, "update onDestroy"],
    ],
    ProjectMembers: [
      [{ projectId: otherId }, "replace update projectId by program"],
      [{ members: { [ada.toUpperCase()]: ["GROUP_OWNER"], [grace]: ["GROUP_READ_ONLY"] } }],
      [
        { members: { "lovelace@example.com": ["GROUP_OWNER"], [grace]: ["GROUP_READ_ONLY"] } },
        'update members["lovelace@example.com"]',
      ],
      [{ members: ofAda("GROUP_READ_ONLY") }, 'update members["ada@example.com"][0]'],
      [{ members: ofAda(UNKNOWN) }, 'update members["ada@example.com"]'],
      [
        { members: { [ada]: ["GROUP_OWNER"], [linus]: ["GROUP_OWNER"] } },
        'delete members["grace@example.com"]',
        'add members["linus@example.com"]',
      ],
      [{ members: UNKNOWN }, "update members"],
      [{ ignoreUsers: [] }],
      [{ ignoreUsers: UNKNOWN }, "add ignoreUsers of input"],
      [{ maxRemovals: 5, removeUnlisted: false, onDestroy: "release" }],
      [{ maxRemovals: 1 }, "add maxRemovals of input"],
      [{ onDestroy: "remove" }, "add onDestroy of input"],
    ],
    Team: [
      [{ orgId: otherId }, "replace update orgId"],
      [{ orgId: UNKNOWN }, "replace? update orgId"],
      [{ teamId: id }],
      [{ teamId: otherId }, "replace add teamId"],
      [{ teamId: UNKNOWN }, "replace? add teamId"],
      [{ name: "admins" }, "update name"],
      [{ usernames: [ada.toUpperCase(), grace] }],
      [{ usernames: [ada] }, "delete usernames[1]"],
      [{ usernames: [ada, UNKNOWN] }, "update usernames"],
      [{ maxRemovals: 5, removeUnlisted: false, onDestroy: "delete" }],
      [{ maxRemovals: 1 }, "add maxRemovals of input"],
      [{ removeUnlisted: true }, "add removeUnlisted of input"],
      [{ onDestroy: "release" }, "add onDestroy of input"],
    ],
    ProjectTeam: [
      [{ projectId: otherId }, "replace update projectId by program"],
      [{ teamName: "admins" }],
      [{ teamName: "readers" }, "replace update teamName"],
      [{ teamName: UNKNOWN }, "replace? update teamName"],
      [{ teamId: id }],
      [{ teamId: otherId }, "replace add teamId"],
      [{ roles: ["GROUP_READ_ONLY"] }, "update roles[0]"],
      [{ roles: UNKNOWN }, "update roles"],
      [{ onDestroy: "release" }, "update onDestroy"],
    ],
    ApiKey: [
      [{ orgId: otherId }, "replace update orgId by program"],
      [{ orgId: UNKNOWN }, "replace? update orgId by program"],
      [{ description: "new" }, "update description"],
      [{ roles: ["ORG_OWNER"] }, "update roles[0]"],
      [{ accessList: [] }, "delete accessList[0]"],
      [{ accessList: absent }, "delete accessList of input"],
      [{ triggers: { a: "2" } }, "replace update triggers"],
      [{ triggers: UNKNOWN }, "replace? update triggers"],
      [{ onDestroy: "release" }, "update onDestroy"],
    ],
    ProjectApiKey: [
      [{ projectId: otherId }, "replace update projectId by program"],
      [{ keyId: otherId }, "replace update keyId"],
      [{ keyId: UNKNOWN }, "replace? update keyId"],
      [{ keyId: absent, publicKey: "abcdefgh" }],
      [{ keyId: absent, publicKey: "otherkey" }, "replace add publicKey"],
      [{ roles: ["GROUP_READ_ONLY"] }, "update roles[0]"],
      [{ onDestroy: "release" }, "update onDestroy"],
    ],
    AgentApiKey: [
      [{ projectId: otherId }, "replace update projectId by program"],
      [{ description: "new" }, "replace update description"],
      [{ description: UNKNOWN }, "replace? update description"],
      [{ triggers: {} }],
      [{ triggers: { a: "1" } }, "replace add triggers"],
      [{ onDestroy: "release" }, "update onDestroy"],
    ],
    OrganizationMember: [
      [{ orgId: otherId }, "replace update orgId by program"],
      [{ username: "LOVELACE@example.com" }],
      [{ username: grace }, "replace update username"],
      [{ username: UNKNOWN }, "update username"],
      [{ roles: ["ORG_OWNER"] }, "update roles[0]"],
      [{ onDestroy: "release" }, "update onDestroy"],
    ],
    Organization: [
      [{ orgId: otherId }, "replace update orgId by program"],
      [{ name: "Other" }, "update name"],
      [{ name: absent }, "delete name of input"],
      [{ ldapGroupMappings: [] }],
      [{ idpGroupMappings: [] }, "delete idpGroupMappings[0]"],
      [{ idpGroupMappings: UNKNOWN }, "update idpGroupMappings"],
      [
        { idpGroupMappings: [{ roleName: "ORG_OWNER", idpGroups: ["admins", "owners"] }] },
        "add idpGroupMappings[0].idpGroups[0]",
      ],
    ],
  };

const kinds = Object.keys(kept) as Kind[];

test.each(
  kinds.flatMap((kind) => changes[kind].map(([inputs, ...differences]) => ({ kind, inputs, differences }))),
)("$kind with $inputs differs by what it declares, unless ignoreChanges names it", (row) => {
  const { kind, inputs, differences } = row;
  expect(diff(kind, { inputs }).map(drawn)).toEqual(differences);
  expect(diff(kind, { inputs, ignoreChanges: Object.keys(inputs) })).toEqual([]);
});

test.each<{ record: string; kind: Kind; state: Properties; differences: readonly string[] }>([
  {
    record: "a person whom the program lists and no update has declared",
    kind: "Team",
    state: { people: [{ userId: "u1", username: ada, declared: false }] },
    differences: ["update usernames"],
  },
  {
    record: "a private key that no state holds",
    kind: "ApiKey",
    state: { privateKey: absent },
    differences: ["replace add privateKey"],
  },
  {
    record: "a private key that was made again",
    kind: "ApiKey",
    state: { privateKeyEnd: "beef" },
    differences: ["replace update privateKey"],
  },
  {
    record: "a private key whose end the service does not show",
    kind: "ApiKey",
    state: { privateKeyEnd: absent },
    differences: [],
  },
  {
    record: "an imported key without a private key",
    kind: "ApiKey",
    state: { privateKey: absent, origin: "imported" },
    differences: [],
  },
  {
    record: "the provider's own key",
    kind: "ApiKey",
    state: { publicKey: "adminkey", privateKeyEnd: "beef" },
    differences: [],
  },
  {
    record: "an agent key that no state holds",
    kind: "AgentApiKey",
    state: { key: absent },
    differences: ["replace add key"],
  },
  {
    record: "an imported agent key",
    kind: "AgentApiKey",
    state: { key: absent, origin: "imported" },
    differences: [],
  },
])("$record is the difference of the record, unless ignoreChanges names it", (row) => {
  const { kind, state, differences } = row;
  const found = diff(kind, { state });
  expect(found.map(drawn)).toEqual(differences);
  expect(diff(kind, { state, ignoreChanges: found.map(({ path }) => String(path[0])) })).toEqual([]);
});
