import { newId } from "./ids";
import { newAccount } from "./make";
import type { Account, Invitation } from "./model";
import { orgRolesIn, rolesIn, setOrgRoles, setProjectRoles } from "./people";
import type { World } from "./store";

/** The lifecycle of an invitation: sent, then accepted, expired or deleted; in each of the three cases it no longer exists. */

const dayMs = 86_400_000;

export const isExpired = (world: World, invitation: Invitation): boolean =>
  Date.parse(invitation.expiresAt) <= world.clock.now();

/** The id of the project or of the organization that the invitation is to. */
export const targetOf = ({ groupId, orgId }: Invitation): string | undefined => groupId ?? orgId;

/**
 * Pending invitations to a project or an organization, optionally those of one person (upper and lower case are the
 * same).
 */
export function pendingInvitations(world: World, targetId: string, username?: string): Invitation[] {
  const name = username?.toLowerCase();
  return world.store.invitations.filter(
    (invitation) =>
      targetOf(invitation) === targetId &&
      !isExpired(world, invitation) &&
      (name === undefined || invitation.username.toLowerCase() === name),
  );
}

/** What an invitation is to. */
export type InvitationTarget = { readonly groupId: string } | { readonly orgId: string };

export interface NewInvitation {
  readonly target: InvitationTarget;
  readonly username: string;
  readonly roles: readonly string[];
  readonly teamIds?: readonly string[] | undefined;
  readonly inviterUsername: string;
}

/** Sends an invitation, whatever is pending already. */
export function sendInvitation(world: Omit<World, "events">, invitation: NewInvitation): Invitation {
  const account = world.store.userByName(invitation.username);
  return world.store.invitations.put({
    id: newId(),
    ...invitation.target,
    username: invitation.username,
    ...(account === undefined ? {} : { userId: account.id }),
    roles: [...new Set(invitation.roles)],
    teamIds: [...(invitation.teamIds ?? [])],
    createdAt: world.clock.iso(),
    expiresAt: world.clock.iso(world.switches.invitationDays * dayMs),
    inviterUsername: invitation.inviterUsername,
  });
}

/** Deletes the person's pending invitations to the project or organization. */
export function dropInvitations(world: World, targetId: string, username: string): void {
  for (const { id } of pendingInvitations(world, targetId, username)) world.store.invitations.delete(id);
}

/** Adds the account to the teams, for those that it is not in. */
export function joinTeams({ store }: World, account: Account, teamIds: readonly string[]): void {
  for (const team of store.teams.filter(
    (row) => teamIds.includes(row.id) && !row.userIds.includes(account.id),
  )) {
    store.teams.put({ ...team, userIds: [...team.userIds, account.id] });
  }
}

/**
 * Keeps the invitations of a renamed account. Each one names the account from now on. It gets the
 * new name, unless the switch `renamedInvitee` keeps the name that it was sent to.
 */
export function renameInvitee({ store, switches }: World, account: Account, newName: string): void {
  const oldName = account.username.toLowerCase();
  const isTheirs = ({ userId, username }: Invitation): boolean =>
    userId === undefined ? username.toLowerCase() === oldName : userId === account.id;
  for (const invitation of store.invitations.filter(isTheirs)) {
    const username = switches.renamedInvitee === "follows" ? newName : invitation.username;
    store.invitations.put({ ...invitation, userId: account.id, username });
  }
}

/**
 * Accepts an invitation. The account is created if there is none. It gets the roles of the
 * invitation in addition to its own, and joins its teams. The invitation no longer exists.
 */
export function acceptInvitation(world: World, invitation: Invitation): Account {
  const { store } = world;
  const { groupId, orgId, username, userId, roles, teamIds } = invitation;
  const invited = userId === undefined ? store.userByName(username) : store.users.get(userId);
  const account = invited ?? newAccount({ username });
  const joined =
    groupId === undefined
      ? setOrgRoles(store, account, orgId ?? "", [...orgRolesIn(account, orgId ?? ""), ...roles])
      : setProjectRoles(store, account, groupId, [...rolesIn(account, groupId), ...roles]);
  joinTeams(world, joined, teamIds);
  // With its account, the invitation is known as accepted. Without, its deletion would be an event.
  store.invitations.put({ ...invitation, userId: joined.id });
  store.invitations.delete(invitation.id);
  return joined;
}
