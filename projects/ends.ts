/**
 * `until` in files: the day on which the access of a person, a team or a key ends. Such an entry is a map
 * with the value that it would have otherwise, and its day: `{ roles: [...], until: 2026-12-31 }`.
 *
 * The day ends at 24:00 UTC. An entry that is over stays in its file and is declared as ended, so
 * that nobody who is removed by the calendar looks like an entry that was lost.
 */

import { pathText } from "../provider/resources/contract/property-path";
import { shortList } from "../provider/text/list";
import type { AccessFiles } from "./access-files";
import type { DeclaredFile } from "./declared-file";
import type { Fault } from "./faults";
import { type Located, type LocatedEntry, type LocatedMap, locationOf } from "./located";
import type { ProjectFile } from "./project-file";
import type { TeamFile } from "./team-file";

/** A property whose entries may end. */
export interface Endable {
  readonly property: EndableProperty;
  /** What an entry without `until` is in the map; absent for entries that are maps in any case. */
  readonly value?: "roles" | "username";
}

type EndableProperty = "members" | "usernames" | "teams" | "apiKeys";

const HOLDERS: Readonly<Record<EndableProperty, "person" | "team" | "key">> = {
  members: "person",
  usernames: "person",
  teams: "team",
  apiKeys: "key",
};

/** The end of one entry. */
export interface End {
  readonly property: EndableProperty;
  /** The person, team or key as the file names it. */
  readonly name: string;
  readonly path: readonly PropertyKey[];
  /** The last day, in UTC: `2026-12-31`. */
  readonly until: string;
}

export interface WithoutEnds {
  /** As if no entry had an end. */
  readonly content: LocatedMap;
  readonly ends: readonly End[];
  readonly faults: readonly Fault[];
}

/** Separates the ends of the entries from everything else that a file declares. */
export function takeEnds(content: LocatedMap, endables: readonly Endable[]): WithoutEnds {
  const ends: End[] = [];
  const faults: Fault[] = [];
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
): { readonly kept: Located | undefined; readonly end?: End; readonly faults: readonly Fault[] } {
  if (value.kind !== "map") return { kept: value, faults: [] };
  const { until, ...shape } = partsOf(value, own);
  const faultAt = (at: readonly PropertyKey[], reason: string): Fault => ({
    location: locationOf(content, at),
    reason: `${pathText(at)} ${reason}`,
  });
  const faults = [
    ...shape.unknown.map((name) =>
      faultAt([...path, name], `is not a property. Properties are: ${own}, until.`),
    ),
    ...(shape.kept === undefined ? [faultAt(path, `has no ${own}. Add ${own}.`)] : []),
  ];
  if (until === undefined) return { kept: shape.kept, faults };
  const day = until.kind === "scalar" ? until.value : undefined;
  if (typeof day !== "string" || !isDay(day)) {
    const reason = "must be the last day, in UTC, such as 2026-12-31.";
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

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const DAY = 24 * 60 * 60 * 1000;

/** Whether the last day is over. */
export function isOver({ until }: Pick<End, "until">, now: Date): boolean {
  return now.getTime() >= Date.parse(`${until}T00:00:00Z`) + DAY;
}

/** An end as reports name it. */
export interface NamedEnd {
  readonly file: string;
  /** `project payments` */
  readonly place: string;
  readonly holder: string;
  readonly what: "person" | "team" | "key";
  readonly until: string;
  /** Logical name of the resource that declares it, or that declared it. */
  readonly resource: string;
}

/** More names would hide what else is said. */
const MOST_NAMED = 10;

/** By day, the next one first: `after 2026-12-31: bob@example.com in project payments, and 3 more` */
export function endTexts(ends: readonly Pick<NamedEnd, "holder" | "place" | "until">[]): string[] {
  return [...Map.groupBy(ends, ({ until }) => until)].map(([until, same]) => {
    const names = same.map(({ holder, place }) => `${holder} in ${place}`);
    return `after ${until}: ${shortList(names, MOST_NAMED)}`;
  });
}

/** The ends of all entries, the next one first. */
export function endsIn({ projects, teams, organizations }: AccessFiles): NamedEnd[] {
  const named = (place: string, { file, key, ends = [] }: DeclaredFile, lists: readonly string[] = []) =>
    ends.map(({ property, name: holder, until }) => ({
      ...{ file, place, holder, until },
      what: HOLDERS[property],
      resource: lists.includes(property) ? key : `${key}/${holder}`,
    }));
  return [
    ...projects.flatMap((file) =>
      named(`project ${file.name}`, file, file.membership === "exclusive" ? ["members"] : []),
    ),
    ...teams.flatMap((file) => named(`team ${file.name}`, file, ["usernames"])),
    ...organizations.flatMap((file) => named(`organization ${file.orgId ?? file.key}`, file)),
  ].sort((one, other) => (one.until < other.until ? -1 : Number(one.until > other.until)));
}

/**
 * What the files declare at this time: entries that are over are left out, and the people among them are
 * in `endedUsers` where one resource declares all people of a place.
 */
export function asOf({ projects, teams, organizations }: AccessFiles, now: Date): AccessFiles {
  return {
    projects: projects.map((file) => projectAsOf(file, now)),
    teams: teams.map((file) => teamAsOf(file, now)),
    organizations: organizations.map((file) => {
      const { members, apiKeys } = file;
      const left = { ...valid(file, "members", members, now), ...valid(file, "apiKeys", apiKeys, now) };
      return { ...file, ...left };
    }),
  };
}

function projectAsOf(file: ProjectFile, now: Date): ProjectFile {
  const { members, teams, apiKeys, membership } = file;
  const ended = overIn(file, "members", now);
  return {
    ...file,
    ...valid(file, "members", members, now),
    ...valid(file, "teams", teams, now),
    ...valid(file, "apiKeys", apiKeys, now),
    ...(ended.length > 0 && membership === "exclusive" && { endedUsers: ended }),
  };
}

function teamAsOf(file: TeamFile, now: Date): TeamFile {
  const ended = overIn(file, "usernames", now);
  if (ended.length === 0) return file;
  const isLeft = new Set(ended);
  return { ...file, usernames: file.usernames.filter((name) => !isLeft.has(name)), endedUsers: ended };
}

function overIn({ ends = [] }: DeclaredFile, property: EndableProperty, now: Date): string[] {
  return ends.filter((end) => end.property === property && isOver(end, now)).map(({ name }) => name);
}

function valid<Name extends EndableProperty, Value>(
  file: DeclaredFile,
  property: Name,
  declared: Readonly<Record<string, Value>> | undefined,
  now: Date,
): { readonly [Property in Name]?: Record<string, Value> } {
  const over = new Set(overIn(file, property, now));
  if (declared === undefined || over.size === 0) return {};
  const left = Object.entries(declared).filter(([name]) => !over.has(name));
  return { [property]: Object.fromEntries(left) } as { [Property in Name]?: Record<string, Value> };
}

let run: string | undefined;
let time: Date | undefined;

/** The plugin may serve several runs: all components of one see the same time. */
export function beginRun(endpoint: string): void {
  if (endpoint === run) return;
  run = endpoint;
  time = undefined;
}

/** The time of this run: all of its components agree on what is over. */
export function timeOfRun(): Date {
  time ??= new Date();
  return time;
}
