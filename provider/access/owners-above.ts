/** Who owns the projects of an organization whatever roles they have there, as this operation read it. */

import type { Identity, Membership } from "./person";
import { ownsFromAbove } from "./rights";

type KnownPerson = Pick<Identity, "userId"> & Pick<Membership, "status">;

/** Diff sends no request, so it asks what a read of the same operation found. */
export class OwnersAbove {
  readonly #userIds = new Map<string, ReadonlySet<string | undefined>>();

  record(projectId: string, orgId: string | undefined, memberships: readonly Membership[]): void {
    const owners = memberships.filter((membership) => isOwnerAbove(membership, orgId));
    this.#userIds.set(projectId, new Set(owners.map(({ userId }) => userId)));
  }

  /** Whether a role in the project gives a member nothing new. False also if that was not read. */
  has(projectId: string, { status, userId }: KnownPerson): boolean {
    return status === "active" && this.#userIds.get(projectId)?.has(userId) === true;
  }
}

/** Whether a member owns each project of the organization by a role above. */
export function isOwnerAbove(membership: Membership, orgId: string | undefined): boolean {
  return membership.status === "active" && ownsFromAbove(membership.rolesAbove ?? [], orgId);
}
