/** Deletes or releases an agent API key. */

import { deleteAgentKey, listAgentKeys } from "../../api/agent-keys";
import { ApiError } from "../../text/errors";
import type { Context, DeleteRequest } from "../contract/resource";
import { isProjectDeleted } from "../reads/absence";
import { Claims } from "../session/claims";
import { asKeyInputs, onDestroySetting } from "./inputs";
import { agentKey, asKeyState, type KeyState } from "./state";

export async function remove({ id, state, oldInputs, context }: DeleteRequest): Promise<void> {
  const recorded = asKeyState(state, id);
  const { projectId, keyId } = recorded;
  if (onDestroySetting.effective(asKeyInputs(oldInputs)) === "release") {
    context.log.info(`Agent API key ${keyId} of project ${projectId} was released: it remains valid.`);
    return;
  }
  const owner = context.session.of(Claims).declarerOf(agentKey(id));
  // Create never takes an existing key, so the claim of the key's own resource protects nothing.
  if (owner !== undefined && owner !== context.urn) {
    context.log.info(`Agent API key ${keyId} of project ${projectId} was kept because ${owner} declares it.`);
    return;
  }
  try {
    await deleteAgentKey(context.session.client, projectId, keyId, context.signal);
  } catch (error) {
    if (!(error instanceof ApiError) || !(await isDeleted(recorded, context))) throw error;
  }
}

/**
 * Whether the project's list lacks the key, or the project no longer exists. What cannot be read
 * proves nothing.
 */
async function isDeleted(recorded: KeyState, context: Context): Promise<boolean> {
  const { projectId } = recorded;
  try {
    const keys = await listAgentKeys(context.session.client, projectId, context.signal);
    return !keys.some(({ keyId }) => keyId.toLowerCase() === recorded.keyId);
  } catch (error) {
    return isProjectDeleted(error, recorded, context);
  }
}
