/** Calls about the teams of an organization, the people in them, and the teams in a project. */
import { z } from "zod";
import type { ApiClient } from "./client";
import { type UserAnswer, userAnswer } from "./users";

const teamAnswer = z.object({ id: z.string(), name: z.string() });

/** A team of an organization. */
export type TeamAnswer = z.output<typeof teamAnswer>;

/** Roles decide what a team may do in a project, so an answer without roles is an error. */
const teamInProjectAnswer = z.object({ teamId: z.string(), roleNames: z.array(z.string()) });

/** A team in a project. The service does not show its name there. */
export type TeamInProjectAnswer = z.output<typeof teamInProjectAnswer>;

/** A team and what messages call it. */
export interface TeamName {
  readonly teamId: string;
  /** The team's name, or its ID if the name is not known. For messages only. */
  readonly teamName: string;
}

export async function listTeams(
  client: ApiClient,
  orgId: string,
  signal?: AbortSignal,
): Promise<TeamAnswer[]> {
  return client.list({
    action: `Listing the teams of organization ${orgId}`,
    method: "GET",
    path: ["orgs", orgId, "teams"],
    answer: teamAnswer,
    signal,
  });
}

export async function getTeam(
  client: ApiClient,
  orgId: string,
  { teamId, teamName }: TeamName,
  signal?: AbortSignal,
): Promise<TeamAnswer> {
  return client.call({
    action: `Reading team ${teamName} of organization ${orgId}`,
    method: "GET",
    path: ["orgs", orgId, "teams", teamId],
    answer: teamAnswer,
    signal,
  });
}

/**
 * Creates a team. Some versions ignore `usernames`, and others reject a team without people, so the
 * caller reads the people afterwards.
 */
export async function createTeam(
  client: ApiClient,
  orgId: string,
  team: { readonly name: string; readonly usernames: readonly string[] },
  signal?: AbortSignal,
): Promise<TeamAnswer> {
  return client.call({
    action: `Creating team ${team.name} in organization ${orgId}`,
    method: "POST",
    path: ["orgs", orgId, "teams"],
    body: team,
    answer: teamAnswer,
    signal,
  });
}

export async function renameTeam(
  client: ApiClient,
  orgId: string,
  { teamId, teamName }: TeamName,
  name: string,
  signal?: AbortSignal,
): Promise<void> {
  await client.call({
    action: `Renaming team ${teamName} of organization ${orgId} to ${name}`,
    method: "PATCH",
    path: ["orgs", orgId, "teams", teamId],
    body: { name },
    signal,
  });
}

export async function deleteTeam(
  client: ApiClient,
  orgId: string,
  { teamId, teamName }: TeamName,
  signal?: AbortSignal,
): Promise<void> {
  await client.call({
    action: `Deleting team ${teamName} of organization ${orgId}`,
    method: "DELETE",
    path: ["orgs", orgId, "teams", teamId],
    signal,
  });
}

export async function listUsersOfTeam(
  client: ApiClient,
  orgId: string,
  { teamId, teamName }: TeamName,
  signal?: AbortSignal,
): Promise<UserAnswer[]> {
  return client.list({
    action: `Listing the people of team ${teamName} of organization ${orgId}`,
    method: "GET",
    path: ["orgs", orgId, "teams", teamId, "users"],
    answer: userAnswer,
    signal,
  });
}

export async function addUserToTeam(
  client: ApiClient,
  orgId: string,
  { teamId, teamName }: TeamName,
  { userId, username }: { readonly userId: string; readonly username: string },
  signal?: AbortSignal,
): Promise<void> {
  await client.call({
    action: `Adding ${username} to team ${teamName} of organization ${orgId}`,
    method: "POST",
    path: ["orgs", orgId, "teams", teamId, "users"],
    body: [{ id: userId }],
    signal,
  });
}

export async function removeUserFromTeam(
  client: ApiClient,
  orgId: string,
  { teamId, teamName }: TeamName,
  { userId, username }: { readonly userId: string; readonly username: string },
  signal?: AbortSignal,
): Promise<void> {
  await client.call({
    action: `Removing ${username} from team ${teamName} of organization ${orgId}`,
    method: "DELETE",
    path: ["orgs", orgId, "teams", teamId, "users", userId],
    signal,
  });
}

export async function listTeamsOfProject(
  client: ApiClient,
  projectId: string,
  signal?: AbortSignal,
): Promise<TeamInProjectAnswer[]> {
  return client.list({
    action: `Listing the teams of project ${projectId}`,
    method: "GET",
    path: ["groups", projectId, "teams"],
    answer: teamInProjectAnswer,
    signal,
  });
}

/**
 * Adds a team to a project. The answer is not read: versions answer with the added team, or with
 * one page of all teams of the project.
 */
export async function addTeamToProject(
  client: ApiClient,
  projectId: string,
  { teamId, teamName, roles }: TeamName & { readonly roles: readonly string[] },
  signal?: AbortSignal,
): Promise<void> {
  await client.call({
    action: `Adding team ${teamName} with ${roles.join(", ")} to project ${projectId}`,
    method: "POST",
    path: ["groups", projectId, "teams"],
    body: [{ teamId, roleNames: roles }],
    signal,
  });
}

/**
 * Gives a team exactly these roles in a project. The answer is one page of all teams and is not
 * read.
 */
export async function setRolesOfTeam(
  client: ApiClient,
  projectId: string,
  { teamId, teamName, roles }: TeamName & { readonly roles: readonly string[] },
  signal?: AbortSignal,
): Promise<void> {
  await client.call({
    action: `Giving team ${teamName} ${roles.join(", ")} in project ${projectId}`,
    method: "PATCH",
    path: ["groups", projectId, "teams", teamId],
    body: { roleNames: roles },
    signal,
  });
}

/** Removes a team from a project; the team remains in its organization. */
export async function removeTeamFromProject(
  client: ApiClient,
  projectId: string,
  { teamId, teamName }: TeamName,
  signal?: AbortSignal,
): Promise<void> {
  await client.call({
    action: `Removing team ${teamName} from project ${projectId}`,
    method: "DELETE",
    path: ["groups", projectId, "teams", teamId],
    signal,
  });
}
