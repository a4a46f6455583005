/**
 * Creates a key whose secret the service shows once. Each POST creates one more key, so none is repeated, and no key
 * remains without a name.
 */

import { capitalized } from "../../text/capitalized";
import { hasCode, type OutcomeUnknownError, PartialFailure } from "../../text/errors";
import { joinId, NO_ID, splitId } from "../../text/object-id";
import type { Context, CreateRequest, CreateResult } from "../contract/resource";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties } from "../contract/values";
import { orStillUnknown, rereadAfterCancel, stillUnknown } from "../evidence/reread";
import { ObservationLog } from "../session/observations";
import { Queues } from "../session/queues";
import { previewOfNewKey, textOf } from "./declared";
import type { KeyCreation, KeyKind, ListedKey } from "./port";

export async function create(
  kind: KeyKind,
  { inputs, preview, context }: CreateRequest,
): Promise<CreateResult> {
  const { noun, whenReplaced } = kind;
  const { session, urn, log } = context;
  const placeId = inputs[kind.place.property];
  if (hasUnknown(inputs)) warnOfUnknowns(context, placeId);
  const replaced = session.of(ObservationLog).last(urn);
  // A key that had ended before it was made replaces none.
  if (replaced !== undefined && splitId(replaced.id).name !== NO_ID)
    log.info(`${capitalized(noun)} ${replaced.id} is replaced: ${whenReplaced}`);
  if (preview) {
    // Fails as the update would, if the keys of the place cannot be read.
    if (typeof placeId === "string") await kind.list(placeId, "reading", context);
    return { id: "", state: previewOfNewKey(kind, inputs) };
  }
  // After a lost response, each new key may be the created one. So keys of a place are created one after the other.
  const queue = [`${noun}s`, String(placeId)];
  return session.of(Queues).oneAtATime(queue, () => createOne(kind, String(placeId), inputs, context));
}

async function createOne(
  kind: KeyKind,
  placeId: string,
  inputs: Properties,
  context: Context,
): Promise<CreateResult> {
  const { noun, secret } = kind;
  const place = `${kind.place.noun} ${placeId}`;
  const list = (signal: AbortSignal) => kind.list(placeId, "writing", { ...context, signal });
  const creation: KeyCreation = {
    noun,
    place,
    description: String(inputs.description),
    before: await list(context.signal),
    list,
    deletion: `To delete a key, send DELETE /api/public/v1.0/${kind.pathOf(placeId)}/<key id>, or use the list of ${noun}s in the service's web interface.`,
  };
  announceSameDescription(creation, (keyId) => joinId(placeId, keyId), context);
  const created = await kind.create(inputs, creation, context);
  const id = joinId(placeId, created.keyId);
  // By the id of the key: a replacement holds two keys under one URN, and the dynamic provider has no URN yet.
  context.session.of(ObservationLog).record(id, { kind: kind.name, id, origin: "created", names: [] });
  const lost = `${textOf(kind, placeId, created.keyId)} was created, but the response did not contain the ${secret.noun}, and the service shows it only once. Run pulumi up again: it creates another key and deletes this one.`;
  const { state, reasons } = await created.complete(created.secret === undefined ? [lost] : []);
  if (reasons.length > 0) throw new PartialFailure(id, state, reasons);
  return { id, state };
}

/**
 * Logs keys of the same description: a key that an earlier run lost has it, and no resource holds it.
 *
 * @param resourceIdOf the ID of a resource that holds the key
 */
function announceSameDescription(
  creation: KeyCreation,
  resourceIdOf: (keyId: string) => string,
  { session, log }: Context,
): void {
  const { noun, place, description, before, deletion } = creation;
  const observed = session.of(ObservationLog).all();
  const held = new Set(observed.map(({ id }) => id));
  const others = before.filter(
    (key) => isSameDescription(key, creation) && !held.has(resourceIdOf(key.keyId.toLowerCase())),
  );
  if (others.length === 0) return;
  const ids = others.map(({ keyId }) => keyId).join(", ");
  log.info(
    `${capitalized(place)} has other ${noun}s with the description "${description}": ${ids}. If a failed run left one of them, delete it. ${deletion}`,
  );
}

/**
 * The created key.
 *
 * @throws OutcomeUnknownError if the response was lost, with the new keys that a read afterwards shows
 */
export async function orLostCreation<Created>(
  created: Promise<Created>,
  creation: KeyCreation,
): Promise<Created> {
  return created.catch(async (error: unknown) => {
    if (!hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN")) throw error;
    throw keysRemain(creation, error, await newKeys(creation, error, rereadAfterCancel));
  });
}

/**
 * The keys with the declared description that the list did not have before. If none has it, all new
 * keys: a service may store the description in another form.
 *
 * @param lost why the created key is not known
 * @throws OutcomeUnknownError if the keys cannot be read either
 */
export async function newKeys<Listed extends ListedKey>(
  creation: KeyCreation<Listed>,
  lost: unknown,
  reread: typeof rereadAfterCancel,
): Promise<readonly Listed[]> {
  const { noun, place, description, deletion } = creation;
  const advice = `Check whether ${place} has a new ${noun} with the description "${description}". If so, delete it before you run pulumi up again. ${deletion}`;
  const keys = await orStillUnknown(reread(creation.list), lost, advice);
  const earlier = new Set(creation.before.map(({ keyId }) => keyId));
  const added = keys.filter(({ keyId }) => !earlier.has(keyId));
  const described = added.filter((key) => isSameDescription(key, creation));
  return described.length > 0 ? described : added;
}

/** A service may remove blanks at the ends. */
function isSameDescription(key: ListedKey, { description }: { readonly description: string }): boolean {
  return (key.description ?? "").trim() === description.trim();
}

/** @param found the new keys, none of which can be recorded */
export function keysRemain(
  { noun, place, description, deletion }: KeyCreation,
  lost: unknown,
  found: readonly ListedKey[],
): OutcomeUnknownError {
  return found.length === 0
    ? stillUnknown(
        lost,
        `A read afterwards found no new ${noun} with the description "${description}" in ${place}.`,
        "Run pulumi up again.",
      )
    : stillUnknown(
        lost,
        `New ${noun}s of ${place} since then: ${found.map(nameOfKey).join(", ")}. The service does not show a key again, so no program can use them.`,
        `Delete each of them that no other program created. Then run pulumi up again, which creates another key. ${deletion}`,
      );
}

/** The key for a message. The text of the key appears in no message. */
function nameOfKey({ keyId, description }: ListedKey): string {
  return description ? `${keyId} ("${description}")` : keyId;
}
