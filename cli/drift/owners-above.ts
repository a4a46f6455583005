/** Who owns all projects of an organization, whatever roles they have in one of them. */

import { foldName, type Identity, type Member } from "../../provider/access/person";
import { ownsFromAbove } from "../../provider/access/rights";
import type { ApiClient } from "../../provider/api/client";
import { membersOfOrganization } from "../../provider/resources/reads/organization-people";
import { orReason, reportedElsewhere } from "../lib/access/reading";

/** Whether a person owns all projects of the organization, so a role in one of them is no difference. */
export type OwnsAbove = (person: Pick<Identity, "userId"> & { readonly username: string }) => boolean;

export const noOneOwnsAbove: OwnsAbove = () => false;

/** @param members of the organization */
export function ownsAboveAmong(orgId: string, members: readonly Member[]): OwnsAbove {
  const owners = members.filter(({ rolesAbove = [] }) => ownsFromAbove(rolesAbove, orgId));
  const ids = new Set(owners.map(({ userId }) => userId));
  const names = new Set(owners.map(({ username }) => foldName(username)));
  // An account is known by its ID. An invitation has only a name.
  return ({ userId, username }) => (userId === undefined ? names.has(foldName(username)) : ids.has(userId));
}

/** Reads the members of each organization once, and only if something depends on them. */
export class OwnersAbove {
  readonly #byOrganization = new Map<string, Promise<OwnsAbove>>();

  constructor(
    private readonly client: ApiClient,
    private readonly signal: AbortSignal,
  ) {}

  /** If the members cannot be read, no one is known to own the projects, so each owner is reported. */
  in(orgId: string | undefined): Promise<OwnsAbove> {
    if (orgId === undefined) return Promise.resolve(noOneOwnsAbove);
    const read =
      this.#byOrganization.get(orgId) ??
      orReason(membersOfOrganization(this.client, orgId, this.signal), this.signal).then((reading) =>
        ownsAboveAmong(orgId, reading.take(reportedElsewhere) ?? []),
      );
    this.#byOrganization.set(orgId, read);
    return read;
  }
}
