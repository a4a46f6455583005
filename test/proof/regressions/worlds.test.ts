/**
 * Counterexamples that random worlds found, in their shortest form. Each failed while the fault existed.
 *
 * A new one is printed by `npm run proof` and by `worlds.test.ts`, ready to be pasted here.
 */
import { playWorld } from "../worlds/play";
import type { World } from "../worlds/world";

interface Story {
  readonly title: string;
  readonly providers: readonly World["provider"][];
  readonly switches?: World["switches"];
  readonly steps: World["steps"];
}

const both = ["plugin", "dynamic"] as const;

const stories: readonly Story[] = [
  {
    title: "a bare 404 for the list of invitations does not leave a pending person behind",
    providers: both,
    steps: [
      {
        declare: "ProjectMember",
        slot: "legacy",
        person: "eve",
        by: "username",
        roles: ["GROUP_READ_ONLY"],
      },
      { run: "up" },
      { remove: 0 },
      {
        run: "up",
        fault: { meets: "list of invitations", after: 0, times: 1, kind: "bare 404" },
      },
    ],
  },
  {
    title: "a bare 405 for the list of invitations sends no second invitation",
    providers: both,
    switches: { reinvite: "second" },
    steps: [
      {
        declare: "ProjectMember",
        slot: "legacy",
        person: "finn",
        by: "current name",
        roles: ["GROUP_OWNER"],
      },
      {
        run: "up",
        fault: { meets: "list of invitations", after: 0, times: 1, kind: "bare 405" },
      },
    ],
  },
  {
    title:
      "a bare 501 for the list of invitations sends no second invitations when ProjectMembers is renamed",
    providers: both,
    switches: { reinvite: "second" },
    steps: [
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { ada: ["GROUP_OWNER"], eve: ["GROUP_READ_ONLY"], ben: ["GROUP_OWNER"] },
      },
      { run: "up" },
      { rename: 0, alias: false },
      {
        run: "up",
        fault: { meets: "list of invitations", after: 0, times: 1, kind: "bare 501" },
      },
    ],
  },
  {
    title: "a declared member who left and came back before the next up is removed with the resource",
    providers: both,
    steps: [
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { ada: ["GROUP_READ_ONLY"] },
        onDestroy: "remove",
      },
      { run: "up" },
      { run: "up" },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { run: "refresh" },
      { outside: "set member", slot: "legacy", person: "ada", roles: ["GROUP_READ_ONLY"] },
      { run: "up" },
      { remove: 0 },
      { run: "up" },
    ],
  },
  {
    title: "a pending person who is declared by userId is not another account that got the name",
    providers: both,
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      {
        declare: "ProjectMember",
        slot: "legacy",
        person: "cleo",
        by: "userId",
        roles: ["GROUP_READ_ONLY"],
      },
      { run: "up" },
      { outside: "reuse name", person: "cleo", by: "ben" },
      { outside: "set member", slot: "legacy", person: "ben", roles: ["GROUP_USER_ADMIN"] },
      { run: "up" },
      { remove: 0 },
      { run: "up" },
    ],
  },
  {
    title: "a member who is declared by userId is not another account that got the name",
    providers: both,
    steps: [
      {
        declare: "ProjectMember",
        slot: "legacy",
        person: "ada",
        by: "userId",
        roles: ["GROUP_READ_ONLY"],
      },
      { run: "up" },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { outside: "reuse name", person: "ada", by: "ben" },
      { outside: "set member", slot: "legacy", person: "ben", roles: ["GROUP_READ_ONLY"] },
      { remove: 0 },
      { run: "up" },
    ],
  },
  {
    title: "an invitation that follows its account to an unlisted name is taken back in the same up",
    providers: both,
    steps: [
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { ben: ["GROUP_READ_ONLY"], ada: ["GROUP_OWNER"] },
        removeUnlisted: true,
      },
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
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { ben: ["GROUP_USER_ADMIN"] },
        ignoreUsers: ["owner@*"],
        removeUnlisted: true,
      },
      { run: "up" },
      { outside: "reuse name", person: "ada", by: "ben" },
      { outside: "set member", slot: "legacy", person: "ben", roles: ["GROUP_OWNER"] },
      { run: "up" },
    ],
  },
  {
    title: "a recorded invitation is taken back although a member has the invited name today",
    providers: ["plugin"],
    switches: { bypassInvitations: false, renamedInvitee: "keeps-name" },
    steps: [
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { ben: ["GROUP_READ_ONLY"] },
        ignoreUsers: ["owner@*"],
        onDestroy: "remove",
      },
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
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { ada: ["GROUP_OWNER", "GROUP_READ_ONLY"], ben: ["GROUP_USER_ADMIN"] },
        ignoreUsers: ["owner@*"],
        maxRemovals: 20,
        onDestroy: "remove",
      },
      {
        outside: "set member",
        slot: "legacy",
        person: "cleo",
        roles: ["GROUP_READ_ONLY", "GROUP_USER_ADMIN"],
      },
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
      {
        declare: "ProjectMember",
        slot: "legacy",
        person: "ada",
        by: "userId",
        roles: ["GROUP_OWNER", "GROUP_READ_ONLY"],
        onDestroy: "release",
      },
      { run: "up" },
      { outside: "reuse name", person: "ada", by: "ben" },
      { outside: "set member", slot: "legacy", person: "ben", roles: ["GROUP_OWNER", "GROUP_READ_ONLY"] },
      { run: "up" },
      {
        declare: "ProjectMember",
        slot: "legacy",
        person: "ada",
        by: "username",
        roles: ["GROUP_OWNER", "GROUP_READ_ONLY"],
        onDestroy: "release",
      },
      { run: "up" },
      { outside: "set member", slot: "legacy", person: "ada", roles: ["GROUP_USER_ADMIN"] },
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
      {
        declare: "ProjectMembers",
        slot: "orders",
        people: {
          dora: ["GROUP_OWNER", "GROUP_USER_ADMIN"],
          cleo: ["GROUP_USER_ADMIN"],
          ada: ["GROUP_READ_ONLY", "GROUP_USER_ADMIN"],
          finn: ["GROUP_READ_ONLY", "GROUP_USER_ADMIN"],
        },
        ignoreUsers: ["owner@*"],
        maxRemovals: 20,
        removeUnlisted: true,
        onDestroy: "remove",
      },
      { run: "up" },
      {
        outside: "set member",
        slot: "orders",
        person: "cleo",
        roles: ["GROUP_OWNER", "GROUP_READ_ONLY"],
      },
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
        {
          declare: "ProjectMember",
          slot: "legacy",
          person: "cleo",
          by: "username",
          roles: ["GROUP_USER_ADMIN"],
        },
        { run: "up" },
        { outside: "remove member", slot: "legacy", person: "ada" },
        { run: "refresh" },
        { outside: "reuse name", person: "ada", by: "cleo" },
        { outside: "set member", slot: "legacy", person: "cleo", roles: ["GROUP_READ_ONLY"] },
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
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { ben: ["GROUP_USER_ADMIN"], eve: ["GROUP_USER_ADMIN"] },
      },
      { run: "up" },
      { outside: "reuse name", person: "ben", by: "ada" },
      { outside: "set member", slot: "legacy", person: "ada", roles: ["GROUP_READ_ONLY"] },
      { declare: "ProjectMembers", slot: "legacy", people: { ben: ["GROUP_USER_ADMIN"] } },
      { run: "refresh" },
      { outside: "set member", slot: "legacy", person: "ben", roles: ["GROUP_READ_ONLY"] },
      { run: "up" },
      { run: "up" },
    ],
  },
  {
    title: "the invitation of a member is taken back with the member, also if the account was renamed",
    providers: both,
    switches: { renamedInvitee: "keeps-name" },
    steps: [
      {
        declare: "ProjectMember",
        slot: "legacy",
        person: "ben",
        by: "username",
        roles: ["GROUP_USER_ADMIN"],
      },
      { run: "up" },
      { outside: "set member", slot: "legacy", person: "ben", roles: ["GROUP_USER_ADMIN"] },
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
      {
        declare: "ProjectMember",
        slot: "legacy",
        person: "ben",
        by: "username",
        roles: ["GROUP_USER_ADMIN"],
      },
      { run: "up" },
      { outside: "reuse name", person: "ada", by: "ben" },
      { outside: "set member", slot: "legacy", person: "ben", roles: ["GROUP_OWNER"] },
      { run: "up" },
      { remove: "all" },
      { run: "up" },
    ],
  },
];

/** Behavior that the README requires, and that the oracle once counted as a fault. */
const correct: readonly Story[] = [
  {
    // The record names the account that the refresh saw under the name. The other one is unlisted.
    title: "an account that returns after a refresh under a name that the program does not have is unlisted",
    providers: both,
    steps: [
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { ada: ["GROUP_READ_ONLY"] },
        removeUnlisted: true,
      },
      { run: "up" },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { outside: "reuse name", person: "ada", by: "cleo" },
      { outside: "set member", slot: "legacy", person: "cleo", roles: ["GROUP_USER_ADMIN"] },
      { run: "refresh" },
      { outside: "set member", slot: "legacy", person: "ada", roles: ["GROUP_OWNER"] },
      { run: "up" },
    ],
  },
  {
    title: "an account that returns after an up has invited the new holder of its name is unlisted",
    providers: both,
    switches: { bypassInvitations: false, renamedInvitee: "keeps-name" },
    steps: [
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { ada: ["GROUP_OWNER", "GROUP_READ_ONLY"] },
        ignoreUsers: ["owner@*"],
        removeUnlisted: true,
      },
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
      {
        declare: "ProjectMember",
        slot: "legacy",
        person: "ben",
        by: "username",
        roles: ["GROUP_OWNER", "GROUP_USER_ADMIN"],
      },
      { run: "up" },
      { outside: "accept", slot: "legacy", pick: 3 },
      { run: "up" },
      { remove: 4 },
      { outside: "remove member", slot: "legacy", person: "ben" },
      { outside: "reuse name", person: "ben", by: "dora" },
      { outside: "set member", slot: "legacy", person: "dora", roles: ["GROUP_OWNER", "GROUP_READ_ONLY"] },
      { run: "up" },
    ],
  },
  {
    // Nothing in the API leads from an accepted invitation to an account with another name.
    title: "a state entry does not mean an account that accepted and was renamed before the next read",
    providers: ["plugin"],
    switches: { bypassInvitations: false },
    steps: [
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { ben: ["GROUP_USER_ADMIN"] },
        ignoreUsers: ["owner@*"],
        onDestroy: "remove",
      },
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
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { ben: ["GROUP_USER_ADMIN"] },
        ignoreUsers: ["owner@*"],
        removeUnlisted: true,
      },
      { run: "up" },
      { outside: "rename account", person: "ben" },
      { outside: "set member", slot: "legacy", person: "ben", roles: ["GROUP_OWNER", "GROUP_USER_ADMIN"] },
      { run: "up" },
    ],
  },
  {
    title: "a member declared by userId who has left is drift, although an invitation is pending",
    providers: both,
    switches: { bypassInvitations: false },
    steps: [
      {
        declare: "ProjectMember",
        slot: "legacy",
        person: "ada",
        by: "current name and userId",
        roles: ["GROUP_USER_ADMIN"],
      },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { run: "up" },
      { outside: "set member", slot: "legacy", person: "ada", roles: ["GROUP_OWNER", "GROUP_READ_ONLY"] },
      { run: "up" },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { run: "preview" },
    ],
  },
  {
    title: "a project is deleted by the one of two records that deletes it",
    providers: ["dynamic"],
    steps: [
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { ada: ["GROUP_OWNER"] },
        ignoreUsers: ["owner@*"],
        maxRemovals: 0,
        removeUnlisted: true,
      },
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
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { ada: ["GROUP_USER_ADMIN"] },
        ignoreUsers: ["owner@*"],
        onDestroy: "remove",
      },
      { run: "up" },
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { finn: ["GROUP_READ_ONLY"], ada: ["GROUP_OWNER"] },
      },
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
      {
        declare: "ProjectMember",
        slot: "legacy",
        person: "ben",
        by: "userId",
        roles: ["GROUP_READ_ONLY"],
      },
      { run: "up" },
      {
        declare: "ProjectMember",
        slot: "legacy",
        person: "ben",
        by: "username",
        roles: ["GROUP_USER_ADMIN"],
      },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { run: "refresh" },
      { outside: "reuse name", person: "ada", by: "ben" },
      { outside: "set member", slot: "legacy", person: "ben", roles: ["GROUP_READ_ONLY"] },
      { run: "up", fault: { meets: "list of invitations", after: 0, times: 1, kind: "bare 404" } },
      { run: "up" },
    ],
  },
  {
    // The name means the recorded account. The other one has the name today, and was invited under it.
    title: "the invitation of another account that has the name today stays",
    providers: ["plugin"],
    steps: [
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { ada: ["GROUP_OWNER"], ben: ["GROUP_READ_ONLY"] },
      },
      { run: "up" },
      { run: "refresh" },
      { outside: "reuse name", person: "ada", by: "ben" },
      { remove: 0 },
      {
        declare: "ProjectMember",
        slot: "legacy",
        person: "ada",
        by: "username",
        roles: ["GROUP_OWNER"],
      },
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
      { declare: "ProjectMembers", slot: "legacy", people: { dora: ["GROUP_READ_ONLY"] } },
      { run: "up" },
      { declare: "ProjectMembers", slot: "legacy", people: { ada: ["GROUP_USER_ADMIN"] }, maxRemovals: 0 },
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
      {
        declare: "ProjectMembers",
        slot: "legacy",
        people: { ada: ["GROUP_USER_ADMIN"] },
        ignoreUsers: ["owner@*"],
        onDestroy: "remove",
      },
      {
        declare: "Project",
        slot: "legacy",
        ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=owners,dc=example,dc=com"] }],
      },
      { run: "up" },
      { declare: "ProjectMembers", slot: "legacy", people: { ada: ["GROUP_USER_ADMIN"] } },
      { outside: "remove member", slot: "legacy", person: "ada" },
      { run: "refresh" },
      { outside: "reuse name", person: "ada", by: "dora" },
      { outside: "set member", slot: "legacy", person: "dora", roles: ["GROUP_OWNER"] },
      { run: "up", fault: { meets: "project", after: 0, times: 3, kind: "401" } },
      { convert: "legacy" },
      { outside: "reuse name", person: "ben", by: "ada" },
      { outside: "set member", slot: "orders", person: "ada", roles: ["GROUP_READ_ONLY"] },
      { run: "up" },
    ],
  },
];

describe.each([...stories, ...correct])("$title", ({ providers, switches = {}, steps }) => {
  test.each(providers)("%s", async (provider) => {
    await playWorld({ provider, switches, steps });
  });
});
