/**
 * The one form in which inputs are compared and kept: ids in lower case, sets in order, null and
 * absent the same.
 */

import { own } from "../../text/own";
import { inOrder, isRecord, type Properties, type Value } from "./values";

export function withoutNulls(inputs: Properties): Properties {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== null));
}

/** The given properties, those with a form in that form; those that are absent stay absent. */
export function withForms(
  inputs: Properties,
  forms: Readonly<Record<string, (value: Value) => Value | undefined>>,
): Properties {
  const entries = Object.entries(inputs).map(([key, value]) => [
    key,
    Object.hasOwn(forms, key) ? own(forms, key)?.(value) : value,
  ]);
  return Object.fromEntries(entries) as Properties;
}

export function lowerId(value: Value | undefined): Value | undefined {
  return typeof value === "string" ? value.toLowerCase() : value;
}

/** Known texts in order, unknown ones after them; anything but a list stays as it is. */
export function sortedTexts(values: Value | undefined): Value | undefined {
  return Array.isArray(values) ? [...(values as readonly Value[])].sort(compareUnsure) : values;
}

export function compareUnsure(one: Value, other: Value): number {
  const rank = (value: Value) => (typeof value === "string" ? 0 : 1);
  if (typeof one === "string" && typeof other === "string") return inOrder(one, other);
  return rank(one) - rank(other);
}

/** The texts of a list that are known; none where there is no list. */
export function knownTexts(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
}

/** The text of a value in its one form, whatever the order of its keys. */
export function canonicalText(value: unknown): string | undefined {
  return JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => inOrder(one, other)))
      : inner,
  );
}
