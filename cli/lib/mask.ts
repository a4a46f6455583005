/** Replaces the names of people in texts by pseudonyms. */
import { createHash } from "node:crypto";
import { foldName } from "../../provider/access/person";
import { owningRights } from "../../provider/access/rights";
import { roleNames } from "../../provider/access/roles";
import { knownTexts } from "../../provider/resources/contract/canonical";
import { isRecord } from "../../provider/resources/contract/values";
import { OBJECT_ID } from "../../provider/text/object-id";
import { visibleText } from "../../provider/text/visible-text";
import { type NamesForm, personInId, propertiesWithPeople } from "./own-resources";
import type { StateResource } from "./stack-export";

/** A stable pseudonym that does not show the name. @param name letter case is ignored */
export function pseudonymOf(name: string): string {
  return `person-${createHash("sha256").update(foldName(name)).digest("hex").slice(0, 10)}`;
}

export type Mask = (text: string) => string;

/** Not each place for a name has one: some have an ID, or nothing. */
export type PossibleNames = readonly (string | undefined)[];

/** Replaces these names of people, in any letter case and Unicode normalization form, and all text in the form of an email address. */
export function maskOf(names: PossibleNames): Mask {
  const real = names.flatMap((name) => (name && !OBJECT_ID.test(name) ? [name] : []));
  // A text may contain a name as it was written, or folded as the log and messages show it.
  const spellings = real.flatMap((name) => [name, visibleText(name)]);
  const forms = spellings.flatMap((name) => [name, foldName(name), name.normalize("NFD")]);
  return masking(new Set(forms));
}

/**
 * An email address without quotes, brackets or separators of paths and URNs. A name with one of
 * these is replaced only if it is one of the known names.
 */
const ADDRESS = /[^\s"'`,;:<>()[\]{}|\\/$=]+@[^\s"'`,;:<>()[\]{}|\\/$=@]*[\p{L}\p{N}]/gu;

/**
 * Replaces names in one pass over a text, however many people there are: at each border it looks
 * up the text that follows, in each length that a name with the same first character has.
 */
function masking(names: ReadonlySet<string>): Mask {
  const known = new Set([...names].map(withoutCase));
  const lengths = lengthsByStart(known);
  return (text) => {
    const folded = withoutCase(text);
    let masked = "";
    let done = 0;
    for (let start = 0; start < text.length; ) {
      const role = roleAt(text, start);
      if (role !== undefined) {
        start += role.length;
        continue;
      }
      const fitting = lengths.get(startOf(folded, start)) ?? [];
      const length = fitting.find(
        (each) => known.has(folded.slice(start, start + each)) && isWhole(text, start, each),
      );
      if (length !== undefined) {
        masked += text.slice(done, start) + pseudonymOf(text.slice(start, start + length));
        done = start + length;
      }
      start += length ?? startOf(text, start).length;
    }
    return (masked + text.slice(done)).replace(ADDRESS, pseudonymOf);
  };
}

/** Somebody may be called `owner`, and `GROUP_OWNER` is a role. */
const ROLE = new RegExp(
  `(?<![\\p{L}\\p{N}\\p{M}_])(?:${[
    ...Object.values(roleNames).flatMap((names) => Object.keys(names)),
    ...owningRights.map(({ role }) => role),
  ].join("|")})(?![\\p{L}\\p{N}\\p{M}_])`,
  "uy",
);

function roleAt(text: string, position: number): string | undefined {
  ROLE.lastIndex = position;
  return ROLE.exec(text)?.[0];
}

/**
 * The lengths of the names by their first character. The longest come first: if another person is
 * called `ada`, all of `ada@example.com` must still be replaced.
 */
function lengthsByStart(names: ReadonlySet<string>): ReadonlyMap<string, readonly number[]> {
  const byStart = Map.groupBy(names, (name) => startOf(name, 0));
  return new Map(
    [...byStart].map(([start, same]) => [
      start,
      [...new Set(same.map(({ length }) => length))].sort((one, other) => other - one),
    ]),
  );
}

/** The character at a position, which may have two code units. */
function startOf(text: string, position: number): string {
  return String.fromCodePoint(text.codePointAt(position) ?? 0);
}

/**
 * The text without the difference of upper and lower case. Each character keeps its length, so a
 * position means the same in both texts. The dotless i is a letter of its own, as in Unicode's
 * simple case folding.
 */
function withoutCase(text: string): string {
  return text.replace(/[A-Z]|[^\p{ASCII}ı]/gu, (character) => {
    const upper = character.toUpperCase();
    const lower = (upper.length === character.length ? upper : character).toLowerCase();
    return lower.length === character.length ? lower : character;
  });
}

const BORDERS = {
  address: {
    before: /(?<![\p{L}\p{N}\p{M}_.+%-])/iuy,
    after: /(?![\p{L}\p{N}\p{M}_-]|\.[\p{L}\p{N}])/iuy,
  },
  // A project may be called `jdoe_sandbox`.
  other: { before: /(?<![\p{L}\p{N}\p{M}])/iuy, after: /(?![\p{L}\p{N}\p{M}@])/iuy },
};

/**
 * Whether a name is a whole word of the text: `ed` is not in `changed`, nor `ada@example.com` in
 * `bob.ada@example.com`.
 */
function isWhole(text: string, start: number, length: number): boolean {
  const end = start + length;
  const { before, after } = text.slice(start, end).includes("@") ? BORDERS.address : BORDERS.other;
  return matchesAt(before, text, start) && matchesAt(after, text, end);
}

function matchesAt(sticky: RegExp, text: string, position: number): boolean {
  sticky.lastIndex = position;
  return sticky.test(text);
}

/** A resource as `pulumi stack export` writes it. */
export type KnownResource = Pick<StateResource, "urn" | "type" | "id" | "inputs" | "outputs">;

/** The names of all people that resources declare or found. */
export function namesInResources(resources: readonly KnownResource[]): PossibleNames {
  return resources.flatMap(({ type, id, inputs, outputs }) => [
    personInId(type, id),
    ...namesInValue([inputs, outputs]),
  ]);
}

/** The names of people at any depth of a value: in a state, in a report, or as the service has them. */
export function namesInValue(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesInValue);
  if (!isRecord(value)) return [];
  const own = Object.entries(value).flatMap(([property, held]) =>
    namesHeld(propertiesWithPeople.get(property), held),
  );
  return [...own, ...Object.values(value).flatMap(namesInValue)];
}

/** A secret has another form: a text in a report, an object in a state. */
function namesHeld(form: NamesForm | undefined, value: unknown): string[] {
  if (form === "name") return typeof value === "string" ? [value] : [];
  if (form === "list") return knownTexts(value);
  return form === "keys" && isRecord(value) ? Object.keys(value) : [];
}
