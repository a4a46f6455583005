/** The service accounts of organizations and projects. Only Cloud Manager has some. */

import type { RoleAbove } from "../../provider/access/rights";
import type { ApiClient } from "../../provider/api/client";
import {
  listServiceAccounts,
  listServiceAccountsOfProject,
  type ServiceAccountResponse,
} from "../../provider/api/service-accounts";
import { owningRolesAbove, rolesAmong } from "../../provider/resources/contract/roles";
import { isPossiblyOfGateway, meaningOf } from "../../provider/resources/evidence/meaning";
import { isCloudManager } from "../../provider/settings/address";

/** A service account and its roles in one project or organization. */
export interface LiveServiceAccount extends Omit<ServiceAccountResponse, "description" | "roles"> {
  /** Sorted. */
  readonly roles: readonly string[];
  /** Roles by which it owns organizations; absent if it has none, or if its organization cannot be read. */
  readonly rolesAbove?: readonly RoleAbove[] | undefined;
}

/** The list of each organization, read once. */
export type ServiceAccountsOf = (orgId: string) => Promise<readonly ServiceAccountResponse[]>;

export function serviceAccountLists(client: ApiClient, signal: AbortSignal): ServiceAccountsOf {
  const reads = new Map<string, ReturnType<ServiceAccountsOf>>();
  return (orgId) => {
    const read = reads.get(orgId) ?? listServiceAccounts(client, orgId, signal);
    reads.set(orgId, read);
    return read;
  };
}

/**
 * Whether a response that means "not offered" may be that of a gateway in front of Cloud Manager, which offers service accounts
 * and federations. Ops Manager offers neither, so there it means what it says.
 */
export function mayHideOffer(client: ApiClient, error: unknown): boolean {
  const isOfCloudManager = isCloudManager(client) || client.publicKey === undefined;
  return isOfCloudManager && isPossiblyOfGateway(error);
}

/**
 * Reads the service accounts of an organization with their roles there. A service without them has none.
 *
 * @throws the response if they cannot be read, or if a gateway may have responded
 */
export async function readServiceAccountsOfOrganization(
  client: ApiClient,
  orgId: string,
  list: ServiceAccountsOf,
): Promise<readonly LiveServiceAccount[]> {
  const accounts = await list(orgId).catch((error: unknown) => {
    if (meaningOf(error) === "missing-operation" && !mayHideOffer(client, error)) return [];
    throw error;
  });
  return accounts.map((account) => ({
    ...factsOf(account),
    roles: rolesAmong(account.roles, (role) => role.orgId === orgId),
  }));
}

/**
 * Reads the service accounts that have a role in the project. Each of them belongs to the organization, so nothing else is
 * read if that has none.
 *
 * @throws the response if they cannot be read, or if the service does not offer it
 */
export async function serviceAccountsOfProject(
  client: ApiClient,
  { projectId, orgId }: { readonly projectId: string; readonly orgId?: string | undefined },
  list: ServiceAccountsOf,
  signal: AbortSignal,
): Promise<readonly LiveServiceAccount[]> {
  const ofOrganization = orgId === undefined ? undefined : await unlessHidden(list(orgId));
  if (ofOrganization?.length === 0) return [];
  const rolesAbove = new Map(
    ofOrganization?.map(({ clientId, roles }) => [
      clientId,
      owningRolesAbove(roles, (role) => role.orgId === undefined),
    ]),
  );
  const accounts = await listServiceAccountsOfProject(client, projectId, signal);
  return accounts
    .map((account) => ({
      ...factsOf(account),
      roles: rolesAmong(account.roles, (role) => role.projectId === projectId),
      rolesAbove: rolesAbove.get(account.clientId),
    }))
    .filter(({ roles }) => roles.length > 0);
}

/** Credentials that see a project need not see its organization. */
async function unlessHidden<T>(list: Promise<T>): Promise<T | undefined> {
  return list.catch((error: unknown) => {
    if (["unreadable", "deleted-or-hidden"].includes(meaningOf(error))) return undefined;
    throw error;
  });
}

function factsOf({ clientId, name, createdAt, secrets }: ServiceAccountResponse) {
  return { clientId, name, createdAt, secrets };
}
