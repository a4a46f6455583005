/**
 * Counterexamples that random worlds found, in their shortest form. Each failed while the fault existed.
 *
 * A new one is printed by `npm run proof` and by `worlds.test.ts`, ready to be pasted here.
 */

import type { Declare } from "../worlds/kinds";
import { playWorld } from "../worlds/play";
import type { Person, Role, Slot, World } from "../worlds/world";

interface Story {
  readonly title: string;
  readonly providers: readonly World["provider"][];
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

const stories: readonly Story[] = [
  {
    title: "a bare 404 for the list of invitations does not leave a pending person behind",
    providers: both,
    steps: [
      member("legacy", "eve", "username", reader),
      { run: "up" },
      { remove: 0 },
      { run: "up", fault: { meets: "list of invitations", after: 0, times: 1, kind: "bare 404" } },
    ],
  },
  {
    title:
      "a bare 501 for the list of invitations sends no second invitations when ProjectMembers is renamed",
    providers: both,
    switches: { reinvite: "second" },
    steps: [
      allMembers("legacy", { ada: owner, eve: reader, ben: owner }),
      { run: "up" },
      { rename: 0, alias: false },
      { run: "up", fault: { meets: "list of invitations", after: 0, times: 1, kind: "bare 501" } },
    ],
  },
  {
    title: "a pending person who is declared by userId is not another account that got the name",
    providers: both,
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      member("legacy", "cleo", "userId", reader),
      { run: "up" },
      { outside: "reuse name", person: "cleo", by: "ben" },
      { outside: "set member", slot: "legacy", person: "ben", roles: admin },
      { run: "up" },
      { remove: 0 },
      { run: "up" },
    ],
  },
  {
    title: "an invitation that follows its account to an unlisted name is taken back in the same up",
    providers: both,
    steps: [
      allMembers("legacy", { ben: reader, ada: owner }, { removeUnlisted: true }),
      { run: "up" },
      { outside: "reuse name", person: "ben", by: "cleo" },
      { run: "up" },
    ],
  },
  {
    title: "a member whose pending invitation is recorded is not removed under a new name",
    providers: both,
    switches: { bypassInvitations: false },
    steps: [
      allMembers("legacy", { ben: admin }, { ignoreUsers: ["owner@*"], removeUnlisted: true }),
      { run: "up" },
      { outside: "reuse name", person: "ada", by: "ben" },
      { outside: "set member", slot: "legacy", person: "ben", roles: owner },
      { run: "up" },
    ],
  },
  {
    title: "a recorded invitation is taken back although a member has the invited name today",
    providers: ["plugin"],
    switches: { bypassInvitations: false, renamedInvitee: "keeps-name" },
    steps: [
      allMembers("legacy", { ben: reader }, { ignoreUsers: ["owner@*"], onDestroy: "remove" }),
      { run: "up" },
      { remove: 0 },
      { outside: "reuse name", person: "ben", by: "ada" },
      { run: "up" },
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
      { outside: "set member", slot: "legacy", person: "cleo", roles: [...reader, ...admin] },
      { run: "up" },
      { outside: "reuse name", person: "cleo", by: "ada" },
      { convert: "legacy" },
      { run: "up" },
    ],
  },
  {
    title: "a name that replaces a userId does not mean the account that had the name before",
    providers: ["plugin"],
    steps: [
      member("legacy", "ada", "userId", [...owner, ...reader], { onDestroy: "release" }),
      { run: "up" },
      { outside: "reuse name", person: "ada", by: "ben" },
      { outside: "set member", slot: "legacy", person: "ben", roles: [...owner, ...reader] },
      { run: "up" },
      member("legacy", "ada", "username", [...owner, ...reader], { onDestroy: "release" }),
      { run: "up" },
      { outside: "set member", slot: "legacy", person: "ada", roles: admin },
      { run: "up" },
    ],
  },
  {
    title: "an account that was renamed is not removed when ProjectMembers is renamed without an alias",
    providers: both,
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
      { run: "up" },
      { outside: "set member", slot: "orders", person: "cleo", roles: [...owner, ...reader] },
      { run: "up" },
      { rename: 5, alias: false },
      { outside: "reuse name", person: "ada", by: "ben" },
      { outside: "reuse name", person: "ada", by: "cleo" },
      { run: "up" },
    ],
  },
  ...(["list of invitations", "list of members"] as const).map(
    (meets): Story => ({
      title: `three bare 404 for the ${meets} leave neither an invited account that accepted nor its invitation behind`,
      providers: both,
      steps: [
        member("legacy", "cleo", "username", admin),
        { run: "up" },
        { outside: "remove member", slot: "legacy", person: "ada" },
        { run: "refresh" },
        { outside: "reuse name", person: "ada", by: "cleo" },
        { outside: "set member", slot: "legacy", person: "cleo", roles: reader },
        { remove: 0 },
        { run: "up", fault: { meets, after: 0, times: 3, kind: "bare 404" } },
      ],
    }),
  ),
  {
    title: "a member whose invitation is still pending under a former name is one person",
    providers: both,
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      allMembers("legacy", { ben: admin, eve: admin }),
      { run: "up" },
      { outside: "reuse name", person: "ben", by: "ada" },
      { outside: "set member", slot: "legacy", person: "ada", roles: reader },
      allMembers("legacy", { ben: admin }),
      { run: "refresh" },
      { outside: "set member", slot: "legacy", person: "ben", roles: reader },
      { run: "up" },
      { run: "up" },
    ],
  },
  {
    title: "the invitation of a member is taken back with the member, also if the account was renamed",
    providers: both,
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      member("legacy", "ben", "username", admin),
      { run: "up" },
      { outside: "set member", slot: "legacy", person: "ben", roles: admin },
      { run: "refresh" },
      { run: "up" },
      { outside: "reuse name", person: "ada", by: "ben" },
      { remove: 0 },
      { run: "up" },
    ],
  },
  {
    title: "an update keeps the record of the invitation of a member under a former name",
    providers: both,
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      member("legacy", "ben", "username", admin),
      { run: "up" },
      { outside: "reuse name", person: "ada", by: "ben" },
      { outside: "set member", slot: "legacy", person: "ben", roles: owner },
      { run: "up" },
      { remove: "all" },
      { run: "up" },
    ],
  },
  {
    // The recorded name of an unlisted account is only the name that it had then.
    title:
      "a name that is new in the list means the account that has it, although members could not be read before",
    providers: ["plugin"],
    steps: [
      allMembers("legacy", { dora: reader }, { maxRemovals: 0 }),
      { run: "up" },
      allMembers("legacy", { ada: admin }),
      { outside: "reuse name", person: "ada", by: "dora" },
      { run: "up", fault: { meets: "any", after: 0, times: 1, kind: "401" } },
    ],
  },
  {
    title: "the invitation of a member stays recorded if invitations cannot be read while roles are changed",
    providers: ["plugin"],
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      member("legacy", "ben", "username", admin),
      { run: "up" },
      { outside: "rename account", person: "ben" },
      { outside: "set member", slot: "legacy", person: "ben", roles: reader },
      { run: "up", fault: { meets: "list of invitations", after: 1, times: 2, kind: "bare 405" } },
      { remove: "all" },
      { run: "up" },
    ],
  },
  {
    title: "a renamed ProjectMembers goes on from the pending invitation of an account that was renamed",
    providers: ["plugin"],
    steps: [
      allMembers("legacy", { ben: admin }, { ignoreUsers: ["owner@*"], onDestroy: "remove" }),
      { run: "up" },
      { rename: 0, alias: false },
      { outside: "reuse name", person: "ada", by: "ben" },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { run: "refresh" },
      { outside: "set member", slot: "legacy", person: "ada", roles: admin },
      { run: "up" },
      { outside: "set member", slot: "legacy", person: "ben", roles: [...owner, ...reader] },
      { run: "up", interruptAfter: 15 },
      { remove: "all" },
      { run: "refresh" },
      { run: "up" },
    ],
  },
  {
    title: "a renamed ProjectMembers goes on from a pending invitation whose account was never known",
    providers: ["plugin"],
    steps: [
      allMembers("legacy", { ben: admin, ada: owner }),
      { run: "up", fault: { meets: "account", after: 0, times: 1, kind: "bare 404" } },
      { rename: 0, alias: false },
      { run: "refresh" },
      { outside: "reuse name", person: "dora", by: "ben" },
      { outside: "set member", slot: "legacy", person: "ben", roles: reader },
      { run: "up" },
    ],
  },
  {
    title: "one response that invitations are not offered proves nothing, although another project got two",
    providers: ["plugin"],
    switches: { reinvite: "second" },
    steps: [
      member("orders", "ada", "username", admin),
      { run: "up" },
      allMembers("legacy", { finn: admin, ada: reader }),
      { run: "up", fault: { meets: "list of invitations", after: 0, times: 3, kind: "bare 404" } },
      { declare: "Project", slot: "orders" },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { run: "refresh" },
      { outside: "reuse name", person: "ada", by: "ada" },
      { outside: "set member", slot: "legacy", person: "ada", roles: reader },
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
      { run: "up" },
      member("legacy", "cleo", "username", owner),
      { run: "up" },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { run: "refresh" },
      { outside: "reuse name", person: "ada", by: "cleo" },
      { outside: "set member", slot: "legacy", person: "cleo", roles: admin },
      allMembers("payments", { ada: reader }),
      { remove: 5 },
      { outside: "remove member", slot: "payments", person: "ada" },
      { run: "refresh" },
      { outside: "reuse name", person: "ada", by: "ada" },
      { outside: "set member", slot: "payments", person: "ada", roles: reader },
      { run: "up" },
      { remove: "all" },
      { run: "up" },
    ],
  },
  {
    title:
      "a name that left the list and returns means its current account, not the account that had it then",
    providers: ["plugin"],
    steps: [
      allMembers("legacy", { cleo: owner }, { removeUnlisted: true }),
      { run: "up" },
      allMembers("legacy", { ada: owner }, { ignoreUsers: ["c*@example.com", "owner@example.com"] }),
      { run: "refresh" },
      { outside: "reuse name", person: "cleo", by: "ada" },
      { outside: "set member", slot: "legacy", person: "ada", roles: admin },
      { run: "up" },
      { outside: "take back", slot: "legacy", pick: 1 },
      allMembers("legacy", { ada: owner }, { maxRemovals: 0, removeUnlisted: true, onDestroy: "release" }),
      { run: "up" },
    ],
  },
  {
    title: "a declared person who left the list is removed although another listed account has the name now",
    providers: ["plugin"],
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      allMembers("legacy", { ada: admin, ben: reader }),
      { run: "up" },
      allMembers("legacy", { ada: reader }),
      { run: "refresh" },
      { outside: "reuse name", person: "ben", by: "ada" },
      { run: "up" },
    ],
  },
  {
    title: "an invitation to the name of another member is not the declared person who has left",
    providers: ["plugin"],
    steps: [
      member("legacy", "ben", "username", admin),
      { run: "up" },
      { outside: "set member", slot: "legacy", person: "ben", roles: owner },
      { run: "up" },
      { outside: "remove member", slot: "legacy", person: "ben" },
      { run: "preview" },
      { outside: "reuse name", person: "ben", by: "ada" },
      { outside: "set member", slot: "legacy", person: "ada", roles: admin },
      { run: "up" },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { outside: "reuse name", person: "ada", by: "ben" },
      { outside: "set member", slot: "legacy", person: "ben", roles: admin },
      { outside: "rename account", person: "ada" },
      { run: "preview" },
      { run: "up" },
      { remove: "all" },
      { run: "up" },
    ],
  },
  {
    title: "an unlisted account that loses a listed name is removed by the first up that may remove it",
    providers: ["dynamic"],
    steps: [
      allMembers("legacy", { ada: reader }),
      { run: "up" },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { outside: "reuse name", person: "ada", by: "dora" },
      { outside: "set member", slot: "legacy", person: "dora", roles: admin },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { outside: "reuse name", person: "ada", by: "ada" },
      { outside: "set member", slot: "legacy", person: "ada", roles: admin },
      allMembers("legacy", { dora: admin }, { maxRemovals: 0, onDestroy: "release" }),
      { outside: "rename account", person: "ada" },
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
      { run: "up" },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { run: "refresh" },
      { outside: "reuse name", person: "ada", by: "dora" },
      { outside: "set member", slot: "legacy", person: "dora", roles: [...owner, ...admin] },
      { outside: "rename account", person: "ada" },
      { run: "up" },
    ],
  },
  {
    title: "destroying keeps the last direct owner while the list of members is missing",
    providers: both,
    switches: { orgOwners: true },
    steps: [
      allMembers("legacy", { ada: admin }, { onDestroy: "remove" }),
      { run: "up" },
      { remove: 0 },
      { run: "up", fault: { meets: "list of members", after: 0, times: 4, kind: "404 page" } },
    ],
  },
];

/** Behavior that the documents require, and that the oracle once counted as a fault. */
const correct: readonly Story[] = [
  {
    // The record names the account that the refresh saw under the name. The other one is unlisted.
    title: "an account that returns after a refresh under a name that the program does not have is unlisted",
    providers: both,
    steps: [
      allMembers("legacy", { ada: reader }, { removeUnlisted: true }),
      { run: "up" },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { outside: "reuse name", person: "ada", by: "cleo" },
      { outside: "set member", slot: "legacy", person: "cleo", roles: admin },
      { run: "refresh" },
      { outside: "set member", slot: "legacy", person: "ada", roles: owner },
      { run: "up" },
    ],
  },
  {
    title: "an account that returns after an up has invited the new holder of its name is unlisted",
    providers: both,
    switches: { bypassInvitations: false, renamedInvitee: "keeps-name" },
    steps: [
      allMembers(
        "legacy",
        { ada: [...owner, ...reader] },
        { ignoreUsers: ["owner@*"], removeUnlisted: true },
      ),
      { run: "up" },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { outside: "reuse name", person: "ada", by: "cleo" },
      { run: "up" },
      { outside: "return member", slot: "legacy", person: "ada" },
      { run: "up" },
    ],
  },
  {
    title: "a ProjectMember whose account has left ends without the account that got the name",
    providers: ["plugin"],
    switches: { bypassInvitations: false, renamedInvitee: "keeps-name" },
    steps: [
      member("legacy", "ben", "username", [...owner, ...admin]),
      { run: "up" },
      { outside: "accept", slot: "legacy", pick: 3 },
      { run: "up" },
      { remove: 4 },
      { outside: "remove member", slot: "legacy", person: "ben" },
      { outside: "reuse name", person: "ben", by: "dora" },
      { outside: "set member", slot: "legacy", person: "dora", roles: [...owner, ...reader] },
      { run: "up" },
    ],
  },
  {
    // Nothing in the API leads from an accepted invitation to an account with another name.
    title: "a state entry does not mean an account that accepted and was renamed before the next read",
    providers: ["plugin"],
    switches: { bypassInvitations: false },
    steps: [
      allMembers("legacy", { ben: admin }, { ignoreUsers: ["owner@*"], onDestroy: "remove" }),
      { run: "up" },
      { outside: "accept", slot: "legacy", pick: 1 },
      { outside: "rename account", person: "ben" },
      { remove: "all" },
      { run: "up" },
    ],
  },
  {
    title: "an account that joined under a new name beside its invitation to the old one is unlisted",
    providers: both,
    switches: { bypassInvitations: false, renamedInvitee: "keeps-name" },
    steps: [
      allMembers("legacy", { ben: admin }, { ignoreUsers: ["owner@*"], removeUnlisted: true }),
      { run: "up" },
      { outside: "rename account", person: "ben" },
      { outside: "set member", slot: "legacy", person: "ben", roles: [...owner, ...admin] },
      { run: "up" },
    ],
  },
  {
    title: "a member declared by userId who has left is drift, although an invitation is pending",
    providers: both,
    switches: { bypassInvitations: false },
    steps: [
      member("legacy", "ada", "current name and userId", admin),
      { outside: "remove member", slot: "legacy", person: "ada" },
      { run: "up" },
      { outside: "set member", slot: "legacy", person: "ada", roles: [...owner, ...reader] },
      { run: "up" },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { run: "preview" },
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
      { run: "up" },
      { rename: 3, alias: false },
      { declare: "Project", slot: "legacy", name: "two", onDestroy: "delete" },
      { run: "up" },
      { remove: "all" },
      { run: "up" },
    ],
  },
  {
    // The refused update wrote nothing, so the invited person of the last program was never declared.
    title: "an invited person whom only a refused update listed stays when everything is destroyed",
    providers: both,
    switches: { ldap: true },
    steps: [
      {
        declare: "Project",
        slot: "legacy",
        ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners,dc=example,dc=com"] }],
      },
      { run: "up" },
      allMembers("legacy", { ada: admin }, { ignoreUsers: ["owner@*"], onDestroy: "remove" }),
      { run: "up" },
      allMembers("legacy", { finn: reader, ada: owner }),
      { run: "up" },
      { remove: "all" },
      { run: "up" },
    ],
  },
  {
    // The program never declared the name while the account had it, so the name means the current account of that name.
    title: "an account that was declared by userId leaves if the program gives its former name instead",
    providers: both,
    steps: [
      member("legacy", "ben", "userId", reader),
      { run: "up" },
      member("legacy", "ben", "username", admin),
      { outside: "remove member", slot: "legacy", person: "ada" },
      { run: "refresh" },
      { outside: "reuse name", person: "ada", by: "ben" },
      { outside: "set member", slot: "legacy", person: "ben", roles: reader },
      { run: "up", fault: { meets: "list of invitations", after: 0, times: 1, kind: "bare 404" } },
      { run: "up" },
    ],
  },
  {
    // The name means the recorded account. The other one has the name today, and was invited under it.
    title: "the invitation of another account that has the name today stays",
    providers: ["plugin"],
    steps: [
      allMembers("legacy", { ada: owner, ben: reader }),
      { run: "up" },
      { run: "refresh" },
      { outside: "reuse name", person: "ada", by: "ben" },
      { remove: 0 },
      member("legacy", "ada", "username", owner),
      { run: "up" },
      { remove: "all" },
      { run: "up" },
    ],
  },
  {
    // A refused update recorded the account as declared. The new resource finds it there, or takes the account that has the name.
    title: "a new resource takes the account that only a refused update declared under its former name",
    providers: ["plugin"],
    steps: [
      allMembers("legacy", { dora: reader }),
      { run: "up" },
      allMembers("legacy", { ada: admin }, { maxRemovals: 0 }),
      { run: "up" },
      { convert: "legacy" },
      { outside: "reuse name", person: "dora", by: "ada" },
      { run: "up", fault: { meets: "list of invitations", after: 0, times: 1, kind: "bare 404" } },
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
      { run: "up" },
      allMembers("legacy", { ada: admin }),
      { outside: "remove member", slot: "legacy", person: "ada" },
      { run: "refresh" },
      { outside: "reuse name", person: "ada", by: "dora" },
      { outside: "set member", slot: "legacy", person: "dora", roles: owner },
      { run: "up", fault: { meets: "project", after: 0, times: 3, kind: "401" } },
      { convert: "legacy" },
      { outside: "reuse name", person: "ben", by: "ada" },
      { outside: "set member", slot: "orders", person: "ada", roles: reader },
      { run: "up" },
    ],
  },
  {
    // The service keeps the name to which it sent the invitation, and the record is of this invitation.
    title: "a name that is an invitation of one account and the name of another means either",
    providers: ["plugin"],
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      member("legacy", "ben", "userId", reader),
      { run: "up" },
      { outside: "reuse name", person: "ben", by: "ada" },
      { run: "up", interruptAfter: 0 },
      member("legacy", "ben", "username", admin),
      { run: "up", fault: { meets: "any", after: 0, times: 1, kind: "401" } },
      { remove: "all" },
      { run: "up" },
    ],
  },
  {
    // Only the account's id was declared before, so the name is new.
    title: "a former name of an account that only its id declared means its current account, or that account",
    providers: ["plugin"],
    steps: [
      allMembers("legacy", { ben: reader, ada: admin, eve: owner }),
      { run: "up" },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { run: "refresh" },
      { outside: "reuse name", person: "ada", by: "dora" },
      { outside: "set member", slot: "legacy", person: "dora", roles: reader },
      { remove: 0 },
      member("legacy", "ada", "userId", admin, { onDestroy: "release" }),
      { run: "up", fault: { meets: "any", after: 0, times: 1, kind: "401" } },
      { convert: "legacy" },
      { run: "preview" },
      { outside: "reuse name", person: "ben", by: "ada" },
      { outside: "set member", slot: "legacy", person: "ada", roles: [...owner, ...reader] },
      { run: "up" },
    ],
  },
  {
    title: "an update that failed without a write declares no other account",
    providers: ["plugin"],
    switches: {},
    steps: [
      member("legacy", "ada", "username", reader),
      allMembers("legacy", { ada: admin, dora: admin }),
      allMembers("legacy", { ada: admin }),
      { run: "up" },
      { outside: "reuse name", person: "ben", by: "ada" },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { run: "refresh" },
      { outside: "reuse name", person: "ada", by: "ada" },
      { outside: "set member", slot: "legacy", person: "ada", roles: owner },
      { run: "up", fault: { meets: "any", after: 0, times: 1, kind: "401" } },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { declare: "ProjectMember", slot: "legacy", person: "ada", by: "current name and userId" },
      { outside: "remove member", slot: "legacy", person: "dora" },
      { run: "refresh" },
      { outside: "reuse name", person: "dora", by: "ada" },
      { outside: "set member", slot: "legacy", person: "ada", roles: admin },
      { run: "up" },
      { remove: "all" },
      { run: "up" },
    ],
  },
  {
    // The look-up of the invited account failed, and the API does not show for which account an invitation is.
    title: "an account that was invited without being found is unlisted after it got another name",
    providers: ["plugin"],
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      allMembers("billing", { ada: admin }),
      { run: "up" },
      allMembers("legacy", { ben: admin, ada: owner }, { removeUnlisted: true }),
      { run: "up", fault: { meets: "account", after: 0, times: 1, kind: "bare 404" } },
      { rename: 0, alias: false },
      { declare: "Project", slot: "legacy" },
      { outside: "remove member", slot: "legacy", person: "dora" },
      { run: "refresh" },
      { outside: "reuse name", person: "dora", by: "ben" },
      { outside: "set member", slot: "legacy", person: "ben", roles: reader },
      { run: "up" },
    ],
  },
  {
    // The name means the recorded account, which is invited.
    title: "an unlisted account that had a listed name for a while is removed if the program requires it",
    providers: ["plugin"],
    steps: [
      { declare: "Project", slot: "payments" },
      allMembers("payments", { ben: owner }, { removeUnlisted: true }),
      { run: "up" },
      { outside: "reuse name", person: "ben", by: "ada" },
      { outside: "set member", slot: "payments", person: "ada", roles: owner },
      { run: "up" },
      { outside: "reuse name", person: "ada", by: "cleo" },
      { run: "up", fault: { meets: "any", after: 0, times: 1, kind: "401" } },
    ],
  },
  {
    title: "what destroying does after a failed update is as it was, or as it was going to be",
    providers: ["plugin"],
    steps: [
      allMembers("legacy", { ada: reader }),
      { run: "up" },
      allMembers("legacy", { ada: admin }, { maxRemovals: 0, removeUnlisted: true, onDestroy: "remove" }),
      { run: "up", fault: { meets: "any", after: 0, times: 1, kind: "401" } },
      { outside: "invite", slot: "payments", person: "ada", roles: reader },
      { run: "refresh", fault: { meets: "list of members", after: 0, times: 1, kind: "bare 404" } },
      { remove: "all" },
      { run: "up" },
    ],
  },
  {
    title:
      "destroying removes the member who has the name, although the invitation of a former account is recorded too",
    providers: ["dynamic"],
    steps: [
      member("legacy", "ben", "username", admin),
      { run: "up" },
      { outside: "remove member", slot: "legacy", person: "ben" },
      { run: "refresh" },
      { outside: "set member", slot: "legacy", person: "ben", roles: owner },
      { run: "up" },
      { outside: "remove member", slot: "legacy", person: "ben" },
      { outside: "reuse name", person: "ben", by: "ada" },
      { outside: "set member", slot: "legacy", person: "ada", roles: admin },
      { run: "up" },
      { outside: "remove member", slot: "legacy", person: "ben" },
      { run: "refresh" },
      { outside: "reuse name", person: "ben", by: "ada" },
      { outside: "set member", slot: "legacy", person: "ada", roles: admin },
      { outside: "rename account", person: "ada" },
      { run: "up" },
      { remove: "all" },
      { run: "up" },
    ],
  },
  {
    title: "an import under a name that the state still has is refused, and the key of that name remains",
    providers: both,
    steps: [
      {
        declare: "AgentApiKey",
        slot: "legacy",
        key: "two",
        description: "agents",
        options: { protect: true },
      },
      { run: "up" },
      { remove: "all" },
      { run: "up" },
      { import: "AgentApiKey", slot: "legacy", pick: 0 },
      { remove: "all" },
      { run: "up" },
    ],
  },
  {
    title:
      "an invitation under the former name of a listed account is withdrawn by a later run, if a limit kept it",
    providers: ["plugin"],
    switches: { renamedInvitee: "keeps-name" },
    settings: { maxRemovalsPerRun: 1 },
    steps: [
      { declare: "ProjectMembers", slot: "legacy", people: { dora: reader, cleo: admin, ada: reader } },
      { run: "up" },
      { outside: "reuse name", person: "dora", by: "ben" },
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

describe.each([...stories, ...correct])("$title", ({ providers, switches = {}, settings, steps }) => {
  test.each(providers)("%s", async (provider) => {
    await playWorld({ provider, switches, steps, ...(settings && { settings }) });
  });
});
