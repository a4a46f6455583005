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
];

describe.each(stories)("$title", ({ providers, switches = {}, steps }) => {
  test.each(providers)("%s", async (provider) => {
    await playWorld({ provider, switches, steps });
  });
});
