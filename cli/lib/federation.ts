/** The roles that the federation of an organization of Cloud Manager gives at login. */

import type { GroupSource } from "../../provider/access/places";
import type { ApiClient } from "../../provider/api/client";
import { getConnectedOrganization, getFederation } from "../../provider/api/federation";
import { inOrder } from "../../provider/resources/contract/values";
import { isErrorResponse, meaningOf } from "../../provider/resources/evidence/meaning";
import { UnexpectedResponseError } from "../../provider/text/errors";
import type { MappedGroup } from "./organization";
import { mayHideOffer } from "./service-accounts";

/** By the ID of an organization or a project, the groups to which the federation gives roles there. */
export type FederatedGroups = (placeId: string) => readonly MappedGroup[];

/**
 * Reads what the federation of an organization gives. An organization without a federation, or a service without this
 * operation, gives nothing by one.
 *
 * @throws the response if it cannot be read, or if a gateway may have responded
 */
export async function readFederatedGroups(
  client: ApiClient,
  orgId: string,
  signal: AbortSignal,
): Promise<FederatedGroups> {
  const federation = await getFederation(client, orgId, signal).catch((error: unknown) => {
    const isAbsent = isErrorResponse(error) && error.status === 404;
    if (!isAbsent && meaningOf(error) !== "missing-operation") throw error;
    if (mayHideOffer(client, error)) throw error;
    return undefined;
  });
  if (!federation?.id) return () => [];
  const { roleMappings, postAuthRoleGrants } = await getConnectedOrganization(
    client,
    federation.id,
    orgId,
    signal,
  );
  if (federation.hasRoleMappings && !roleMappings)
    throw new UnexpectedResponseError(
      `The federation of organization ${orgId} has role mappings, but the service does not show them.`,
    );
  const byGroup = Map.groupBy(roleMappings ?? [], ({ externalGroupName }) => externalGroupName);
  const granted = (property: GroupSource, name: string, all: readonly string[]): MappedGroup[] =>
    all.length === 0 ? [] : [{ property, name, roles: [...new Set(all)].sort(inOrder) }];
  return (placeId) => [
    ...granted("postAuthRoleGrants", EVERYONE, placeId === orgId ? postAuthRoleGrants : []),
    ...[...byGroup].flatMap(([name, mappings]) => {
      const all = mappings.flatMap(({ roleAssignments }) => roleAssignments);
      const own = all.filter((each) => each.placeId === placeId);
      return granted(
        "roleMappings",
        name,
        own.map(({ role }) => role),
      );
    }),
  ];
}

/** Whoever has the roles of `postAuthRoleGrants`, as if they were a group. */
const EVERYONE = "everyone who signs in";
