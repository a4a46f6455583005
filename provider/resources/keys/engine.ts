/** A resource of a key whose secret the service shows once. How kinds differ is in `port.ts`. */

import { z } from "zod";
import { importedParts, joinId, NO_ID, OBJECT_ID } from "../../text/object-id";
import { own } from "../../text/own";
import { toProperties } from "../contract/border";
import { withForms } from "../contract/canonical";
import { rolesIn, textIn } from "../contract/declared";
import { placeDifferences } from "../contract/difference";
import type { Context, DeleteRequest, Ending, ReadRequest, ReadResult, Resource } from "../contract/resource";
import { articled } from "../contract/roles";
import { warnOfUnknowns } from "../contract/unknowns";
import { hasUnknown } from "../contract/values";
import { removeAtEnd } from "../evidence/not-offered";
import { Refusal } from "../evidence/refusal";
import { warnOfUnread } from "../evidence/unread-warning";
import { Claims } from "../session/claims";
import { ObservationLog } from "../session/observations";
import { create } from "./creation";
import { diff, recordedKey, textOf } from "./declared";
import type { KeyDeclaration, KeyKind, KeyPort } from "./port";

export function keyResource<Name extends "AgentApiKey" | "ApiKey">(
  declaration: KeyDeclaration<Name>,
  port: KeyPort,
): Resource<Name> {
  const kind: KeyKind = { ...declaration, ...port };
  const { place } = declaration;
  return {
    ...declaration,
    maps: ["triggers"],
    listing: {
      inputs: z.strictObject({ [place.property]: place.query }),
      // The name of a key is its description.
      async list(query, context) {
        const placeId = String(query[place.property]);
        const keys = await port.list(placeId, "reading", context);
        return keys.map(({ keyId, description = "" }) => ({ id: joinId(placeId, keyId), name: description }));
      },
    },
    restoredBy: () => ({ replacing: place.property }),
    diff: (request) => diff(kind, request),
    create: (request) => create(kind, request),
    read: (request) => read(kind, request),
    async update(request) {
      if (hasUnknown(request.inputs)) warnOfUnknowns(request.context);
      return port.update(recordedKey(kind, request.state, request.id), request);
    },
    delete: (request) => remove(kind, request),
    ...(Object.hasOwn(declaration.inputs.shape, "until") && { ending: endingOf(kind) }),
  };
}

async function read(
  kind: KeyKind,
  { id, state, oldInputs, context, isEnd = false }: ReadRequest,
): Promise<ReadResult | undefined> {
  if (state === undefined || oldInputs === undefined) return importKey(kind, id, context);
  const { place } = kind;
  const recorded = recordedKey(kind, state, id);
  const placeId = recorded[place.property] ?? "";
  const found = await kind.find(placeId, recorded.keyId, context, recorded);
  if (found === undefined && isEnd) return undefined;
  if (found === undefined) {
    const key = textOf(kind, placeId, `${recorded.keyId} ("${recorded.description}")`);
    context.log.warn(
      `${key} was deleted outside Pulumi. If the program still declares it, pulumi up creates another key. That key has another secret, so everything that uses the output \`${kind.secret.property}\` changes.`,
    );
    return undefined;
  }
  const { origin } = recorded;
  context.session.of(ObservationLog).record(context.urn, { kind: kind.name, id, origin, names: [] });
  if (found instanceof Refusal) {
    warnOfUnread(place.unread, placeId, found.error, context);
    return { id, state: toProperties(recorded), inputs: oldInputs, isRetained: true };
  }
  const live = toProperties(await kind.live(recorded, found, oldInputs, context));
  const forms = Object.fromEntries(kind.followed.map((property) => [property, () => own(live, property)]));
  return { id, state: live, inputs: withForms(oldInputs, forms) };
}

/** Imports by the ID of the key. The secret stays absent. */
async function importKey(kind: KeyKind, id: string, context: Context): Promise<ReadResult | undefined> {
  const { noun, place, secret, followed } = kind;
  const object = `an ${noun}: an ${kind.name} is imported by <${place.property}>/<keyId>. The function get${kind.name}s lists the ids of ${articled(place.noun)}.`;
  const { placeId, name } = importedParts(id, object, OBJECT_ID);
  const keyId = name.toLowerCase();
  const found = await kind.find(placeId, keyId, context);
  if (found === undefined) return undefined;
  if (found instanceof Refusal) throw found.error;
  context.log.info(
    `${textOf(kind, placeId, keyId)} has no output \`${secret.property}\`: the service shows ${secret.shown}. To get a key that programs can use, change triggers and run pulumi up.`,
  );
  const importedId = joinId(placeId, keyId);
  const recorded = recordedKey(kind, toProperties({ description: found.description }), importedId);
  const state = toProperties(await kind.live(recorded, found, undefined, context));
  const declared = new Set([place.property, "description", ...followed]);
  const inputs = Object.fromEntries(Object.entries(state).filter(([property]) => declared.has(property)));
  return { id: importedId, state, inputs };
}

async function remove(kind: KeyKind, request: DeleteRequest): Promise<void> {
  const { id, state, oldInputs, context } = request;
  if (kind.onDestroy.effective(oldInputs) !== "release") return void (await takeAway(kind, request));
  const recorded = recordedKey(kind, state, id);
  const key = textOf(kind, recorded[kind.place.property], recorded.keyId);
  context.log.info(`${key} was released: it remains valid.`);
}

/** Deletes the key, unless another resource declares it. */
async function takeAway(kind: KeyKind, { id, state, context }: DeleteRequest): Promise<"gone" | "kept"> {
  const { session, urn, log } = context;
  const recorded = recordedKey(kind, state, id);
  const declarer = session.of(Claims).declarerOf(kind.subjectOf(id, recorded));
  // Create never takes an existing key, so the claim of the key's own resource protects nothing.
  if (declarer === undefined || declarer === urn) {
    await removeAtEnd(() => kind.remove(recorded, context), context);
    return "gone";
  }
  const key = textOf(kind, recorded[kind.place.property], recorded.keyId);
  log.info(`${key} was kept because ${declarer} declares it.`);
  return "kept";
}

/** How a key ends, if its kind has a last day. */
function endingOf(kind: KeyKind): Ending {
  const { place, onDestroy } = kind;
  return {
    subjectDifferences: ({ id, state, inputs }) => {
      const recorded = recordedKey(kind, state, id);
      return placeDifferences(place.property, recorded[place.property], inputs[place.property]);
    },
    isThere: ({ roles }) => (rolesIn(roles)?.length ?? 0) > 0,
    loss: (state, id) => {
      const { keyId, description, [place.property]: placeId } = recordedKey(kind, state, id);
      return `${kind.noun} ${keyId} ("${description}") of ${place.noun} ${placeId} is deleted`;
    },
    // The secret stays, so that no program breaks that uses the output.
    without: (state) => ({ ...state, roles: [] }),
    find: async (inputs) => {
      const placeId = textIn(inputs, place.property) ?? "";
      const state = { ...inputs, ...kind.defaults, roles: [], keyId: NO_ID, origin: "created" };
      return { id: joinId(placeId, NO_ID), state: { ...state, onDestroy: onDestroy.effective(inputs) } };
    },
    take: (request) => takeAway(kind, request),
  };
}
