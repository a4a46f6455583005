/** Reads an API key in a project, for a refresh and for an import. */

import { importedParts, joinId } from "../../text/object-id";
import { toProperties } from "../contract/border";
import { withForms } from "../contract/canonical";
import type { Context, ReadRequest, ReadResult } from "../contract/resource";
import { meaningOf } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { warnOfUnread } from "../evidence/unread-warning";
import { absenceOfProject } from "../reads/absence";
import { ApiKeyCache } from "../reads/api-keys";
import { factsOf } from "../reads/project-facts";
import { asProjectApiKeyInputs } from "./inputs";
import { asProjectApiKeyState, toProjectApiKeyState } from "./state";

export async function read(request: ReadRequest): Promise<ReadResult | undefined> {
  const { id, state, oldInputs, context } = request;
  if (state === undefined || oldInputs === undefined) return importProjectApiKey(id, context);
  const { session, signal } = context;
  const recorded = asProjectApiKeyState(state, id);
  const { projectId, keyId, publicKey, origin } = recorded;
  const keys = await session.of(ApiKeyCache).ofProject.shared(projectId, signal);
  if (keys instanceof Refusal) {
    if ((await absenceOfProject(keys.error, recorded, context)) === "deleted") return undefined;
    warnOfUnread("keys", projectId, keys.error, context);
    return { id, state: toProperties(recorded), inputs: oldInputs };
  }
  const entry = keys.find((key) => key.keyId === keyId);
  if (entry === undefined) return undefined;
  const { orgId } = await factsOf({ ...context, projectId }, recorded);
  const facts = { projectId, orgId, origin, publicKey };
  const live = toProjectApiKeyState(entry, asProjectApiKeyInputs(oldInputs), facts);
  return { id, state: toProperties(live), inputs: withForms(oldInputs, { roles: () => entry.roles }) };
}

/** Imports by the ID of the key, then by its public key. */
async function importProjectApiKey(id: string, operation: Context): Promise<ReadResult | undefined> {
  const { ownerId: projectId, name } = importedParts(
    id,
    "an API key in a project: a ProjectApiKey is imported by <projectId>/<keyId> or <projectId>/<public key>.",
  );
  const context = { ...operation, projectId };
  const keys = await context.session.of(ApiKeyCache).ofProject.shared(projectId, context.signal);
  if (keys instanceof Refusal) {
    if (meaningOf(keys.error) === "deleted") return undefined;
    throw keys.error;
  }
  const entry =
    keys.find(({ keyId }) => keyId === name.toLowerCase()) ??
    keys.find(({ publicKey }) => publicKey === name);
  if (entry === undefined) return undefined;
  const { orgId } = await factsOf(context);
  const state = toProjectApiKeyState(entry, {}, { projectId, orgId, origin: "imported" });
  const { keyId, roles } = entry;
  return { id: joinId(projectId, keyId), state: toProperties(state), inputs: { projectId, keyId, roles } };
}
