/** What must not stand in a message: the texts of properties that a program keeps secret. */

import type { Resource } from "./resource";

/** An output that repeats a secret input is as secret. */
export function withRepeats({ repeats = {} }: Resource, secrets: ReadonlySet<string>): ReadonlySet<string> {
  const repeating = Object.entries(repeats).filter(([, input]) => secrets.has(input));
  return new Set([...secrets, ...repeating.map(([output]) => output)]);
}

/** Every text in a value, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * The texts of those properties. What begins with two underscores is a door's own record of the others, in which everything
 * is secret because something may be: masking all of it would leave messages without a name or a word.
 *
 * @param secrets names of the properties that are or hold a secret
 * @param maps properties whose keys are such texts as well
 */
export function secretTexts(
  values: Readonly<Record<string, unknown>>,
  secrets: Iterable<string>,
  maps: readonly string[] = [],
): string[] {
  const names = [...secrets].filter((name) => !name.startsWith("__"));
  return names.flatMap((name) => {
    const value = values[name];
    const isMap = maps.includes(name) && typeof value === "object" && value !== null;
    return [...(isMap ? Object.keys(value) : []), ...textsIn(value)];
  });
}
