/** Contradictions between the commands that are known and open: random worlds pass over them, and a test shows each until it is mended. */
import type { World } from "../world";

interface Open {
  readonly invariant: string;
  readonly world: World;
}

export const open: readonly Open[] = [
  {
    // `access` and `drift` name the invitation; after the import, `drift` is red where it offers a right to own the project.
    invariant: "adopt says what an invitation offers beside the membership that it writes",
    world: {
      provider: "plugin",
      switches: {},
      steps: [
        { outside: "invite", slot: "legacy", person: "ben", roles: ["GROUP_OWNER"] },
        { outside: "set member", slot: "legacy", person: "ben", roles: ["GROUP_READ_ONLY"] },
        { run: "ask", pick: 0 },
      ],
    },
  },
  {
    // `cli/summarize/access.ts` takes every role in the organization as one that counts, whatever its status.
    invariant: "a pending invitation to own the organization hides no new owner",
    world: {
      provider: "plugin",
      switches: {},
      steps: [
        { declare: "OrganizationMember", person: "finn", roles: ["ORG_OWNER"] },
        { run: "up" },
        {
          ...{ declare: "ProjectMember", slot: "orders", person: "finn", by: "username" },
          roles: ["GROUP_OWNER"],
        },
        { run: "up" },
      ],
    },
  },
  {
    // `cli/summarize/simulation.ts` looks for the name in a message, and that of `coowner` contains the owner's.
    invariant: "who is called undeclared is nobody whom the program leaves alone",
    world: {
      provider: "plugin",
      switches: {},
      steps: [
        { outside: "set member", slot: "legacy", person: "coowner", roles: ["GROUP_OWNER"] },
        {
          ...{ declare: "ProjectMembers", slot: "legacy", people: { ada: ["GROUP_OWNER"] } },
          withoutOwner: true,
        },
        { run: "up" },
      ],
    },
  },
  {
    // The record of a new list has everyone who stays; what the provider says it has found lacks whom `ignoreUsers` accepts.
    invariant: "who is called a new owner was none before",
    world: {
      provider: "plugin",
      switches: {},
      steps: [
        {
          ...{ declare: "ProjectMembers", slot: "legacy", people: { ada: ["GROUP_READ_ONLY"] } },
          ignoreUsers: ["owner@*"],
        },
        { run: "up" },
      ],
    },
  },
  {
    // Where accounts show the roles of teams, the team that the run adds before makes the person look like an owner.
    invariant: "the summary names each new owner, whatever teams give besides",
    world: {
      provider: "plugin",
      switches: { teamRolesInUsers: true },
      steps: [
        { declare: "Team", resource: "one", team: "readers", people: ["ada"], adopts: true },
        { declare: "ProjectTeam", slot: "legacy", of: "one", roles: ["GROUP_OWNER"] },
        {
          ...{ declare: "ProjectMember", slot: "legacy", person: "ada", by: "current name" },
          roles: ["GROUP_OWNER"],
        },
        { run: "up" },
      ],
    },
  },
];
