/** The operations that are killed: create, update, delete, and end by its last day, of each resource. Data only. */

import type { Sandbox, SandboxOptions } from "../../../sandbox";
import { invitedTo, membersOf } from "../../engine/support/people-program";
import type { Program } from "../../support";

export interface Scenario {
  /** `Project: create` */
  readonly name: string;
  readonly sandbox: SandboxOptions;
  /** What the stack declares before the killed run; absent if the stack is empty. */
  readonly before?: Program;
  /** What the killed run declares. */
  readonly program: Program;
  /** What the service holds; compared with `expected` in the end. */
  readonly service: (sandbox: Sandbox) => unknown;
  readonly expected: unknown;
}

const orgId = "5f00000000000000000000b1";
const projectId = "5f00000000000000000000a1";
const owner = "owner@example.com";
const ada = "ada@example.com";
const ben = "ben@example.com";
const cleo = "cleo@example.com";
const owns = ["GROUP_OWNER"];
const reads = ["GROUP_READ_ONLY"];
const monitors = ["GROUP_MONITORING_ADMIN"];

const orgs = [{ id: orgId, name: "Example Org" }];
const nothing: Program = { outputs: { nothing: "here" } };

const one = (name: string, type: string, properties: object): Program => ({
  resources: { [name]: { type, properties: { ...properties } } },
});

const project = (tags: readonly string[], name = "orders") => one("orders", "Project", { orgId, name, tags });
const member = (roles: readonly string[]) => one("ada", "ProjectMember", { projectId, username: ada, roles });
const allMembers = (members: object) =>
  one("people", "ProjectMembers", { projectId, members, onDestroy: "remove" });

const projects = ({ state }: Sandbox) => state.projects.map(({ name, tags }) => [name, ...tags]);
const people = (sandbox: Sandbox) => ({
  members: membersOf(sandbox, projectId),
  invited: invitedTo(sandbox, projectId),
  invitations: sandbox.state.invitations.length,
});

const empty: SandboxOptions = { seed: { orgs } };
const payments = (members: Readonly<Record<string, readonly string[]>> = {}): SandboxOptions => ({
  seed: { orgs, projects: [{ id: projectId, name: "payments", members: { [owner]: owns, ...members } }] },
});

const account = (username: string) => ({ username, roles: [{ orgId, roleName: "ORG_MEMBER" }] });
const operators: SandboxOptions = {
  seed: {
    orgs,
    users: [owner, ada, ben].map(account),
    teams: [{ id: "5f00000000000000000000e1", name: "readers", usernames: [ada] }],
    projects: [{ id: projectId, name: "payments", members: { [owner]: owns } }],
  },
};
const team = (usernames: readonly string[], name = "operators") =>
  one("operators", "Team", { orgId, name, usernames });
const inProject = (roles: readonly string[]) =>
  one("readers", "ProjectTeam", { projectId, teamName: "readers", roles });

const apiKey = (description: string) =>
  one("pipeline", "ApiKey", { orgId, description, roles: ["ORG_MEMBER"], accessList: ["192.0.2.7"] });
const projectKey = (roles: readonly string[]) =>
  one("monitoring", "ProjectApiKey", { projectId, publicKey: "abcdwxyz", roles });
const monitored: SandboxOptions = {
  seed: {
    orgs,
    projects: [{ id: projectId, name: "payments" }],
    keys: [{}, { publicKey: "abcdwxyz", desc: "monitoring", orgId, roles: [] }],
  },
};
/** The keys beside the provider's own. */
const apiKeys = ({ state }: Sandbox) =>
  state.keys
    .slice(1)
    .map(({ desc, roles, accessList }) => [
      desc,
      ...roles.map(({ roleName }) => roleName),
      ...accessList.map(({ cidrBlock }) => cidrBlock),
    ]);

const ofOrganization = (roles: readonly string[]) =>
  one("ada", "OrganizationMember", { orgId, username: ada, roles });
const organization: SandboxOptions = { seed: { orgs, users: [] } };
/** Who is invited to the organization. */
const invitedToOrganization = ({ state }: Sandbox) =>
  state.invitations.map(({ username, roles }) => [username, ...roles]);

const mappedTo = (group: string) => ({ roleName: "ORG_READ_ONLY", idpGroups: [group] });
const groups = (group: string) =>
  one("example", "Organization", { orgId, idpGroupMappings: [mappedTo(group)] });

const lastDay = "2020-12-31";

const agentKey = one("agents", "AgentApiKey", { projectId, description: "agents" });

/** Of each agent API key of the project: the service itself creates the first one. */
const isOfService = (sandbox: Sandbox) =>
  sandbox.project(projectId)?.agentKeys.map(({ createdBy }) => createdBy === "PROVISIONING");
const teams = ({ state }: Sandbox) =>
  state.teams.map(({ name, userIds }) => [
    name,
    ...userIds.map((userId) => state.users.find(({ id }) => id === userId)?.username).sort(),
  ]);
const projectTeams = (sandbox: Sandbox) =>
  sandbox.project(projectId)?.teams.map(({ roleNames }) => [...roleNames].sort());

/** One kind: what its program declares, and what the service then holds. */
interface Kind {
  readonly kind: string;
  readonly sandbox: SandboxOptions;
  readonly created: Program;
  /** Absent if no property of the kind can change. */
  readonly updated?: Program;
  /** The input `until` after the last day; absent if the kind has none. */
  readonly until?: unknown;
  readonly service: Scenario["service"];
  /** Without the resource, or after it was destroyed. */
  readonly without: unknown;
  readonly afterCreate: unknown;
  readonly afterUpdate?: unknown;
  /** As without the resource, if absent. */
  readonly afterEnd?: unknown;
}

const ownerAnd = (members: object, invited: object) => ({
  members: { [owner]: owns, ...members },
  invited,
  invitations: Object.keys(invited).length,
});

const kinds: readonly Kind[] = [
  {
    kind: "Project",
    sandbox: empty,
    created: project(["PROD"]),
    updated: project(["PROD", "URGENT"], "ledger"),
    service: projects,
    without: [],
    afterCreate: [["orders", "PROD"]],
    afterUpdate: [["ledger", "PROD", "URGENT"]],
  },
  {
    kind: "ProjectMember",
    sandbox: payments(),
    created: member(reads),
    updated: member(monitors),
    until: lastDay,
    service: people,
    without: ownerAnd({}, {}),
    afterCreate: ownerAnd({}, { [ada]: reads }),
    afterUpdate: ownerAnd({}, { [ada]: monitors }),
  },
  {
    kind: "ProjectMembers",
    sandbox: payments({ [ada]: reads }),
    created: allMembers({ [owner]: owns, [ada]: monitors, [ben]: reads }),
    updated: allMembers({ [owner]: owns, [cleo]: reads }),
    until: { [ada]: lastDay, [ben]: lastDay },
    service: people,
    // The last owner stays.
    without: ownerAnd({}, {}),
    afterCreate: ownerAnd({ [ada]: monitors }, { [ben]: reads }),
    afterUpdate: ownerAnd({}, { [cleo]: reads }),
  },
  {
    kind: "Team",
    sandbox: operators,
    created: team([ada, ben]),
    updated: team([ben, owner], "admins"),
    until: { [ben]: lastDay },
    afterEnd: [
      ["readers", ada],
      ["operators", ada],
    ],
    service: teams,
    without: [["readers", ada]],
    afterCreate: [
      ["readers", ada],
      ["operators", ada, ben],
    ],
    afterUpdate: [
      ["readers", ada],
      ["admins", ben, owner],
    ],
  },
  {
    kind: "ProjectTeam",
    sandbox: operators,
    created: inProject(reads),
    updated: inProject(monitors),
    until: lastDay,
    service: projectTeams,
    without: [],
    afterCreate: [reads],
    afterUpdate: [monitors],
  },
  {
    kind: "AgentApiKey",
    sandbox: operators,
    created: agentKey,
    service: isOfService,
    without: [true],
    afterCreate: [true, false],
  },
  {
    kind: "ApiKey",
    sandbox: empty,
    created: apiKey("ci"),
    updated: apiKey("pipeline"),
    until: lastDay,
    service: apiKeys,
    without: [],
    afterCreate: [["ci", "ORG_MEMBER", "192.0.2.7/32"]],
    afterUpdate: [["pipeline", "ORG_MEMBER", "192.0.2.7/32"]],
  },
  {
    kind: "ProjectApiKey",
    sandbox: monitored,
    created: projectKey(reads),
    updated: projectKey(monitors),
    until: lastDay,
    service: apiKeys,
    without: [["monitoring"]],
    afterCreate: [["monitoring", ...reads]],
    afterUpdate: [["monitoring", ...monitors]],
  },
  {
    kind: "OrganizationMember",
    sandbox: organization,
    created: ofOrganization(["ORG_MEMBER"]),
    updated: ofOrganization(["ORG_READ_ONLY"]),
    until: lastDay,
    service: invitedToOrganization,
    without: [],
    afterCreate: [[ada, "ORG_MEMBER"]],
    afterUpdate: [[ada, "ORG_READ_ONLY"]],
  },
  {
    kind: "Organization",
    sandbox: { ...organization, idpMappings: "present" },
    created: groups("auditors"),
    updated: groups("staff"),
    service: ({ state }) => state.orgs.flatMap(({ idpGroupMappings = [] }) => idpGroupMappings),
    // It keeps its groups.
    without: [mappedTo("auditors")],
    afterCreate: [mappedTo("auditors")],
    afterUpdate: [mappedTo("staff")],
  },
];

const endedBy = (until: unknown, { resources = {} }: Program): Program => ({
  resources: Object.fromEntries(
    Object.entries(resources).map(([name, { properties, ...rest }]) => [
      name,
      { ...rest, properties: { ...properties, until } },
    ]),
  ),
});

export const scenarios: readonly Scenario[] = kinds.flatMap(
  ({ kind, created, updated, until, without, afterCreate, afterUpdate, afterEnd = without, ...common }) => [
    { name: `${kind}: create`, ...common, program: created, expected: afterCreate },
    ...(updated === undefined
      ? []
      : [{ name: `${kind}: update`, ...common, before: created, program: updated, expected: afterUpdate }]),
    ...(until === undefined
      ? []
      : [
          {
            name: `${kind}: end`,
            ...common,
            before: created,
            program: endedBy(until, created),
            expected: afterEnd,
          },
        ]),
    { name: `${kind}: delete`, ...common, before: created, program: nothing, expected: without },
  ],
);
