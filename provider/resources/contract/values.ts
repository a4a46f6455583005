/** Property values of resources: plain data, or not known yet. */

/**
 * Stands for a value that the engine does not know yet: an output of something still to be created.
 */
export const UNKNOWN: unique symbol = Symbol("unknown");

export type Value =
  | null
  | boolean
  | number
  | string
  | typeof UNKNOWN
  | readonly Value[]
  | { readonly [key: string]: Value };

export type Properties = { readonly [key: string]: Value };

/** A property that may be unknown in a preview. */
export type Unsure<T> = T | typeof UNKNOWN;

/** True when the value is unknown or holds something unknown. */
export function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isRecord(value) && Object.values(value).some(hasUnknown);
}

/** The value, or `undefined` where any part of it is unknown. */
export function known<T>(value: Unsure<T> | undefined): T | undefined {
  return value === undefined || hasUnknown(value) ? undefined : (value as T);
}

export function isRecord(value: Value | undefined): value is Properties;
export function isRecord(value: unknown): value is Record<string, unknown>;
export function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isList(value: unknown): value is readonly Value[] {
  return Array.isArray(value);
}

/**
 * Only the entries that have a value: an absent property and one set to `undefined` are the same to
 * the engine.
 */
export function withoutUndefined<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

/** Order for everything that is a set: by code unit, the same on every machine. */
export function inOrder(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** True when both hold the same strings, in any order. */
export function sameSet(one: readonly string[], other: readonly string[]): boolean {
  const values = new Set(one);
  return values.size === new Set(other).size && other.every((value) => values.has(value));
}
