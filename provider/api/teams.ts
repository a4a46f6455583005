/** Calls about the teams of an organization, the people in them, and the teams in a project. */
import { z } from "zod";
import { listOperation, operation, UNREAD_BODY } from "./client";
import { type UserName, userResponse } from "./users";

const teamResponse = z.object({ id: z.string(), name: z.string() });

export type TeamResponse = z.output<typeof teamResponse>;

/** Roles decide what a team may do in a project, so a response without roles is an error. */
const teamInProjectResponse = z.object({ teamId: z.string(), roleNames: z.array(z.string()) });

/** A team in a project. The service does not show its name there. */
export type TeamInProjectResponse = z.output<typeof teamInProjectResponse>;

/** A team and what messages call it. */
export interface TeamName {
  readonly teamId: string;
  /** The team's name, or its ID if the name is not known. For messages only. */
  readonly teamName: string;
}

export const listTeams = listOperation((orgId: string) => ({
  action: `Listing the teams of organization ${orgId}`,
  method: "GET",
  path: ["orgs", orgId, "teams"],
  shape: teamResponse,
}));

export const getTeam = operation((orgId: string, { teamId, teamName }: TeamName) => ({
  action: `Reading team ${teamName} of organization ${orgId}`,
  method: "GET",
  path: ["orgs", orgId, "teams", teamId],
  shape: teamResponse,
}));

/**
 * Creates a team. Some versions ignore `usernames`, and others reject a team without people, so the
 * caller reads the people afterwards.
 */
export const createTeam = operation(
  (orgId: string, team: { readonly name: string; readonly usernames: readonly string[] }) => ({
    action: `Creating team ${team.name} in organization ${orgId}`,
    method: "POST",
    path: ["orgs", orgId, "teams"],
    body: team,
    shape: teamResponse,
  }),
);

export const renameTeam = operation((orgId: string, { teamId, teamName }: TeamName, name: string) => ({
  action: `Renaming team ${teamName} of organization ${orgId} to ${name}`,
  method: "PATCH",
  path: ["orgs", orgId, "teams", teamId],
  body: { name },
  shape: UNREAD_BODY,
}));

export const deleteTeam = operation((orgId: string, { teamId, teamName }: TeamName) => ({
  action: `Deleting team ${teamName} of organization ${orgId}`,
  method: "DELETE",
  path: ["orgs", orgId, "teams", teamId],
  shape: UNREAD_BODY,
}));

export const listUsersOfTeam = listOperation((orgId: string, { teamId, teamName }: TeamName) => ({
  action: `Listing the people of team ${teamName} of organization ${orgId}`,
  method: "GET",
  path: ["orgs", orgId, "teams", teamId, "users"],
  shape: userResponse,
}));

export const addUserToTeam = operation(
  (orgId: string, { teamId, teamName }: TeamName, { userId, username }: UserName) => ({
    action: `Adding ${username} to team ${teamName} of organization ${orgId}`,
    method: "POST",
    path: ["orgs", orgId, "teams", teamId, "users"],
    body: [{ id: userId }],
    shape: UNREAD_BODY,
  }),
);

export const removeUserFromTeam = operation(
  (orgId: string, { teamId, teamName }: TeamName, { userId, username }: UserName) => ({
    action: `Removing ${username} from team ${teamName} of organization ${orgId}`,
    method: "DELETE",
    path: ["orgs", orgId, "teams", teamId, "users", userId],
    shape: UNREAD_BODY,
  }),
);

export const listTeamsOfProject = listOperation((projectId: string) => ({
  action: `Listing the teams of project ${projectId}`,
  method: "GET",
  path: ["groups", projectId, "teams"],
  shape: teamInProjectResponse,
}));

/**
 * Adds a team to a project. The response is not read: versions respond with the added team, or with
 * one page of all teams of the project.
 */
export const addTeamToProject = operation(
  (projectId: string, { teamId, teamName, roles }: TeamName & { readonly roles: readonly string[] }) => ({
    action: `Adding team ${teamName} with ${roles.join(", ")} to project ${projectId}`,
    method: "POST",
    path: ["groups", projectId, "teams"],
    body: [{ teamId, roleNames: roles }],
    shape: UNREAD_BODY,
  }),
);

/**
 * Gives a team exactly these roles in a project. The response is one page of all teams and is not
 * read.
 */
export const setRolesOfTeam = operation(
  (projectId: string, { teamId, teamName, roles }: TeamName & { readonly roles: readonly string[] }) => ({
    action: `Giving team ${teamName} ${roles.join(", ")} in project ${projectId}`,
    method: "PATCH",
    path: ["groups", projectId, "teams", teamId],
    body: { roleNames: roles },
    shape: UNREAD_BODY,
  }),
);

/** Removes a team from a project; the team remains in its organization. */
export const removeTeamFromProject = operation((projectId: string, { teamId, teamName }: TeamName) => ({
  action: `Removing team ${teamName} from project ${projectId}`,
  method: "DELETE",
  path: ["groups", projectId, "teams", teamId],
  shape: UNREAD_BODY,
}));
