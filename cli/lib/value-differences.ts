/**
 * Finds the differences between two values of one property, element by element.
 *
 * The values are compared because the engine's detailed diff names the properties that differ, but
 * not the elements. The plugin's response holds one kind for a path: a removed and an added tag at
 * the same index are one "update". For the dynamic provider, the engine itself compares lists by
 * index, and reports half of a set if one entry is new.
 */
import type { PropertyPath } from "../../provider/resources/contract/property-path";
import { isRecord } from "../../provider/resources/contract/values";
import { SECRET_SIGNATURE, SIGNATURE, UNKNOWN_SENTINELS } from "../../provider/text/sentinels";

export const SECRET = "[secret]";
/** The output of an object that does not exist yet. */
export const NOT_KNOWN = "[not known yet]";

export interface ValueDifference {
  readonly path: PropertyPath;
  readonly kind: "changed" | "added" | "removed";
  /** Of a set, such as tags or roles, the entries that are declared and not live; `live` likewise. */
  readonly declared?: unknown;
  readonly live?: unknown;
}

/**
 * Compares two values; `undefined` on one side means that there is no value. All lists among the
 * inputs are sets. The index of an entry means nothing in a set, so no path has one.
 */
export function valueDifferences(path: PropertyPath, declared: unknown, live: unknown): ValueDifference[] {
  if (declared === undefined && live === undefined) return [];
  if (declared === undefined) return [{ path, kind: "added", live }];
  if (live === undefined) return [{ path, kind: "removed", declared }];
  const [before, after] = [partsOf(declared), partsOf(live)];
  if (before !== undefined && after !== undefined && Array.isArray(declared) === Array.isArray(live)) {
    return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) =>
      valueDifferences([...path, name], before.get(name), after.get(name)),
    );
  }
  if (Array.isArray(declared) && Array.isArray(live)) return setDifferences(path, declared, live);
  if (JSON.stringify(declared) === JSON.stringify(live)) return [];
  return [{ path, kind: "changed", declared, live }];
}

/** At most one difference, with the entries that one side lacks. */
function setDifferences(
  path: PropertyPath,
  declared: readonly unknown[],
  live: readonly unknown[],
): ValueDifference[] {
  const [missing, extra] = [entriesOnlyIn(declared, live), entriesOnlyIn(live, declared)];
  if (missing.length === 0 && extra.length === 0) return [];
  if (extra.length === 0) return [{ path, kind: "removed", declared: missing }];
  if (missing.length === 0) return [{ path, kind: "added", live: extra }];
  return [{ path, kind: "changed", declared: missing, live: extra }];
}

export function entriesOnlyIn(one: readonly unknown[], other: readonly unknown[]): unknown[] {
  const others = new Set(other.map((entry) => JSON.stringify(entry)));
  return one.filter((entry) => !others.has(JSON.stringify(entry)));
}

/**
 * The named parts of an object, or of a set of LDAP mappings. Such a set holds each role at most
 * once, so the role names the mapping.
 */
export function partsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (Array.isArray(value)) {
    const mappings = value.filter(isMapping);
    if (mappings.length === 0 || mappings.length < value.length) return undefined;
    return new Map(mappings.map((mapping) => [mapping.roleName, mapping]));
  }
  return isRecord(value) ? new Map(Object.entries(value)) : undefined;
}

function isMapping(entry: unknown): entry is { readonly roleName: string } {
  return isRecord(entry) && typeof entry.roleName === "string";
}

/** A value of the engine's stream for the user: texts replace secrets and unknown values. */
export function readable(value: unknown): unknown {
  if (typeof value === "string" && UNKNOWN_SENTINELS.has(value)) return NOT_KNOWN;
  if (Array.isArray(value)) return value.map(readable);
  if (!isRecord(value)) return value;
  if (value[SIGNATURE] === SECRET_SIGNATURE) return SECRET;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, readable(inner)]));
}
