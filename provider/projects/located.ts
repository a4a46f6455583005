/** Values of a file that know where they stand, so that a fault found in what several files make together names the right one. */
import type { Place } from "./faults";

export type Located = LocatedScalar | LocatedList | LocatedMap;

export interface LocatedScalar {
  readonly kind: "scalar";
  readonly value: unknown;
  /** As it is written. */
  readonly source: string;
  readonly place: Place;
}

export interface LocatedList {
  readonly kind: "list";
  readonly entries: readonly Located[];
  readonly place: Place;
}

export interface LocatedMap {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, LocatedEntry>;
  readonly place: Place;
}

interface LocatedEntry {
  readonly keyPlace: Place;
  readonly value: Located;
}

export function plainOf(located: Located): unknown {
  if (located.kind === "scalar") return located.value;
  if (located.kind === "list") return located.entries.map(plainOf);
  return Object.fromEntries([...located.entries].map(([key, { value }]) => [key, plainOf(value)]));
}

export function at(root: Located, path: readonly PropertyKey[]): Located | undefined {
  return path.reduce<Located | undefined>((located, step) => {
    if (located?.kind === "list") return located.entries[Number(step)];
    return located?.kind === "map" ? located.entries.get(String(step))?.value : undefined;
  }, root);
}

/** Of a value its own place, of a list or a map that of its name; of what is missing that of what it is missing from. */
export function placeOf(root: Located, path: readonly PropertyKey[]): Place {
  const step = path.at(-1);
  const parent = step === undefined ? undefined : at(root, path.slice(0, -1));
  if (step === undefined) return root.place;
  if (parent === undefined) return placeOf(root, path.slice(0, -1));
  const value = at(parent, [step]);
  if (value === undefined) return placeOf(root, path.slice(0, -1));
  if (value.kind === "scalar" || parent.kind !== "map") return value.place;
  return parent.entries.get(String(step))?.keyPlace ?? value.place;
}

/** Where the name of a property stands. */
export function keyPlaceOf(root: Located, path: readonly PropertyKey[]): Place {
  const parent = at(root, path.slice(0, -1));
  const entry = parent?.kind === "map" ? parent.entries.get(String(path.at(-1))) : undefined;
  return entry?.keyPlace ?? placeOf(root, path);
}

/** The nearer wins; maps are merged name by name, everything else is taken whole. */
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

/** Without these names. */
export function without(map: LocatedMap, names: readonly string[]): LocatedMap {
  return { ...map, entries: new Map([...map.entries].filter(([key]) => !names.includes(key))) };
}
