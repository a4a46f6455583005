/** The operations of the fault matrix: the request that gets the fault, and what has to be true in the end. */

import { PartialFailure } from "../../../provider/errors";
import { agentApiKey } from "../../../provider/resources/agent-api-key";
import { project } from "../../../provider/resources/project";
import { projectMember } from "../../../provider/resources/project-member";
import { projectMembers } from "../../../provider/resources/project-members";
import { projectTeam } from "../../../provider/resources/project-team";
import type { Context, Resource } from "../../../provider/resources/resource";
import { team } from "../../../provider/resources/team";
import type { Properties } from "../../../provider/resources/values";
import type { Sandbox, SandboxOptions } from "../../../sandbox";
import { type Cell, halfIsWhole, isConfirmed, isLost, isRefused, staysRecorded } from "./matrix";

export interface Operation {
  readonly name: string;
  readonly options?: SandboxOptions;
  /** Every failure is that of a part: the others continue. */
  readonly gathersFailures?: boolean;
  /** The request that gets the fault. */
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: RegExp;
  /** Prepares the service, and gives back the operation; it may be run again, as the next `up` does. */
  scenario(sandbox: Sandbox, context: Context): Promise<(context: Context) => Promise<unknown>>;
  /** What the service holds of it, in the end and after the fault alone. */
  truth(sandbox: Sandbox): unknown;
  readonly before: unknown;
  readonly after: unknown;
  /** Where a fault that took no effect leaves more than `before`: what it did not concern is done. */
  readonly partly?: unknown;
  /** Cells that differ from the row of their fault, and why. */
  readonly exceptions?: Readonly<Record<string, Cell>>;
}

const reader = ["GROUP_READ_ONLY"];
const owner = ["GROUP_OWNER"];
const ada = "ada@example.com";

const made = (sandbox: Sandbox) => sandbox.addProject({ name: "payments", tags: ["OLD"] }).id;
const projects = ({ state }: Sandbox) =>
  state.projects.map(({ name, tags }) => `${name} ${tags.join()}`.trim());
const people = ({ state }: Sandbox) => [
  ...state.users
    .flatMap(({ username, roles }) => roles.map((role) => ({ username, ...role })))
    .filter(
      (entry) => "groupId" in entry && entry.groupId !== undefined && entry.username !== "owner@example.com",
    )
    .map(({ username, roleName }) => `${username} ${roleName}`),
  ...state.invitations.map(({ username, roles }) => `invited ${username} ${roles.join()}`),
];

const ben = "ben@example.com";
/** Accounts of the organization, and a team without people. */
const withAccounts = (sandbox: Sandbox): { orgId: string; name: string } => {
  const { orgId } = sandbox;
  for (const username of [ada, ben]) {
    sandbox.addUser({ username, roles: [{ orgId, roleName: "ORG_MEMBER" }] });
  }
  return { orgId, name: "operators" };
};
const withTeamInProject = (sandbox: Sandbox) => {
  withAccounts(sandbox);
  const { id: teamId } = sandbox.addTeam({ name: "operators" });
  return { projectId: made(sandbox), teamId, roles: reader };
};
const teams = (sandbox: Sandbox) =>
  sandbox.state.teams.map(({ name, userIds }) =>
    [name, ...userIds.map((id) => sandbox.user({ id })?.username)].join(" "),
  );
const teamsInProject = ({ state }: Sandbox) =>
  state.projects.flatMap((each) => each.teams.map(({ roleNames }) => roleNames.join()));
const keys = ({ state }: Sandbox) => state.projects.flatMap(({ agentKeys }) => agentKeys).length > 1;

function creating(
  resource: Resource,
  inputs: (sandbox: Sandbox) => Properties,
  prepare = (_: Sandbox) => {},
) {
  return async (sandbox: Sandbox) => {
    prepare(sandbox);
    const wanted = inputs(sandbox);
    return (context: Context) => resource.create({ inputs: wanted, preview: false, context });
  };
}

type Verb = "update" | "delete" | "read";

/**
 * Something that exists and is recorded, and then one verb. After a failure in part, the next run has the record of that
 * failure, and updates only if the comparison with it shows a difference.
 */
function onExisting(
  resource: Resource,
  verb: Verb,
  inputs: (sandbox: Sandbox) => { readonly old: Properties; readonly now?: Properties },
) {
  return async (sandbox: Sandbox, context: Context) => {
    const { old, now = old } = inputs(sandbox);
    const { id, state } = await resource.create({ inputs: old, preview: false, context });
    let existing = { id, state, oldInputs: old };
    return async (later: Context): Promise<unknown> => {
      if (verb === "delete") return resource.delete({ ...existing, context: later });
      if (verb === "read") return expectFound(resource.read({ ...existing, context: later }));
      const change = { ...existing, inputs: now, ignoreChanges: [], preview: false, context: later };
      if (resource.diff(change).length === 0) return undefined;
      return resource.update(change).catch((error: unknown) => {
        if (error instanceof PartialFailure)
          existing = { id, state: error.state as Properties, oldInputs: now };
        throw error;
      });
    };
  };
}

/** No fault makes the provider report an existing object as deleted. */
async function expectFound(read: Promise<unknown>): Promise<void> {
  if ((await read) === undefined) throw new Error("It was reported as deleted.");
}

export const operations: readonly Operation[] = [
  {
    name: "creating a project",
    method: "POST",
    path: /\/groups$/,
    scenario: creating(project, ({ orgId }) => ({ orgId, name: "orders" })),
    truth: projects,
    before: [],
    after: ["orders"],
  },
  {
    name: "adopting a project",
    method: "PATCH",
    path: /\/groups\/\w+$/,
    scenario: creating(project, (sandbox) => ({ projectId: made(sandbox), tags: ["NEW"] })),
    truth: projects,
    before: ["payments OLD"],
    after: ["payments NEW"],
  },
  {
    name: "updating a project",
    method: "PATCH",
    path: /\/groups\/\w+$/,
    scenario: onExisting(project, "update", (sandbox) => {
      const projectId = made(sandbox);
      return { old: { projectId, tags: ["OLD"] }, now: { projectId, tags: ["NEW"] } };
    }),
    truth: projects,
    before: ["payments OLD"],
    after: ["payments NEW"],
  },
  {
    name: "deleting a project",
    exceptions: { ...halfIsWhole, ...isRefused },
    method: "DELETE",
    path: /\/groups\/\w+$/,
    scenario: onExisting(project, "delete", (sandbox) => ({
      old: { projectId: made(sandbox), onDestroy: "delete" },
    })),
    truth: projects,
    before: ["payments OLD"],
    after: [],
  },
  {
    name: "reading a project",
    exceptions: staysRecorded,
    method: "GET",
    path: /\/groups\/\w+$/,
    scenario: onExisting(project, "read", (sandbox) => ({ old: { projectId: made(sandbox) } })),
    truth: projects,
    before: ["payments OLD"],
    after: ["payments OLD"],
  },
  {
    name: "inviting a user",
    method: "POST",
    path: /\/invites$/,
    scenario: creating(projectMember, (sandbox) => ({
      projectId: made(sandbox),
      username: ada,
      roles: reader,
    })),
    truth: people,
    before: [],
    after: [`invited ${ada} GROUP_READ_ONLY`],
  },
  {
    name: "adding an account",
    options: { bypassInvitations: true },
    method: "POST",
    path: /\/groups\/\w+\/users$/,
    scenario: creating(
      projectMember,
      (sandbox) => ({ projectId: made(sandbox), username: ada, roles: reader }),
      (sandbox) => void sandbox.addUser({ username: ada }),
    ),
    truth: people,
    before: [],
    after: [`${ada} GROUP_READ_ONLY`],
  },
  {
    name: "changing a member's roles",
    method: "POST",
    path: /\/groups\/\w+\/users$/,
    scenario: onExisting(projectMember, "update", (sandbox) => {
      const projectId = made(sandbox);
      sandbox.setMember(projectId, { username: ada }, reader);
      const old = { projectId, username: ada, roles: reader };
      return { old, now: { ...old, roles: owner } };
    }),
    truth: people,
    before: [`${ada} GROUP_READ_ONLY`],
    after: [`${ada} GROUP_OWNER`],
  },
  {
    name: "changing an invitation's roles",
    method: "PATCH",
    path: /\/invites\/\w+$/,
    scenario: onExisting(projectMember, "update", (sandbox) => {
      const old = { projectId: made(sandbox), username: ada, roles: reader };
      return { old, now: { ...old, roles: owner } };
    }),
    truth: people,
    before: [`invited ${ada} GROUP_READ_ONLY`],
    after: [`invited ${ada} GROUP_OWNER`],
  },
  {
    name: "removing a member",
    exceptions: halfIsWhole,
    method: "DELETE",
    path: /\/groups\/\w+\/users\/\w+$/,
    scenario: onExisting(projectMember, "delete", (sandbox) => {
      const projectId = made(sandbox);
      sandbox.setMember(projectId, { username: ada }, reader);
      return { old: { projectId, username: ada, roles: reader } };
    }),
    truth: people,
    before: [`${ada} GROUP_READ_ONLY`],
    after: [],
  },
  {
    name: "taking an invitation back",
    method: "DELETE",
    path: /\/invites\/\w+$/,
    scenario: onExisting(projectMember, "delete", (sandbox) => ({
      old: { projectId: made(sandbox), username: ada, roles: reader },
    })),
    truth: people,
    before: [`invited ${ada} GROUP_READ_ONLY`],
    after: [],
  },
  {
    name: "reading people",
    exceptions: staysRecorded,
    method: "GET",
    path: /\/groups\/\w+\/users$/,
    scenario: onExisting(projectMember, "read", (sandbox) => ({
      old: { projectId: made(sandbox), username: ada, roles: reader },
    })),
    truth: people,
    before: [`invited ${ada} GROUP_READ_ONLY`],
    after: [`invited ${ada} GROUP_READ_ONLY`],
  },
  {
    name: "reading invitations",
    exceptions: { "403": staysRecorded["403"], ...isConfirmed },
    method: "GET",
    path: /\/groups\/\w+\/invites$/,
    scenario: onExisting(projectMember, "read", (sandbox) => ({
      old: { projectId: made(sandbox), username: ada, roles: reader },
    })),
    truth: people,
    before: [`invited ${ada} GROUP_READ_ONLY`],
    after: [`invited ${ada} GROUP_READ_ONLY`],
  },
  {
    name: "inviting an invited user again",
    exceptions: isConfirmed,
    options: { reinvite: "second" },
    method: "GET",
    path: /\/groups\/\w+\/invites$/,
    scenario: async (sandbox) => {
      const projectId = made(sandbox);
      sandbox.addInvitation(projectId, { username: ada, roles: reader });
      const inputs = { projectId, username: ada, roles: reader };
      return (context) => projectMember.create({ inputs, preview: false, context });
    },
    truth: people,
    before: [`invited ${ada} GROUP_READ_ONLY`],
    after: [`invited ${ada} GROUP_READ_ONLY`],
  },
  {
    name: "reading invitations before one is taken back",
    exceptions: isConfirmed,
    method: "GET",
    path: /\/groups\/\w+\/invites$/,
    scenario: onExisting(projectMember, "delete", (sandbox) => ({
      old: { projectId: made(sandbox), username: ada, roles: reader },
    })),
    truth: people,
    before: [`invited ${ada} GROUP_READ_ONLY`],
    after: [],
  },
  {
    name: "changing all the people of a project",
    gathersFailures: true,
    method: "POST",
    path: /\/invites$/,
    scenario: onExisting(projectMembers, "update", (sandbox) => {
      const projectId = made(sandbox);
      sandbox.setMember(projectId, { username: "owner@example.com" }, owner);
      sandbox.setMember(projectId, { username: ada }, reader);
      sandbox.setMember(projectId, { username: "leaver@example.com" }, reader);
      const always = { "owner@example.com": owner };
      return {
        old: { projectId, members: { ...always, [ada]: reader, "leaver@example.com": reader } },
        now: { projectId, members: { ...always, [ada]: owner, "new@example.com": reader } },
      };
    }),
    truth: people,
    before: [`${ada} GROUP_READ_ONLY`, "leaver@example.com GROUP_READ_ONLY"],
    partly: [`${ada} GROUP_OWNER`],
    after: [`${ada} GROUP_OWNER`, "invited new@example.com GROUP_READ_ONLY"],
  },
  {
    name: "creating a team",
    method: "POST",
    path: /\/orgs\/\w+\/teams$/,
    scenario: creating(team, (sandbox) => ({ ...withAccounts(sandbox), usernames: [ada] })),
    truth: teams,
    before: [],
    after: [`operators ${ada}`],
  },
  {
    name: "adding a person to a team",
    gathersFailures: true,
    method: "POST",
    path: /\/teams\/\w+\/users$/,
    scenario: onExisting(team, "update", (sandbox) => {
      const about = withAccounts(sandbox);
      return { old: { ...about, usernames: [ada] }, now: { ...about, usernames: [ada, ben] } };
    }),
    truth: teams,
    before: [`operators ${ada}`],
    after: [`operators ${ada} ${ben}`],
  },
  {
    name: "removing a person from a team",
    gathersFailures: true,
    method: "DELETE",
    path: /\/teams\/\w+\/users\/\w+$/,
    scenario: onExisting(team, "update", (sandbox) => {
      const about = withAccounts(sandbox);
      return { old: { ...about, usernames: [ada, ben] }, now: { ...about, usernames: [ada] } };
    }),
    truth: teams,
    before: [`operators ${ada} ${ben}`],
    after: [`operators ${ada}`],
  },
  {
    name: "renaming a team",
    method: "PATCH",
    path: /\/orgs\/\w+\/teams\/\w+$/,
    scenario: onExisting(team, "update", (sandbox) => {
      const about = { ...withAccounts(sandbox), usernames: [ada] };
      return { old: about, now: { ...about, name: "admins" } };
    }),
    truth: teams,
    before: [`operators ${ada}`],
    after: [`admins ${ada}`],
  },
  {
    name: "deleting a team",
    method: "DELETE",
    path: /\/orgs\/\w+\/teams\/\w+$/,
    scenario: onExisting(team, "delete", (sandbox) => ({
      old: { ...withAccounts(sandbox), usernames: [ada] },
    })),
    truth: teams,
    before: [`operators ${ada}`],
    after: [],
  },
  {
    name: "reading the teams of an organization",
    exceptions: staysRecorded,
    method: "GET",
    path: /\/orgs\/\w+\/teams$/,
    scenario: onExisting(team, "read", (sandbox) => ({
      old: { ...withAccounts(sandbox), usernames: [ada] },
    })),
    truth: teams,
    before: [`operators ${ada}`],
    after: [`operators ${ada}`],
  },
  {
    name: "reading the people of a team",
    exceptions: staysRecorded,
    method: "GET",
    path: /\/teams\/\w+\/users$/,
    scenario: onExisting(team, "read", (sandbox) => ({
      old: { ...withAccounts(sandbox), usernames: [ada] },
    })),
    truth: teams,
    before: [`operators ${ada}`],
    after: [`operators ${ada}`],
  },
  {
    name: "adding a team to a project",
    method: "POST",
    path: /\/groups\/\w+\/teams$/,
    scenario: creating(projectTeam, withTeamInProject),
    truth: teamsInProject,
    before: [],
    after: ["GROUP_READ_ONLY"],
  },
  {
    name: "changing the roles of a team in a project",
    method: "PATCH",
    path: /\/groups\/\w+\/teams\/\w+$/,
    scenario: onExisting(projectTeam, "update", (sandbox) => {
      const old = withTeamInProject(sandbox);
      return { old, now: { ...old, roles: owner } };
    }),
    truth: teamsInProject,
    before: ["GROUP_READ_ONLY"],
    after: ["GROUP_OWNER"],
  },
  {
    name: "removing a team from a project",
    method: "DELETE",
    path: /\/groups\/\w+\/teams\/\w+$/,
    scenario: onExisting(projectTeam, "delete", (sandbox) => ({ old: withTeamInProject(sandbox) })),
    truth: teamsInProject,
    before: ["GROUP_READ_ONLY"],
    after: [],
  },
  {
    name: "reading the teams of a project",
    exceptions: staysRecorded,
    method: "GET",
    path: /\/groups\/\w+\/teams$/,
    scenario: onExisting(projectTeam, "read", (sandbox) => ({ old: withTeamInProject(sandbox) })),
    truth: teamsInProject,
    before: ["GROUP_READ_ONLY"],
    after: ["GROUP_READ_ONLY"],
  },
  {
    name: "creating an agent API key",
    exceptions: isLost,
    method: "POST",
    path: /\/agentapikeys$/,
    scenario: creating(agentApiKey, (sandbox) => ({ projectId: made(sandbox), description: "agents" })),
    truth: keys,
    before: false,
    after: true,
  },
  {
    name: "deleting an agent API key",
    exceptions: halfIsWhole,
    method: "DELETE",
    path: /\/agentapikeys\/\w+$/,
    scenario: onExisting(agentApiKey, "delete", (sandbox) => ({
      old: { projectId: made(sandbox), description: "agents" },
    })),
    truth: keys,
    before: true,
    after: false,
  },
  {
    name: "reading the agent API keys of a project",
    exceptions: staysRecorded,
    method: "GET",
    path: /\/agentapikeys$/,
    scenario: onExisting(agentApiKey, "read", (sandbox) => ({
      old: { projectId: made(sandbox), description: "agents" },
    })),
    truth: keys,
    before: true,
    after: true,
  },
];
