/** The operations of the fault matrix: the request that gets the fault, and what is true before and afterwards. Data only. */
import type { Sandbox, SandboxOptions, Seed } from "../../../sandbox";
import type { ResourceDeclaration } from "../../support/program";
import {
  type Cell,
  halfIsWhole,
  isConfirmed,
  isLost,
  isNotTakenOver,
  isRefused,
  isReported,
  staysRecorded,
} from "./matrix";

/** What the program declares, if anything, and what the service then holds. */
export interface Situation {
  readonly declares?: ResourceDeclaration | undefined;
  readonly holds: readonly string[];
}

interface Details {
  readonly sandbox?: SandboxOptions;
  /** How many requests of the kind come before the one that gets the fault. */
  readonly spares?: number;
  /** What the service holds after a fault that took no effect, if that is more than before: what it did not concern is done. */
  readonly partly?: readonly string[];
  /** Cells that differ from the row of their fault, and why. */
  readonly exceptions?: Readonly<Record<string, Cell>>;
}

export interface Operation extends Details {
  readonly name: string;
  /** The request that gets the fault, such as `PATCH /groups/ID`. */
  readonly request: string;
  /** A run of `pulumi up` has reached it. */
  readonly from: Situation;
  /** The same situation: the operation is a refresh. One without a declaration: it is a destroy. */
  readonly to: Situation;
}

const operation = (
  name: string,
  request: string,
  from: Situation,
  to: Situation,
  details: Details = {},
): Operation => ({ name, request, from, to, ...details });

const reading = (what: string, path: string, situation: Situation, exceptions = staysRecorded): Operation =>
  operation(`reading ${what}`, `GET ${path}`, situation, situation, { exceptions });

// ------------------------------------------------------------------------------------------------ situations

const [orgId = "", projectId = "", teamId = ""] = ["a", "b", "c"].map((digit) => digit.repeat(24));
const [ada, ben, nina, olga] = ["ada@example.com", "ben@example.com", "nina@example.com", "olga@example.com"];
/** The owner of the organization, whom nothing concerns. */
const owen = "owen@example.com";
const [reader, owner] = ["GROUP_READ_ONLY", "GROUP_OWNER"];

const payments = { id: projectId, name: "payments", tags: ["OLD"], members: { [olga]: [owner] } };

const monitoring = { publicKey: "abcdwxyz", desc: "monitoring", roles: [] };

/** The service before every operation: a project with its owner, accounts of the organization, and a team. */
export const seed: Seed = {
  orgs: [{ id: orgId, name: "Example Org" }],
  users: [
    ...[ada, ben].map((username) => ({ username, roles: [{ orgId, roleName: "ORG_MEMBER" }] })),
    { username: owen, roles: [{ orgId, roleName: "ORG_OWNER" }] },
  ],
  projects: [payments],
  teams: [{ id: teamId, name: "auditors" }],
  keys: [{}, { ...monitoring, orgId }],
};

/** What the service holds, in lines as those of a situation. Projects, invitations and teams that exist twice are listed twice. */
export function held({ state }: Sandbox): readonly string[] {
  const nameOf = (userId: string) => state.users.find(({ id }) => id === userId)?.username;
  return [
    ...state.projects.map(({ name, tags }) => `project ${name} ${tags}`),
    ...state.users
      .filter(({ username }) => username !== owen)
      .flatMap(({ username, roles }) =>
        // The accounts are in the organization from the start.
        roles.flatMap(({ roleName }) => (roleName === "ORG_MEMBER" ? [] : [`${username} ${roleName}`])),
      ),
    ...state.orgs.flatMap(({ idpGroupMappings = [] }) =>
      idpGroupMappings.map(({ roleName, idpGroups }) => `groups ${idpGroups} ${roleName}`),
    ),
    ...state.invitations.map(({ username, roles }) => `${username} is invited ${roles}`),
    ...state.teams.map(({ name, userIds }) => `team ${name} ${userIds.map(nameOf)}`),
    ...state.projects.flatMap(({ teams }) => teams.map(({ roleNames }) => `team in payments ${roleNames}`)),
    // Beside the provider's own key, and the first agent key of a project. A key whose creation lost its response stays
    // beside the key of the next run.
    ...new Set([
      ...state.keys
        .slice(1)
        .flatMap(({ desc, roles }) => roles.map(({ roleName }) => `API key ${desc} ${roleName}`)),
      ...state.projects.flatMap(({ agentKeys }) => agentKeys.slice(1).map(({ desc }) => `key ${desc}`)),
    ]),
  ].sort();
}

const rest = [`${olga} ${owner}`, "team auditors "];
const besides = (declares: ResourceDeclaration | undefined, ...lines: readonly string[]): Situation => ({
  declares,
  holds: ["project payments OLD", ...rest, ...lines].sort(),
});

const nothing = besides(undefined);
const tagged = (tag: string): Situation => ({
  declares: { type: "Project", properties: { projectId, tags: [tag], onDestroy: "delete" } },
  holds: [`project payments ${tag}`, ...rest].sort(),
});
const deleted: Situation = { holds: ["team auditors "] };
const orders = besides({ type: "Project", properties: { orgId, name: "orders" } }, "project orders ");
const member = (username: string, role: string, line = `${username} ${role}`) =>
  besides({ type: "ProjectMember", properties: { projectId, username, roles: [role] } }, line);
const invited = (role: string) => member(nina, role, `${nina} is invited ${role}`);
const members = (declared: Readonly<Record<string, string>>, ...lines: readonly string[]) => {
  const entries = Object.entries({ [olga]: owner, ...declared }).map(([username, role]) => [
    username,
    [role],
  ]);
  const properties = { projectId, members: Object.fromEntries(entries) };
  return besides({ type: "ProjectMembers", properties }, ...lines);
};
const team = (name: string, ...usernames: readonly string[]) =>
  besides({ type: "Team", properties: { orgId, name, usernames } }, `team ${name} ${usernames}`);
const projectTeam = (role: string) =>
  besides(
    { type: "ProjectTeam", properties: { projectId, teamId, roles: [role] } },
    `team in payments ${role}`,
  );
const key = besides({ type: "AgentApiKey", properties: { projectId, description: "agents" } }, "key agents");

const apiKey = (description: string) =>
  besides(
    { type: "ApiKey", properties: { orgId, description, roles: ["ORG_MEMBER"] } },
    `API key ${description} ORG_MEMBER`,
  );
const projectKey = (role: string) =>
  besides(
    { type: "ProjectApiKey", properties: { projectId, publicKey: monitoring.publicKey, roles: [role] } },
    `API key monitoring ${role}`,
  );
const ofOrganization = (username: string, role: string, line = `${username} ${role}`) =>
  besides({ type: "OrganizationMember", properties: { orgId, username, roles: [role] } }, line);
const invitedToOrganization = (role: string) => ofOrganization(nina, role, `${nina} is invited ${role}`);
const mapped = (...idpGroups: readonly string[]) => {
  const roleName = "ORG_READ_ONLY";
  const properties = { orgId, idpGroupMappings: [{ roleName, idpGroups }] };
  return besides({ type: "Organization", properties }, `groups ${idpGroups} ${roleName}`);
};
const staff = mapped("staff");
const withGroups = {
  sandbox: { idpMappings: "present" } as const,
  exceptions: {
    403: { error: "403 Injected by the test\\. .* needs the role Organization Owner", requests: 1 },
  },
};
/** As Cloud Manager documents it. */
const withChanges: { readonly sandbox: SandboxOptions } = { sandbox: { orgUserChanges: "offered" } };

/** Accounts become members at once. */
const atOnce: SandboxOptions = { bypassInvitations: true };
const projectWithInvitation = { ...payments, invitations: [{ username: nina, roles: [reader] }] };

// ------------------------------------------------------------------------------------------------ operations

export const operations: readonly Operation[] = [
  operation("creating a project", "POST /groups", nothing, orders, { exceptions: isNotTakenOver }),
  operation("adopting a project", "PATCH /groups/ID", nothing, tagged("NEW")),
  operation("updating a project", "PATCH /groups/ID", tagged("OLD"), tagged("NEW")),
  operation("deleting a project", "DELETE /groups/ID", tagged("OLD"), deleted, {
    exceptions: { ...halfIsWhole, ...isRefused, ...isReported },
  }),
  reading("a project", "/groups/ID", tagged("OLD")),
  operation("inviting a user", "POST /invites", nothing, invited(reader)),
  operation("adding an account", "POST /groups/ID/users", nothing, member(ada, reader), { sandbox: atOnce }),
  operation("changing a member's roles", "POST /groups/ID/users", member(ada, reader), member(ada, owner), {
    sandbox: atOnce,
  }),
  operation("changing an invitation's roles", "PATCH /invites/ID", invited(reader), invited(owner)),
  operation("removing a member", "DELETE /groups/ID/users/ID", member(ada, reader), nothing, {
    sandbox: atOnce,
    exceptions: halfIsWhole,
  }),
  operation("taking an invitation back", "DELETE /invites/ID", invited(reader), nothing),
  reading("people", "/groups/ID/users", invited(reader)),
  reading("invitations", "/groups/ID/invites", invited(reader), { ...staysRecorded, ...isConfirmed }),
  operation(
    "inviting an invited user again",
    "GET /groups/ID/invites",
    { holds: invited(reader).holds },
    invited(reader),
    {
      sandbox: { reinvite: "second", seed: { ...seed, projects: [projectWithInvitation] } },
      exceptions: isConfirmed,
    },
  ),
  operation(
    "reading invitations before one is taken back",
    "GET /groups/ID/invites",
    invited(reader),
    nothing,
    // The engine reads an invitation before it deletes it, whatever the settings are, as it may have been accepted. After that
    // read the list is known to exist, so that a gateway's response is an error at once.
    { spares: 1 },
  ),
  operation(
    "changing all the people of a project",
    "POST /invites",
    members({ [ada]: reader, [ben]: reader }, `${ada} ${reader}`, `${ben} ${reader}`),
    members({ [ada]: owner, [nina]: reader }, `${ada} ${owner}`, `${nina} is invited ${reader}`),
    { sandbox: atOnce, partly: besides(undefined, `${ada} ${owner}`).holds },
  ),
  operation("creating a team", "POST /orgs/ID/teams", nothing, team("operators", ada), {
    exceptions: isNotTakenOver,
  }),
  operation(
    "adding a person to a team",
    "POST /teams/ID/users",
    team("operators", ada),
    team("operators", ada, ben),
  ),
  operation(
    "removing a person from a team",
    "DELETE /teams/ID/users/ID",
    team("operators", ada, ben),
    team("operators", ada),
  ),
  operation("renaming a team", "PATCH /orgs/ID/teams/ID", team("operators", ada), team("admins", ada)),
  operation("deleting a team", "DELETE /orgs/ID/teams/ID", team("operators", ada), nothing),
  reading("the teams of an organization", "/orgs/ID/teams", team("operators", ada)),
  reading("the people of a team", "/teams/ID/users", team("operators", ada)),
  operation("adding a team to a project", "POST /groups/ID/teams", nothing, projectTeam(reader)),
  operation(
    "changing the roles of a team in a project",
    "PATCH /groups/ID/teams/ID",
    projectTeam(reader),
    projectTeam(owner),
  ),
  operation("removing a team from a project", "DELETE /groups/ID/teams/ID", projectTeam(reader), nothing),
  reading("the teams of a project", "/groups/ID/teams", projectTeam(reader)),
  operation("creating an agent API key", "POST /agentapikeys", nothing, key, {
    exceptions: { ...isLost, ...isReported },
  }),
  operation("deleting an agent API key", "DELETE /agentapikeys/ID", key, nothing, {
    exceptions: halfIsWhole,
  }),
  reading("the agent API keys of a project", "/agentapikeys", key),
  operation("creating an API key", "POST /orgs/ID/apiKeys", nothing, apiKey("ci"), {
    exceptions: { ...isLost, ...isReported },
  }),
  operation("changing an API key", "PATCH /orgs/ID/apiKeys/ID", apiKey("ci"), apiKey("pipeline")),
  operation("deleting an API key", "DELETE /orgs/ID/apiKeys/ID", apiKey("ci"), nothing),
  reading("the API keys of an organization", "/orgs/ID/apiKeys", apiKey("ci")),
  operation(
    "giving an API key roles in a project",
    "PATCH /groups/ID/apiKeys/ID",
    nothing,
    projectKey(reader),
  ),
  operation(
    "changing the roles of an API key in a project",
    "PATCH /groups/ID/apiKeys/ID",
    projectKey(reader),
    projectKey(owner),
  ),
  operation(
    "taking the roles of an API key in a project",
    "DELETE /groups/ID/apiKeys/ID",
    projectKey(reader),
    nothing,
  ),
  reading("the API keys of a project", "/groups/ID/apiKeys", projectKey(reader)),
  operation(
    "inviting a person to an organization",
    "POST /orgs/ID/invites",
    nothing,
    invitedToOrganization("ORG_READ_ONLY"),
  ),
  operation(
    "changing an invitation to an organization",
    "PATCH /orgs/ID/invites/ID",
    invitedToOrganization("ORG_READ_ONLY"),
    invitedToOrganization("ORG_OWNER"),
  ),
  operation(
    "taking an invitation to an organization back",
    "DELETE /orgs/ID/invites/ID",
    invitedToOrganization("ORG_READ_ONLY"),
    nothing,
  ),
  operation(
    "changing the roles of a member of an organization",
    "PUT /orgs/ID/users/ID/roles",
    ofOrganization(ada, "ORG_READ_ONLY"),
    ofOrganization(ada, "ORG_OWNER"),
    withChanges,
  ),
  operation(
    "removing a member of an organization",
    "DELETE /orgs/ID/users/ID",
    ofOrganization(ada, "ORG_READ_ONLY"),
    nothing,
    withChanges,
  ),
  reading("the people of an organization", "/orgs/ID/users", invitedToOrganization("ORG_READ_ONLY")),
  reading("the invitations to an organization", "/orgs/ID/invites", invitedToOrganization("ORG_READ_ONLY")),
  operation("adopting an organization", "PATCH /orgs/ID", nothing, staff, withGroups),
  operation("updating an organization", "PATCH /orgs/ID", staff, mapped("all", "staff"), withGroups),
  operation("reading an organization", "GET /orgs/ID", staff, staff, {
    ...withGroups,
    exceptions: staysRecorded,
  }),
];
