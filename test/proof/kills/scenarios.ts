/** The operations that are killed: create, update and delete of each resource. Data only. */

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

const agentKey = one("agents", "AgentApiKey", { projectId, description: "agents" });

/** Who created each key of the project; the service itself created the first one. */
const keysOf = (sandbox: Sandbox) =>
  (sandbox.project(projectId)?.agentKeys ?? []).map(({ createdBy }) => createdBy);
const teams = ({ state }: Sandbox) =>
  state.teams.map(({ name, userIds }) => [
    name,
    ...userIds.map((userId) => state.users.find(({ id }) => id === userId)?.username).sort(),
  ]);
const projectTeams = (sandbox: Sandbox) =>
  sandbox.project(projectId)?.teams.map(({ roleNames }) => [...roleNames].sort());

export const scenarios: readonly Scenario[] = [
  {
    name: "Project: create",
    sandbox: empty,
    program: project(["PROD"]),
    service: projects,
    expected: [["orders", "PROD"]],
  },
  {
    name: "Project: update",
    sandbox: empty,
    before: project(["PROD"]),
    program: project(["PROD", "URGENT"], "ledger"),
    service: projects,
    expected: [["ledger", "PROD", "URGENT"]],
  },
  {
    name: "Project: delete",
    sandbox: empty,
    before: project(["PROD"]),
    program: nothing,
    service: projects,
    expected: [],
  },
  {
    name: "ProjectMember: create",
    sandbox: payments(),
    program: member(reads),
    service: people,
    expected: { members: { [owner]: owns }, invited: { [ada]: reads }, invitations: 1 },
  },
  {
    name: "ProjectMember: update",
    sandbox: payments(),
    before: member(reads),
    program: member(monitors),
    service: people,
    expected: { members: { [owner]: owns }, invited: { [ada]: monitors }, invitations: 1 },
  },
  {
    name: "ProjectMember: delete",
    sandbox: payments(),
    before: member(reads),
    program: nothing,
    service: people,
    expected: { members: { [owner]: owns }, invited: {}, invitations: 0 },
  },
  {
    name: "ProjectMembers: create",
    sandbox: payments({ [ada]: reads }),
    program: allMembers({ [owner]: owns, [ada]: monitors, [ben]: reads }),
    service: people,
    expected: { members: { [owner]: owns, [ada]: monitors }, invited: { [ben]: reads }, invitations: 1 },
  },
  {
    name: "ProjectMembers: update",
    sandbox: payments({ [ada]: reads }),
    before: allMembers({ [owner]: owns, [ada]: reads }),
    program: allMembers({ [owner]: owns, [ben]: reads }),
    service: people,
    expected: { members: { [owner]: owns }, invited: { [ben]: reads }, invitations: 1 },
  },
  {
    name: "ProjectMembers: delete",
    sandbox: payments({ [ada]: reads }),
    before: allMembers({ [owner]: owns, [ada]: reads, [ben]: reads }),
    program: nothing,
    service: people,
    // The last owner stays.
    expected: { members: { [owner]: owns }, invited: {}, invitations: 0 },
  },
  {
    name: "Team: create",
    sandbox: operators,
    program: team([ada, ben]),
    service: teams,
    expected: [
      ["readers", ada],
      ["operators", ada, ben],
    ],
  },
  {
    name: "Team: update",
    sandbox: operators,
    before: team([ada]),
    program: team([ben, owner], "admins"),
    service: teams,
    expected: [
      ["readers", ada],
      ["admins", ben, owner],
    ],
  },
  {
    name: "Team: delete",
    sandbox: operators,
    before: team([ada]),
    program: nothing,
    service: teams,
    expected: [["readers", ada]],
  },
  {
    name: "ProjectTeam: create",
    sandbox: operators,
    program: inProject(reads),
    service: projectTeams,
    expected: [reads],
  },
  {
    name: "ProjectTeam: update",
    sandbox: operators,
    before: inProject(reads),
    program: inProject(monitors),
    service: projectTeams,
    expected: [monitors],
  },
  {
    name: "ProjectTeam: delete",
    sandbox: operators,
    before: inProject(reads),
    program: nothing,
    service: projectTeams,
    expected: [],
  },
  {
    name: "AgentApiKey: create",
    sandbox: operators,
    program: agentKey,
    service: (sandbox) => keysOf(sandbox).length,
    expected: 2,
  },
  {
    name: "AgentApiKey: delete",
    sandbox: operators,
    before: agentKey,
    program: nothing,
    service: keysOf,
    expected: ["PROVISIONING"],
  },
  {
    name: "ApiKey: create",
    sandbox: empty,
    program: apiKey("ci"),
    service: apiKeys,
    expected: [["ci", "ORG_MEMBER", "192.0.2.7/32"]],
  },
  {
    name: "ApiKey: update",
    sandbox: empty,
    before: apiKey("ci"),
    program: apiKey("pipeline"),
    service: apiKeys,
    expected: [["pipeline", "ORG_MEMBER", "192.0.2.7/32"]],
  },
  {
    name: "ApiKey: delete",
    sandbox: empty,
    before: apiKey("ci"),
    program: nothing,
    service: apiKeys,
    expected: [],
  },
  {
    name: "ProjectApiKey: create",
    sandbox: monitored,
    program: projectKey(reads),
    service: apiKeys,
    expected: [["monitoring", ...reads]],
  },
  {
    name: "ProjectApiKey: update",
    sandbox: monitored,
    before: projectKey(reads),
    program: projectKey(monitors),
    service: apiKeys,
    expected: [["monitoring", ...monitors]],
  },
  {
    name: "ProjectApiKey: delete",
    sandbox: monitored,
    before: projectKey(reads),
    program: nothing,
    service: apiKeys,
    expected: [["monitoring"]],
  },
  {
    name: "OrganizationMember: create",
    sandbox: organization,
    program: ofOrganization(["ORG_MEMBER"]),
    service: invitedToOrganization,
    expected: [[ada, "ORG_MEMBER"]],
  },
  {
    name: "OrganizationMember: update",
    sandbox: organization,
    before: ofOrganization(["ORG_MEMBER"]),
    program: ofOrganization(["ORG_READ_ONLY"]),
    service: invitedToOrganization,
    expected: [[ada, "ORG_READ_ONLY"]],
  },
  {
    name: "OrganizationMember: delete",
    sandbox: organization,
    before: ofOrganization(["ORG_MEMBER"]),
    program: nothing,
    service: invitedToOrganization,
    expected: [],
  },
];
