/** Random worlds. Weights follow what goes wrong in operation: names, invitations, lost responses. */
import fc from "fast-check";
import type { Switches } from "../../../sandbox";
import { clock, lastDay } from "./days";
import {
  among,
  drawn,
  idpMappings,
  maybe,
  oneIn,
  person,
  pick,
  roles,
  slot,
  somePeople,
  teamName,
  teamResource,
  yes,
} from "./draws";
import { type Declare, declaration, kinds } from "./kinds";
import {
  type FaultKind,
  faultKinds,
  keysOf,
  type Misspelling,
  misspellings,
  type Person,
  type RequestKind,
  requestKinds,
  type Slot,
  type WorldFault,
} from "./names";
import { outsideStep, undeclarableStep } from "./outside";
import type { Settings, Step, World } from "./world";

const edit = fc.oneof(
  { weight: 15, arbitrary: declaration },
  { weight: 4, arbitrary: drawn({ remove: pick, alone: oneIn(3, yes) }) },
  { weight: 1, arbitrary: drawn({ misspell: pick, as: among<Misspelling>(...keysOf(misspellings)) }) },
  { weight: 2, arbitrary: drawn({ rename: pick, alias: fc.boolean() }) },
  { weight: 1, arbitrary: drawn({ convert: slot }) },
  { weight: 1, arbitrary: drawn({ exchange: pick, with: pick }) },
);

const importing = fc.oneof(
  drawn({ import: "AgentApiKey", slot, pick }),
  drawn({ import: "Team", resource: teamResource, team: teamName }),
  drawn({ import: "ProjectTeam", slot, team: teamName }),
  drawn({ import: "Project", slot }),
  drawn({ import: "ProjectMembers", slot }),
  drawn({ import: "ProjectMember", slot, person }),
);

/** A timeout costs two seconds, so it is rare. */
const faultKind: fc.Arbitrary<FaultKind> = fc.oneof(
  { weight: 200, arbitrary: among(...keysOf(faultKinds).filter((kind) => kind !== "no response in time")) },
  { weight: 1, arbitrary: among<FaultKind>("no response in time") },
);

const times = among(1, 1, 2, 3);
const fault: fc.Arbitrary<WorldFault> = fc.oneof(
  drawn({
    meets: among<RequestKind>(...keysOf(requestKinds)),
    after: among(0, 0, 0, 1, 1, 2, 3, 4, 5, 6),
    times,
    kind: faultKind,
  }),
  // Responses of gateways during a rollout look like those of a service that lacks the operation.
  drawn({
    meets: among<RequestKind>("list of invitations", "list of members", "project", "account"),
    after: among(0, 0, 1, 2),
    times,
    kind: among<FaultKind>("bare 404", "bare 405", "bare 501", "404 page", "401"),
  }),
);

const unrepeated = oneIn(3, yes);
const command = fc.oneof(
  { weight: 4, arbitrary: drawn({ run: "up", previewed: unrepeated }) },
  { weight: 5, arbitrary: drawn({ run: "up", fault, unrepeated }) },
  { weight: 6, arbitrary: drawn({ run: "up", interruptAfter: fc.nat({ max: 25 }), unrepeated }) },
  { weight: 2, arbitrary: fc.constant({ run: "preview" } as const) },
  { weight: 1, arbitrary: fc.constant({ run: "drift" } as const) },
  { weight: 2, arbitrary: drawn({ run: "ask", pick }) },
  { weight: 2, arbitrary: fc.constant({ run: "refresh" } as const) },
  { weight: 1, arbitrary: drawn({ run: "refresh", fault }) },
);

const single: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: edit },
  { weight: 1, arbitrary: importing },
  { weight: 4, arbitrary: outsideStep },
  { weight: 4, arbitrary: command },
  { weight: 2, arbitrary: drawn({ clock, days: among(1, 1, 2) }) },
);

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
    whom: maybe(pick, 3),
    by: person,
    roles,
    isReturn: fc.boolean(),
    /** The command in between sees the project without the person. */
    between: among<readonly Step[]>([{ run: "refresh" }], [{ run: "refresh" }], [{ run: "preview" }], []),
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
    one: kinds.Team.draw,
    two: kinds.Team.draw,
    roles,
    slot,
    first: oneIn(2, yes),
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
  .record({ declared: kinds.Team.draw, listed: person, by: person, removeUnlisted: maybe(fc.boolean()) })
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
    declared: kinds.ProjectMember.draw,
    meets: among<RequestKind>("list of invitations", "list of members"),
    after: fc.nat({ max: 3 }),
    kind: faultKind,
    last: among<readonly Step[]>([{ run: "refresh" }], [{ remove: "all" }, { run: "up" }]),
  })
  .map(
    ({ declared, meets, after, kind, last }): Story =>
      () => [declared, { run: "up", fault: { meets, after, times: 1, kind }, unrepeated: true }, ...last],
  );

type List = Declare<"ProjectMembers"> | Declare<"Team">;

/** @returns the list with the person on it */
const listing = (list: List, who: Person): List =>
  list.declare === "Team"
    ? { ...list, people: [...new Set([who, ...list.people])] }
    : { ...list, people: { ...list.people, [who]: ["GROUP_READ_ONLY"] } };

/** Someone leaves the organization whom the program declares below it, or a key, team or project leaves the program alone. */
const heldBelow = fc
  .record({
    who: person,
    one: kinds.OrganizationMember.draw,
    below: fc.oneof(kinds.ProjectMember.draw, kinds.ProjectMembers.draw, kinds.Team.draw),
    slot,
  })
  .map(
    ({ who, one, below, slot: where }): Story =>
      () => [
        { ...one, person: who },
        below.declare === "ProjectMember"
          ? { ...below, person: who, slot: where }
          : listing(below.declare === "Team" ? below : { ...below, slot: where }, who),
        { run: "up" },
        { remove: "OrganizationMember" },
        { run: "up" },
      ],
  );

const leftAlone = fc
  .record({
    pair: fc.oneof(
      fc.tuple(
        kinds.ApiKey.draw,
        kinds.ProjectApiKey.draw.map((declared) => ({ ...declared, of: "one" as const })),
      ),
      fc.tuple(
        kinds.Team.draw,
        kinds.ProjectTeam.draw.map((declared) => ({ ...declared, of: "one" as const })),
      ),
      fc.tuple(kinds.Project.draw, kinds.ProjectMember.draw),
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
    list: kinds.ProjectMembers.draw,
    leaver: person,
    of: among("idp", "ldap", "ldap"),
    mappings: idpMappings,
    isPlain: fc.boolean(),
  })
  .map(
    ({ list, leaver, of, mappings, isPlain }): Story =>
      () => {
        const { declare, slot: where, people: staying } = list;
        const given = isPlain ? { declare, slot: where, people: staying } : list;
        return [
          listing(given, leaver),
          { run: "up" },
          { outside: "map groups", of, slot: where, mappings },
          given,
          { run: "up" },
        ];
      },
  );

type Ends =
  | Declare<"ProjectMember" | "OrganizationMember" | "ProjectTeam" | "ProjectApiKey" | "ApiKey">
  | List;

/** The access with its last day; of a list, the one of this person. */
function ending(one: Ends, until: string, who: Person): Ends {
  const isList = one.declare === "ProjectMembers" || one.declare === "Team";
  return isList ? { ...listing(one, who), until: { [who]: until } } : { ...one, until };
}

/** What gives an access back that has ended; a key that is deleted cannot come back. */
function bringingBack(one: Ends, who: Person): readonly Step[] {
  switch (one.declare) {
    case "ProjectMember":
      return [{ outside: "set member", slot: one.slot, person: one.person, roles: ["GROUP_USER_ADMIN"] }];
    case "ProjectMembers":
      return [{ outside: "set member", slot: one.slot, person: who, roles: ["GROUP_USER_ADMIN"] }];
    case "Team":
      return [{ outside: "team people", team: one.team, people: [who, ...one.people] }];
    case "OrganizationMember":
      return [
        { outside: "into organization", does: "set roles", person: one.person, roles: ["ORG_READ_ONLY"] },
      ];
    case "ProjectTeam":
      return [{ outside: "team roles", team: "readers", slot: one.slot, roles: ["GROUP_OWNER"] }];
    case "ProjectApiKey":
      return [{ outside: "API key roles", pick: 0, slot: one.slot, roles: ["GROUP_OWNER"] }];
    case "ApiKey":
      return [];
  }
}

/** The last day passes, and then others bring the access back, or a later day gives it again. Something beside it may fail. */
const passedDay = fc
  .record({
    one: fc.oneof(
      kinds.ProjectMember.draw,
      kinds.OrganizationMember.draw,
      kinds.ProjectTeam.draw.map((drawn) => ({ ...drawn, of: "readers" as const })),
      kinds.ProjectApiKey.draw.map((drawn) => ({ ...drawn, of: "theirs" as const })),
      kinds.ApiKey.draw,
      kinds.ProjectMembers.draw,
      kinds.Team.draw,
    ),
    who: person,
    until: lastDay,
    waits: fc.array(drawn({ clock, days: among(1, 2) }), { minLength: 1, maxLength: 2 }),
    beside: oneIn(2, pick),
    isBrought: fc.boolean(),
    isLater: fc.boolean(),
  })
  .map(
    ({ one, who, until, waits, beside, isBrought, isLater }): Story =>
      () => [
        ending(one, until, who),
        { run: "up" },
        ...waits,
        ...(beside === undefined ? [] : [{ misspell: beside, as: "soft hyphen" as const }]),
        { run: "up", previewed: true },
        ...(isBrought
          ? [...bringingBack(one, who), { run: "preview" as const }, { run: "up" as const }]
          : []),
        ...(isLater ? [ending(one, "2999-12-31", who), { run: "up" as const }] : []),
      ],
  );

/** A project gives up its name, and a new one takes it. */
const givenUp = fc.record({ one: kinds.Project.draw, two: kinds.Project.draw }).map(
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
const forgottenList = fc.record({ key: kinds.ApiKey.draw, by: among("program", "others") }).map(
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
    declared: fc.oneof(kinds.ProjectMember.draw, kinds.ProjectMembers.draw),
    role: among("GROUP_OWNER", "GROUP_USER_ADMIN"),
    of: among("idp", "ldap"),
    door: among("map groups", "API key roles", "team roles"),
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

/** Someone is in a project by a team alone, and perhaps as well by the program, and then all commands are asked. */
const byTeam = fc
  .record({
    declared: fc.oneof(kinds.ProjectMember.draw, kinds.ProjectMembers.draw, kinds.ProjectTeam.draw),
    who: somePeople(1),
    roles,
    pick,
    isRenamed: fc.boolean(),
  })
  .map(
    ({ declared, who, roles: given, pick: picked, isRenamed }): Story =>
      () => [
        ...who.map((one) => {
          return {
            outside: "into organization",
            does: "set roles",
            person: one,
            roles: ["ORG_MEMBER"],
          } as const;
        }),
        { outside: "team people", team: "readers", people: who },
        { outside: "team roles", team: "readers", slot: declared.slot, roles: given },
        declared,
        { run: "up" },
        ...(isRenamed ? who.map((one) => ({ outside: "rename account", person: one }) as const) : []),
        { run: "ask", pick: picked },
      ],
  );

/** Whoever is invited to own the organization comes to own a project below it. */
const invitedOwner = fc
  .record({
    above: kinds.OrganizationMember.draw,
    below: kinds.ProjectMember.draw,
    who: among<Person>("eve", "finn", "ben"),
    isTakenBack: fc.boolean(),
  })
  .map(
    ({ above, below, who, isTakenBack }): Story =>
      () => [
        { ...above, person: who, roles: ["ORG_OWNER"] },
        { run: "up" },
        { ...below, person: who, by: "current name", roles: ["GROUP_OWNER"] },
        ...(isTakenBack ? [{ remove: "OrganizationMember" as const }] : []),
        { run: "up", previewed: true },
      ],
  );

/** Others let someone into a project whose address contains that of a person whom the list accepts. */
const likeNames = fc
  .record({ list: kinds.ProjectMembers.draw, joins: among<Person>("coowner", "reuben"), roles, pick })
  .map(
    ({ list, joins, roles: given, pick: picked }): Story =>
      () => [
        { outside: "set member", slot: list.slot, person: joins, roles: given },
        { ...list, withoutOwner: true },
        { run: "up", previewed: true },
        { run: "ask", pick: picked },
      ],
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
  { weight: 6, arbitrary: passedDay },
  { weight: 1, arbitrary: givenUp },
  { weight: 1, arbitrary: forgottenList },
  { weight: 1, arbitrary: otherDoor },
  { weight: 2, arbitrary: byTeam },
  { weight: 1, arbitrary: invitedOwner },
  { weight: 1, arbitrary: likeNames },
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
const end: fc.Arbitrary<readonly Step[]> = among<readonly Step[]>(
  [],
  [{ run: "ask", pick: 0 }],
  [{ run: "ask", pick: 3 }],
  [{ run: "up" }, { remove: "all" }, { run: "up" }],
  [{ remove: "all" }, { run: "up" }],
);

const switches: fc.Arbitrary<Partial<Switches>> = drawn({
  bypassInvitations: maybe(fc.boolean()),
  ldap: maybe(yes, 2),
  idpMappings: maybe(among("present"), 2),
  deleteUserStatus: maybe(among("200", "202", "204")),
  deleteInvitationStatus: maybe(among("200", "204")),
  deletionBody: maybe(among("empty-object")),
  deleteGoneInvitation: maybe(among("404")),
  expiredInvitation: maybe(among("shown")),
  reinvite: maybe(among("same", "replace", "second")),
  inviteMember: maybe(among("invite")),
  unknownProject: maybe(among("NOT_IN_GROUP")),
  unknownNameInOrg: maybe(among("GROUP_NAME_NOT_FOUND")),
  nonceReuse: maybe(among("refuse")),
  versionString: maybe(among("")),
  agentApiKeyInPatch: maybe(fc.boolean()),
  renamedInvitee: maybe(among("keeps-name")),
  unknownPath: maybe(among("bare", "web-page")),
  accountLookup: maybe(among("organization")),
  orgProjectFields: maybe(among("without-tags-and-mappings")),
  lastActiveAgent: maybe(among("always")),
  deleteProjectStatus: maybe(among("202")),
  versionOnErrors: maybe(among(false)),
  teamAnswers: maybe(among("all", "changed")),
  addedTeamAgain: maybe(among("replace")),
  foreignTeam: maybe(among("TEAM_NOT_IN_ORG")),
  severalTeams: maybe(among("one-by-one")),
  usedTeam: maybe(among("vanish")),
  usernamesOfNewTeam: maybe(among("ignore")),
  lastTeamUser: maybe(among("remove")),
  deleteTeamStatus: maybe(among("200", "202")),
  teamOwners: maybe(among(true)),
  orgOwners: maybe(among(true)),
  flattenTeams: maybe(among(true)),
  teamRolesInUsers: oneIn(3, yes),
  agentKeyStatus: maybe(among("200")),
  agentKeyId: maybe(among("id")),
  agentKeyTime: maybe(among("text")),
  agentKeyList: maybe(among("results")),
  agentKeyInAnswer: maybe(among(false), 1),
  lastAgentKey: maybe(among("keep")),
  unknownAgentKey: maybe(among("RESOURCE_NOT_FOUND")),
  apiKeyStatus: maybe(among("201")),
  apiKeyInAnswer: maybe(among(false), 1),
  apiKeyMask: oneIn(2, among("x", "stars", "absent")),
  orgMemberOfKeys: maybe(among(true)),
  unknownApiKey: maybe(among("404")),
  deleteApiKeyStatus: maybe(among("200", "202")),
  accessListAgain: maybe(among("ignore")),
  orgUserChanges: maybe(among("offered"), 4),
  deleteOrgUserStatus: maybe(among("200", "202")),
});

/** In some worlds, each `up` that nothing else disturbs meets one of these. A lost response has to be met at many requests. */
const disturbances: fc.Arbitrary<readonly WorldFault[] | undefined> = oneIn(
  3,
  fc.array(
    drawn({
      meets: among<RequestKind>("any", "any write", "any write"),
      after: among(0, 0, 1, 1, 2, 3),
      times: among(1, 1, 1, 2),
      kind: faultKind,
    }),
    { minLength: 4, maxLength: 4 },
  ),
);

function disturbed(step: Step, fault: WorldFault | undefined): Step {
  const isPlain = "run" in step && step.run === "up" && step.interruptAfter === undefined;
  return isPlain && fault ? { fault, ...step } : step;
}

/** Each setting that changes what an operation does. */
const settings: fc.Arbitrary<Settings> = drawn({
  refreshBeforeUpdate: oneIn(4, among(false)),
  readCacheSeconds: oneIn(4, among(0)),
  maxRemovalsPerRun: oneIn(8, among(0, 1, 3)),
});

const others = (most: number) => fc.array(undeclarableStep, { minLength: 1, maxLength: most, size: "max" });

/** In some worlds, others let in groups and service accounts, which no program declares, and the commands judge that. */
const between = oneIn(
  4,
  fc.record({
    switches: drawn({
      idpMappings: "present",
      serviceAccountLists: "offered",
      serviceAccountRoles: maybe(among("objects")),
      orgAccountsInProject: maybe(among(true)),
    }),
    /** After how many steps, as far as there are so many. */
    after: fc.nat({ max: 12 }),
    declared: fc.oneof(
      kinds.ProjectMember.draw,
      kinds.ProjectMembers.draw,
      kinds.Organization.draw.map(({ mappings: _, ...withoutMappings }) => withoutMappings),
    ),
    first: others(4),
    next: others(1),
    last: fc.oneof(
      { weight: 2, arbitrary: fc.constant({ run: "drift" } as const) },
      { weight: 1, arbitrary: drawn({ run: "ask", pick }) },
    ),
  }),
);

type Between = typeof between extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function withBetween({ between, ...world }: World & { readonly between: Between }): World {
  if (between === undefined) return world;
  const { switches, after, declared, first, next, last } = between;
  const at = "slot" in declared ? { slot: declared.slot } : {};
  const there = (step: Step): Step => ("slot" in step && "outside" in step ? { ...step, ...at } : step);
  const own: readonly Step[] = [
    ...[declared, { run: "up" as const }],
    ...[...first.map(there), { run: "drift" as const }],
    ...[...next.map(there), last],
  ];
  return {
    ...world,
    switches: { ...world.switches, ...switches },
    steps: world.steps.toSpliced(after, 0, ...own),
  };
}

/** @param longest most steps of a world */
export function worlds(shortest: number, longest: number): fc.Arbitrary<World> {
  return drawnWorlds(shortest, longest).map(withBetween);
}

function drawnWorlds(shortest: number, longest: number) {
  return fc.record({
    provider: among("plugin", "plugin", "dynamic"),
    keyRoles: oneIn(6, among("organization")),
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
        disturbances,
      )
      .map(([declarations, stories, last, faults = []]) => {
        const declared = membershipsIn(declarations);
        const told = stories.flatMap((steps) => steps(declared));
        const steps: readonly Step[] = [...declarations, { run: "up" }, ...told, ...last];
        return steps.map((step, index) => disturbed(step, faults[index % faults.length]));
      }),
    between,
  });
}
