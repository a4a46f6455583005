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
  const [before, after] = [partsOf(declared), partsOf(live)];
  if (before !== undefined && after !== undefined && Array.isArray(declared) === Array.isArray(live)) {
    return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
      const [was, now] = [before.get(key), after.get(key)];
      const inner = {
        declared: [...paths.declared, was?.step ?? now?.step ?? key],
        live: [...paths.live, now?.step ?? was?.step ?? key],
      };
      return differencesAt(inner, was?.value, now?.value);
    });
  }
  if (JSON.stringify(declared) === JSON.stringify(live)) return [];
  return [{ path: paths.declared, kind: "changed", declared, live }];
}

interface Part {
  readonly step: string | number;
  readonly value: unknown;
}

/**
 * The parts of a list or an object, by the key that identifies them. Lists are compared as sets,
 * because all lists among the inputs are sets.
 */
function partsOf(value: unknown): ReadonlyMap<string, Part> | undefined {
  if (Array.isArray(value)) {
    return new Map(value.map((entry: unknown, step) => [entryKey(entry), { step, value: entry }]));
  }
  if (!isRecord(value)) return undefined;
  return new Map(Object.entries(value).map(([step, inner]) => [step, { step, value: inner }]));
}

/**
 * The key of an entry. A set of LDAP mappings holds each role at most once, so the role identifies
 * the mapping.
 */
function entryKey(entry: unknown): string {
  const isMapping = isRecord(entry) && typeof entry.roleName === "string";
  return JSON.stringify(isMapping ? { roleName: entry.roleName } : entry);
}

/** A value of the engine's stream for the user: texts replace secrets and unknown values. */
export function readable(value: unknown): unknown {
  if (typeof value === "string" && UNKNOWN_SENTINELS.has(value)) return NOT_KNOWN;
  if (Array.isArray(value)) return value.map(readable);
  if (!isRecord(value)) return value;
  if (value[SIGNATURE] === SECRET_SIGNATURE) return SECRET;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, readable(inner)]));
}
