/** The one form in which inputs are compared and kept: ids in lower case, sets in order, null and absent the same. */
import { inOrder, type Properties, type Value } from "./values";

export function withoutNulls(inputs: Properties): Properties {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== null));
}

/** The given properties in another form; those that are absent stay absent. */
export function withForms(
  inputs: Properties,
  forms: Readonly<Record<string, Value | undefined>>,
): Properties {
  const entries = Object.entries(inputs).map(([key, value]) => [key, key in forms ? forms[key] : value]);
  return Object.fromEntries(entries) as Properties;
}

export function lowerId(value: Value | undefined): Value | undefined {
  return typeof value === "string" ? value.toLowerCase() : value;
}

/** Known texts in order, unknown ones after them; what is no list stays as it is. */
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
