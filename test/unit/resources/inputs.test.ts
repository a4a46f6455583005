/** What Check accepts of each kind, and its form and faults. What only a Project has: `project/inputs.test.ts`. */
import { resourceNamed, resources } from "../../../provider/resources";
import { type Properties, UNKNOWN, type Value } from "../../../provider/resources/contract/values";
import type { ResourceKind } from "../../../provider/resources/kinds";
import { checker, newSession, urnOf } from "./checker";

const projectId = "5f00000000000000000000a1";
const orgId = "5f00000000000000000000b1";
const id = "5f00000000000000000000c1";
const ada = "ada@example.com";
const upper = (text: string) => text.toUpperCase();

/** Inputs of each kind without a fault, and their one form. */
const accepted = {
  Project: {
    given: {
      projectId: upper(projectId),
      orgId: upper(orgId),
      name: "payments",
      tags: ["PROD", "A"],
      ignoreTags: ["Z*", "K*"],
      ldapGroupMappings: [
        { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=b", "cn=a"] },
        { roleName: "GROUP_OWNER", ldapGroups: ["cn=o"] },
      ],
      onDestroy: "release",
    },
    form: {
      projectId,
      orgId,
      tags: ["A", "PROD"],
      ignoreTags: ["K*", "Z*"],
      ldapGroupMappings: [
        { roleName: "GROUP_OWNER", ldapGroups: ["cn=o"] },
        { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=a", "cn=b"] },
      ],
    },
  },
  ProjectMember: {
    given: {
      projectId: upper(projectId),
      username: "Ada@Example.com",
      userId: upper(id),
      invitationId: upper(id),
      roles: ["GROUP_READ_ONLY", UNKNOWN, "GROUP_OWNER"],
      onDestroy: "release",
    },
    form: { projectId, userId: id, invitationId: id, roles: ["GROUP_OWNER", "GROUP_READ_ONLY", UNKNOWN] },
  },
  ProjectMembers: {
    given: {
      projectId: upper(projectId),
      members: {
        "grace@example.com": ["GROUP_READ_ONLY", "GROUP_OWNER"],
        "Ada@example.com": ["GROUP_READ_ONLY"],
      },
      ignoreUsers: ["svc-*", "ops-*"],
      maxRemovals: 0,
      removeUnlisted: true,
      onDestroy: "remove",
    },
    form: {
      projectId,
      members: {
        "Ada@example.com": ["GROUP_READ_ONLY"],
        "grace@example.com": ["GROUP_OWNER", "GROUP_READ_ONLY"],
      },
      ignoreUsers: ["ops-*", "svc-*"],
    },
  },
  Team: {
    given: {
      teamId: upper(id),
      orgId: upper(orgId),
      name: "Operators",
      usernames: ["grace@example.com", "Ada@example.com"],
      maxRemovals: 0,
      removeUnlisted: true,
      onDestroy: "release",
    },
    form: { teamId: id, orgId, usernames: ["Ada@example.com", "grace@example.com"] },
  },
  ProjectTeam: {
    given: {
      projectId: upper(projectId),
      teamId: upper(id),
      roles: ["GROUP_READ_ONLY", "GROUP_OWNER"],
      onDestroy: "release",
    },
    form: { projectId, teamId: id, roles: ["GROUP_OWNER", "GROUP_READ_ONLY"] },
  },
  ApiKey: {
    given: {
      orgId: upper(orgId),
      description: "ci",
      roles: ["ORG_READ_ONLY", "ORG_MEMBER"],
      accessList: ["2001:DB8:0::/32", "192.0.2.7/32"],
      triggers: { b: "2", a: null, c: "1" },
      onDestroy: "release",
    },
    form: {
      orgId,
      roles: ["ORG_MEMBER", "ORG_READ_ONLY"],
      accessList: ["192.0.2.7", "2001:db8::/32"],
      triggers: { b: "2", c: "1" },
    },
  },
  ProjectApiKey: {
    given: {
      projectId: upper(projectId),
      keyId: upper(id),
      roles: ["GROUP_READ_ONLY", "GROUP_OWNER"],
      onDestroy: "remove",
    },
    form: { projectId, keyId: id, roles: ["GROUP_OWNER", "GROUP_READ_ONLY"] },
  },
  AgentApiKey: {
    given: {
      projectId: upper(projectId),
      description: "agents",
      triggers: { date: "2026-11" },
      onDestroy: "remove",
    },
    form: { projectId },
  },
  OrganizationMember: {
    given: {
      orgId: upper(orgId),
      username: "Ada@example.com",
      roles: ["ORG_READ_ONLY", "ORG_MEMBER"],
      onDestroy: "remove",
    },
    form: { orgId, roles: ["ORG_MEMBER", "ORG_READ_ONLY"] },
  },
} satisfies Partial<Record<ResourceKind, { given: Properties; form: Properties }>>;

type Kind = keyof typeof accepted;

const check = (kind: Kind) => checker(kind, resourceNamed(kind).check);
const faultsOf = (kind: Kind, inputs: Properties) =>
  check(kind)({ ...accepted[kind].given, ...inputs }).failures;

test.each(Object.keys(accepted) as Kind[])("%s has one form of its inputs, and gives it again", (kind) => {
  const { given, form } = accepted[kind];
  const expected = { ...given, ...form };
  expect(check(kind)(given)).toMatchObject({ inputs: expected, failures: [], warnings: [] });
  expect(check(kind)(expected).inputs).toEqual(expected);
});

const wrongTeam = "teamId must be the id of a team: 24 hexadecimal digits.";
const removeOrRelease = 'onDestroy must be "remove" or "release".';
const wrongProject = "projectId must be the id of a project: 24 hexadecimal digits.";
const wrongOrganization = "orgId must be the id of an organization: 24 hexadecimal digits.";
const noRoles = (who: string) => `roles must not be empty: ${who} without a role`;

const noMember = "must not be empty: a person without a role is not in the project.";

test.each<[Kind, Properties, string]>([
  ["Project", { projectId: "p1" }, wrongProject],
  ["Project", { name: "" }, "name must not be empty."],
  ["Project", { onDestroy: "remove" }, 'onDestroy must be "delete" or "release".'],
  ["ProjectMember", { projectId: "p1" }, wrongProject],
  ["ProjectMember", { username: "" }, "username must not be empty."],
  ["ProjectMember", { userId: "ada" }, "userId must be the id of a user: 24 hexadecimal digits."],
  [
    "ProjectMember",
    { invitationId: "x" },
    "invitationId must be the id of an invitation: 24 hexadecimal digits.",
  ],
  ["ProjectMember", { roles: [] }, `roles ${noMember}`],
  ["ProjectMember", { roles: ["GROUP_A", "GROUP_A"] }, 'roles contains "GROUP_A" more than once.'],
  ["ProjectMember", { roles: ["Project Read Only"] }, "Did you mean GROUP_READ_ONLY?"],
  [
    "ProjectMember",
    { roles: ["ORG_OWNER"] },
    'roles contains "ORG_OWNER", which is a role of an organization, not of a project. The roles are GROUP_AUTOMATION_ADMIN,',
  ],
  ["ProjectMember", { onDestroy: "delete" }, removeOrRelease],
  ["ProjectMembers", { projectId: "p1" }, wrongProject],
  ["ProjectMembers", { members: { [ada]: [] } }, `members["${ada}"] ${noMember}`],
  ["ProjectMembers", { members: { [ada]: null } }, `members["${ada}"] ${noMember}`],
  ["ProjectMembers", { members: { "": ["GROUP_OWNER"] } }, 'members[""] must not be empty.'],
  [
    "ProjectMembers",
    { members: { [ada]: ["GROUP_OWNER"], [upper(ada)]: ["GROUP_OWNER"] } },
    `members names one person more than once: "${ada}" and "${upper(ada)}" are the same name.`,
  ],
  [
    "ProjectMembers",
    { members: { [ada]: ["GROUP_A", "GROUP_A"] } },
    `members["${ada}"] contains "GROUP_A" more than once.`,
  ],
  ["ProjectMembers", { members: { [ada]: ["group_owner"] } }, "Did you mean GROUP_OWNER?"],
  [
    "ProjectMembers",
    { members: { "SVC-1@example.com": ["GROUP_OWNER"] } },
    'members["SVC-1@example.com"] matches ignoreUsers',
  ],
  ["ProjectMembers", { ignoreUsers: [""] }, "ignoreUsers[0] must not be empty."],
  ["ProjectMembers", { maxRemovals: -1 }, "maxRemovals must be 0 or more."],
  ["ProjectMembers", { removeUnlisted: "yes" }, "removeUnlisted must be true or false."],
  ["ProjectMembers", { onDestroy: "delete" }, 'onDestroy must be "remove" or "release".'],
  ["Team", { teamId: "t1" }, wrongTeam],
  ["Team", { orgId: "o1" }, wrongOrganization],
  ["Team", { name: "" }, "name must not be empty."],
  ["Team", { usernames: "ada@example.com" }, "usernames must be a list."],
  [
    "Team",
    { usernames: [] },
    "usernames must not be empty: a list that failed to load would remove everyone.",
  ],
  ["Team", { usernames: ["ada@example.com", ""] }, "usernames[1] must not be empty."],
  [
    "Team",
    { usernames: ["ada@example.com", "ADA@example.com"] },
    'usernames contains "ada@example.com" more than once; case does not count.',
  ],
  ["Team", { maxRemovals: -1 }, "maxRemovals must be 0 or more."],
  ["Team", { maxRemovals: 1.5 }, "maxRemovals must be a whole number."],
  ["Team", { removeUnlisted: "yes" }, "removeUnlisted must be true or false."],
  ["Team", { onDestroy: "remove" }, 'onDestroy must be "delete" or "release".'],
  ["ProjectTeam", { projectId: "p1" }, wrongProject],
  ["ProjectTeam", { teamId: "t1" }, wrongTeam],
  ["ProjectTeam", { roles: [] }, noRoles("a team")],
  ["ProjectTeam", { roles: ["ORG_OWNER"] }, 'roles contains "ORG_OWNER", which is a role of an organization'],
  ["ProjectTeam", { roles: ["GROUP_A", "GROUP_A"] }, 'roles contains "GROUP_A" more than once.'],
  ["ProjectTeam", { onDestroy: "delete" }, removeOrRelease],
  ["ApiKey", { orgId: "o1" }, wrongOrganization],
  ["ApiKey", { description: "" }, "description must not be empty."],
  ["ApiKey", { description: "x".repeat(251) }, "description must have at most 250 characters."],
  ["ApiKey", { roles: [] }, noRoles("a key")],
  ["ApiKey", { roles: ["GROUP_OWNER"] }, 'roles contains "GROUP_OWNER", which is a role of a project'],
  ["ApiKey", { accessList: "192.0.2.7" }, "accessList must be a list."],
  ["ApiKey", { accessList: [""] }, "accessList[0] must not be empty."],
  [
    "ApiKey",
    { accessList: ["::1", "host"] },
    'accessList[1] "host" must be an IPv4 or IPv6 address, or a block such as 192.0.2.0/24.',
  ],
  [
    "ApiKey",
    { accessList: ["192.0.2.7/24"] },
    'accessList[0] "192.0.2.7/24" must be one address or the beginning of a block: write 192.0.2.7 for the address alone, or 192.0.2.0/24 for the block.',
  ],
  ["ApiKey", { accessList: ["::1", "0:0::1/128"] }, "accessList contains ::1 more than once."],
  ["ApiKey", { triggers: { date: 1 } }, "triggers.date must be text."],
  ["ApiKey", { onDestroy: "delete" }, removeOrRelease],
  ["ProjectApiKey", { projectId: "p1" }, wrongProject],
  ["ProjectApiKey", { keyId: "k1" }, "keyId must be the id of an API key: 24 hexadecimal digits."],
  ["ProjectApiKey", { keyId: null, publicKey: "" }, "publicKey must not be empty."],
  ["ProjectApiKey", { roles: [] }, noRoles("a key")],
  ["ProjectApiKey", { roles: ["GROUP_OWNR"] }, "Did you mean GROUP_OWNER?"],
  ["ProjectApiKey", { onDestroy: "delete" }, removeOrRelease],
  ["AgentApiKey", { projectId: "p1" }, wrongProject],
  ["AgentApiKey", { description: "" }, "description must not be empty."],
  ["AgentApiKey", { description: 1 }, "description must be text."],
  ["AgentApiKey", { description: "x".repeat(1001) }, "description must have at most 1000 characters."],
  ["AgentApiKey", { onDestroy: "delete" }, removeOrRelease],
  ["OrganizationMember", { orgId: "o1" }, wrongOrganization],
  [
    "OrganizationMember",
    { roles: [] },
    "roles must not be empty: a person without a role is not in the organization.",
  ],
  [
    "OrganizationMember",
    { roles: ["GROUP_OWNER"] },
    'roles contains "GROUP_OWNER", which is a role of a project, not of an organization. The roles are ORG_BILLING_ADMIN, ORG_GROUP_CREATOR, ORG_MEMBER, ORG_OWNER, ORG_READ_ONLY.',
  ],
  [
    "OrganizationMember",
    { onDestroy: "delete" },
    'onDestroy must be "remove" or "removeIfOffered" or "release".',
  ],
])("%s rejects %j, and nothing else of the same inputs", (kind, inputs, reason) => {
  const failures = faultsOf(kind, inputs);
  expect(failures).toEqual([{ property: expect.any(String), reason: expect.stringContaining(reason) }]);
  expect(Object.keys(inputs)).toContain(failures[0]?.property);
});

test.each<[Kind, Properties, string]>([
  ["ProjectTeam", { teamName: "operators" }, "teamId and teamName are both set. Remove one of them."],
  ["ProjectTeam", { teamId: null }, "The team is missing: set teamId or teamName."],
  ["ProjectApiKey", { publicKey: "abcdefgh" }, "keyId and publicKey are both set. Remove one of them."],
  ["ProjectApiKey", { keyId: null }, "The API key is missing: set keyId or publicKey."],
  [
    "ProjectMember",
    { username: null, userId: null, invitationId: null },
    "One of username, userId and invitationId is required to identify the person.",
  ],
])("%s with %j does not identify one object", (kind, inputs, reason) => {
  expect(faultsOf(kind, inputs)).toEqual([{ property: "", reason }]);
});

test.each<[Kind, Properties, Properties, string]>([
  ["Team", {}, {}, `Team "Operators" is already declared by OTHER: each would revert the other's changes.`],
  [
    "Team",
    { name: UNKNOWN },
    {},
    `Team ${id} is already declared by OTHER: each would revert the other's changes.`,
  ],
  [
    "ProjectTeam",
    {},
    {},
    `Team ${id} in project ${projectId} is already declared by OTHER: each would overwrite the other's roles.`,
  ],
  [
    "ProjectTeam",
    { teamId: null, teamName: "operators" },
    { teamId: null, teamName: "operators" },
    `Team operators in project ${projectId} is already declared by OTHER: each would overwrite the other's roles.`,
  ],
  [
    "ProjectApiKey",
    {},
    {},
    `API key ${id} in project ${projectId} is already declared by OTHER: each would overwrite the other's roles.`,
  ],
  [
    "ProjectApiKey",
    { keyId: null, publicKey: "abcdefgh" },
    { keyId: null, publicKey: "abcdefgh" },
    `API key abcdefgh in project ${projectId} is already declared by OTHER: each would overwrite the other's roles.`,
  ],
  [
    "ProjectMember",
    { userId: null, invitationId: null, username: upper(ada) },
    { userId: null, invitationId: null },
    `${upper(ada)} in project ${projectId} is already declared by OTHER: each would revert the other's changes.`,
  ],
  [
    "OrganizationMember",
    { username: "ADA@example.com" },
    {},
    `ADA@example.com in organization ${orgId} is already declared by OTHER: each would revert the other's changes.`,
  ],
])("a second %s (%j) of one object is refused, with the first one", (kind, second, first, reason) => {
  const session = newSession();
  const checkIt = check(kind);
  const { given } = accepted[kind];
  expect(checkIt({ ...given, ...first }, session, "first").failures).toEqual([]);
  expect(checkIt({ ...given, ...second }, session, "second").failures).toEqual([
    {
      property: "",
      reason: `${reason.replace("OTHER", urnOf(kind, "first"))} Remove one of them from the program.`,
    },
  ]);
  expect(checkIt({ ...given, ...first }, session, "first").failures).toEqual([]);
});

test.each<[Kind, Properties]>([
  ["Team", { orgId: UNKNOWN }],
  ["ProjectTeam", { projectId: UNKNOWN }],
  ["ProjectApiKey", { projectId: UNKNOWN }],
  ["OrganizationMember", { orgId: UNKNOWN }],
  ["OrganizationMember", { username: UNKNOWN }],
  ["Project", { projectId: UNKNOWN }],
  ["ProjectMember", { projectId: UNKNOWN }],
  ["ProjectMembers", { projectId: UNKNOWN }],
])("two %s with %j may be two objects", (kind, inputs) => {
  const session = newSession();
  for (const name of ["first", "second"])
    expect(check(kind)({ ...accepted[kind].given, ...inputs }, session, name).failures).toEqual([]);
});

test.each<[Kind, Properties]>([
  ["OrganizationMember", { username: "bob@example.com" }],
  ["OrganizationMember", { username: UNKNOWN }],
  ["OrganizationMember", { orgId: id }],
  ["OrganizationMember", { orgId: UNKNOWN }],
])("a second %s with %j is, or may be, another object", (kind, inputs) => {
  const session = newSession();
  const { given } = accepted[kind];
  check(kind)(given, session, "first");
  expect(check(kind)({ ...given, ...inputs }, session, "second").failures).toEqual([]);
});

test.each<[Kind, Properties]>([
  ["Project", { tags: ["two words"] }],
  ["ProjectMember", { roles: [] }],
  ["ProjectMembers", { members: { [ada]: [] } }],
  ["Team", { usernames: ["ada@example.com", "ADA@example.com"] }],
  ["ApiKey", { accessList: ["no address"] }],
  ["ApiKey", { accessList: ["192.0.2.7", "192.0.2.7/32"] }],
])("%s accepts %j if the state has it: a refresh or an import wrote it there", (kind, recorded) => {
  const inputs = { ...accepted[kind].given, ...recorded };
  const request = { inputs, oldInputs: inputs };
  const log = { info: () => undefined, warn: () => undefined };
  const context = { session: newSession(), urn: urnOf(kind, "it"), log };
  expect(resourceNamed(kind).check({ ...request, context }).failures).toEqual([]);
  expect(check(kind)(inputs).failures).toHaveLength(1);
});

test.each<[Kind, Properties]>([
  ["Project", { tags: ["a", "a"] }],
  ["ProjectMember", { roles: ["GROUP_NEW_THING", "GROUP_NEW_THING"] }],
  ["ProjectMembers", { maxRemovals: -1 }],
  ["Team", { maxRemovals: -1 }],
  ["ProjectTeam", { roles: ["GROUP_NEW_THING", "GROUP_NEW_THING"] }],
  ["ProjectApiKey", { roles: ["GROUP_NEW_THING", "GROUP_NEW_THING"] }],
  ["OrganizationMember", { roles: ["ORG_NEW_THING", "GROUP_OWNER"] }],
])("a %s with a fault (%j) has this fault alone, and prevents no other one of its object", (kind, fault) => {
  const session = newSession();
  const given = { ...accepted[kind].given, ...accepted[kind].form };
  const faults = () => check(kind)({ ...given, ...fault }, session, "faulty");
  const alone = faults();
  expect(alone).toMatchObject({ failures: [{ property: Object.keys(fault)[0] }], warnings: [] });
  expect(check(kind)(given, session, "other").failures).toEqual([]);
  expect(faults()).toEqual(alone);
});

test("an entry of an access list that is not known yet is no fault", () => {
  expect(faultsOf("ApiKey", { accessList: [UNKNOWN, "192.0.2.7"] })).toEqual([]);
});

test.each<[Kind, string, string]>([
  ["ProjectMember", "GROUP_NEW_THING", "a project"],
  ["ProjectTeam", "GROUP_NEW_THING", "a project"],
  ["ApiKey", "ORG_NEW_THING", "an organization"],
  ["ProjectApiKey", "GROUP_NEW_THING", "a project"],
  ["OrganizationMember", "ORG_NEW_THING", "an organization"],
])("%s warns of the role %s, which may be new", (kind, role, place) => {
  const { failures, warnings } = check(kind)({ ...accepted[kind].given, roles: [role] });
  expect({ failures, warnings }).toEqual({
    failures: [],
    warnings: [`Role "${role}" is not ${place} role that this version knows, and is sent unchanged.`],
  });
});

test.each<Kind>(["Team", "ApiKey", "OrganizationMember"])(
  "%s takes its organization from the setting, and needs one",
  (kind) => {
    const { orgId: _, ...given }: Properties = accepted[kind].given;
    expect(check(kind)(given, newSession({ orgId })).inputs).toMatchObject({ orgId });
    expect(check(kind)(given).failures).toEqual([
      { property: "orgId", reason: expect.stringContaining("orgId is missing") },
    ]);
  },
);

test.each(resources.map(({ name }) => name))(
  "%s explains each value of a wrong type in its own words",
  (kind) => {
    const { inputs, check: checkOf } = resourceNamed(kind);
    const values: Value[] = [5, "text", true, [5], ["text"], [[]], [{}], { a: 5 }, { a: {} }, { "": [5] }];
    const reasons = Object.keys(inputs.shape).flatMap((property) =>
      values.flatMap((value) => checker(kind, checkOf)({ [property]: value }).reasons),
    );
    expect(reasons.filter((reason) => /Invalid|expected/.test(reason))).toEqual([]);
  },
);

test.each<[first: Kind, second: Kind]>([
  ["ProjectMembers", "ProjectMembers"],
  ["ProjectMembers", "ProjectMember"],
  ["ProjectMember", "ProjectMembers"],
])("%s of a project leaves no room for %s beside it, and both are named", (first, second) => {
  const session = newSession();
  expect(check(first)(accepted[first].given, session, "first").failures).toEqual([]);
  const { failures } = check(second)(accepted[second].given, session, "second");
  expect(failures).toEqual([
    { property: "projectId", reason: expect.stringContaining(urnOf(first, "first")) },
  ]);
  expect(failures[0]?.reason).toContain(urnOf(second, "second"));
});

test("two Projects of one ID are a warning", () => {
  const session = newSession();
  check("Project")({ projectId }, session, "first");
  expect(check("Project")({ projectId: upper(projectId) }, session, "second")).toMatchObject({
    failures: [],
    warnings: [
      `Project ${projectId} is also declared by ${urnOf("Project", "first")}: each will revert the other's changes.`,
    ],
  });
});

test("without a URN, two declarations of one person are no fault: they may be the same resource", () => {
  const session = newSession();
  const log = { info: () => undefined, warn: () => undefined };
  const { given: inputs } = accepted.OrganizationMember;
  for (const urn of ["organization member ada", "organization member"]) {
    const context = { session, urn, log };
    expect(resourceNamed("OrganizationMember").check({ inputs, context }).failures).toEqual([]);
  }
});
