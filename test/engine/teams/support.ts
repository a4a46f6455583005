/** An organization with people for teams, and what the service has of its teams. */
import type { Sandbox } from "../../../sandbox";
import type { Program, ResourceOptions } from "../../support";
import { ada, grace, linus, owner } from "../../support/people";
import type { StackSetupOptions } from "../support/stack-setup";

export { ada, grace, linus, owner };

export const orgId = "5f0000000000000000000001";

/** The project `payments` and four accounts of its organization, one of which owns both. */
export const seed: NonNullable<Exclude<NonNullable<StackSetupOptions["sandbox"]>["seed"], string>> = {
  orgs: [{ id: orgId, name: "Example Org" }],
  users: [ada, grace, linus, owner].map((username) => ({
    username,
    roles: [{ orgId, roleName: username === owner ? "ORG_OWNER" : "ORG_MEMBER" }],
  })),
  projects: [{ name: "payments", members: { [owner]: ["GROUP_OWNER"] } }],
};

/** As `seed`, with the team `operators` of one person. */
export const seedWithTeam = { ...seed, teams: [{ name: "operators", usernames: [ada] }] };

type Properties = Readonly<Record<string, unknown>>;

/** A program with the team `operators` of the organization, and the project's teams by logical name. */
export function teamProgram(
  team: Properties | undefined,
  inProject: Readonly<Record<string, Properties>> = {},
  options?: ResourceOptions,
): Program {
  const teams = Object.entries(inProject).map(([name, properties]) => [
    name,
    { type: "ProjectTeam", properties, ...(options && { options }) },
  ]);
  return {
    resources: {
      ...(team && { operators: { type: "Team", properties: team } }),
      ...Object.fromEntries(teams),
    },
  };
}

/** People of each team by name, sorted. */
export function teamsOf(sandbox: Sandbox): Record<string, string[]> {
  const { teams, users } = sandbox.state;
  const nameOf = (userId: string) => users.find(({ id }) => id === userId)?.username ?? userId;
  return Object.fromEntries(teams.map(({ name, userIds }) => [name, userIds.map(nameOf).sort()]));
}

/** Roles of each team of the project, by the team's name. */
export function projectTeamsOf(sandbox: Sandbox, projectId: string): Record<string, string[]> {
  const { teams } = sandbox.state;
  const inProject = sandbox.project(projectId)?.teams ?? [];
  return Object.fromEntries(
    inProject.map(({ teamId, roleNames }) => [
      teams.find(({ id }) => id === teamId)?.name ?? teamId,
      [...roleNames].sort(),
    ]),
  );
}

export function teamNamed(sandbox: Sandbox, name: string) {
  const team = sandbox.state.teams.find((candidate) => candidate.name === name);
  if (team === undefined) throw new Error(`The organization has no team ${name}.`);
  return team;
}
