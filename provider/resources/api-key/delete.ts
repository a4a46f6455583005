/** Deletes or releases an API key of an organization. */

import { deleteApiKey } from "../../api/api-keys";
import type { DeleteRequest } from "../contract/resource";
import { isErrorResponse } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { ApiKeyCache, apiKeyIn, findApiKey, refuseForOwnKey } from "../people/api-keys";
import { Claims } from "../session/claims";
import { asApiKeyInputs, onDestroySetting } from "./inputs";
import { asApiKeyState } from "./state";

export async function remove({ id, state, oldInputs, context }: DeleteRequest): Promise<void> {
  const recorded = asApiKeyState(state, id);
  const { orgId, keyId } = recorded;
  const { session, signal, log, urn } = context;
  if (onDestroySetting.effective(asApiKeyInputs(oldInputs)) === "release") {
    log.info(`API key ${keyId} of organization ${orgId} was released: it remains valid.`);
    return;
  }
  const owner = session.of(Claims).declarerOf(apiKeyIn(orgId, recorded));
  // Create never takes an existing key, so the claim of the key's own resource protects nothing.
  if (owner !== undefined && owner !== urn) {
    log.info(`API key ${keyId} of organization ${orgId} was kept because ${owner} declares it.`);
    return;
  }
  const key = await findApiKey(orgId, keyId, context, "writing");
  if (key === undefined) return;
  if (key instanceof Refusal) throw key.error;
  refuseForOwnKey(key, "was not deleted", session);
  try {
    await deleteApiKey(session.client, orgId, keyId, signal);
  } catch (error) {
    if (!isErrorResponse(error) || signal.aborted) throw error;
    const now = await findApiKey(orgId, keyId, context, "writing").catch(() => key);
    if (now !== undefined) throw error;
  } finally {
    session.of(ApiKeyCache).ofOrganization.written(orgId);
  }
}
