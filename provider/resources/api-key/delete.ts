/** Deletes or releases an API key of an organization. */

import { type ApiKeyResponse, deleteApiKey } from "../../api/api-keys";
import type { DeleteRequest } from "../contract/resource";
import { rolesAmong } from "../contract/roles";
import { Refusal } from "../evidence/refusal";
import { orReached } from "../evidence/reread";
import { staysAfterDelete } from "../keys/creation";
import { placesText, refuseToDeleteFirst, refuseToEndDeclared } from "../people/declared-below";
import {
  ApiKeyCache,
  apiKeyIn,
  findApiKey,
  isReplacedKey,
  publicKeyToRecord,
  refuseForOwnKey,
} from "../reads/api-keys";
import { RemovalBudget } from "../session/removal-budget";
import { asApiKeyInputs, onDestroySetting } from "./inputs";
import { type ApiKeyState, asApiKeyState, liveRoles } from "./state";

export async function remove({ id, state, oldInputs, context }: DeleteRequest): Promise<void> {
  const recorded = asApiKeyState(state, id);
  const { orgId, keyId } = recorded;
  const { session, signal, log } = context;
  const name = `API key ${keyId} of organization ${orgId}`;
  const onDestroy = onDestroySetting.effective(asApiKeyInputs(oldInputs));
  if (staysAfterDelete(name, apiKeyIn(orgId, recorded), onDestroy, context)) return;
  const found = await findApiKey(orgId, keyId, context, "writing");
  if (found === undefined) return;
  if (found instanceof Refusal) throw found.error;
  const key = { ...found, publicKey: publicKeyToRecord(recorded.publicKey, found.publicKey) };
  refuseForOwnKey(key, "was not deleted", session);
  const { publicKey } = key;
  const refused = `API key ${publicKey} was not deleted from organization ${orgId}`;
  const holder = { kind: "API key", keyId, publicKey } as const;
  await refuseToEndDeclared([{ of: "holder", holder, orgId }], refused, context);
  const ending = accessOf(key, recorded);
  const below = ending.filter(({ place }) => place.kind === "project");
  refuseToDeleteFirst(below, refused, context);
  const counting = ending.filter(({ place, roles }) => !isReplacedKey({ keyId, roles }, place, context));
  const removals = counting.map(({ place }) => ({ placeId: place.id, holder: keyId }));
  session.of(RemovalBudget).require(removals, refused);
  const read = (by: AbortSignal) => findApiKey(orgId, keyId, { session, signal: by }, "writing");
  const isReached = (now: unknown) => now === undefined;
  await orReached(deleteApiKey(session.client, orgId, keyId, signal), { read, isReached }, signal).finally(
    () => session.of(ApiKeyCache).ofOrganization.written(orgId),
  );
  if (below.length > 0)
    log.info(`API key ${publicKey} was deleted, and with it its roles in ${placesText(below)}.`);
}

/** The roles of the key in its organization, and in each project. */
function accessOf(key: ApiKeyResponse, { orgId, roles: declared }: ApiKeyState) {
  const projectIds = new Set(key.roles.flatMap(({ projectId }) => projectId ?? []));
  const inProjects = [...projectIds].map((id) => ({
    place: { kind: "project", id } as const,
    roles: rolesAmong(key.roles, ({ projectId }) => projectId === id),
  }));
  return [
    { place: { kind: "organization", id: orgId } as const, roles: liveRoles(key, orgId, declared) },
    ...inProjects,
  ];
}
