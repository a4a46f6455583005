/**
 * The texts that must not appear in a message: those of properties that the program keeps secret.
 */

import type { z } from "zod";
import { own } from "../../text/own";
import { isHiddenProperty, MARK } from "../../text/sentinels";
import type { Resource } from "./resource";

/** What has the properties; the settings of a provider are described in the same way. */
export type Described = Pick<Resource, "repeats" | "maps"> & { readonly outputs: z.ZodObject };

/** Kept, because a call asks several times and zod copies the notes of a property for each answer. */
const alwaysSecret = new WeakMap<z.ZodObject, readonly string[]>();

/**
 * The properties of a resource that are secret: those that the program marks, the outputs that
 * repeat them, and the outputs that are always secret.
 */
export function secretNames(
  { repeats = {}, outputs }: Described,
  marked: ReadonlySet<string>,
): ReadonlySet<string> {
  const repeating = Object.entries(repeats).filter(([, input]) => marked.has(input));
  const isSecret = (output: unknown) => (output as z.ZodType).meta()?.secret === true;
  const always =
    alwaysSecret.get(outputs) ??
    Object.entries(outputs.shape).flatMap(([name, output]) => (isSecret(output) ? [name] : []));
  alwaysSecret.set(outputs, always);
  const names = new Set([...marked, ...repeating.map(([output]) => output), ...always]);
  return names.has("until") ? names.add(MARK) : names;
}

/** Every text in a value, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * The texts of those properties. Properties whose name begins with two underscores are internal
 * copies of others and completely secret. Masking all their texts would leave messages without
 * names.
 *
 * @param marked names of the properties that are or hold a secret of the program
 * @param of what has the properties; `undefined` for the arguments of a function
 */
export function secretTexts(
  values: Readonly<Record<string, unknown>>,
  marked: ReadonlySet<string>,
  of?: Described,
): string[] {
  const names = [...(of ? secretNames(of, marked) : marked)].filter((name) => !isHiddenProperty(name));
  return names.flatMap((name) => {
    const value = own(values, name);
    // The keys of a map are such texts as well.
    const isMap = of?.maps?.includes(name) && typeof value === "object" && value !== null;
    return [...(isMap ? Object.keys(value) : []), ...textsIn(value)];
  });
}
