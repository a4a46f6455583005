/** Random worlds. Weights follow what goes wrong in operation: names, invitations, lost responses. */
import fc from "fast-check";
import type { Switches } from "../../../sandbox";
import {
  type ApiKeyResource,
  apiKeyResources,
  type FaultKind,
  faultKinds,
  type Misspelling,
  misspellings,
  type Person,
  people,
  type RequestKind,
  requestKinds,
  roleNames,
  type Settings,
  type Slot,
  type Step,
  slots,
  type TeamName,
  type TeamResource,
  teamNames,
  teamResources,
  type World,
  type WorldFault,
} from "./world";

/** Few people, for the same reason as few projects. */
const person = fc.constantFrom<Person>(...people, "ada", "ada", "ada", "ben", "ben");
/** Few projects, so that the steps of a world meet each other. */
const slot: fc.Arbitrary<Slot> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Slot>("legacy") },
  { weight: 4, arbitrary: fc.constant<Slot>("payments") },
  { weight: 1, arbitrary: fc.constant<Slot>("orders") },
  { weight: 1, arbitrary: fc.constant<Slot>("billing") },
);
const roles = fc.subarray([...roleNames], { minLength: 1, maxLength: 2 });
const tagNames = ["PROD", "TEAM_A", "K8S_ONE", "K8S_TWO"];
const tags = fc.subarray(tagNames);
const pick = fc.nat({ max: 5 });

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });

/** Without the entries that are undefined. */
function compact<T extends object>(
  arbitrary: fc.Arbitrary<T>,
): fc.Arbitrary<{ [K in keyof T]: Exclude<T[K], undefined> }> {
  return arbitrary.map(
    (value) =>
      Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as {
        [K in keyof T]: Exclude<T[K], undefined>;
      },
  );
}

/** One of so many has the value. */
const oneOf = <T>(count: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: count - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const yes = fc.constant(true);

/**
 * What a declaration may have beside its inputs, for the properties of its kind.
 *
 * @param replaced the property whose change may be a replacement
 */
const extras = (properties: readonly string[], replaced?: string) => ({
  options: oneOf(
    3,
    compact(
      fc.record({
        ignoreChanges: oneOf(
          2,
          fc.constantFrom(...properties).map((property) => [property]),
        ),
        replaceOnChanges: oneOf(2, fc.constant(replaced === undefined ? undefined : [replaced])),
        deleteBeforeReplace: oneOf(2, yes),
        retainOnDelete: oneOf(6, yes),
        protect: oneOf(8, yes),
      }),
    ),
  ),
  first: oneOf(3, yes),
  unknown: oneOf(8, fc.constantFrom(...properties)),
  asText: oneOf(6, yes),
});

// The service requires a mapping of GROUP_OWNER.
const owners = { roleName: "GROUP_OWNER" as const, ldapGroups: ["cn=owners,dc=example,dc=com"] };
const readers = { roleName: "GROUP_READ_ONLY" as const, ldapGroups: ["cn=readers,dc=example,dc=com"] };
const idpMappings = fc.constantFrom(
  [],
  [{ roleName: "GROUP_OWNER" as const, idpGroups: ["platform"] }],
  [
    { roleName: "GROUP_OWNER" as const, idpGroups: ["operators", "platform"] },
    { roleName: "GROUP_READ_ONLY" as const, idpGroups: ["auditors"] },
  ],
);

const project = compact(
  fc.record({
    declare: fc.constant("Project" as const),
    slot: fc.oneof({ weight: 3, arbitrary: slot }, { weight: 1, arbitrary: fc.constantFrom(...slots) }),
    takes: oneOf(12, fc.constant<Slot>("payments")),
    name: maybe(fc.constantFrom("one", "two")),
    tags: maybe(tags),
    secretTags: maybe(fc.constant(true)),
    ignoreTags: maybe(fc.constantFrom(["K8S_*"], ["TEAM_?"])),
    ldapGroupMappings: maybe(fc.constantFrom([owners], [owners, readers])),
    idpGroupMappings: maybe(idpMappings),
    onDestroy: maybe(fc.constantFrom("delete" as const, "release" as const)),
    ...extras(["tags", "name"], "tags"),
  }),
).map(({ takes, ...declared }) => {
  const { name: _, ...unnamed } = declared;
  return declared.slot === "billing" && takes !== undefined ? { ...unnamed, takes } : declared;
});

const onDestroyPeople = fc.option(fc.constantFrom("remove" as const, "release" as const), { nil: undefined });

const member = compact(
  fc.record({
    declare: fc.constant("ProjectMember" as const),
    slot,
    person,
    by: fc.constantFrom(
      "username" as const,
      "userId" as const,
      "current name" as const,
      "current name and userId" as const,
    ),
    roles: fc.option(roles, { nil: undefined, freq: 8 }),
    onDestroy: onDestroyPeople,
    ...extras(["roles"], "roles"),
  }),
);

const members = compact(
  fc.record({
    declare: fc.constant("ProjectMembers" as const),
    slot,
    people: fc.dictionary(person, roles, { minKeys: 1, maxKeys: 4 }),
    withoutOwner: fc.option(fc.constant(true), { nil: undefined, freq: 1 }),
    ignoreUsers: maybe(fc.constantFrom(["owner@*"], ["c*@example.com", "owner@example.com"])),
    maxRemovals: maybe(fc.constantFrom(0, 1, 20)),
    removeUnlisted: maybe(fc.boolean()),
    onDestroy: onDestroyPeople,
    ...extras(["members"], "members"),
  }),
);

const teamName = fc.constantFrom<TeamName>("readers", "readers", ...teamNames, "operators", "operators");
const teamResource = fc.constantFrom<TeamResource>("one", "one", "two");

const team = compact(
  fc.record({
    declare: fc.constant("Team" as const),
    resource: teamResource,
    team: teamName,
    people: fc.uniqueArray(person, { minLength: 1, maxLength: 3 }),
    adopts: fc.option(fc.constant(true), { nil: undefined, freq: 6 }),
    removeUnlisted: maybe(fc.boolean()),
    maxRemovals: maybe(fc.constantFrom(0, 1, 20)),
    onDestroy: maybe(fc.constantFrom("delete" as const, "release" as const)),
    ...extras(["usernames", "usernames", "name"], "usernames"),
  }),
);

const projectTeam = compact(
  fc.record({
    declare: fc.constant("ProjectTeam" as const),
    slot,
    of: fc.constantFrom<TeamResource | TeamName>("one", "one", ...teamResources, ...teamNames),
    roles,
    onDestroy: onDestroyPeople,
    ...extras(["roles"], "roles"),
  }),
);

const agentKey = compact(
  fc.record({
    declare: fc.constant("AgentApiKey" as const),
    slot,
    key: fc.constantFrom("one" as const, "two" as const),
    description: fc.constantFrom("agents", "backup agents"),
    onDestroy: onDestroyPeople,
    ...extras(["description"]),
  }),
);

const orgRoles = fc.subarray(["ORG_MEMBER", "ORG_READ_ONLY", "ORG_GROUP_CREATOR"], {
  minLength: 1,
  maxLength: 2,
});
const keyDescription = fc.constantFrom("pipeline", "backup");

const apiKey = compact(
  fc.record({
    declare: fc.constant("ApiKey" as const),
    resource: fc.constantFrom(...apiKeyResources),
    description: keyDescription,
    roles: orgRoles,
    accessList: maybe(
      fc.constantFrom([], ["192.0.2.7"], ["192.0.2.7/32", "198.51.100.0/24"], ["2001:DB8::/32"]),
    ),
    onDestroy: onDestroyPeople,
    ...extras(["description", "roles", "accessList"], "roles"),
  }),
);

const projectKey = compact(
  fc.record({
    declare: fc.constant("ProjectApiKey" as const),
    slot,
    of: fc.constantFrom<ApiKeyResource | "theirs">("one", "theirs", ...apiKeyResources),
    roles,
    onDestroy: onDestroyPeople,
    ...extras(["roles"], "roles"),
  }),
);

const organizationMember = compact(
  fc.record({
    declare: fc.constant("OrganizationMember" as const),
    person,
    roles: orgRoles,
    onDestroy: onDestroyPeople,
    ...extras(["roles"], "roles"),
  }),
);

const declaration = fc.oneof(
  { weight: 4, arbitrary: project },
  { weight: 7, arbitrary: member },
  { weight: 4, arbitrary: members },
  { weight: 4, arbitrary: team },
  { weight: 2, arbitrary: projectTeam },
  { weight: 1, arbitrary: agentKey },
  { weight: 2, arbitrary: apiKey },
  { weight: 2, arbitrary: projectKey },
  { weight: 3, arbitrary: organizationMember },
) as fc.Arbitrary<Step>;

const misspelling = fc.constantFrom(...(Object.keys(misspellings) as Misspelling[]));

const edit = fc.oneof(
  { weight: 15, arbitrary: declaration },
  { weight: 4, arbitrary: compact(fc.record({ remove: pick, alone: oneOf(3, yes) })) },
  { weight: 1, arbitrary: fc.record({ misspell: pick, as: misspelling }) },
  { weight: 2, arbitrary: fc.record({ rename: pick, alias: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ convert: slot }) },
  { weight: 1, arbitrary: fc.record({ exchange: pick, with: pick }) },
);

const importing = fc.oneof(
  fc.record({ import: fc.constant("AgentApiKey" as const), slot, pick }),
  fc.record({ import: fc.constant("Team" as const), resource: teamResource, team: teamName }),
  fc.record({ import: fc.constant("ProjectTeam" as const), slot, team: teamName }),
  fc.record({ import: fc.constant("Project" as const), slot }),
  fc.record({ import: fc.constant("ProjectMembers" as const), slot }),
  fc.record({ import: fc.constant("ProjectMember" as const), slot, person }),
);

const outside = fc.oneof(
  { weight: 2, arbitrary: fc.record({ outside: fc.constant("change tags" as const), slot, tags }) },
  {
    weight: 1,
    arbitrary: fc.record({
      outside: fc.constant("map groups" as const),
      of: fc.constantFrom("idp" as const, "ldap" as const),
      slot,
      mappings: idpMappings,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      outside: fc.constant("rename project" as const),
      slot,
      name: fc.constantFrom("one", "three"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ outside: fc.constant("move project" as const), slot }) },
  { weight: 4, arbitrary: fc.record({ outside: fc.constant("set member" as const), slot, person, roles }) },
  { weight: 4, arbitrary: fc.record({ outside: fc.constant("remove member" as const), slot, person }) },
  { weight: 2, arbitrary: fc.record({ outside: fc.constant("invite" as const), slot, person, roles }) },
  { weight: 4, arbitrary: fc.record({ outside: fc.constant("accept" as const), slot, pick }) },
  { weight: 1, arbitrary: fc.record({ outside: fc.constant("expire" as const), slot, pick }) },
  { weight: 1, arbitrary: fc.record({ outside: fc.constant("take back" as const), slot, pick }) },
  { weight: 2, arbitrary: fc.record({ outside: fc.constant("rename account" as const), person }) },
  { weight: 4, arbitrary: fc.record({ outside: fc.constant("reuse name" as const), person, by: person }) },
  {
    weight: 2,
    arbitrary: fc.record({
      outside: fc.constant("team people" as const),
      team: teamName,
      people: fc.uniqueArray(person, { maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      outside: fc.constant("team roles" as const),
      team: teamName,
      slot,
      roles: fc.subarray([...roleNames]),
    }),
  },
  { weight: 1, arbitrary: fc.record({ outside: fc.constant("delete team" as const), team: teamName }) },
  { weight: 1, arbitrary: fc.record({ outside: fc.constant("rename team" as const), team: teamName }) },
  {
    weight: 1,
    arbitrary: fc.record({
      outside: fc.constant("add key" as const),
      slot,
      description: fc.constantFrom("", "agents"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ outside: fc.constant("delete key" as const), slot, pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      outside: fc.constant("API key roles" as const),
      slot,
      pick,
      roles: fc.subarray([...roleNames]),
    }),
  },
  {
    weight: 1,
    arbitrary: compact(
      fc.record({
        outside: fc.constant("change API key" as const),
        pick,
        description: keyDescription,
        roles: orgRoles,
        accessList: oneOf(2, fc.constantFrom([], ["192.0.2.9/32"])),
        isRemade: oneOf(6, yes),
      }),
    ),
  },
  { weight: 1, arbitrary: fc.record({ outside: fc.constant("delete API key" as const), pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      outside: fc.constant("in organization" as const),
      does: fc.constantFrom("set roles" as const, "invite" as const),
      person,
      roles: orgRoles,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      outside: fc.constant("in organization" as const),
      does: fc.constantFrom(
        "accept" as const,
        "accept" as const,
        "expire" as const,
        "take back" as const,
        "remove" as const,
      ),
      person,
    }),
  },
);

/** A timeout costs two seconds, so it is rare. */
const faultKind: fc.Arbitrary<FaultKind> = fc.oneof(
  {
    weight: 200,
    arbitrary: fc.constantFrom(
      ...(Object.keys(faultKinds) as FaultKind[]).filter((kind) => kind !== "no response in time"),
    ),
  },
  { weight: 1, arbitrary: fc.constant<FaultKind>("no response in time") },
);

const times = fc.constantFrom(1, 1, 2, 3);
const fault: fc.Arbitrary<WorldFault> = fc.oneof(
  fc.record({
    meets: fc.constantFrom(...(Object.keys(requestKinds) as RequestKind[])),
    after: fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 4, 5, 6),
    times,
    kind: faultKind,
  }),
  // Responses of gateways during a rollout look like those of a service that lacks the operation.
  fc.record({
    meets: fc.constantFrom<RequestKind>("list of invitations", "list of members", "project", "account"),
    after: fc.constantFrom(0, 0, 1, 2),
    times,
    kind: fc.constantFrom<FaultKind>("bare 404", "bare 405", "bare 501", "404 page", "401"),
  }),
);

const unrepeated = oneOf(3, yes);
const command = fc.oneof(
  { weight: 4, arbitrary: compact(fc.record({ run: fc.constant("up" as const), previewed: unrepeated })) },
  { weight: 5, arbitrary: compact(fc.record({ run: fc.constant("up" as const), fault, unrepeated })) },
  {
    weight: 4,
    arbitrary: compact(
      fc.record({ run: fc.constant("up" as const), interruptAfter: fc.nat({ max: 25 }), unrepeated }),
    ),
  },
  { weight: 2, arbitrary: fc.constant({ run: "preview" as const }) },
  { weight: 1, arbitrary: fc.constant({ run: "drift" as const }) },
  { weight: 2, arbitrary: fc.constant({ run: "refresh" as const }) },
  { weight: 1, arbitrary: fc.record({ run: fc.constant("refresh" as const), fault }) },
);

const single: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: edit },
  { weight: 1, arbitrary: importing },
  { weight: 4, arbitrary: outside },
  { weight: 4, arbitrary: command },
) as fc.Arbitrary<Step>;

interface Membership {
  readonly slot: Slot;
  readonly person: Person;
}

/** Steps that may depend on the people whom the first declarations name. */
type Story = (declared: readonly Membership[]) => readonly Step[];

/** A user leaves a project, and either comes back or another account that joins gets the name. */
const departure = fc
  .record({
    member: fc.record({ slot, person }),
    /** Which of the declared people leaves. */
    whom: fc.option(pick, { nil: undefined, freq: 3 }),
    by: person,
    roles,
    isReturn: fc.boolean(),
    /** The command in between sees the project without the person. */
    between: fc.constantFrom<readonly Step[]>(
      [{ run: "refresh" }],
      [{ run: "refresh" }],
      [{ run: "preview" }],
      [],
    ),
    isAppliedAfter: fc.boolean(),
  })
  .map(
    ({ member, whom, by, roles: given, isReturn, between, isAppliedAfter }): Story =>
      (declared) => {
        const leaver = (whom === undefined ? undefined : declared[whom % declared.length]) ?? member;
        return [
          { outside: "remove member", ...leaver },
          ...between,
          ...(isReturn
            ? [{ outside: "return member" as const, ...leaver }]
            : [
                { outside: "reuse name" as const, person: leaver.person, by },
                { outside: "set member" as const, slot: leaver.slot, person: by, roles: given },
              ]),
          ...(isAppliedAfter ? [{ run: "up" as const }] : []),
        ];
      },
  );

/** A Team gets another name, and another Team gets the name that it had. */
const movedName = fc
  .record({
    from: teamName,
    to: teamName,
    one: team,
    two: team,
    roles,
    slot,
    first: oneOf(2, yes),
  })
  .map(
    ({ from, to, one, two, roles: given, slot: where, first }): Story =>
      () => [
        { ...one, resource: "one", team: from },
        { declare: "ProjectTeam", slot: where, of: "one", roles: given },
        { run: "up" },
        { ...one, resource: "one", team: to },
        { ...two, resource: "two", team: from, ...(first && { first }) },
        { run: "up" },
      ],
  );

/** An account in a team gets the name by which the Team lists another account of it. */
const takenName = fc
  .record({ declared: team, listed: person, by: person, removeUnlisted: maybe(fc.boolean()) })
  .map(
    ({ declared, listed, by, removeUnlisted }): Story =>
      () => [
        { ...declared, people: [listed], ...(removeUnlisted !== undefined && { removeUnlisted }) },
        { run: "up" },
        { outside: "team people", team: declared.team, people: [listed, by] },
        { outside: "reuse name", person: listed, by },
        { run: "up" },
      ],
  );

/** A write is done, a read after it fails, and the user does not run `up` again. */
const unread = fc
  .record({
    declared: member,
    meets: fc.constantFrom<RequestKind>("list of invitations", "list of members"),
    after: fc.nat({ max: 3 }),
    kind: faultKind,
    last: fc.constantFrom<readonly Step[]>([{ run: "refresh" }], [{ remove: "all" }, { run: "up" }]),
  })
  .map(
    ({ declared, meets, after, kind, last }): Story =>
      () => [declared, { run: "up", fault: { meets, after, times: 1, kind }, unrepeated: true }, ...last],
  );

/** Someone leaves the organization whom the program declares below it, or a key, team or project leaves the program alone. */
const heldBelow = fc
  .record({
    who: person,
    one: organizationMember,
    below: fc.oneof(member, members, team),
    slot,
  })
  .map(
    ({ who, one, below, slot: where }): Story =>
      () => [
        { ...one, person: who },
        below.declare === "ProjectMember"
          ? { ...below, person: who, slot: where }
          : below.declare === "Team"
            ? { ...below, people: [...new Set([who, ...below.people])] }
            : { ...below, people: { ...below.people, [who]: ["GROUP_READ_ONLY"] }, slot: where },
        { run: "up" },
        { remove: "OrganizationMember" },
        { run: "up" },
      ],
  );

const leftAlone = fc
  .record({
    pair: fc.oneof(
      fc.tuple(
        apiKey,
        projectKey.map((declared) => ({ ...declared, of: "one" as const })),
      ),
      fc.tuple(
        team,
        projectTeam.map((declared) => ({ ...declared, of: "one" as const })),
      ),
      fc.tuple(project, member),
    ),
    slot,
  })
  .map(
    ({ pair: [above, below], slot: where }): Story =>
      () => [
        above.declare === "Project" ? { ...above, slot: where } : { ...above, resource: "one" },
        { ...below, slot: where },
        { run: "up" },
        { remove: above.declare, alone: true },
        { run: "up" },
      ],
  );

/** Others map groups to roles, and then someone leaves the list. */
const mapped = fc
  .record({
    list: members,
    leaver: person,
    of: fc.constantFrom("idp" as const, "ldap" as const, "ldap" as const),
    mappings: idpMappings,
    isPlain: fc.boolean(),
  })
  .map(
    ({ list, leaver, of, mappings, isPlain }): Story =>
      () => {
        const { declare, slot: where, people: staying } = list;
        const given = isPlain ? ({ declare, slot: where, people: staying } as const) : list;
        return [
          { ...given, people: { ...staying, [leaver]: ["GROUP_READ_ONLY"] } },
          { run: "up" },
          { outside: "map groups", of, slot: where, mappings },
          given,
          { run: "up" },
        ];
      },
  );

/** A project gives up its name, and a new one takes it. */
const givenUp = fc.record({ one: project, two: project }).map(
  ({ one, two }): Story =>
    () => [
      { ...one, slot: "payments" },
      { run: "up" },
      { ...one, slot: "payments", name: "three" },
      { declare: "Project", slot: "billing", takes: "payments", ...(two.tags && { tags: two.tags }) },
      { run: "up", previewed: true },
    ],
);

/** What a key may be used from is declared, then left to others, and then declared as nothing. */
const forgottenList = fc.record({ key: apiKey, by: fc.constantFrom("program", "others") }).map(
  ({ key: { accessList: _, ...key }, by }): Story =>
    () => [
      { ...key, ...(by === "program" && { accessList: ["192.0.2.7"] }) },
      { run: "up" },
      ...(by === "program"
        ? [key]
        : [
            {
              outside: "change API key" as const,
              pick: 1,
              description: key.description,
              roles: key.roles,
              accessList: ["192.0.2.9/32"],
            },
          ]),
      { run: "up" },
      { ...key, accessList: [] },
      { run: "up" },
    ],
);

/** Someone comes to own a project by another door than the list of its people. */
const otherDoor = fc
  .record({
    declared: fc.oneof(member, members),
    role: fc.constantFrom("GROUP_OWNER" as const, "GROUP_USER_ADMIN" as const),
    of: fc.constantFrom("idp" as const, "ldap" as const),
    door: fc.constantFrom("map groups" as const, "API key roles" as const, "team roles" as const),
  })
  .map(
    ({ declared, role, of, door }): Story =>
      () => {
        const { slot: where } = declared;
        const doors: Record<typeof door, Step> = {
          "map groups": {
            outside: "map groups",
            of,
            slot: where,
            mappings: [{ roleName: "GROUP_OWNER", idpGroups: ["admins"] }],
          },
          "API key roles": { outside: "API key roles", slot: where, pick: 0, roles: [role] },
          "team roles": { outside: "team roles", team: "readers", slot: where, roles: [role] },
        };
        return [declared, { run: "up" }, doors[door], { run: "drift" }];
      },
  );

const story: fc.Arbitrary<Story> = fc.oneof(
  { weight: 36, arbitrary: single.map((one) => () => [one]) },
  { weight: 4, arbitrary: departure },
  { weight: 2, arbitrary: movedName },
  { weight: 2, arbitrary: takenName },
  { weight: 2, arbitrary: unread },
  { weight: 2, arbitrary: heldBelow },
  { weight: 2, arbitrary: leftAlone },
  { weight: 2, arbitrary: mapped },
  { weight: 1, arbitrary: givenUp },
  { weight: 1, arbitrary: forgottenList },
  { weight: 1, arbitrary: otherDoor },
);

function membershipsIn(declarations: readonly Step[]): readonly Membership[] {
  return declarations.flatMap((step) => {
    if (!("declare" in step)) return [];
    if (step.declare === "ProjectMember") return [{ slot: step.slot, person: step.person }];
    if (step.declare !== "ProjectMembers") return [];
    return (Object.keys(step.people) as Person[]).map((person) => ({ slot: step.slot, person }));
  });
}

/** How a world ends: as it is, or with everything destroyed. */
const end: fc.Arbitrary<readonly Step[]> = fc.constantFrom<readonly Step[]>(
  [],
  [{ run: "up" }, { remove: "all" }, { run: "up" }],
  [{ remove: "all" }, { run: "up" }],
);

const switches: fc.Arbitrary<Partial<Switches>> = compact(
  fc.record({
    bypassInvitations: maybe(fc.boolean()),
    ldap: fc.option(yes, { nil: undefined, freq: 2 }),
    idpMappings: fc.option(fc.constant("present" as const), { nil: undefined, freq: 2 }),
    deleteUserStatus: maybe(fc.constantFrom("200" as const, "202" as const, "204" as const)),
    deleteInvitationStatus: maybe(fc.constantFrom("200" as const, "204" as const)),
    deletionBody: maybe(fc.constant("empty-object" as const)),
    deleteGoneInvitation: maybe(fc.constant("404" as const)),
    expiredInvitation: maybe(fc.constant("shown" as const)),
    reinvite: maybe(fc.constantFrom("same" as const, "replace" as const, "second" as const)),
    inviteMember: maybe(fc.constant("invite" as const)),
    unknownProject: maybe(fc.constant("NOT_IN_GROUP" as const)),
    unknownNameInOrg: maybe(fc.constant("GROUP_NAME_NOT_FOUND" as const)),
    nonceReuse: maybe(fc.constant("refuse" as const)),
    versionString: maybe(fc.constant("")),
    agentApiKeyInPatch: maybe(fc.boolean()),
    renamedInvitee: maybe(fc.constant("keeps-name" as const)),
    unknownPath: maybe(fc.constantFrom("bare" as const, "web-page" as const)),
    accountLookup: maybe(fc.constant("organization" as const)),
    orgProjectFields: maybe(fc.constant("without-tags-and-mappings" as const)),
    lastActiveAgent: maybe(fc.constant("always" as const)),
    deleteProjectStatus: maybe(fc.constant("202" as const)),
    versionOnErrors: maybe(fc.constant(false)),
    teamAnswers: maybe(fc.constantFrom("all" as const, "changed" as const)),
    addedTeamAgain: maybe(fc.constant("replace" as const)),
    foreignTeam: maybe(fc.constant("TEAM_NOT_IN_ORG" as const)),
    severalTeams: maybe(fc.constant("one-by-one" as const)),
    usedTeam: maybe(fc.constant("vanish" as const)),
    usernamesOfNewTeam: maybe(fc.constant("ignore" as const)),
    lastTeamUser: maybe(fc.constant("remove" as const)),
    deleteTeamStatus: maybe(fc.constantFrom("200" as const, "202" as const)),
    teamOwners: maybe(fc.constant(true)),
    orgOwners: maybe(fc.constant(true)),
    flattenTeams: maybe(fc.constant(true)),
    agentKeyStatus: maybe(fc.constant("200" as const)),
    agentKeyId: maybe(fc.constant("id" as const)),
    agentKeyTime: maybe(fc.constant("text" as const)),
    agentKeyList: maybe(fc.constant("results" as const)),
    agentKeyInAnswer: fc.option(fc.constant(false), { nil: undefined, freq: 1 }),
    lastAgentKey: maybe(fc.constant("keep" as const)),
    unknownAgentKey: maybe(fc.constant("RESOURCE_NOT_FOUND" as const)),
    apiKeyStatus: maybe(fc.constant("201" as const)),
    apiKeyInAnswer: fc.option(fc.constant(false), { nil: undefined, freq: 1 }),
    apiKeyMask: oneOf(2, fc.constantFrom("x" as const, "stars" as const, "absent" as const)),
    orgMemberOfKeys: maybe(fc.constant(true)),
    unknownApiKey: maybe(fc.constant("404" as const)),
    deleteApiKeyStatus: maybe(fc.constantFrom("200" as const, "202" as const)),
    accessListAgain: maybe(fc.constant("ignore" as const)),
    orgUserChanges: fc.option(fc.constant("offered" as const), { nil: undefined, freq: 4 }),
    deleteOrgUserStatus: maybe(fc.constantFrom("200" as const, "202" as const)),
  }),
) as fc.Arbitrary<Partial<Switches>>;

/** Each setting that changes what an operation does. */
const settings: fc.Arbitrary<Settings> = compact(
  fc.record({
    refreshBeforeUpdate: oneOf(4, fc.constant(false)),
    readCacheSeconds: oneOf(4, fc.constant(0)),
    maxRemovalsPerRun: oneOf(8, fc.constantFrom(0, 1, 3)),
  }),
);

/** @param longest most steps of a world */
export function worlds(shortest: number, longest: number): fc.Arbitrary<World> {
  return fc.record({
    provider: fc.constantFrom("plugin" as const, "plugin" as const, "dynamic" as const),
    keyRoles: oneOf(6, fc.constant("organization" as const)),
    switches,
    settings,
    steps: fc
      .tuple(
        fc.array(declaration, { minLength: 1, maxLength: 3, size: "max" }),
        fc.array(story, {
          minLength: Math.max(1, shortest - 2),
          maxLength: Math.ceil(longest / 2),
          size: "max",
        }),
        end,
      )
      .map(([declarations, stories, last]) => {
        const declared = membershipsIn(declarations);
        const steps = stories.flatMap((steps) => steps(declared));
        return [...declarations, { run: "up" as const }, ...steps, ...last];
      }),
  });
}
