/** Names of people that are probably a misspelling of another one. Pure. */

import { foldName } from "../provider/access/person";
import type { AccessFiles } from "./access-files";
import type { DeclaredFile, Locate } from "./declared-file";
import { type FileLocation, locationText } from "./faults";

/** People whom a file names. */
export interface People {
  readonly file: DeclaredFile;
  /** By the path of each name in the file. */
  readonly names: readonly { readonly name: string; readonly path: readonly PropertyKey[] }[];
}

/** The people of each file that names any. */
export function peopleOf({ projects, teams, organizations }: AccessFiles): People[] {
  return [
    ...[...projects, ...organizations].map((file) => ({
      file,
      names: Object.keys(file.members ?? {}).map((name) => ({ name, path: ["members", name] })),
    })),
    ...teams.map((file) => ({
      file,
      names: file.usernames.map((name, index) => ({ name, path: ["usernames", index] })),
    })),
  ].filter(({ names }) => names.length > 0);
}

interface NearName {
  readonly name: string;
  readonly location: FileLocation;
  readonly meant: string;
}

/**
 * Names that are written once and are nearly one that is written twice or more in other files. Two names in one file are
 * two people.
 */
export function nearNames(files: AccessFiles, locate: Locate): NearName[] {
  const all = peopleOf(files).flatMap(({ file, names }) =>
    names.map(({ name, path }) => ({ name, file, location: locate(file, path) })),
  );
  const people = [...Map.groupBy(all, ({ name }) => foldName(name)).values()].flatMap((same) => {
    const [first] = same;
    // Files that inherit a name have it from one line.
    const lines = new Set(same.map(({ location }) => locationText(location))).size;
    return first ? [{ ...first, lines, files: new Set(same.map(({ file }) => file)) }] : [];
  });
  const meantBy = misspelledAmong(people.filter(({ lines }) => lines > 1));
  return people.flatMap(({ name, location, lines, files: own }) => {
    const meant =
      lines > 1 ? undefined : meantBy(name).find((other) => ![...own].some((file) => other.files.has(file)));
    return meant ? [{ name, location, meant: meant.name }] : [];
  });
}

/**
 * @returns those of whom another name is probably a misspelling: a letter is wrong, missing, added or in the wrong place. A
 * comparison of each name with each other one takes minutes in a large folder.
 */
export function misspelledAmong<Person extends { readonly name: string }>(
  known: readonly Person[],
): (name: string) => Person[] {
  const all = known.map((person) => ({ person, ...partsOf(person.name) }));
  const domains = new Set(all.map(({ domain }) => domain));
  const byForm = new Map<string, (typeof all)[number][]>();
  for (const each of all)
    for (const form of shorterForms(each.folded)) {
      const same = byForm.get(form) ?? [];
      if (same.length < MOST_ALIKE) byForm.set(form, [...same, each]);
    }
  return (name) => {
    const odd = partsOf(name);
    const near = new Set(shorterForms(odd.folded).flatMap((form) => byForm.get(form) ?? []));
    return [...near].filter((meant) => isMisspelled(odd, meant, domains)).map(({ person }) => person);
  };
}

/** Short names differ in a letter by nature, numbered ones in their digits, and a domain that others have is no slip. */
function isMisspelled(odd: Parts, meant: Parts, domains: ReadonlySet<string>): boolean {
  if (odd.local === meant.local) return !domains.has(odd.domain);
  const isLong = Math.min(odd.local.length, meant.local.length) >= SHORTEST;
  return odd.domain === meant.domain && isLong && withoutDigits(odd.local) !== withoutDigits(meant.local);
}

const SHORTEST = 5;

/** More names of one form are a series. */
const MOST_ALIKE = 20;

/** The forms grow with the square of the length, and a file may be anyone's. */
const LONGEST = 100;

interface Parts {
  readonly folded: string;
  readonly local: string;
  readonly domain: string;
}

function partsOf(name: string): Parts {
  const folded = foldName(name);
  const [local = "", ...domain] = folded.split("@");
  return { folded, local, domain: domain.join("@") };
}

/** The name, and the name without each of its letters. Two names that differ in one place have one in common. */
function shorterForms(name: string): string[] {
  if (name.length > LONGEST) return [];
  return [name, ...new Set([...name].map((_, index) => name.slice(0, index) + name.slice(index + 1)))];
}

const withoutDigits = (text: string) => text.replace(/\d/g, "");
