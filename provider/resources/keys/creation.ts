/**
 * A key whose secret the service shows once: its creation, and why a deletion leaves it. Each POST creates one
 * more key, so none is repeated, and no key remains without a name. How the kinds differ is in `KeyPort`.
 */

import type { z } from "zod";
import { hasCode, type OutcomeUnknownError } from "../../text/errors";
import { joinId } from "../../text/object-id";
import { checkedAs, toProperties } from "../contract/border";
import type { EndOfAccess, OnDestroyInput } from "../contract/on-destroy";
import type { Context, CreateRequest, CreateResult } from "../contract/resource";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown, type Properties, UNKNOWN, type Unsure } from "../contract/values";
import { orStillUnknown, rereadAfterCancel, stillUnknown } from "../evidence/reread";
import { Claims, type Subject } from "../session/claims";
import { ObservationLog } from "../session/observations";
import { Queues } from "../session/queues";

/** A key as lists describe it. */
export interface ListedKey {
  readonly keyId: string;
  readonly description?: string | undefined;
}

/** What the response to the creation shows. */
interface CreatedKey {
  readonly keyId: string;
  /** Absent if the response lacks it. */
  readonly secret?: string | undefined;
  /** The end of the secret, if the response shows one. */
  readonly end?: string | undefined;
}

/** A created key, before it is recorded. */
export interface NewKey<Declared, Created> {
  /** Of the resource. */
  readonly id: string;
  readonly declared: Declared;
  readonly created: Created;
  /** The end of the secret that the service shows. */
  readonly end: string | undefined;
  /** What is to be reported. The key is recorded nevertheless. */
  readonly reasons: readonly string[];
}

/** What distinguishes the kinds of keys. */
export interface KeyPort<
  Declared extends { readonly description: string },
  Listed extends ListedKey,
  Created extends CreatedKey,
> {
  readonly kind: "AgentApiKey" | "ApiKey";
  /** `agent API key` */
  readonly noun: string;
  readonly placeProperty: "projectId" | "orgId";
  readonly place: "project" | "organization";
  /** What the service shows once: `private key`. */
  readonly secretName: string;
  /** What another key means for the programs that use this one, as sentences. */
  readonly whenReplaced: string;
  readonly outputs: z.ZodObject;
  readonly onDestroy: {
    inPreview(inputs: OnDestroyInput<"remove" | "release">): Unsure<EndOfAccess>;
  };
  /** The path of the keys below the API's root: `groups/5f…a1/agentapikeys`. */
  pathOf(placeId: string): string;
  list(placeId: string, context: Pick<Context, "session">, signal: AbortSignal): Promise<readonly Listed[]>;
  /** Fails as the update would, if the keys of the place cannot be read. */
  preview(placeId: string, context: Context): Promise<unknown>;
  /** Sends the creation, whose response may be lost. */
  create(declared: Declared, creation: KeyCreation<Listed>, context: Context): Promise<Created>;
  /** The end of the secret that a read shows. */
  shownEnd(placeId: string, keyId: string, context: Context): Promise<string | undefined>;
  /** Records the key. @throws PartialFailure with the state if there are reasons */
  complete(key: NewKey<Declared, Created>, context: Context): Promise<Properties>;
}

/** One creation of a key. */
export interface KeyCreation<Listed extends ListedKey> {
  readonly noun: string;
  /** What has the keys: `project 5f…a1`. */
  readonly place: string;
  readonly description: string;
  /** The keys before the creation. */
  readonly before: readonly Listed[];
  list(signal: AbortSignal): Promise<readonly Listed[]>;
  /** How to delete a key, as a sentence. */
  readonly deletion: string;
}

export async function createKey<
  Declared extends { readonly description: string },
  Listed extends ListedKey,
  Created extends CreatedKey,
>(
  port: KeyPort<Declared, Listed, Created>,
  { inputs, preview, context }: CreateRequest,
): Promise<CreateResult> {
  const placeId = inputs[port.placeProperty];
  if (hasUnknown(inputs)) warnOfUnknowns(context, placeId);
  announceReplacement(port, context);
  if (preview) {
    if (typeof placeId === "string") await port.preview(placeId, context);
    return { id: "", state: previewOfNewKey(port, inputs) };
  }
  // After a lost response, each new key may be the created one. So keys of a place are created one after the other.
  const queue = [`${port.noun}s`, String(placeId)];
  return context.session
    .of(Queues)
    .oneAtATime(queue, () => createOne(port, String(placeId), checkedAs<Declared>(inputs), context));
}

/** The outputs of a preview of a key that will be created, or may be. */
export function previewOfNewKey(
  { outputs, onDestroy }: Pick<KeyPort<never, never, never>, "outputs" | "onDestroy">,
  inputs: Properties,
): Properties {
  const unknown = Object.keys(outputs.shape).map((name) => [name, UNKNOWN] as const);
  return toProperties({
    ...Object.fromEntries(unknown),
    ...inputs,
    origin: "created",
    onDestroy: onDestroy.inPreview(inputs),
  });
}

async function createOne<
  Declared extends { readonly description: string },
  Listed extends ListedKey,
  Created extends CreatedKey,
>(
  port: KeyPort<Declared, Listed, Created>,
  placeId: string,
  declared: Declared,
  context: Context,
): Promise<CreateResult> {
  const { noun, secretName } = port;
  const place = `${port.place} ${placeId}`;
  const list = (signal: AbortSignal) => port.list(placeId, context, signal);
  const creation: KeyCreation<Listed> = {
    noun,
    place,
    description: declared.description,
    before: await list(context.signal),
    list,
    deletion: `To delete a key, send DELETE /api/public/v1.0/${port.pathOf(placeId)}/<key id>, or use the list of ${noun}s in the service's web interface.`,
  };
  announceSameDescription(creation, (keyId) => joinId(placeId, keyId), context);
  const created = await port.create(declared, creation, context);
  const id = joinId(placeId, created.keyId);
  // By the id of the key: a replacement holds two keys under one URN, and the dynamic provider has no URN yet.
  context.session.of(ObservationLog).record(id, { kind: port.kind, id, origin: "created", names: [] });
  // The key is recorded, also if its end cannot be read.
  const end = created.end ?? (await port.shownEnd(placeId, created.keyId, context).catch(() => undefined));
  const lost = `${capitalized(noun)} ${created.keyId} of ${place} was created, but the response did not contain the ${secretName}, and the service shows it only once. Run pulumi up again: it creates another key and deletes this one.`;
  const reasons = created.secret === undefined ? [lost] : [];
  return { id, state: await port.complete({ id, declared, created, end, reasons }, context) };
}

/** Logs what it means that the resource makes another key. */
function announceReplacement(
  { noun, whenReplaced }: { readonly noun: string; readonly whenReplaced: string },
  { session, urn, log }: Context,
): void {
  const replaced = session.of(ObservationLog).last(urn);
  if (replaced !== undefined) log.info(`${capitalized(noun)} ${replaced.id} is replaced: ${whenReplaced}`);
}

/**
 * Logs keys of the same description: a key that an earlier run lost has it, and no resource holds it.
 *
 * @param resourceIdOf the ID of a resource that holds the key
 */
function announceSameDescription<Listed extends ListedKey>(
  creation: KeyCreation<Listed>,
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
export async function orLostCreation<Created, Listed extends ListedKey>(
  created: Promise<Created>,
  creation: KeyCreation<Listed>,
): Promise<Created> {
  return created.catch(async (error: unknown) => {
    if (!hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN")) throw error;
    const read = rereadAfterCancel((signal) => newKeys(creation, signal));
    throw keysRemain(creation, error, await orStillUnknown(read, error, adviceIfUnread(creation)));
  });
}

/**
 * The keys with the declared description that the list did not have before. If none has it, all new
 * keys: a service may store the description in another form.
 */
export async function newKeys<Listed extends ListedKey>(
  creation: KeyCreation<Listed>,
  signal: AbortSignal,
): Promise<readonly Listed[]> {
  const earlier = new Set(creation.before.map(({ keyId }) => keyId));
  const added = (await creation.list(signal)).filter(({ keyId }) => !earlier.has(keyId));
  const described = added.filter((key) => isSameDescription(key, creation));
  return described.length > 0 ? described : added;
}

/** A service may remove blanks at the ends. */
function isSameDescription(key: ListedKey, { description }: { readonly description: string }): boolean {
  return (key.description ?? "").trim() === description.trim();
}

/** What to do if the keys cannot be read either. */
export function adviceIfUnread({ noun, place, description, deletion }: KeyCreation<ListedKey>): string {
  return `Check whether ${place} has a new ${noun} with the description "${description}". If so, delete it before you run pulumi up again. ${deletion}`;
}

/** @param found the new keys, none of which can be recorded */
export function keysRemain(
  { noun, place, description, deletion }: KeyCreation<ListedKey>,
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

/**
 * Whether a deletion leaves the key, because it is released or another resource declares it.
 *
 * @param name the key as the beginning of a sentence
 */
export function staysAfterDelete(
  name: string,
  subject: Subject,
  onDestroy: EndOfAccess,
  { session, urn, log }: Context,
): boolean {
  if (onDestroy === "release") {
    log.info(`${name} was released: it remains valid.`);
    return true;
  }
  const owner = session.of(Claims).declarerOf(subject);
  // Create never takes an existing key, so the claim of the key's own resource protects nothing.
  if (owner === undefined || owner === urn) return false;
  log.info(`${name} was kept because ${owner} declares it.`);
  return true;
}

function capitalized(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`;
}
