/** One person and the place they have in a project. Pure. */
import { inOrder } from "../values";

/** Whatever is known of who somebody is; a name counts without case. */
export interface Identity {
  readonly userId?: string | undefined;
  readonly invitationId?: string | undefined;
  readonly username?: string | undefined;
}

/** Somebody who has roles in the project itself, not only through a team or the organization. */
export interface Member {
  readonly userId: string;
  readonly username: string;
  /** Sorted, at least one. */
  readonly roles: readonly string[];
}

/** An invitation that can still be accepted. */
export interface Invitation {
  readonly invitationId: string;
  readonly username: string;
  /** Sorted. */
  readonly roles: readonly string[];
  /** ISO 8601, UTC; likewise `expiresAt`. */
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly inviterUsername: string;
  readonly groupName: string;
}

/** What somebody is to a project; `invitations` are all that are pending for them, the newest first. */
export type Place =
  | { readonly status: "active"; readonly member: Member; readonly invitations: readonly Invitation[] }
  | { readonly status: "pending"; readonly invitations: readonly [Invitation, ...Invitation[]] };

/** Names of people compare without case: the service takes both for one person. */
export function sameName(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && foldName(one) === foldName(other);
}

export function foldName(username: string): string {
  return username.toLowerCase();
}

/**
 * The person's place among these. An id that is known decides before a name, so that an invitation of somebody else is never
 * taken for theirs.
 */
export function placeAmong(
  members: readonly Member[],
  invitations: readonly Invitation[],
  who: Identity,
): Place | undefined {
  const account = members.find(({ userId }) => userId === who.userId);
  const invited = account
    ? undefined
    : invitations.find(({ invitationId }) => invitationId === who.invitationId);
  const name = invited?.username ?? who.username;
  const member = account ?? members.find(({ username }) => sameName(username, name));
  const pending = newestFirst(
    invitations.filter(({ username }) => sameName(username, name) || sameName(username, member?.username)),
  );
  if (member) return { status: "active", member, invitations: pending };
  const [newest, ...others] = pending;
  return newest && { status: "pending", invitations: [newest, ...others] };
}

export function newestFirst(invitations: readonly Invitation[]): Invitation[] {
  return [...invitations].sort((one, other) => inOrder(other.createdAt, one.createdAt));
}

export function rolesOf(place: Place): readonly string[] {
  return place.status === "active" ? place.member.roles : place.invitations[0].roles;
}

export function usernameOf(place: Place): string {
  return place.status === "active" ? place.member.username : place.invitations[0].username;
}

/** The role whose last direct holder a project does not lose. */
export const OWNER_ROLE = "GROUP_OWNER";

export function isOwner(place: Place): boolean {
  return place.status === "active" && place.member.roles.includes(OWNER_ROLE);
}

/** How a message names somebody: `ada@example.com`, or an id where no name is known. */
export function nameOf({ username, userId, invitationId }: Identity): string {
  return username ?? (userId === undefined ? `invitation ${invitationId}` : `user ${userId}`);
}
