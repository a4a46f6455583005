/** Calls about people: the accounts in a project, and one account by its name. */
import { z } from "zod";
import type { ApiClient } from "./client";

const userRoles = z.array(
  z.object({ groupId: z.string().nullish(), orgId: z.string().nullish(), roleName: z.string() }),
);

/**
 * An account with all its roles, in every project and organization. Unused properties are not
 * read.
 */
export const userAnswer = z.object({ id: z.string(), username: z.string(), roles: userRoles.nullish() });

export type UserAnswer = z.output<typeof userAnswer>;

/**
 * A member of a project. Roles decide membership, so an answer without roles is an error, never a
 * list without members.
 */
const memberAnswer = userAnswer.extend({ roles: userRoles });

interface UserFilter {
  /** Adds members who have access only through a team. */
  readonly flattenTeams?: boolean;
  /** Adds owners and readers of the whole organization. */
  readonly includeOrgUsers?: boolean;
}

/**
 * Without a filter, only people with a role in the project itself. The filter is sent in any case,
 * because the documents do not state the service's default for members of teams.
 *
 * @param filter people in addition to those with a role in the project itself
 */
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
    query: { flattenTeams: false, ...filter },
    answer: memberAnswer,
    signal,
  });
}

/**
 * Lists the accounts of an organization. Those that have not accepted an invitation to it are not
 * included.
 */
export async function listUsersOfOrganization(
  client: ApiClient,
  orgId: string,
  signal?: AbortSignal,
): Promise<UserAnswer[]> {
  return client.list({
    action: `Listing the people of organization ${orgId}`,
    method: "GET",
    path: ["orgs", orgId, "users"],
    answer: userAnswer,
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

interface RoleAssignment {
  readonly userId: string;
  /** For messages only. */
  readonly username: string;
  readonly roles: readonly string[];
  /**
   * The user is not a member, so the service may send an invitation instead of adding the account.
   */
  readonly invites?: boolean;
}

/**
 * The result as far as the answer shows it. The write has succeeded, whatever the answer holds.
 */
const assignmentAnswer = z
  .object({ results: z.array(userAnswer) })
  .optional()
  .catch(undefined);

/**
 * Gives an account exactly these roles in a project. The roles of a member are replaced. An
 * account that is not a member is added, or invited if the service requires consent.
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

/**
 * Removes a user from a project; the account still exists. The status of a success is not
 * documented, so any 2xx is accepted.
 */
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
