/** What programs declare and states record of a key. Nothing here sends a request. */

import { z } from "zod";
import { capitalized } from "../../text/capitalized";
import { splitId } from "../../text/object-id";
import { checkedAs, toProperties } from "../contract/border";
import { canonicalText, withoutNulls } from "../contract/canonical";
import { changeKind, type Difference, placeDifferences } from "../contract/difference";
import { ignoresProperty } from "../contract/property-path";
import type { DiffRequest } from "../contract/resource";
import { endOutputs } from "../contract/until";
import { hasUnknown, isRecord, type Properties, UNKNOWN, type Value } from "../contract/values";
import { ObservationLog } from "../session/observations";
import type { KeyDeclaration, KeyKind, RecordedKey } from "./port";

/** Texts of the program whose change replaces a key. */
export const triggersInput = z
  .record(z.string(), z.string("must be text"), "must be a map of texts")
  .optional()
  .meta({
    description:
      "Any texts, such as a date. If one of them changes, the key is replaced. They are not sent to the service.",
  });

export function canonicalTriggers(triggers: Value): Value {
  return isRecord(triggers) ? withoutNulls(triggers) : triggers;
}

/** The last outputs of every key. */
export function keyOutputs(onDestroy: KeyDeclaration["onDestroy"]) {
  return {
    origin: z.enum(["created", "imported"]).meta({
      description: "Whether this resource created the key or imported it.",
    }),
    onDestroy: onDestroy.output,
  };
}

/**
 * The recorded state of a key. A state of an earlier version may lack properties, which the ID or a
 * default replaces. Properties that only the dynamic provider records are left out.
 */
export function recordedKey(
  { place, inputs, outputs, defaults }: KeyKind,
  state: Properties,
  id: string,
): RecordedKey {
  const names = { ...inputs.shape, ...outputs.shape };
  const { placeId, name } = splitId(id);
  return checkedAs<RecordedKey>({
    ...defaults,
    [place.property]: placeId,
    keyId: name.toLowerCase(),
    description: "",
    origin: "imported",
    onDestroy: "remove",
    ...Object.fromEntries(Object.entries(state).filter(([property]) => Object.hasOwn(names, property))),
  });
}

/** The key as the beginning of a sentence: `API key 5f…a1 of organization 5f…b2`. */
export function textOf({ noun, place }: KeyDeclaration, placeId: string | undefined, keyId: string): string {
  return `${capitalized(noun)} ${keyId} of ${place.noun} ${placeId}`;
}

export function diff(
  kind: KeyKind,
  { id, state, oldInputs, inputs, ignoreChanges, context }: DiffRequest,
): readonly Difference[] {
  const { place, onDestroy } = kind;
  const { session, urn } = context;
  const recorded = recordedKey(kind, state, id);
  session.of(ObservationLog).record(urn, { kind: kind.name, id, origin: recorded.origin, names: [] });
  const isIgnored = ignoresProperty(ignoreChanges);
  const differences = [
    ...placeDifferences(place.property, recorded[place.property], inputs[place.property]),
    ...kind.differences(recorded, inputs, oldInputs),
    ...replacementOf("triggers", oldInputs.triggers, inputs.triggers),
    ...onDestroy.differences(inputs, oldInputs),
    ...kind.unusable(recorded, session),
  ].filter(({ path }) => !isIgnored(String(path[0])));
  if (!differences.some(({ replace }) => replace)) kind.keep(id, recorded, context);
  // The Delete that follows would be refused, in this run and in each later one.
  else if (onDestroy.effective(oldInputs) === "remove") kind.refuseReplacement(recorded, context);
  return differences;
}

/** A change that replaces the key. A map without entries and no map are the same. */
export function replacementOf(property: string, before: unknown, after: unknown): Difference[] {
  const isUnknown = hasUnknown(after);
  if (!isUnknown && canonicalText(before ?? {}) === canonicalText(after ?? {})) return [];
  return [{ path: [property], kind: changeKind(before, after), replace: !isUnknown }];
}

/** The outputs of a preview of a key that will be created, or may be. */
export function previewOfNewKey(
  { outputs, onDestroy }: Pick<KeyDeclaration, "outputs" | "onDestroy">,
  inputs: Properties,
): Properties {
  const names = Object.keys(outputs.shape).filter((name) => !Object.hasOwn(endOutputs, name));
  const unknown = names.map((name) => [name, UNKNOWN] as const);
  return toProperties({
    ...Object.fromEntries(unknown),
    ...inputs,
    origin: "created",
    onDestroy: onDestroy.inPreview(inputs),
  });
}

interface KeyEnd {
  /** The secret in the state; absent after an import. */
  readonly secret: string | undefined;
  /** The end that is recorded; `NO_EVIDENCE` for ever, once the first one was wrong. */
  readonly recorded: string | undefined;
}

/** Every secret ends with it. */
const NO_EVIDENCE = "";

/**
 * The end to record. A gateway may mask keys in its own way, so the end of a key is evidence only if the first one that a
 * response showed was right. Create reads for that, because it has just received the key.
 *
 * @param shown by a response; `undefined` if it shows none
 */
export function endToRecord({ secret, recorded }: KeyEnd, shown: string | undefined): string | undefined {
  if (shown === undefined || recorded === NO_EVIDENCE) return recorded;
  const isFirst = secret !== undefined && recorded === undefined;
  return isFirst && !secret.endsWith(shown) ? NO_EVIDENCE : shown;
}

/** Whether the service has another key than the state. */
export function wasMadeAgain({ secret, recorded }: KeyEnd): boolean {
  return secret !== undefined && recorded !== undefined && !secret.endsWith(recorded);
}
