/** Who a person is, and a membership in a project or organization. Pure. */
import type { RoleAbove } from "./rights";

/** The known IDs and username of a person. */
export interface Identity {
  readonly userId?: string | undefined;
  readonly invitationId?: string | undefined;
  readonly username?: string | undefined;
}

/** True if both are the same name of a person. */
export function sameName(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && foldName(one) === foldName(other);
}

/**
 * The form in which names of people are compared: without case, and in the Unicode normalization
 * form NFC.
 */
export function foldName(username: string): string {
  return username.normalize("NFC").toLowerCase().normalize("NFC");
}

/** The name for messages: `ada@example.com`, or an ID if no username is known. */
export function memberName({ username, userId, invitationId }: Identity): string {
  return username ?? (userId === undefined ? `invitation ${invitationId}` : `user ${userId}`);
}

/** An account with roles in the project or organization itself, not only through a team. */
export interface Member {
  readonly userId: string;
  readonly username: string;
  /** Sorted; in a project at least one. */
  readonly roles: readonly string[];
  /** The teams of the account, in all organizations. */
  readonly teamIds?: readonly string[] | undefined;
  /** Roles by which the account owns organizations or the service; absent if it has none. */
  readonly rolesAbove?: readonly RoleAbove[] | undefined;
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
  /** The name of the project, if it is an invitation to one. */
  readonly groupName?: string | undefined;
  /** The teams that the person joins by accepting. */
  readonly teamIds?: readonly string[] | undefined;
}

/** All pending invitations of a person, the newest first. */
type Invited = readonly [Invitation, ...Invitation[]];

export type ActiveMembership = Membership & { readonly status: "active" };

/** An active member or an invited person, with everything that shows who it is. */
export type Membership = {
  readonly username: string;
  /** Those of the member, or of the newest invitation. */
  readonly roles: readonly string[];
  /** Roles that the service shows as well, because they come through teams. */
  readonly teamRoles?: readonly string[] | undefined;
  /** The newest pending invitation. */
  readonly invitationId?: string | undefined;
} & (
  | (Pick<Member, "userId" | "teamIds" | "rolesAbove"> & {
      readonly status: "active";
      readonly invitations: readonly Invitation[];
    })
  /** `userId`: the account that the invitation is for, if it is known. */
  | { readonly status: "pending"; readonly userId?: string | undefined; readonly invitations: Invited }
);

export function activeMembership(member: Member, invitations: readonly Invitation[] = []): Membership {
  return { status: "active", ...member, invitationId: invitations[0]?.invitationId, invitations };
}

export function pendingMembership(invitations: Invited, userId?: string): Membership {
  const [{ invitationId, username, roles }] = invitations;
  return { status: "pending", userId, invitationId, username, roles, invitations };
}

export function usernamesOf(memberships: readonly Membership[]): string[] {
  return memberships.map(({ username }) => username);
}

/** The role of an owner, by the kind of place. */
export const OWNER_ROLES = { project: "GROUP_OWNER", organization: "ORG_OWNER" } as const;

/** The role whose last direct holder a project does not lose. */
export const OWNER_ROLE = OWNER_ROLES.project;

export function isOwner({
  status,
  roles,
}: Pick<Membership, "roles"> & { readonly status?: Membership["status"] | undefined }): boolean {
  return status === "active" && roles.includes(OWNER_ROLE);
}

/** The name by which the program lists a person. */
export function listedName(person: {
  readonly username: string;
  readonly declaredAs?: string | undefined;
}): string {
  return person.declaredAs ?? person.username;
}

/**
 * The warning about an account that is not changed because the program lists its name.
 *
 * @param place such as `project 5f0000000000000000000101`
 * @param newName the present name of the account that the program means by this name
 */
export function nameOfTwo(username: string, place: string, newName: string): string {
  return `${username} in ${place} is the name of two accounts: the recorded one is now ${newName}, and the other one is left alone. List ${newName} by its new name.`;
}
