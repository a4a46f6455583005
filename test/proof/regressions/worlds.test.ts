/**
 * Counterexamples that random worlds found, in their shortest form. Each failed while the fault existed.
 *
 * A new one is printed by `npm run proof` and by `worlds.test.ts`, ready to be pasted here.
 */

import type { Declare } from "../worlds/kinds";
import type { FaultKind, Person, RequestKind, Role, Slot } from "../worlds/names";
import { playWorld } from "../worlds/play";
import type { Step, World } from "../worlds/world";

interface Story {
  readonly title: string;
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
const preview = { run: "preview" } as const;
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
    title: "adopting a team removes no one, also not those whose access has ended",
    steps: [
      { declare: "Team", resource: "one", team: "readers", people: ["dora"], ended: ["ada"], adopts: true },
      up,
      up,
    ],
  },
  {
    title: "a bare 404 for the list of invitations does not leave a pending person behind",
    steps: [
      member("legacy", "eve", "username", reader),
      up,
      { remove: 0 },
      upWith("bare 404", "list of invitations"),
    ],
  },
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
    title: "a member whose invitation is still pending under a former name is one person",
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      allMembers("legacy", { ben: admin, eve: admin }),
      up,
      reuseName("ben", "ada"),
      setMember("legacy", "ada", reader),
      allMembers("legacy", { ben: admin }),
      refresh,
      setMember("legacy", "ben", reader),
      up,
      up,
    ],
  },
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
    title: "an update keeps the record of the invitation of a member under a former name",
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      member("legacy", "ben", "username", admin),
      up,
      reuseName("ada", "ben"),
      setMember("legacy", "ben", owner),
      up,
      ...destroy,
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
    title: "a renamed ProjectMembers goes on from the pending invitation of an account that was renamed",
    providers: ["plugin"],
    steps: [
      allMembers("legacy", { ben: admin }, { ignoreUsers: ["owner@*"], onDestroy: "remove" }),
      up,
      { rename: 0, alias: false },
      reuseName("ada", "ben"),
      leave("legacy", "ada"),
      refresh,
      setMember("legacy", "ada", admin),
      up,
      setMember("legacy", "ben", [...owner, ...reader]),
      { run: "up", interruptAfter: 15 },
      { remove: "all" },
      refresh,
      up,
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
    title: "one response that invitations are not offered proves nothing, although another project got two",
    providers: ["plugin"],
    switches: { reinvite: "second" },
    steps: [
      member("orders", "ada", "username", admin),
      up,
      allMembers("legacy", { finn: admin, ada: reader }),
      upWith("bare 404", "list of invitations", 3),
      { declare: "Project", slot: "orders" },
      ...departure("legacy", "ada", "ada", reader),
      { run: "up", interruptAfter: 0 },
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
    title: "an invitation to the name of another member is not the declared person who has left",
    providers: ["plugin"],
    steps: [
      member("legacy", "ben", "username", admin),
      up,
      setMember("legacy", "ben", owner),
      up,
      leave("legacy", "ben"),
      preview,
      reuseName("ben", "ada"),
      setMember("legacy", "ada", admin),
      up,
      leave("legacy", "ada"),
      reuseName("ada", "ben"),
      setMember("legacy", "ben", admin),
      renameAccount("ada"),
      preview,
      up,
      ...destroy,
    ],
  },
  {
    title: "an unlisted account that loses a listed name is removed by the first up that may remove it",
    providers: ["dynamic"],
    steps: [
      allMembers("legacy", { ada: reader }),
      up,
      leave("legacy", "ada"),
      reuseName("ada", "dora"),
      setMember("legacy", "dora", admin),
      leave("legacy", "ada"),
      reuseName("ada", "ada"),
      setMember("legacy", "ada", admin),
      allMembers("legacy", { dora: admin }, { maxRemovals: 0, onDestroy: "release" }),
      renameAccount("ada"),
      allMembers(
        "legacy",
        { dora: reader },
        {
          ignoreUsers: ["c*@example.com", "owner@example.com"],
          maxRemovals: 1,
          removeUnlisted: true,
          onDestroy: "release",
        },
      ),
      up,
      ...departure("legacy", "ada", "dora", [...owner, ...admin]),
      renameAccount("ada"),
      up,
    ],
  },
  {
    title: "destroying keeps the last direct owner while the list of members is missing",
    switches: { orgOwners: true },
    steps: [
      allMembers("legacy", { ada: admin }, { onDestroy: "remove" }),
      up,
      { remove: 0 },
      upWith("404 page", "list of members", 4),
    ],
  },
];

/** Behavior that the documents require, and that the oracle once counted as a fault. */
const correct: readonly Story[] = [
  {
    title: "whom two resources have exchanged stays with the one that could not be deleted",
    providers: ["plugin"],
    settings: { maxRemovalsPerRun: 1 },
    steps: [
      member("legacy", "cleo", "current name", owner, { asText: true }),
      { declare: "Project", slot: "legacy", onDestroy: "delete" },
      member("legacy", "ben", "userId", admin),
      up,
      { remove: "Project", alone: true },
      up,
      { exchange: 0, with: 1 },
      up,
      ...destroy,
    ],
  },
  {
    title:
      "people whose access has ended leave a project with LDAP group mappings as often as they come back",
    switches: { ldap: true },
    steps: [
      allMembers("legacy", { dora: owner, cleo: reader }),
      up,
      allMembers("legacy", { dora: owner }, { ended: ["cleo"] }),
      up,
      {
        outside: "map groups",
        of: "ldap",
        slot: "legacy",
        mappings: [{ roleName: "GROUP_OWNER", idpGroups: ["admins"] }],
      },
      setMember("legacy", "cleo", admin),
      up,
    ],
  },
  {
    title: "a new list names in the summary whom it ends",
    steps: [allMembers("legacy", { ada: admin }, { ended: ["ada"] }), up],
  },
  {
    title: "people whose access has ended leave beside maxRemovals, as often as others let them in",
    steps: [
      allMembers("legacy", { ada: reader, dora: owner }),
      { declare: "Team", resource: "one", team: "operators", people: ["ada", "dora"] },
      up,
      allMembers("legacy", { ada: reader, dora: owner }, { ended: ["ada"], maxRemovals: 0 }),
      {
        declare: "Team",
        resource: "one",
        team: "operators",
        people: ["dora"],
        ended: ["ada"],
        maxRemovals: 0,
      },
      up,
      setMember("legacy", "ada", admin),
      { outside: "team people", team: "operators", people: ["ada", "dora"] },
      preview,
      up,
    ],
  },
  {
    // The record names the account that the refresh saw under the name. The other one is unlisted.
    title: "an account that returns after a refresh under a name that the program does not have is unlisted",
    steps: [
      allMembers("legacy", { ada: reader }, { removeUnlisted: true }),
      up,
      leave("legacy", "ada"),
      reuseName("ada", "cleo"),
      setMember("legacy", "cleo", admin),
      refresh,
      setMember("legacy", "ada", owner),
      up,
    ],
  },
  {
    title: "an account that returns after an up has invited the new holder of its name is unlisted",
    switches: { bypassInvitations: false, renamedInvitee: "keeps-name" },
    steps: [
      allMembers(
        "legacy",
        { ada: [...owner, ...reader] },
        { ignoreUsers: ["owner@*"], removeUnlisted: true },
      ),
      up,
      leave("legacy", "ada"),
      reuseName("ada", "cleo"),
      up,
      { outside: "return member", slot: "legacy", person: "ada" },
      up,
    ],
  },
  {
    title: "a ProjectMember whose account has left ends without the account that got the name",
    providers: ["plugin"],
    switches: { bypassInvitations: false, renamedInvitee: "keeps-name" },
    steps: [
      member("legacy", "ben", "username", [...owner, ...admin]),
      up,
      { outside: "accept", slot: "legacy", pick: 3 },
      up,
      { remove: 4 },
      leave("legacy", "ben"),
      reuseName("ben", "dora"),
      setMember("legacy", "dora", [...owner, ...reader]),
      up,
    ],
  },
  {
    // Nothing in the API leads from an accepted invitation to an account with another name.
    title: "a state entry does not mean an account that accepted and was renamed before the next read",
    providers: ["plugin"],
    switches: { bypassInvitations: false },
    steps: [
      allMembers("legacy", { ben: admin }, { ignoreUsers: ["owner@*"], onDestroy: "remove" }),
      up,
      { outside: "accept", slot: "legacy", pick: 1 },
      renameAccount("ben"),
      ...destroy,
    ],
  },
  {
    title: "an account that joined under a new name beside its invitation to the old one is unlisted",
    switches: { bypassInvitations: false, renamedInvitee: "keeps-name" },
    steps: [
      allMembers("legacy", { ben: admin }, { ignoreUsers: ["owner@*"], removeUnlisted: true }),
      up,
      renameAccount("ben"),
      setMember("legacy", "ben", [...owner, ...admin]),
      up,
    ],
  },
  {
    title: "a member declared by userId who has left is drift, although an invitation is pending",
    switches: { bypassInvitations: false },
    steps: [
      member("legacy", "ada", "current name and userId", admin),
      leave("legacy", "ada"),
      up,
      setMember("legacy", "ada", [...owner, ...reader]),
      up,
      leave("legacy", "ada"),
      preview,
    ],
  },
  {
    title: "a project is deleted by the one of two records that deletes it",
    providers: ["dynamic"],
    steps: [
      allMembers(
        "legacy",
        { ada: owner },
        { ignoreUsers: ["owner@*"], maxRemovals: 0, removeUnlisted: true },
      ),
      { declare: "Project", slot: "legacy", name: "two" },
      up,
      { rename: 3, alias: false },
      { declare: "Project", slot: "legacy", name: "two", onDestroy: "delete" },
      up,
      ...destroy,
    ],
  },
  {
    // The refused update wrote nothing, so the invited person of the last program was never declared.
    title: "an invited person whom only a refused update listed stays when everything is destroyed",
    switches: { ldap: true },
    steps: [
      {
        declare: "Project",
        slot: "legacy",
        ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners,dc=example,dc=com"] }],
      },
      up,
      allMembers("legacy", { ada: admin }, { ignoreUsers: ["owner@*"], onDestroy: "remove" }),
      up,
      allMembers("legacy", { finn: reader, ada: owner }),
      up,
      ...destroy,
    ],
  },
  {
    // The program never declared the name while the account had it, so the name means the current account of that name.
    title: "an account that was declared by userId leaves if the program gives its former name instead",
    steps: [
      member("legacy", "ben", "userId", reader),
      up,
      member("legacy", "ben", "username", admin),
      ...departure("legacy", "ada", "ben", reader),
      upWith("bare 404", "list of invitations"),
      up,
    ],
  },
  {
    // The name means the recorded account. The other one has the name today, and was invited under it.
    title: "the invitation of another account that has the name today stays",
    providers: ["plugin"],
    steps: [
      allMembers("legacy", { ada: owner, ben: reader }),
      up,
      refresh,
      reuseName("ada", "ben"),
      { remove: 0 },
      member("legacy", "ada", "username", owner),
      up,
      ...destroy,
    ],
  },
  {
    // A refused update recorded the account as declared. The new resource finds it there, or takes the account that has the name.
    title: "a new resource takes the account that only a refused update declared under its former name",
    providers: ["plugin"],
    steps: [
      allMembers("legacy", { dora: reader }),
      up,
      allMembers("legacy", { ada: admin }, { maxRemovals: 0 }),
      up,
      { convert: "legacy" },
      reuseName("dora", "ada"),
      upWith("bare 404", "list of invitations"),
    ],
  },
  {
    // Neither update wrote or recorded anything, so another account that got the name was never declared.
    title: "an account that has a declared name only while updates are refused is left unchanged",
    providers: ["plugin"],
    switches: { ldap: true },
    steps: [
      allMembers("legacy", { ada: admin }, { ignoreUsers: ["owner@*"], onDestroy: "remove" }),
      {
        declare: "Project",
        slot: "legacy",
        ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners,dc=example,dc=com"] }],
      },
      up,
      allMembers("legacy", { ada: admin }),
      ...departure("legacy", "ada", "dora", owner),
      upWith("401", "project", 3),
      { convert: "legacy" },
      reuseName("ben", "ada"),
      setMember("orders", "ada", reader),
      up,
    ],
  },
  {
    // The service keeps the name to which it sent the invitation, and the record is of this invitation.
    title: "a name that is an invitation of one account and the name of another means either",
    providers: ["plugin"],
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      member("legacy", "ben", "userId", reader),
      up,
      reuseName("ben", "ada"),
      { run: "up", interruptAfter: 0 },
      member("legacy", "ben", "username", admin),
      upWith("401", "any"),
      ...destroy,
    ],
  },
  {
    // Only the account's id was declared before, so the name is new.
    title: "a former name of an account that only its id declared means its current account, or that account",
    providers: ["plugin"],
    steps: [
      allMembers("legacy", { ben: reader, ada: admin, eve: owner }),
      up,
      ...departure("legacy", "ada", "dora", reader),
      { remove: 0 },
      member("legacy", "ada", "userId", admin, { onDestroy: "release" }),
      upWith("401", "any"),
      { convert: "legacy" },
      preview,
      reuseName("ben", "ada"),
      setMember("legacy", "ada", [...owner, ...reader]),
      up,
    ],
  },
  {
    title: "an update that failed without a write declares no other account",
    providers: ["plugin"],
    steps: [
      member("legacy", "ada", "username", reader),
      allMembers("legacy", { ada: admin, dora: admin }),
      allMembers("legacy", { ada: admin }),
      up,
      reuseName("ben", "ada"),
      ...departure("legacy", "ada", "ada", owner),
      upWith("401", "any"),
      leave("legacy", "ada"),
      { declare: "ProjectMember", slot: "legacy", person: "ada", by: "current name and userId" },
      ...departure("legacy", "dora", "ada", admin),
      up,
      ...destroy,
    ],
  },
  {
    // The look-up of the invited account failed, and the API does not show for which account an invitation is.
    title: "an account that was invited without being found is unlisted after it got another name",
    providers: ["plugin"],
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      allMembers("billing", { ada: admin }),
      up,
      allMembers("legacy", { ben: admin, ada: owner }, { removeUnlisted: true }),
      upWith("bare 404", "account"),
      { rename: 0, alias: false },
      { declare: "Project", slot: "legacy" },
      ...departure("legacy", "dora", "ben", reader),
      up,
    ],
  },
  {
    // The name means the recorded account, which is invited.
    title: "an unlisted account that had a listed name for a while is removed if the program requires it",
    providers: ["plugin"],
    steps: [
      { declare: "Project", slot: "payments" },
      allMembers("payments", { ben: owner }, { removeUnlisted: true }),
      up,
      reuseName("ben", "ada"),
      setMember("payments", "ada", owner),
      up,
      reuseName("ada", "cleo"),
      upWith("401", "any"),
    ],
  },
  {
    title: "what destroying does after a failed update is as it was, or as it was going to be",
    providers: ["plugin"],
    steps: [
      allMembers("legacy", { ada: reader }),
      up,
      allMembers("legacy", { ada: admin }, { maxRemovals: 0, removeUnlisted: true, onDestroy: "remove" }),
      upWith("401", "any"),
      { outside: "invite", slot: "payments", person: "ada", roles: reader },
      { run: "refresh", fault: { meets: "list of members", after: 0, times: 1, kind: "bare 404" } },
      ...destroy,
    ],
  },
  {
    title:
      "destroying removes the member who has the name, although the invitation of a former account is recorded too",
    providers: ["dynamic"],
    steps: [
      member("legacy", "ben", "username", admin),
      up,
      leave("legacy", "ben"),
      refresh,
      setMember("legacy", "ben", owner),
      up,
      leave("legacy", "ben"),
      reuseName("ben", "ada"),
      setMember("legacy", "ada", admin),
      up,
      ...departure("legacy", "ben", "ada", admin),
      renameAccount("ada"),
      up,
      ...destroy,
    ],
  },
  {
    title: "an import under a name that the state still has is refused, and the key of that name remains",
    steps: [
      {
        declare: "AgentApiKey",
        slot: "legacy",
        key: "two",
        description: "agents",
        options: { protect: true },
      },
      up,
      ...destroy,
      { import: "AgentApiKey", slot: "legacy", pick: 0 },
      ...destroy,
    ],
  },
  {
    title:
      "an invitation under the former name of a listed account is withdrawn by a later run, if a limit kept it",
    providers: ["plugin"],
    switches: { renamedInvitee: "keeps-name" },
    settings: { maxRemovalsPerRun: 1 },
    steps: [
      allMembers("legacy", { dora: reader, cleo: admin, ada: reader }),
      up,
      reuseName("dora", "ben"),
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { dora: owner, ada: admin },
        ignoreUsers: ["owner@*"],
        maxRemovals: 20,
      },
      { import: "ProjectMember", slot: "orders", person: "ben" },
      { run: "up", interruptAfter: 13 },
    ],
  },
];

describe.each([...stories, ...correct])("$title", ({ providers = both, switches = {}, settings, steps }) => {
  test.each(providers)("%s", async (provider) => {
    await playWorld({ provider, switches, steps, ...(settings && { settings }) });
  });
});
