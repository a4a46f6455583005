/** What Check accepts of each kind, and its form and faults. What only a Project has: `project/inputs.test.ts`. */
import { resourceNamed } from "../../../provider/resources";
import { resources } from "../../../provider/resources/all";
import { type Properties, UNKNOWN, type Value } from "../../../provider/resources/contract/values";
import { accepted, id, type Kind, orgId, projectId } from "./accepted";
import { checker, newSession, urnOf } from "./checker";

const ada = "ada@example.com";
const upper = (text: string) => text.toUpperCase();

const check = (kind: Kind) => checker(kind, resourceNamed(kind).check);
const faultsOf = (kind: Kind, inputs: Properties) =>
  check(kind)({ ...accepted[kind].given, ...inputs }).failures;

test.each(Object.keys(accepted) as Kind[])("%s has one form of its inputs, and gives it again", (kind) => {
  const { given, form } = accepted[kind];
  const expected = { ...given, ...form };
  expect(check(kind)(given)).toMatchObject({ inputs: expected, failures: [], warnings: [] });
  expect(check(kind)(expected).inputs).toEqual(expected);
});

interface Refused {
  readonly kind: Kind;
  readonly inputs: Properties;
  readonly reason: string;
}

/** What each property refuses in every kind that has it, by the reason. */
const refusalsOfAnyKind: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
  projectId: { "projectId must be the id of a project: 24 hexadecimal digits.": "p1" },
  orgId: { "orgId must be the id of an organization: 24 hexadecimal digits.": "o1" },
  teamId: { "teamId must be the id of a team: 24 hexadecimal digits.": "t1" },
  keyId: { "keyId must be the id of an API key: 24 hexadecimal digits.": "k1" },
  userId: { "userId must be the id of a user: 24 hexadecimal digits.": "ada" },
  invitationId: { "invitationId must be the id of an invitation: 24 hexadecimal digits.": "x" },
  name: { "name must not be empty.": "" },
  username: { "username must not be empty.": "" },
  description: { "description must not be empty.": "", "description must be text.": 1 },
  roles: { "roles must not be empty: a ": [], "which is not a role of a": ["NEW"] },
  onDestroy: { 'onDestroy must be "': "keep" },
  maxRemovals: { "maxRemovals must be 0 or more.": -1, "maxRemovals must be a whole number.": 1.5 },
  removeUnlisted: { "removeUnlisted must be true or false.": "yes" },
  triggers: { "triggers.date must be text.": { date: 1 } },
};

const kinds = Object.keys(accepted) as Kind[];

const refusedByAll: readonly Refused[] = kinds.flatMap((kind) =>
  Object.entries(refusalsOfAnyKind)
    .filter(([property]) => property in accepted[kind].given)
    .flatMap(([property, values]) =>
      Object.entries(values).map(([reason, value]) => ({ kind, inputs: { [property]: value }, reason })),
    ),
);

const noMember = "must not be empty: a person without a role is not in the project.";
const reader = ["GROUP_READ_ONLY"];
const members = (...entries: readonly (readonly [string, Value])[]): Properties => ({
  members: Object.fromEntries(entries),
});

/** What one kind refuses, by the reason that it gives. */
const refusals: Partial<Record<Kind, Readonly<Record<string, Properties>>>> = {
  ProjectMember: {
    "Did you mean GROUP_READ_ONLY?": { roles: ["Project Read Only"] },
    'roles contains "ORG_OWNER", which is a role of an organization, not of a project. The roles are GROUP_AUTOMATION_ADMIN,':
      { roles: ["ORG_OWNER"] },
  },
  ProjectMembers: {
    [`members["${ada}"] ${noMember}`]: members([ada, []]),
    "members.grace must not be empty": members(["grace", null]),
    'members[""] must not be empty.': members(["", ["GROUP_OWNER"]]),
    [`"${ada}" and "${upper(ada)}" are the same name.`]: members([ada, reader], [upper(ada), reader]),
    [`members["${ada}"] contains "GROUP_A" more than once.`]: members([ada, ["GROUP_A", "GROUP_A"]]),
    "Did you mean GROUP_OWNER?": members([ada, ["group_owner"]]),
    'members["SVC-1@example.com"] matches ignoreUsers': members(["SVC-1@example.com", reader]),
    "ignoreUsers[0] must not be empty.": { ignoreUsers: [""] },
  },
  Team: {
    'onDestroy must be "delete" or "release".': { onDestroy: "remove" },
    "usernames must be a list.": { usernames: ada },
    "usernames must not be empty: a list that failed to load would remove everyone.": { usernames: [] },
    "usernames[1] must not be empty.": { usernames: [ada, ""] },
    [`usernames contains "${ada}" more than once; case does not count.`]: { usernames: [ada, upper(ada)] },
  },
  ProjectTeam: { 'roles contains "GROUP_A" more than once.': { roles: ["GROUP_A", "GROUP_A"] } },
  ApiKey: {
    'onDestroy must be "remove" or "release".': { onDestroy: "delete" },
    "description must have at most 250 characters.": { description: "x".repeat(251) },
    "accessList must be a list.": { accessList: "192.0.2.7" },
    "accessList[0] must not be empty.": { accessList: [""] },
    'accessList[1] "host" must be an IPv4 or IPv6 address': { accessList: ["::1", "host"] },
    "accessList contains ::1 more than once.": { accessList: ["::1", "0:0::1/128"] },
  },
  ProjectApiKey: { "publicKey must not be empty.": { keyId: null, publicKey: "" } },
  AgentApiKey: { "description must have at most 1000 characters.": { description: "x".repeat(1001) } },
  OrganizationMember: {
    'onDestroy must be "remove" or "release".': { onDestroy: "delete" },
    'roles contains "GROUP_OWNER", which is a role of a project, not of an organization. The roles are ORG_BILLING_ADMIN, ORG_GROUP_CREATOR, ORG_MEMBER, ORG_OWNER, ORG_READ_ONLY.':
      { roles: ["GROUP_OWNER"] },
  },
  Organization: {
    "idpGroupMappings must be a list.": { idpGroupMappings: "owners" },
    'idpGroupMappings[0].roleName contains "GROUP_OWNER", which is a role of a project': {
      idpGroupMappings: [{ roleName: "GROUP_OWNER", idpGroups: ["owners"] }],
    },
    "idpGroupMappings has more than one entry for ORG_OWNER: put all its groups into one.": {
      idpGroupMappings: ["a", "b"].map((group) => ({ roleName: "ORG_OWNER", idpGroups: [group] })),
    },
    "a service takes its groups either from LDAP or from an identity provider": {
      ldapGroupMappings: [{ roleName: "ORG_OWNER", ldapGroups: ["owners"] }],
      idpGroupMappings: accepted.Organization.given.idpGroupMappings,
    },
  },
};

const refusedByOne: readonly Refused[] = kinds.flatMap((kind) =>
  Object.entries(refusals[kind] ?? {}).map(([reason, inputs]) => ({ kind, inputs, reason })),
);

test.each([...refusedByAll, ...refusedByOne])(
  "$kind rejects $inputs, and nothing else of the same inputs",
  ({ kind, inputs, reason }) => {
    const failures = faultsOf(kind, inputs);
    expect(failures).toEqual([{ property: expect.any(String), reason: expect.stringContaining(reason) }]);
    expect(Object.keys(inputs)).toContain(failures[0]?.property);
  },
);

test.each<{ kind: Kind; inputs: Properties; reason: string }>([
  {
    kind: "ProjectTeam",
    inputs: { teamName: "operators" },
    reason: "teamId and teamName are both set. Remove one of them.",
  },
  {
    kind: "ProjectApiKey",
    inputs: { keyId: null },
    reason: "The API key is missing: set keyId or publicKey.",
  },
  {
    kind: "ProjectMember",
    inputs: { username: null, userId: null, invitationId: null },
    reason: "One of username, userId and invitationId is required to identify the person.",
  },
])("$kind with $inputs does not identify one object", ({ kind, inputs, reason }) => {
  expect(faultsOf(kind, inputs)).toEqual([{ property: "", reason }]);
});

const overwrites = "each would overwrite the other's roles.";
const reverts = "each would revert the other's changes.";

test.each<{ kind: Kind; first?: Properties; second: Properties; subject: string; effect: string }>([
  { kind: "Team", second: {}, subject: 'Team "Operators"', effect: reverts },
  { kind: "Team", second: { name: UNKNOWN }, subject: `Team ${id}`, effect: reverts },
  { kind: "ProjectTeam", second: {}, subject: `Team ${id} in project ${projectId}`, effect: overwrites },
  {
    kind: "ProjectTeam",
    first: { teamId: null, teamName: "operators" },
    second: { teamId: null, teamName: "operators" },
    subject: `Team operators in project ${projectId}`,
    effect: overwrites,
  },
  {
    kind: "ProjectApiKey",
    second: {},
    subject: `API key ${id} in project ${projectId}`,
    effect: overwrites,
  },
  {
    kind: "ProjectMember",
    first: { userId: null, invitationId: null },
    second: { userId: null, invitationId: null, username: upper(ada) },
    subject: `${upper(ada)} in project ${projectId}`,
    effect: reverts,
  },
  {
    kind: "OrganizationMember",
    second: { username: upper(ada) },
    subject: `${upper(ada)} in organization ${orgId}`,
    effect: reverts,
  },
])("a second $kind ($second) of one object is refused, with the first one", (row) => {
  const { kind, first = {}, second, subject, effect } = row;
  const session = newSession();
  const checkIt = check(kind);
  const { given } = accepted[kind];
  const rival = urnOf(kind, "first");
  const reason = `${subject} is already declared by ${rival}: ${effect} Remove one of them from the program.`;
  expect(checkIt({ ...given, ...first }, session, "first").failures).toEqual([]);
  const { failures } = checkIt({ ...given, ...second }, session, "second");
  expect(failures).toEqual([{ property: "", reason }]);
  expect(checkIt({ ...given, ...first }, session, "first").failures).toEqual([]);
});

test.each<{ kind: Kind; inputs: Properties }>([
  { kind: "Team", inputs: { orgId: UNKNOWN } },
  { kind: "ProjectTeam", inputs: { projectId: UNKNOWN } },
  { kind: "ProjectApiKey", inputs: { projectId: UNKNOWN } },
  { kind: "OrganizationMember", inputs: { orgId: UNKNOWN } },
  { kind: "OrganizationMember", inputs: { username: UNKNOWN } },
  { kind: "OrganizationMember", inputs: { username: "bob@example.com" } },
  { kind: "OrganizationMember", inputs: { orgId: id } },
  { kind: "Project", inputs: { projectId: UNKNOWN } },
  { kind: "ProjectMember", inputs: { projectId: UNKNOWN } },
  { kind: "ProjectMembers", inputs: { projectId: UNKNOWN } },
  { kind: "Organization", inputs: { orgId: UNKNOWN } },
])("a second $kind with $inputs is, or may be, another object", ({ kind, inputs }) => {
  const session = newSession();
  const { given } = accepted[kind];
  check(kind)(given, session, "first");
  expect(check(kind)({ ...given, ...inputs }, session, "second").failures).toEqual([]);
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

test.each(kinds.filter((kind) => "roles" in accepted[kind].given))(
  "%s warns of a role that may be new",
  (kind) => {
    const place = "projectId" in accepted[kind].given ? "a project" : "an organization";
    const role = place === "a project" ? "GROUP_NEW_THING" : "ORG_NEW_THING";
    const { failures, warnings } = check(kind)({ ...accepted[kind].given, roles: [role] });
    expect({ failures, warnings }).toEqual({
      failures: [],
      warnings: [`Role "${role}" is not ${place} role that this version knows, and is sent unchanged.`],
    });
  },
);

test.each<Kind>(["Team", "ApiKey", "OrganizationMember", "Organization"])(
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

test.each([
  { kind: "Project", place: { projectId }, effect: "changes." },
  { kind: "Organization", place: { orgId }, effect: "changes of the same property." },
] as const)("two resources $kind of one ID are a warning", ({ kind, place, effect }) => {
  const session = newSession();
  const [[property, objectId] = ["", ""]] = Object.entries(place);
  check(kind)(place, session, "first");
  expect(check(kind)({ [property]: upper(objectId) }, session, "second")).toMatchObject({
    failures: [],
    warnings: [
      `${kind} ${objectId} is also declared by ${urnOf(kind, "first")}: each will revert the other's ${effect}`,
    ],
  });
});

test("LDAP groups of an organization are warned of without an owner, and with a role that the documents refuse", () => {
  const ldapGroupMappings = [{ roleName: "ORG_BILLING_ADMIN", ldapGroups: ["cn=billing"] }];
  expect(check("Organization")({ orgId, ldapGroupMappings })).toMatchObject({
    failures: [],
    warnings: [
      expect.stringContaining("an entry for ORG_BILLING_ADMIN, which the service's documentation refuses"),
      expect.stringContaining("no entry for ORG_OWNER, which the service's documentation requires"),
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
