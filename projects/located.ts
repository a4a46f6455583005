/**
 * Values of a file with their locations, so that a fault in merged files names the right location.
 */
import type { FileLocation } from "./faults";

export type Located = LocatedScalar | LocatedList | LocatedMap;

interface LocatedScalar {
  readonly kind: "scalar";
  readonly value: unknown;
  /** The text in the file. */
  readonly source: string;
  readonly location: FileLocation;
}

interface LocatedList {
  readonly kind: "list";
  readonly entries: readonly Located[];
  readonly location: FileLocation;
}

export interface LocatedMap {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, LocatedEntry>;
  readonly location: FileLocation;
}

export interface LocatedEntry {
  readonly keyLocation: FileLocation;
  readonly value: Located;
}

export function plainOf(located: Located): unknown {
  if (located.kind === "scalar") return located.value;
  if (located.kind === "list") return located.entries.map(plainOf);
  return Object.fromEntries([...located.entries].map(([key, { value }]) => [key, plainOf(value)]));
}

/** The number of values, at any depth. */
export function sizeOf(located: Located): number {
  if (located.kind === "scalar") return 1;
  const inner =
    located.kind === "list" ? located.entries : [...located.entries.values()].map(({ value }) => value);
  return inner.reduce((size, value) => size + sizeOf(value), 1);
}

export function at(root: Located, path: readonly PropertyKey[]): Located | undefined {
  return path.reduce<Located | undefined>((located, step) => {
    if (located?.kind === "list") return located.entries[Number(step)];
    return located?.kind === "map" ? located.entries.get(String(step))?.value : undefined;
  }, root);
}

/**
 * Location of a value: of a list or a map that of its name, of a missing value that of its parent.
 */
export function locationOf(root: Located, path: readonly PropertyKey[]): FileLocation {
  const step = path.at(-1);
  const parent = step === undefined ? undefined : at(root, path.slice(0, -1));
  if (step === undefined) return root.location;
  if (parent === undefined) return locationOf(root, path.slice(0, -1));
  const value = at(parent, [step]);
  if (value === undefined) return locationOf(root, path.slice(0, -1));
  if (value.kind === "scalar" || parent.kind !== "map") return value.location;
  return parent.entries.get(String(step))?.keyLocation ?? value.location;
}

/** Location of a property's name. */
export function keyLocationOf(root: Located, path: readonly PropertyKey[]): FileLocation {
  const parent = at(root, path.slice(0, -1));
  const entry = parent?.kind === "map" ? parent.entries.get(String(path.at(-1))) : undefined;
  return entry?.keyLocation ?? locationOf(root, path);
}

/**
 * Merges two maps: the nearer one has precedence. Maps are merged name by name, every other value
 * is replaced.
 */
export function merged(far: LocatedMap, near: LocatedMap): LocatedMap {
  const entries = new Map(far.entries);
  for (const [key, entry] of near.entries) {
    const before = entries.get(key)?.value;
    const value =
      before?.kind === "map" && entry.value.kind === "map" ? merged(before, entry.value) : entry.value;
    entries.set(key, { ...entry, value });
  }
  return { ...near, entries };
}

/** Returns the map without these names. */
export function without(map: LocatedMap, names: readonly string[]): LocatedMap {
  return { ...map, entries: new Map([...map.entries].filter(([key]) => !names.includes(key))) };
}
