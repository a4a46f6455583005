/** The roles that the federation of an organization of Cloud Manager gives at login. */

import type { ApiClient } from "../../provider/api/client";
import { getConnectedOrganization, getFederation } from "../../provider/api/federation";
import { inOrder } from "../../provider/resources/contract/values";
import { isErrorResponse, meaningOf } from "../../provider/resources/evidence/meaning";
import type { MappedGroup } from "./organization";
import { mayHideServiceAccounts } from "./service-accounts";

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
    if (mayHideServiceAccounts(client, error)) throw error;
    return undefined;
  });
  if (!federation?.id) return () => [];
  const { roleMappings, postAuthRoleGrants } = await getConnectedOrganization(
    client,
    federation.id,
    orgId,
    signal,
  );
  const everyone = { property: "postAuthRoleGrants", name: EVERYONE, roles: postAuthRoleGrants } as const;
  return (placeId) => [
    ...(placeId === orgId && postAuthRoleGrants.length > 0 ? [everyone] : []),
    ...roleMappings.flatMap(({ externalGroupName: name, roleAssignments }) => {
      const own = roleAssignments.filter((each) => each.placeId === placeId);
      const roles = own.map(({ role }) => role).sort(inOrder);
      return roles.length === 0 ? [] : [{ property: "roleMappings" as const, name, roles }];
    }),
  ];
}

/** Whoever has the roles of `postAuthRoleGrants`, as if they were a group. */
const EVERYONE = "everyone who signs in";
