/**
 * `until` in files: the day on which the access of a person, a team or a key ends. Such an entry is a map
 * with the value that it would have otherwise, and its day: `{ roles: [...], until: 2026-12-31 }`.
 *
 * The day ends at 24:00 UTC. An entry that is over stays in its file and is declared as ended, so
 * that nobody who is removed by the calendar looks like an entry that was lost.
 */

import { pathText } from "../provider/resources/contract/property-path";
import { isDay, isOver as isDayOver } from "../provider/resources/contract/until";
import { nearest } from "../provider/text/nearest";
import type { PropertyFault } from "./faults";
import { type Located, type LocatedEntry, type LocatedMap, locationOf } from "./located";

/** A property whose entries may end. */
export interface Endable {
  readonly property: EndableProperty;
  /** What an entry without `until` is in the map; absent for entries that are maps in any case. */
  readonly value?: "roles" | "username";
}

export type EndableProperty =
  | "members"
  | "usernames"
  | "teams"
  | "externalTeams"
  | "apiKeys"
  | "externalApiKeys";

export interface End {
  readonly property: EndableProperty;
  /** The person, team or key as the file names it. */
  readonly name: string;
  readonly path: readonly PropertyKey[];
  /** The last day, in UTC: `2026-12-31`. */
  readonly until: string;
  /** The entry ends with its key, which another file declares: it has no day of its own, or a later one. */
  readonly isOfKey?: boolean;
}

interface WithoutEnds {
  /** As if no entry had an end. */
  readonly content: LocatedMap;
  readonly ends: readonly End[];
  readonly faults: readonly PropertyFault[];
}

/** Separates the ends of the entries from everything else that a file declares. */
export function takeEnds(content: LocatedMap, endables: readonly Endable[]): WithoutEnds {
  const ends: End[] = [];
  const faults: PropertyFault[] = [];
  const entries = new Map(content.entries);
  for (const endable of endables) {
    const { property } = endable;
    const declared = content.entries.get(property);
    if (declared === undefined || declared.value.kind === "scalar") continue;
    const taken = entriesOf(declared.value, property).map((entry) => ({
      ...entry,
      ...takeEnd(content, entry, endable),
    }));
    ends.push(...taken.flatMap(({ end }) => end ?? []));
    faults.push(...taken.flatMap((entry) => entry.faults));
    entries.set(property, { ...declared, value: withValues(declared.value, taken) });
  }
  return { content: { ...content, entries }, ends, faults };
}

interface Entry {
  readonly path: readonly PropertyKey[];
  readonly value: Located;
}

function entriesOf(list: Exclude<Located, { kind: "scalar" }>, property: string): Entry[] {
  return list.kind === "list"
    ? list.entries.map((value, index) => ({ path: [property, index], value }))
    : [...list.entries].map(([name, { value }]) => ({ path: [property, name], value }));
}

/** The list or map with other values; an entry without one is left out, because it has a fault. */
function withValues(
  list: Exclude<Located, { kind: "scalar" }>,
  taken: readonly { readonly path: readonly PropertyKey[]; readonly kept: Located | undefined }[],
): Located {
  if (list.kind === "list") return { ...list, entries: taken.flatMap(({ kept }) => kept ?? []) };
  const entries = taken.flatMap(({ path, kept }): [string, LocatedEntry][] => {
    const name = String(path.at(-1));
    const before = list.entries.get(name);
    return kept && before ? [[name, { ...before, value: kept }]] : [];
  });
  return { ...list, entries: new Map(entries) };
}

function takeEnd(
  content: LocatedMap,
  { path, value }: Entry,
  { property, value: own }: Endable,
): { readonly kept: Located | undefined; readonly end?: End; readonly faults: readonly PropertyFault[] } {
  if (value.kind !== "map") return { kept: value, faults: [] };
  const { until, ...shape } = partsOf(value, own);
  const faultAt = (at: readonly PropertyKey[], reason: string): PropertyFault => ({
    property,
    location: locationOf(content, at),
    reason: `${pathText(at)} ${reason}`,
  });
  const ofNames = [
    ...shape.unknown.map((name) => {
      const meant = nearest(name, [String(own), "until"]);
      const advice = meant === undefined ? `Properties are: ${own}, until.` : `Did you mean ${meant}?`;
      return { ...faultAt([...path, name], `is not a property. ${advice}`), meant };
    }),
  ];
  const isMisspelled = ofNames.some(({ meant }) => meant === own);
  const faults = [
    ...ofNames.map(({ meant: _, ...fault }) => fault),
    ...(shape.kept === undefined && !isMisspelled ? [faultAt(path, `has no ${own}. Add ${own}.`)] : []),
  ];
  const day = until?.kind === "scalar" ? until.value : undefined;
  // A line without a value is a fault of its own.
  if (until === undefined || day === null) return { kept: shape.kept, faults };
  if (typeof day !== "string" || !isDay(day)) {
    const written = until.kind === "scalar" ? `, not ${until.source}` : "";
    const reason = `must be the last day, in UTC, such as 2026-12-31${written}.`;
    return { kept: shape.kept, faults: [...faults, faultAt([...path, "until"], reason)] };
  }
  const { kept } = shape;
  const name = kept?.kind === "scalar" ? String(kept.value) : String(path.at(-1));
  return { kept, faults, end: { property, name, path, until: day } };
}

/** @param own the property that is the value of the entry; absent if the rest of the map is */
function partsOf(map: LocatedMap, own: Endable["value"]) {
  const until = map.entries.get("until")?.value;
  const others = [...map.entries].filter(([name]) => name !== "until");
  if (own === undefined) return { until, kept: { ...map, entries: new Map(others) }, unknown: [] };
  return {
    until,
    kept: map.entries.get(own)?.value,
    unknown: others.flatMap(([name]) => (name === own ? [] : [name])),
  };
}

/** Whether the last day is over. */
export function isOver({ until }: Pick<End, "until">, now: Date): boolean {
  return isDayOver(until, now.getTime());
}
