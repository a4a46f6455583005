/** Calls about people: the accounts in a project, and one account by its name. */
import { z } from "zod";
import type { ApiClient } from "./client";

const userRoles = z.array(
  z.object({ groupId: z.string().nullish(), orgId: z.string().nullish(), roleName: z.string() }),
);

/** An account with all its roles, in every project and organization; what the provider does not use is not read. */
const userAnswer = z.object({ id: z.string(), username: z.string(), roles: userRoles.nullish() });

export type UserAnswer = z.output<typeof userAnswer>;

/** Roles decide who is a member of a project, so a list that lacks them is an error and never a list without members. */
const memberAnswer = userAnswer.extend({ roles: userRoles });

export interface UserFilter {
  /** Adds those who are in only through a team. */
  readonly flattenTeams?: boolean;
  /** Adds owners and readers of the whole organization. */
  readonly includeOrgUsers?: boolean;
}

/** @param filter people beside those who have a role in the project itself */
export async function listUsersOfProject(
  client: ApiClient,
  projectId: string,
  signal?: AbortSignal,
  filter: UserFilter = {},
): Promise<UserAnswer[]> {
  return client.list({
    action: `Listing the people of project ${projectId}`,
    method: "GET",
    path: ["groups", projectId, "users"],
    query: { ...filter },
    answer: memberAnswer,
    signal,
  });
}

export async function getUser(client: ApiClient, userId: string, signal?: AbortSignal): Promise<UserAnswer> {
  return client.call({
    action: `Looking up account ${userId}`,
    method: "GET",
    path: ["users", userId],
    answer: userAnswer,
    signal,
  });
}

export async function getUserByName(
  client: ApiClient,
  username: string,
  signal?: AbortSignal,
): Promise<UserAnswer> {
  return client.call({
    action: `Looking up the account of ${username}`,
    method: "GET",
    path: ["users", "byName", username],
    answer: userAnswer,
    signal,
  });
}

export interface RoleAssignment {
  readonly userId: string;
  /** For messages alone. */
  readonly username: string;
  readonly roles: readonly string[];
  /** They are not a member, so that the service may invite them instead of adding them. */
  readonly invites?: boolean;
}

/** What came of it, as far as the answer says; the write itself has succeeded whatever it says. */
const assignmentAnswer = z
  .object({ results: z.array(userAnswer) })
  .optional()
  .catch(undefined);

/**
 * Gives an account exactly these roles in a project. A member's roles are overwritten; somebody who is not a member is added,
 * or invited where the service asks people first.
 *
 * @returns the account as the answer has it; one without roles in the project was invited
 */
export async function setRolesInProject(
  client: ApiClient,
  projectId: string,
  { userId, username, roles, invites = false }: RoleAssignment,
  signal?: AbortSignal,
): Promise<UserAnswer | undefined> {
  const answer = await client.call({
    action: `Giving ${username} ${roles.join(", ")} in project ${projectId}`,
    method: "POST",
    path: ["groups", projectId, "users"],
    body: [{ id: userId, roles: roles.map((roleName) => ({ roleName })) }],
    answer: assignmentAnswer,
    signal,
    invites,
  });
  return answer?.results.find(({ id }) => id === userId);
}

/** Takes somebody out of a project; the account stays. The status of a success is not documented, so any 2xx is one. */
export async function removeUserFromProject(
  client: ApiClient,
  projectId: string,
  { userId, username }: { readonly userId: string; readonly username: string },
  signal?: AbortSignal,
): Promise<void> {
  await client.call({
    action: `Removing ${username} from project ${projectId}`,
    method: "DELETE",
    path: ["groups", projectId, "users", userId],
    signal,
  });
}
