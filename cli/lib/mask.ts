/** Replaces the names of people in texts by pseudonyms. */
import { createHash } from "node:crypto";
import { foldName } from "../../provider/access/person";
import { visibleText } from "../../provider/text/visible-text";

/** A stable pseudonym that does not show the name. @param name letter case is ignored */
export function pseudonymOf(name: string): string {
  return `person-${createHash("sha256").update(foldName(name)).digest("hex").slice(0, 10)}`;
}

export type Mask = (text: string) => string;

/** Replaces these names of people, in any letter case, and all text in the form of an email address. */
export function maskOf(names: readonly string[]): Mask {
  // A text may contain a name as it was written, or folded as the log and messages show it.
  const spellings = names.flatMap((name) => [name, visibleText(name)]);
  return masking(new Set(spellings.flatMap((name) => [name, foldName(name)])));
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
  address: { before: /(?<![\p{L}\p{N}_.+%-])/iuy, after: /(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])/iuy },
  other: { before: /(?<![\p{L}\p{N}_])/iuy, after: /(?![\p{L}\p{N}_@])/iuy },
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
