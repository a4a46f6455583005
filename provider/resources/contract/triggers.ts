/** `triggers`: texts of the program whose change replaces a key. */
import { z } from "zod";
import { canonicalText, withoutNulls } from "./canonical";
import { changeKind, type Difference } from "./difference";
import { hasUnknown, isRecord, type Value } from "./values";

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

/** A change that replaces the key. A map without entries and no map are the same. */
export function replacementOf(property: string, before: unknown, after: unknown): Difference[] {
  const isUnknown = hasUnknown(after);
  if (!isUnknown && canonicalText(before ?? {}) === canonicalText(after ?? {})) return [];
  return [{ path: [property], kind: changeKind(before, after), replace: !isUnknown }];
}
