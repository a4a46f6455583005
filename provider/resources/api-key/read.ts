/** Reads an API key of an organization, for a refresh and for an import. */

import { messageOf } from "../../text/errors";
import { importedParts, joinId, OBJECT_ID } from "../../text/object-id";
import { toProperties } from "../contract/border";
import { withForms } from "../contract/canonical";
import type { Context, ReadRequest, ReadResult } from "../contract/resource";
import { withoutUndefined } from "../contract/values";
import { orRefusal, Refusal } from "../evidence/refusal";
import { warnOfUnread } from "../evidence/unread-warning";
import { wasMadeAgain } from "../keys/key-end";
import { findApiKey } from "../reads/api-keys";
import { ObservationLog } from "../session/observations";
import { asApiKeyInputs } from "./inputs";
import { asApiKeyState, observationOf, toApiKeyState } from "./state";
import { accessListOf } from "./write";

export async function read({ id, state, oldInputs, context }: ReadRequest): Promise<ReadResult | undefined> {
  if (state === undefined || oldInputs === undefined) return importApiKey(id, context);
  const recorded = asApiKeyState(state, id);
  const { orgId, keyId, publicKey, origin, privateKey, privateKeyEnd } = recorded;
  const { session, urn, log } = context;
  const key = await findApiKey(orgId, keyId, context);
  if (key === undefined) return undefined;
  session.of(ObservationLog).record(urn, observationOf(id, origin));
  if (key instanceof Refusal) {
    warnOfUnread("organization keys", orgId, key.error, context);
    return { id, state: toProperties(recorded), inputs: oldInputs };
  }
  const inputs = asApiKeyInputs(oldInputs);
  const entries =
    inputs.accessList === undefined ? undefined : await orRefusal(accessListOf(key, orgId, context));
  if (entries instanceof Refusal) {
    warnOfUnread("organization keys", orgId, entries.error, context, `access list of API key ${keyId}`);
  }
  const accessList = entries instanceof Refusal ? recorded.accessList : entries;
  const facts = { orgId, publicKey, origin, privateKey, privateKeyEnd, accessList };
  const live = toApiKeyState(key, inputs, facts);
  if (wasMadeAgain({ secret: privateKey, recorded: live.privateKeyEnd })) {
    const effect =
      live.publicKey === session.client.publicKey
        ? "The provider itself authenticates with it, so it is not replaced, and the output privateKey stays as it is. To replace it, run pulumi up with another key."
        : "The next update creates another key and deletes this one. To keep it, add privateKey to ignoreChanges.";
    log.warn(
      `API key ${keyId} of organization ${orgId} was regenerated outside Pulumi: its private key ends with "${live.privateKeyEnd}" in the service, but not in the state. ${effect}`,
    );
  }
  const { description, roles } = live;
  const forms = { description: () => description, roles: () => roles, accessList: () => live.accessList };
  return { id, state: toProperties(live), inputs: withForms(oldInputs, forms) };
}

/** Imports by the ID of the key. The private key stays absent. */
async function importApiKey(id: string, context: Context): Promise<ReadResult | undefined> {
  const { placeId: orgId, name } = importedParts(
    id,
    "an API key: an ApiKey is imported by <orgId>/<keyId>. The function getApiKeys lists the ids of an organization.",
    OBJECT_ID,
  );
  const keyId = name.toLowerCase();
  const key = await findApiKey(orgId, keyId, context);
  if (key === undefined) return undefined;
  if (key instanceof Refusal) throw key.error;
  context.log.info(
    `API key ${keyId} of organization ${orgId} has no output \`privateKey\`: the service shows a private key only once, when the key is created. To get a key that programs can use, change triggers and run pulumi up.`,
  );
  const entries = await orRefusal(accessListOf(key, orgId, context));
  if (entries instanceof Refusal) {
    context.log.warn(
      `The access list of API key ${keyId} cannot be read with these credentials, so it is not managed: ${messageOf(entries.error)} Before you declare accessList, look at the list in the service: entries that the program lacks are removed.`,
    );
  }
  const accessList = entries instanceof Refusal || entries.length === 0 ? undefined : entries;
  const state = toApiKeyState(key, {}, { orgId, accessList, origin: "imported" });
  const { description, roles } = state;
  const inputs = withoutUndefined({ orgId, description, roles, accessList: state.accessList });
  return { id: joinId(orgId, keyId), state: toProperties(state), inputs: toProperties(inputs) };
}
