/**
 * The creation of a key whose secret the service shows once. Each POST creates one more key, so a
 * lost response leaves a key that no program can use. Its message names that key.
 */

import { hasCode, type OutcomeUnknownError } from "../../text/errors";
import type { Context } from "../contract/resource";
import { ObservationLog } from "../session/observations";
import { orStillUnknown, rereadAfterCancel, stillUnknown } from "./reread";

/** A key as lists describe it. */
export interface ListedKey {
  readonly keyId: string;
  readonly description?: string | undefined;
}

export interface KeyCreation<Key extends ListedKey> {
  /** What the key is: `agent API key`. */
  readonly what: string;
  /** What has the keys: `project 5f…a1`. */
  readonly place: string;
  readonly description: string;
  /** The keys before the creation. */
  readonly before: readonly Key[];
  list(signal: AbortSignal): Promise<readonly Key[]>;
  /** How to delete a key, as a sentence. */
  readonly deletion: string;
}

/** The key for a message. The text of the key appears in no message. */
function nameOfKey({ keyId, description }: ListedKey): string {
  return description ? `${keyId} ("${description}")` : keyId;
}

/**
 * Logs what it means that the resource makes another key.
 *
 * @param effects what the replacement means for the programs that use the key, as sentences
 */
export function announceReplacement(
  { what, effects }: { readonly what: string; readonly effects: string },
  { session, urn, log }: Context,
): void {
  const replaced = session.of(ObservationLog).last(urn);
  if (replaced !== undefined) log.info(`${what} ${replaced.id} is replaced: ${effects}`);
}

/**
 * Logs keys of the same description: a key that an earlier run lost has it, and no resource holds
 * it.
 *
 * @param resourceIdOf the ID of a resource that holds the key
 */
export function announceSameDescription<Key extends ListedKey>(
  creation: KeyCreation<Key>,
  resourceIdOf: (keyId: string) => string,
  { session, log }: Context,
): void {
  const { what, place, description, before, deletion } = creation;
  const held = new Set(
    session
      .of(ObservationLog)
      .all()
      .map(({ id }) => id),
  );
  const others = before.filter(
    (key) => isSameDescription(key, creation) && !held.has(resourceIdOf(key.keyId.toLowerCase())),
  );
  if (others.length === 0) return;
  const ids = others.map(({ keyId }) => keyId).join(", ");
  log.info(
    `${place[0]?.toUpperCase()}${place.slice(1)} has other ${what}s with the description "${description}": ${ids}. If a failed run left one of them, delete it. ${deletion}`,
  );
}

/**
 * The created key.
 *
 * @throws OutcomeUnknownError if the response was lost, with the new keys that a read afterwards shows
 */
export async function orLostCreation<Created, Key extends ListedKey>(
  created: Promise<Created>,
  creation: KeyCreation<Key>,
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
export async function newKeys<Key extends ListedKey>(
  creation: KeyCreation<Key>,
  signal: AbortSignal,
): Promise<readonly Key[]> {
  const earlier = new Set(creation.before.map(({ keyId }) => keyId));
  const added = (await creation.list(signal)).filter(({ keyId }) => !earlier.has(keyId));
  const described = added.filter((key) => isSameDescription(key, creation));
  return described.length > 0 ? described : added;
}

/** A service may remove blanks at the ends. */
function isSameDescription<Key extends ListedKey>(key: Key, { description }: KeyCreation<Key>): boolean {
  return (key.description ?? "").trim() === description.trim();
}

/** What to do if the keys cannot be read either. */
export function adviceIfUnread<Key extends ListedKey>({
  what,
  place,
  description,
  deletion,
}: KeyCreation<Key>): string {
  return `Check whether ${place} has a new ${what} with the description "${description}". If so, delete it before you run pulumi up again. ${deletion}`;
}

/** @param found the new keys, none of which can be recorded */
export function keysRemain<Key extends ListedKey>(
  { what, place, description, deletion }: KeyCreation<Key>,
  lost: unknown,
  found: readonly Key[],
): OutcomeUnknownError {
  return found.length === 0
    ? stillUnknown(
        lost,
        `A read afterwards found no new ${what} with the description "${description}" in ${place}.`,
        "Run pulumi up again.",
      )
    : stillUnknown(
        lost,
        `New ${what}s of ${place} since then: ${found.map(nameOfKey).join(", ")}. The service does not show a key again, so no program can use them.`,
        `Delete each of them that no other program created. Then run pulumi up again, which creates another key. ${deletion}`,
      );
}
