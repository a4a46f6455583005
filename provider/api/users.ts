/** Calls about people: the accounts in a project, and one account by its name. */
import { z } from "zod";
import { listOperation, operation, UNREAD_BODY } from "./client";

const userRoles = z.array(
  z.object({ groupId: z.string().nullish(), orgId: z.string().nullish(), roleName: z.string() }),
);

/**
 * An account with all its roles, in every project and organization. Unused properties are not
 * read.
 */
export const userResponse = z.object({
  id: z.string(),
  username: z.string(),
  roles: userRoles.nullish(),
  teamIds: z.array(z.string()).nullish(),
});

export type UserResponse = z.output<typeof userResponse>;

/**
 * A member of a project. Roles decide membership, so a response without roles is an error, never a
 * list without members.
 */
const memberResponse = userResponse.extend({ roles: userRoles });

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
export const listUsersOfProject = listOperation((projectId: string, filter?: UserFilter) => ({
  action: `Listing the people of project ${projectId}`,
  method: "GET",
  path: ["groups", projectId, "users"],
  query: { flattenTeams: false, ...filter },
  shape: memberResponse,
}));

/**
 * Lists the accounts of an organization. Those that have not accepted an invitation to it are not
 * included.
 */
export const listUsersOfOrganization = listOperation((orgId: string) => ({
  action: `Listing the people of organization ${orgId}`,
  method: "GET",
  path: ["orgs", orgId, "users"],
  shape: userResponse,
}));

export const getUser = operation((userId: string) => ({
  action: `Looking up account ${userId}`,
  method: "GET",
  path: ["users", userId],
  shape: userResponse,
}));

export const getUserByName = operation((username: string) => ({
  action: `Looking up the account of ${username}`,
  method: "GET",
  path: ["users", "byName", username],
  shape: userResponse,
}));

/** An account and what messages call it. */
export interface UserName {
  readonly userId: string;
  /** For messages only. */
  readonly username: string;
}

interface RoleAssignment extends UserName {
  readonly roles: readonly string[];
  /**
   * The user is not a member, so the service may send an invitation instead of adding the account.
   */
  readonly invites?: boolean;
}

/**
 * The result as far as the response shows it. The write has succeeded, whatever the response holds.
 */
const assignmentResponse = z
  .object({ results: z.array(userResponse) })
  .optional()
  .catch(undefined);

/**
 * Gives an account exactly these roles in a project. The roles of a member are replaced. An
 * account that is not a member is added, or invited if the service requires consent.
 *
 * @returns the account as the response has it; one without roles in the project was invited
 */
export const setRolesInProject = operation(
  (projectId: string, { userId, username, roles, invites = false }: RoleAssignment) => ({
    action: `Giving ${username} ${roles.join(", ")} in project ${projectId}`,
    method: "POST",
    path: ["groups", projectId, "users"],
    body: [{ id: userId, roles: roles.map((roleName) => ({ roleName })) }],
    shape: assignmentResponse.transform((response) => response?.results.find(({ id }) => id === userId)),
    invites,
  }),
);

/**
 * Gives a member of an organization exactly these roles in it. Only Cloud Manager documents the
 * operation.
 */
export const setRolesInOrganization = operation(
  (orgId: string, { userId, username }: UserName, roles: readonly string[]) => ({
    action: `Giving ${username} ${roles.join(", ")} in organization ${orgId}`,
    method: "PUT",
    path: ["orgs", orgId, "users", userId, "roles"],
    body: { orgRoles: roles },
    shape: UNREAD_BODY,
  }),
);

/**
 * Removes a user from an organization; the account still exists. Only Cloud Manager documents the
 * operation, without the status of a success.
 */
export const removeUserFromOrganization = operation((orgId: string, { userId, username }: UserName) => ({
  action: `Removing ${username} from organization ${orgId}`,
  method: "DELETE",
  path: ["orgs", orgId, "users", userId],
  shape: UNREAD_BODY,
}));

/**
 * Removes a user from a project; the account still exists. The status of a success is not
 * documented, so any 2xx is accepted.
 */
export const removeUserFromProject = operation((projectId: string, { userId, username }: UserName) => ({
  action: `Removing ${username} from project ${projectId}`,
  method: "DELETE",
  path: ["groups", projectId, "users", userId],
  shape: UNREAD_BODY,
}));
