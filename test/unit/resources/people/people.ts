/** People for unit tests, in few words. */
import {
  type Invitation,
  type Member,
  type Membership,
  pendingMembership,
} from "../../../../provider/access/person";

export const projectId = "5f00000000000000000000a1";

/** `member("ada")` is `ada@example.com` with the account `user-ada`. */
export function member(name: string, ...roles: string[]): Member {
  return { userId: `user-${name.toLowerCase()}`, username: `${name}@example.com`, roles: withDefault(roles) };
}

/** The invitation `invite-ada` to `ada@example.com`; later ones of the same name are newer. */
export function invitation(name: string, ...roles: string[]): Invitation {
  return {
    invitationId: `invite-${name.toLowerCase()}`,
    username: `${name}@example.com`,
    roles: withDefault(roles),
    createdAt: "2026-01-01T00:00:00Z",
    expiresAt: "2026-01-31T00:00:00Z",
    inviterUsername: "owner@example.com",
    groupName: "payments",
  };
}

type Active = Extract<Membership, { status: "active" }>;

export function active(name: string, ...roles: string[]): Active {
  return { status: "active", ...member(name, ...roles), invitations: [] };
}

export function pending(name: string, ...roles: string[]): Membership {
  return pendingMembership([invitation(name, ...roles)]);
}

function withDefault(roles: string[]): string[] {
  return roles.length === 0 ? ["GROUP_READ_ONLY"] : roles.sort();
}

/** The membership of an account that was renamed later. */
export function renamed(membership: Active, username: string): Active {
  return { ...membership, username };
}
