/**
 * Finds the differences between two values of one property, element by element.
 *
 * The values are compared because the engine's detailed diff names the properties that differ, but
 * not the elements. The plugin's answer holds one kind for a path: a removed and an added tag at
 * the same index are one "update". For the dynamic provider, the engine itself compares lists by
 * index, and reports half of a set if one entry is new.
 */
import type { PropertyPath } from "../../resources/property-path";
import { isRecord } from "../../resources/values";
import { SECRET_SIGNATURE, SIGNATURE, UNKNOWN_TEXTS } from "../../sentinels";

export const SECRET = "[secret]";
/** The output of an object that does not exist yet. */
const NOT_KNOWN = "[not known yet]";

export interface ValueDifference {
  /**
   * Location of the value: in the declared value if it was removed, in the live one if it was
   * added.
   */
  readonly path: PropertyPath;
  readonly kind: "changed" | "added" | "removed";
  readonly declared?: unknown;
  readonly live?: unknown;
}

interface ComparedPaths {
  readonly declared: PropertyPath;
  readonly live: PropertyPath;
}

/** Compares two values; `undefined` on one side means that there is no value. */
export function valueDifferences(path: PropertyPath, declared: unknown, live: unknown): ValueDifference[] {
  return differencesAt({ declared: path, live: path }, declared, live);
}

function differencesAt(paths: ComparedPaths, declared: unknown, live: unknown): ValueDifference[] {
  if (declared === undefined && live === undefined) return [];
  if (declared === undefined) return [{ path: paths.live, kind: "added", live }];
  if (live === undefined) return [{ path: paths.declared, kind: "removed", declared }];
  if (Array.isArray(declared) && Array.isArray(live)) return setValueDifferences(paths, declared, live);
  if (isRecord(declared) && isRecord(live)) return recordDifferences(paths, declared, live);
  if (JSON.stringify(declared) === JSON.stringify(live)) return [];
  return [{ path: paths.declared, kind: "changed", declared, live }];
}

function recordDifferences(
  paths: ComparedPaths,
  declared: Readonly<Record<string, unknown>>,
  live: Readonly<Record<string, unknown>>,
): ValueDifference[] {
  const keys = [...new Set([...Object.keys(declared), ...Object.keys(live)])];
  return keys.flatMap((key) => differencesAt(inside(paths, key, key), declared[key], live[key]));
}

/** Compares lists as sets, because all lists among the inputs are sets. */
function setValueDifferences(
  paths: ComparedPaths,
  declared: readonly unknown[],
  live: readonly unknown[],
): ValueDifference[] {
  const before = positions(declared);
  const after = positions(live);
  const ofDeclared = [...before].flatMap(([key, index]) => {
    const now = after.get(key);
    return now === undefined
      ? differencesAt(inside(paths, index, index), declared[index], undefined)
      : differencesAt(inside(paths, index, now), declared[index], live[now]);
  });
  const ofLive = [...after].flatMap(([key, index]) =>
    before.has(key) ? [] : differencesAt(inside(paths, index, index), undefined, live[index]),
  );
  return [...ofDeclared, ...ofLive];
}

function positions(entries: readonly unknown[]): Map<string, number> {
  return new Map(entries.map((entry, index) => [entryKey(entry), index]));
}

/**
 * The key of an entry. A set of LDAP mappings holds each role at most once, so the role identifies
 * the mapping.
 */
function entryKey(entry: unknown): string {
  const isMapping = isRecord(entry) && typeof entry.roleName === "string";
  return JSON.stringify(isMapping ? { roleName: entry.roleName } : entry);
}

function inside(paths: ComparedPaths, declared: string | number, live: string | number): ComparedPaths {
  return { declared: [...paths.declared, declared], live: [...paths.live, live] };
}

/** A value of the engine's stream for the user: texts replace secrets and unknown values. */
export function readable(value: unknown): unknown {
  if (typeof value === "string" && UNKNOWN_TEXTS.has(value)) return NOT_KNOWN;
  if (Array.isArray(value)) return value.map(readable);
  if (!isRecord(value)) return value;
  if (value[SIGNATURE] === SECRET_SIGNATURE) return SECRET;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, readable(inner)]));
}
