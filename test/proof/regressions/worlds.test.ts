/**
 * Counterexamples that random worlds found, in their shortest form. Each failed while a fault of the provider or of a command
 * existed that no other test shows. What was a fault of the worlds themselves is not kept.
 *
 * A new one is printed by `npm run proof` and by `worlds.test.ts`, ready to be pasted here.
 */

import type { Declare } from "../worlds/kinds";
import type { FaultKind, Person, RequestKind, Role, Slot } from "../worlds/names";
import { playWorld } from "../worlds/play";
import type { Step, World } from "../worlds/world";

interface Story {
  readonly title: string;
  readonly keyRoles?: World["keyRoles"];
  /** Default: both. */
  readonly providers?: readonly World["provider"][];
  readonly switches?: World["switches"];
  readonly settings?: World["settings"];
  readonly steps: World["steps"];
}

type DeclareMember = Declare<"ProjectMember">;
type DeclareMembers = Declare<"ProjectMembers">;

const both = ["plugin", "dynamic"] as const;

const owner = ["GROUP_OWNER"] as const;
const reader = ["GROUP_READ_ONLY"] as const;
const admin = ["GROUP_USER_ADMIN"] as const;

/** Declares a person of a project, or changes all inputs of that ProjectMember. */
const member = (
  slot: Slot,
  person: Person,
  by: DeclareMember["by"],
  roles: readonly Role[],
  more: Partial<DeclareMember> = {},
): DeclareMember => ({ declare: "ProjectMember", slot, person, by, roles, ...more });

/** Declares all people of a project, or changes all inputs of that ProjectMembers. */
const allMembers = (
  slot: Slot,
  people: DeclareMembers["people"],
  more: Partial<DeclareMembers> = {},
): DeclareMembers => ({ declare: "ProjectMembers", slot, people, ...more });

const up = { run: "up" } as const;
const refresh = { run: "refresh" } as const;
const destroy = [{ remove: "all" }, up] as const;
/** The first requests of this kind get the fault. */
const upWith = (kind: FaultKind, meets: RequestKind, times = 1): Step => ({
  run: "up",
  fault: { meets, after: 0, times, kind },
});

const leave = (slot: Slot, person: Person): Step => ({ outside: "remove member", slot, person });
const setMember = (slot: Slot, person: Person, roles: readonly Role[]): Step => ({
  outside: "set member",
  slot,
  person,
  roles,
});
const renameAccount = (person: Person): Step => ({ outside: "rename account", person });
/** The account gets another name, and the account of `by` gets the name that it had. */
const reuseName = (person: Person, by: Person): Step => ({ outside: "reuse name", person, by });
/** Someone leaves, which a refresh sees, and another account that gets the name joins. */
const departure = (slot: Slot, person: Person, by: Person, roles: readonly Role[]): readonly Step[] => [
  leave(slot, person),
  refresh,
  reuseName(person, by),
  setMember(slot, by, roles),
];

const stories: readonly Story[] = [
  {
    title:
      "a bare 501 for the list of invitations sends no second invitations when ProjectMembers is renamed",
    switches: { reinvite: "second" },
    steps: [
      allMembers("legacy", { ada: owner, eve: reader, ben: owner }),
      up,
      { rename: 0, alias: false },
      upWith("bare 501", "list of invitations"),
    ],
  },
  {
    title: "a pending person who is declared by userId is not another account that got the name",
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      member("legacy", "cleo", "userId", reader),
      up,
      reuseName("cleo", "ben"),
      setMember("legacy", "ben", admin),
      up,
      { remove: 0 },
      up,
    ],
  },
  {
    title: "an invitation that follows its account to an unlisted name is taken back in the same up",
    steps: [
      allMembers("legacy", { ben: reader, ada: owner }, { removeUnlisted: true }),
      up,
      reuseName("ben", "cleo"),
      up,
    ],
  },
  {
    title: "a member whose pending invitation is recorded is not removed under a new name",
    switches: { bypassInvitations: false },
    steps: [
      allMembers("legacy", { ben: admin }, { ignoreUsers: ["owner@*"], removeUnlisted: true }),
      up,
      reuseName("ada", "ben"),
      setMember("legacy", "ben", owner),
      up,
    ],
  },
  {
    title: "a recorded invitation is taken back although a member has the invited name today",
    providers: ["plugin"],
    switches: { bypassInvitations: false, renamedInvitee: "keeps-name" },
    steps: [
      allMembers("legacy", { ben: reader }, { ignoreUsers: ["owner@*"], onDestroy: "remove" }),
      up,
      { remove: 0 },
      reuseName("ben", "ada"),
      up,
    ],
  },
  {
    title: "a name of the program does not mean an account that ProjectMembers only saw under this name",
    providers: ["plugin"],
    steps: [
      allMembers(
        "legacy",
        { ada: [...owner, ...reader], ben: admin },
        { ignoreUsers: ["owner@*"], maxRemovals: 20, onDestroy: "remove" },
      ),
      setMember("legacy", "cleo", [...reader, ...admin]),
      up,
      reuseName("cleo", "ada"),
      { convert: "legacy" },
      up,
    ],
  },
  {
    title: "a name that replaces a userId does not mean the account that had the name before",
    providers: ["plugin"],
    steps: [
      member("legacy", "ada", "userId", [...owner, ...reader], { onDestroy: "release" }),
      up,
      reuseName("ada", "ben"),
      setMember("legacy", "ben", [...owner, ...reader]),
      up,
      member("legacy", "ada", "username", [...owner, ...reader], { onDestroy: "release" }),
      up,
      setMember("legacy", "ada", admin),
      up,
    ],
  },
  {
    title: "an account that was renamed is not removed when ProjectMembers is renamed without an alias",
    switches: {
      bypassInvitations: false,
      reinvite: "replace",
      inviteMember: "invite",
      renamedInvitee: "keeps-name",
    },
    steps: [
      allMembers(
        "orders",
        { dora: [...owner, ...admin], cleo: admin, ada: [...reader, ...admin], finn: [...reader, ...admin] },
        { ignoreUsers: ["owner@*"], maxRemovals: 20, removeUnlisted: true, onDestroy: "remove" },
      ),
      up,
      setMember("orders", "cleo", [...owner, ...reader]),
      up,
      { rename: 5, alias: false },
      reuseName("ada", "ben"),
      reuseName("ada", "cleo"),
      up,
    ],
  },
  ...(["list of invitations", "list of members"] as const).map(
    (meets): Story => ({
      title: `three bare 404 for the ${meets} leave neither an invited account that accepted nor its invitation behind`,
      steps: [
        member("legacy", "cleo", "username", admin),
        up,
        ...departure("legacy", "ada", "cleo", reader),
        { remove: 0 },
        { run: "up", fault: { meets, after: 0, times: 3, kind: "bare 404" } },
      ],
    }),
  ),
  {
    title: "the invitation of a member is taken back with the member, also if the account was renamed",
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      member("legacy", "ben", "username", admin),
      up,
      setMember("legacy", "ben", admin),
      refresh,
      up,
      reuseName("ada", "ben"),
      { remove: 0 },
      up,
    ],
  },
  {
    // The recorded name of an unlisted account is only the name that it had then.
    title:
      "a name that is new in the list means the account that has it, although members could not be read before",
    providers: ["plugin"],
    steps: [
      allMembers("legacy", { dora: reader }, { maxRemovals: 0 }),
      up,
      allMembers("legacy", { ada: admin }),
      reuseName("ada", "dora"),
      upWith("401", "any"),
    ],
  },
  {
    title: "the invitation of a member stays recorded if invitations cannot be read while roles are changed",
    providers: ["plugin"],
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      member("legacy", "ben", "username", admin),
      up,
      renameAccount("ben"),
      setMember("legacy", "ben", reader),
      { run: "up", fault: { meets: "list of invitations", after: 1, times: 2, kind: "bare 405" } },
      ...destroy,
    ],
  },
  {
    title: "a renamed ProjectMembers goes on from a pending invitation whose account was never known",
    providers: ["plugin"],
    steps: [
      allMembers("legacy", { ben: admin, ada: owner }),
      upWith("bare 404", "account"),
      { rename: 0, alias: false },
      refresh,
      reuseName("dora", "ben"),
      setMember("legacy", "ben", reader),
      up,
    ],
  },
  {
    title: "the invitation of a member who has left is taken back with the resource",
    providers: ["plugin"],
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      member("legacy", "ada", "username", reader),
      { declare: "Project", slot: "legacy" },
      member("legacy", "eve", "username", owner),
      up,
      member("legacy", "cleo", "username", owner),
      up,
      ...departure("legacy", "ada", "cleo", admin),
      allMembers("payments", { ada: reader }),
      { remove: 5 },
      ...departure("payments", "ada", "ada", reader),
      up,
      ...destroy,
    ],
  },
  {
    title:
      "a name that left the list and returns means its current account, not the account that had it then",
    providers: ["plugin"],
    steps: [
      allMembers("legacy", { cleo: owner }, { removeUnlisted: true }),
      up,
      allMembers("legacy", { ada: owner }, { ignoreUsers: ["c*@example.com", "owner@example.com"] }),
      refresh,
      reuseName("cleo", "ada"),
      setMember("legacy", "ada", admin),
      up,
      { outside: "take back", slot: "legacy", pick: 1 },
      allMembers("legacy", { ada: owner }, { maxRemovals: 0, removeUnlisted: true, onDestroy: "release" }),
      up,
    ],
  },
  {
    title: "a declared person who left the list is removed although another listed account has the name now",
    providers: ["plugin"],
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      allMembers("legacy", { ada: admin, ben: reader }),
      up,
      allMembers("legacy", { ada: reader }),
      refresh,
      reuseName("ben", "ada"),
      up,
    ],
  },
  {
    title: "an invitation that is sent beside one of the same second is the one that is recorded",
    keyRoles: "organization",
    switches: { reinvite: "second" },
    steps: [
      { outside: "team people", team: "readers", people: [] },
      leave("legacy", "ada"),
      member("legacy", "ada", "current name", reader),
      up,
      member("legacy", "ada", "userId", admin),
      up,
    ],
  },
  {
    title: "a summary says of a list whose update was refused what destroying it does",
    steps: [
      allMembers("legacy", { ada: owner, ben: reader }),
      up,
      allMembers("legacy", { ada: owner }, { maxRemovals: 0, onDestroy: "remove" }),
      up,
      ...destroy,
    ],
  },
  {
    title: "a summary calls nobody undeclared whom the same run makes an owner of the organization",
    switches: { orgUserChanges: "offered" },
    steps: [
      allMembers("legacy", { ben: owner }),
      { declare: "OrganizationMember", person: "ada", roles: ["ORG_OWNER"], until: "2999-12-31" },
      up,
    ],
  },
  {
    // The key can't look the account up, so only the response showed that its name had been invited before.
    title:
      "a summary calls nobody a new owner whom a lost response had invited, although only the userId is declared",
    keyRoles: "organization",
    steps: [
      member("legacy", "coowner", "userId", owner),
      { run: "up", fault: { meets: "any write", after: 0, times: 1, kind: "reset after the write" } },
    ],
  },
  {
    // Access took the name that such an account once had for the account, which no update has declared.
    title:
      "access and drift agree on an account that was renamed after a refresh took it into an ignored list",
    providers: ["plugin"],
    steps: [
      allMembers(
        "legacy",
        {},
        { maxRemovals: 0, removeUnlisted: true, options: { ignoreChanges: ["members"] } },
      ),
      { run: "up", fault: { meets: "any", after: 1, times: 1, kind: "stale nonce" } },
      renameAccount("ada"),
      { run: "ask" },
    ],
  },
  {
    // The failed creation recorded the declared list, and ignoreChanges keeps it, so no later update adds anyone.
    title: "a summary says that nobody gets access by a list whose changes are ignored",
    switches: { severalTeams: "one-by-one" },
    steps: [
      {
        declare: "Team",
        resource: "one",
        team: "readers",
        people: ["ben"],
        adopts: true,
        removeUnlisted: false,
        maxRemovals: 0,
        onDestroy: "release",
        options: { ignoreChanges: ["usernames"] },
      },
      upWith("500", "any write"),
      up,
    ],
  },
  {
    title: "a summary names who leaves a list whose changes were ignored until this run",
    steps: [
      allMembers("legacy", { finn: admin, eve: owner }, { options: { ignoreChanges: ["members"] } }),
      up,
      allMembers("legacy", { eve: owner }),
      up,
    ],
  },
  {
    title:
      "a summary does not leave out who leaves a team once its list is neither ignored nor open to others",
    steps: [
      {
        declare: "Team",
        resource: "one",
        team: "readers",
        people: ["ada"],
        adopts: true,
        options: { ignoreChanges: ["usernames"] },
      },
      up,
      { outside: "team people", team: "readers", people: ["ada", "ben"] },
      {
        declare: "Team",
        resource: "one",
        team: "readers",
        people: ["ada"],
        adopts: true,
        removeUnlisted: true,
      },
      up,
    ],
  },
  {
    title: "a list whose creation failed is not kept from destruction by those whose access has ended",
    steps: [
      allMembers("legacy", { ada: reader, eve: owner }, { ignoreUsers: ["owner@*"], onDestroy: "remove" }),
      up,
      allMembers(
        "legacy",
        { ada: reader, ben: reader },
        {
          ignoreUsers: ["owner@*"],
          onDestroy: "remove",
          maxRemovals: 0,
          until: { ada: "2029-12-31" },
          options: { replaceOnChanges: ["members"], deleteBeforeReplace: true },
        },
      ),
      up,
      ...destroy,
    ],
  },
  ...(["reset after the write", "502 page after the write"] as const).map(
    (fault): Story => ({
      title: `roles of a key whose responses are all lost (${fault}) are read and recorded`,
      steps: [
        { declare: "ApiKey", resource: "one", description: "pipeline", roles: ["ORG_MEMBER"] },
        up,
        { declare: "ProjectApiKey", slot: "legacy", of: "one", roles: owner },
        upWith(fault, "any write", 2),
      ],
    }),
  ),
  {
    title: "a summary names who leaves an adopted team because their last day is over",
    providers: ["plugin"],
    steps: [
      {
        ...{ declare: "Team", resource: "one", team: "readers", people: ["ada", "ben"] },
        ...{ until: { ada: "2029-12-31" }, adopts: true },
      },
      up,
    ],
  },
  {
    title: "a summary says of nobody that they lose access whose end the service does not offer",
    steps: [
      { declare: "OrganizationMember", person: "ada", roles: ["ORG_READ_ONLY"], until: "2029-12-31" },
      up,
    ],
  },
  {
    title: "a summary says of nobody that they leave whom a destruction after the last day cannot remove",
    steps: [
      allMembers("legacy", { cleo: reader }, { onDestroy: "release" }),
      { declare: "OrganizationMember", person: "cleo", roles: ["ORG_READ_ONLY"], until: "2029-12-31" },
      up,
      ...destroy,
    ],
  },
  {
    title: "a summary says that an organization's member whose last day is over leaves what is below it",
    switches: { orgUserChanges: "offered" },
    steps: [
      {
        ...{ outside: "into organization", does: "set roles" },
        ...{ person: "finn", roles: ["ORG_READ_ONLY"] },
      },
      refresh,
      { declare: "OrganizationMember", person: "finn", roles: ["ORG_READ_ONLY"], until: "2029-12-31" },
      up,
    ],
  },
  {
    title: "a summary names whose last day is over in a list that is released after a failed update",
    providers: ["plugin"],
    steps: [
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { ben: owner, eve: reader, ada: reader },
        onDestroy: "release",
      },
      up,
      {
        ...{ declare: "ProjectMembers", slot: "legacy", people: { ben: owner, ada: reader } },
        ...{ maxRemovals: 0, until: { ada: "2030-03-21" }, onDestroy: "release" },
      },
      { clock: "both", days: 2 },
      up,
      { remove: "all" },
      up,
    ],
  },
  {
    title: "a summary sees that two replaced resources exchange their people",
    steps: [
      member("legacy", "ada", "username", reader, { options: { replaceOnChanges: ["roles"] } }),
      member("legacy", "ben", "username", admin, { options: { replaceOnChanges: ["roles"] } }),
      up,
      { exchange: 0, with: 1 },
      up,
    ],
  },
  {
    title: "a pending invitation to own the organization hides no new owner from a summary",
    steps: [
      { declare: "OrganizationMember", person: "finn", roles: ["ORG_OWNER"] },
      up,
      member("orders", "finn", "username", owner),
      up,
    ],
  },
  {
    title: "a summary calls nobody undeclared whose name is part of another one",
    steps: [
      setMember("legacy", "coowner", owner),
      allMembers("legacy", { ada: owner }, { withoutOwner: true }),
      up,
    ],
  },
  {
    title: "a summary calls nobody a new owner whom a new list ignores",
    steps: [allMembers("legacy", { ada: reader }, { ignoreUsers: ["owner@*"] }), up],
  },
  {
    title: "a summary names a new owner whose team gets the right in the same run",
    switches: { teamRolesInUsers: true },
    steps: [
      { declare: "Team", resource: "one", team: "readers", people: ["ada"], adopts: true },
      { declare: "ProjectTeam", slot: "legacy", of: "one", roles: owner },
      member("legacy", "ada", "current name", owner),
      up,
    ],
  },
  {
    title: "drift finds the same with --unmanaged, where accounts show the roles of their teams",
    switches: { teamRolesInUsers: true },
    steps: [
      { outside: "team roles", team: "readers", slot: "orders", roles: ["GROUP_USER_ADMIN"] },
      member("orders", "ben", "username", admin),
      up,
      { run: "ask" },
    ],
  },
  {
    title: "drift finds nobody with --unmanaged alone where accounts were renamed",
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      {
        ...{ declare: "ProjectMembers", slot: "orders", people: { ada: ["GROUP_READ_ONLY"] } },
        ...{ maxRemovals: 20, removeUnlisted: true },
      },
      up,
      { outside: "reuse name", person: "ada", by: "dora" },
      up,
      { run: "ask" },
    ],
  },
  {
    // A record without an account did not tell the former name of an invitation, so its entry stayed in the file.
    title: "offboard takes an invited person whose account was renamed out of the file with the former name",
    switches: { bypassInvitations: false },
    steps: [
      { outside: "invite", slot: "legacy", person: "cleo", roles: owner },
      { run: "ask", pick: 3 },
    ],
  },
  {
    // A role that no write has shown beside those it gave is not taken for one of a team.
    title:
      "a summary calls whom a team makes an owner a new owner, where accounts show the roles of their teams",
    providers: ["plugin"],
    switches: { teamRolesInUsers: true },
    steps: [
      setMember("legacy", "ben", admin),
      allMembers(
        "legacy",
        { ada: owner },
        { ignoreUsers: ["owner@*"], options: { replaceOnChanges: ["members"] } },
      ),
      up,
      { outside: "team people", team: "readers", people: ["ada", "ben"] },
      { outside: "team roles", team: "readers", slot: "legacy", roles: [...owner, ...admin] },
      up,
    ],
  },
  {
    // The comparison of the new list with the old team told that they leave it.
    title: "a summary takes nobody out of a team that another one replaces and that is released",
    steps: [
      {
        declare: "Team",
        resource: "one",
        team: "night shift",
        people: ["ada"],
        adopts: true,
        onDestroy: "release",
      },
      up,
      {
        declare: "Team",
        resource: "one",
        team: "readers",
        people: ["ben"],
        adopts: true,
        onDestroy: "release",
      },
      up,
    ],
  },
  {
    // The end waited for a list that left the program with it, so neither was ever deleted.
    title: "an overdue person of an organization and the list that declared them leave the program together",
    switches: { orgUserChanges: "offered" },
    steps: [
      allMembers("legacy", { ada: reader }),
      { declare: "OrganizationMember", person: "ada", roles: ["ORG_MEMBER"], until: "2029-12-31" },
      up,
      ...destroy,
    ],
  },
  {
    // Destroying it follows `onDestroy` as long as the service's clock has not come to the last day.
    title: "whose end waits for the service's clock is not said to lose what the program releases",
    switches: { orgUserChanges: "offered" },
    steps: [
      {
        ...{ declare: "OrganizationMember", person: "cleo", roles: ["ORG_READ_ONLY"] },
        ...{ until: "2030-03-20", onDestroy: "release" },
      },
      up,
      { clock: "machine", days: 1 },
      up,
      { remove: "all" },
      up,
    ],
  },
  ...[true, false].map(
    (isRecorded) =>
      ({
        // The list depended on the project, so the run did not register it, and the end took the person out of the project.
        title: `a person whom a list of a failing project names stays in the organization after the last day there, the list recorded: ${isRecorded}`,
        switches: { orgUserChanges: "offered" },
        steps: [
          { declare: "Project", slot: "payments", onDestroy: "delete" },
          { declare: "OrganizationMember", person: "cleo", roles: ["ORG_MEMBER"] },
          ...(isRecorded ? [allMembers("payments", { cleo: reader })] : []),
          up,
          setMember("payments", "cleo", reader),
          allMembers("payments", { cleo: reader }),
          { declare: "Project", slot: "payments", tags: ["K8S_ONE"], onDestroy: "delete" },
          { declare: "OrganizationMember", person: "cleo", roles: ["ORG_MEMBER"], until: "2030-03-19" },
          {
            run: "up",
            fault: { meets: "any write", after: 0, times: 1, kind: "bare 405" },
            unrepeated: true,
          },
          up,
        ],
      }) satisfies Story,
  ),
  {
    title:
      "the recorded invitation of somebody who joined under another name is as declared for drift as for access",
    providers: ["plugin"],
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      allMembers("legacy", { reuben: reader }),
      up,
      reuseName("ada", "reuben"),
      setMember("legacy", "reuben", owner),
      { run: "ask" },
    ],
  },
  {
    title: "a new owner is named in a project that only the state names, by its former name",
    providers: ["plugin"],
    switches: { bypassInvitations: true },
    settings: { readCacheSeconds: 0 },
    steps: [
      member("legacy", "ada", "current name", admin, { onDestroy: "release" }),
      up,
      { outside: "rename project", slot: "legacy", name: "three" },
      { remove: 0 },
      allMembers("legacy", { ben: owner }, { first: true }),
      up,
    ],
  },
  {
    title: "whom a replaced Team keeps is not said to leave it, although its comparison told that",
    providers: ["plugin"],
    steps: [
      {
        ...{ declare: "Team", resource: "two", team: "readers", people: ["ada"], adopts: true },
        ...{ removeUnlisted: true, onDestroy: "release" },
        options: { replaceOnChanges: ["usernames"], retainOnDelete: true },
      },
      up,
      { outside: "team people", team: "readers", people: ["ben"] },
      up,
    ],
  },
  {
    title: "a summary names who loses an overdue access with its resource, whatever its onDestroy says",
    providers: ["plugin"],
    switches: { orgUserChanges: "offered" },
    steps: [
      {
        ...{ declare: "OrganizationMember", person: "ada", roles: ["ORG_MEMBER"] },
        ...{ until: "2030-03-20", onDestroy: "release" },
      },
      up,
      { clock: "both", days: 2 },
      allMembers("legacy", { ada: admin, ben: owner }, { onDestroy: "release" }),
      up,
      { remove: "all" },
      up,
    ],
  },
];

describe.each(stories)("$title", ({ providers = both, switches = {}, keyRoles, settings, steps }) => {
  test.each(providers)("%s", async (provider) => {
    await playWorld({ provider, keyRoles, switches, steps, ...(settings && { settings }) });
  });
});
