/** The API keys of organizations and projects, read once for several resources where that is safe. */

import { isSameHolder, type Place } from "../../access/places";
import type { RoleAbove } from "../../access/rights";
import { type ApiKeyResponse, getApiKey, listApiKeys, listApiKeysOfProject } from "../../api/api-keys";
import type { ApiClient } from "../../api/client";
import { isMasked } from "../../api/masked-key";
import { RefusedError } from "../../text/errors";
import type { Context } from "../contract/resource";
import { owningRolesAbove, rolesAmong } from "../contract/roles";
import type { Configured } from "../contract/session";
import { howToKeep } from "../contract/until";
import { sameSet } from "../contract/values";
import { meaningOf } from "../evidence/meaning";
import { orRefusal, Refusal } from "../evidence/refusal";
import { Claims, type Subject } from "../session/claims";
import { Declarations } from "../session/declarations";
import { type Purpose, SharedReads } from "../session/shared-reads";

/** A key and its roles in one project or organization. */
export interface KeyEntry {
  readonly keyId: string;
  readonly description?: string | undefined;
  readonly publicKey: string;
  /** Sorted. */
  readonly roles: readonly string[];
  /** Of a key in a project: roles by which it owns organizations; absent if it has none. */
  readonly rolesAbove?: readonly RoleAbove[] | undefined;
}

/** What this operation has read about API keys. All lists are complete, or there is a refusal. */
export class ApiKeyCache {
  readonly ofOrganization: SharedReads<readonly ApiKeyResponse[] | Refusal>;
  readonly ofProject: SharedReads<readonly KeyEntry[] | Refusal>;

  constructor({ client, settings }: Configured) {
    this.ofOrganization = new SharedReads(
      (orgId, signal) => orRefusal(listApiKeys(client, orgId, signal)),
      settings.readCacheSeconds,
    );
    this.ofProject = new SharedReads(
      (projectId, signal) => orRefusal(keysOfProject(client, projectId, signal)),
      settings.readCacheSeconds,
    );
  }
}

/** The keys that have a role in the project, with these roles alone. */
export async function keysOfProject(
  client: ApiClient,
  projectId: string,
  signal: AbortSignal,
): Promise<KeyEntry[]> {
  const keys = await listApiKeysOfProject(client, projectId, signal);
  return keys
    .map(({ keyId, description, publicKey, roles }) => ({
      keyId,
      description,
      publicKey,
      roles: rolesAmong(roles, (role) => role.projectId === projectId),
      rolesAbove: owningRolesAbove(roles, (role) => role.projectId !== undefined),
    }))
    .filter(({ roles }) => roles.length > 0);
}

/**
 * A key of an organization, as the list shows it. A key that the list lacks is read singly.
 *
 * @param purpose for a write, the list is read after this call
 * @returns `undefined` if the list lacks the key and the service responds that it does not exist
 */
export async function findApiKey(
  orgId: string,
  keyId: string,
  { session, signal }: Pick<Context, "session" | "signal">,
  purpose: Purpose = "reading",
): Promise<ApiKeyResponse | Refusal | undefined> {
  const keys = await session.of(ApiKeyCache).ofOrganization.read(orgId, purpose, signal);
  if (keys instanceof Refusal) return keys;
  const listed = keys.find((key) => key.keyId === keyId);
  if (listed) return listed;
  const single = await orRefusal(getApiKey(session.client, orgId, keyId, signal));
  return single instanceof Refusal && meaningOf(single.error) === "deleted" ? undefined : single;
}

/** A key keeps its public key for life, so what a gateway makes of it in a response is no change. */
export function publicKeyToRecord(recorded: string | undefined, shown: string): string {
  return recorded && !isMasked(recorded) ? recorded : shown;
}

/**
 * Refuses a change that would end or reduce what the provider's own key may do. The key is known by
 * its public part, so no other request is needed. If a response masks that, the key may be the own one.
 * A provider that authenticates as a service account has no API key of its own, so nothing is refused.
 *
 * @param change what is refused, as the predicate of the sentence: `was not deleted`
 */
export function refuseForOwnKey(
  { publicKey }: Pick<KeyEntry, "publicKey">,
  change: string,
  { session, end }: Pick<Context, "session" | "end">,
): void {
  const own = session.client.publicKey;
  const mayBeOwn = own !== undefined && (publicKey === own || isMasked(publicKey));
  if (!mayBeOwn) return;
  const reason = isMasked(publicKey)
    ? "responses mask its public key, so it may be the one with which the provider authenticates. Run this change without the gateway that masks it."
    : "the provider itself authenticates with it, so later requests would be rejected. Run this change with another key, or revert it in the program.";
  throw new RefusedError(
    `API key ${publicKey} ${change}: ${reason} ${howToKeep(end, 'To remove the resource and keep the key, set onDestroy to "release".')}`,
  );
}

/**
 * Whether the resource of the key has created or taken another key, which has the same roles in the place.
 * Then no program loses access if this one leaves.
 */
export function isReplacedKey(
  { keyId, roles }: Pick<KeyEntry, "keyId" | "roles">,
  place: Place,
  { session, urn }: Pick<Context, "session" | "urn">,
): boolean {
  const claims = session.of(Claims);
  if (claims.isDeletedFirst(urn)) return false;
  const declarations = session.of(Declarations);
  const successors = declarations
    .of(claims.successorOf(urn))
    .map(({ holder }) => holder)
    .filter((holder) => holder.kind === "API key" && holder.keyId !== undefined && holder.keyId !== keyId);
  return declarations
    .all()
    .some(
      (access) =>
        successors.some((successor) => isSameHolder(successor, access.holder)) &&
        access.place.kind === place.kind &&
        access.place.id === place.id &&
        sameSet(access.roles ?? [], roles),
    );
}

/** A key by its ID, by its public key, or by both. */
interface KeyIdentity {
  readonly keyId?: string | undefined;
  readonly publicKey?: string | undefined;
}

/** A key in one place, as claims know it. @param placeId ID of the organization or project */
export function apiKeyIn(placeId: string, { keyId, publicKey }: KeyIdentity): Subject {
  return [
    ...(keyId === undefined ? [] : [["API key", placeId, keyId] as const]),
    ...(publicKey === undefined ? [] : [["public key", placeId, publicKey] as const]),
  ];
}
