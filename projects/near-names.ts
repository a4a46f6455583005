/** Names of people that are probably a misspelling of another one. Pure. */

import leven from "leven";
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

/** @returns those of whom another name is probably a misspelling */
export function misspelledAmong<Person extends { readonly name: string }>(
  known: readonly Person[],
): (name: string) => Person[] {
  const parts = known.map((person) => ({ person, ...partsOf(person.name) }));
  const byBeginning = Map.groupBy(parts, beginningOf);
  const byLocal = Map.groupBy(parts, ({ local }) => local);
  const domains = new Set(parts.map(({ domain }) => domain));
  return (name) => {
    const odd = partsOf(name);
    const locals = byBeginning.get(beginningOf(odd)) ?? [];
    const others = domains.has(odd.domain) ? [] : (byLocal.get(odd.local) ?? []);
    return [
      ...locals.filter(({ local }) => isMisspelled(odd.local, local)),
      ...others.filter(({ domain }) => leven(odd.domain, domain) <= MOST_LETTERS),
    ].map(({ person }) => person);
  };
}

const MOST_LETTERS = 2;

/** Short names differ in a letter by nature, and numbered ones in their digits. */
function isMisspelled(local: string, meant: string): boolean {
  const length = Math.min(local.length, meant.length);
  const most = length < 5 ? 0 : length < 10 ? 1 : MOST_LETTERS;
  // Two letters in the wrong order are one mistake.
  const isSwap = most > 0 && lettersOf(local) === lettersOf(meant);
  return withoutDigits(local) !== withoutDigits(meant) && leven(local, meant) <= (isSwap ? 2 : most);
}

interface Parts {
  readonly local: string;
  readonly domain: string;
}

function partsOf(name: string): Parts {
  const folded = foldName(name);
  const at = folded.lastIndexOf("@");
  return at < 0
    ? { local: folded, domain: "" }
    : { local: folded.slice(0, at), domain: folded.slice(at + 1) };
}

/** A comparison with fewer names: the first letter is seldom wrong. */
function beginningOf({ local, domain }: Parts): string {
  return `${local.slice(0, 1)}@${domain}`;
}

const withoutDigits = (text: string) => text.replace(/\d/g, "");
const lettersOf = (text: string) => [...text].sort().join("");
