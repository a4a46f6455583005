/** Paths of properties in the engine's notation: `tags[3]`, `members["a@example.com"][0]`. */

import { own } from "../../text/own";
import { isList, isRecord, type Properties, type Value } from "./values";

/** Steps from a resource's top: property names and array indexes. */
export type PropertyPath = readonly (string | number)[];

export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    const name = String(step);
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === "" ? name : `${text}.${name}`;
  }, "");
}

/**
 * Parses a path as `pathText` or the engine writes it (sdk/go/common/resource, property_path.go).
 */
export function parsePath(text: string): PropertyPath {
  const steps = text.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g);
  return [...steps].map(([, quoted, index, name]) => {
    if (index !== undefined) return Number(index);
    return name ?? quoted?.replace(/\\(.)/g, "$1") ?? "";
  });
}

/**
 * The path without the indexes of lists. The index of an element changes when another one is added
 * or removed before it, so the value identifies the element.
 */
export function withoutIndexes(path: string): string {
  return path.replace(/\[\d+\]/g, "[]");
}

/**
 * Which complete properties `ignoreChanges` names: `tags`, `["tags"]` or `*`.
 *
 * A path into a property (`tags[0]`) does not count: the engine has already put the old value there
 * into the inputs of Check.
 */
export function ignoresProperty(ignoreChanges: readonly string[]): (property: string) => boolean {
  return isNamedBy(ignoreChanges.map(parsePath).filter(({ length }) => length === 1));
}

/**
 * Which properties `ignoreChanges` names completely or in part. The engine puts live values there.
 */
export function ignoresPart(ignoreChanges: readonly string[]): (property: string) => boolean {
  return isNamedBy(ignoreChanges.map(parsePath));
}

function isNamedBy(paths: readonly PropertyPath[]): (property: string) => boolean {
  const names = new Set(paths.map(([name]) => name));
  return (property) => names.has("*") || names.has(property);
}

/**
 * The paths of `ignoreChanges` inside a property, such as `ldapGroupMappings[0].ldapGroups`. Paths
 * of whole properties are handled by the resources.
 *
 * For the plugin, the engine puts the old value at that path into the inputs of Check. A refresh has
 * made it the live one. The host of dynamic providers never refreshes before an update, so there the
 * old value is the recorded one. Sending it would undo a change outside Pulumi.
 */
export function pathsInside(ignoreChanges: readonly string[]): PropertyPath[] {
  return ignoreChanges.map(parsePath).filter((steps) => steps.length > 1);
}

/** The value at a path; `undefined` if the path leads nowhere. */
export function valueAt(source: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)];
    return isRecord(value) ? own(value, String(step)) : undefined;
  }, source);
}

/** The values at a path in which each index stands for every entry of the list. */
export function valuesAt(source: unknown, path: readonly PropertyKey[]): unknown[] {
  return path.reduce<unknown[]>(
    (values, step) =>
      values.flatMap((value) => {
        if (Array.isArray(value)) return typeof step === "number" ? value : [];
        const name = String(step);
        return isRecord(value) && Object.hasOwn(value, name) ? [own(value, name)] : [];
      }),
    [source],
  );
}

/**
 * The inputs with the values that `source` has at these paths; a path that leads nowhere changes
 * nothing.
 */
export function withValuesAt(
  inputs: Properties,
  source: Properties,
  paths: readonly PropertyPath[],
): Properties {
  return paths.reduce((values, path) => within(values, source, path), inputs);
}

function replaced(value: Value, source: Value | undefined, path: PropertyPath): Value {
  const [step, ...rest] = path;
  if (source === undefined) return value;
  if (step === undefined) return source;
  if (isRecord(value)) return within(value, source, path);
  const key = String(step);
  if (isList(value)) {
    return value.map((entry, index) =>
      String(index) === key ? replaced(entry, isList(source) ? source[index] : undefined, rest) : entry,
    );
  }
  return value;
}

function within(values: Properties, source: Value, [step = "", ...rest]: PropertyPath): Properties {
  const key = String(step);
  const before = own(values, key);
  if (before === undefined) return values;
  return { ...values, [key]: replaced(before, isRecord(source) ? own(source, key) : undefined, rest) };
}
