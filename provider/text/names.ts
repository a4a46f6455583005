/**
 * What a name may contain: of a person, a team, a project, a group or a key, and a description that tells keys apart.
 *
 * Two names that look the same are two names to the service. A list in which one of them replaces the other looks
 * unchanged, also in a preview, and the update would remove a person and invite another. So a name holds no character
 * that hides, unless writing needs it there.
 */
import { shortList } from "./list";
import { HIDDEN } from "./visible-text";

const CURSIVE_SCRIPTS = ["Adlam", "Arabic", "Hanifi_Rohingya", "Mandaic", "Mongolian", "Nko", "Syriac"];
const CURSIVE = `[${CURSIVE_SCRIPTS.map((script) => `\\p{Script_Extensions=${script}}`).join("")}]`;
/** A mark of a script of its own, such as a virama; accents are marks of any script. */
const MARK = "(?!\\p{Script=Inherited})\\p{M}";
const EMOJI = "\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]?\\p{Emoji_Modifier}?[\\ufe0e\\ufe0f]?";
const TAGS_OF_FLAGS =
  "(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})";

/** Joiners and variation selectors where they change what is seen (RFC 5892, A.1 and A.2; Unicode emoji, UTS 51). */
const WRITTEN = new RegExp(
  [
    `(?<=${MARK})[\\u200c\\u200d]`,
    `[\\u200c\\u200d](?=${MARK})`,
    `(?<=${CURSIVE})(?:\\u200d|\\u200c(?=${CURSIVE}))`,
    "(?<=\\p{Script=Mongolian})[\\u180b-\\u180f]",
    "(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]",
    // England, Scotland and Wales, the three flags that are written with tags.
    `\\u{1f3f4}\\u{e0067}\\u{e0062}${TAGS_OF_FLAGS}\\u{e007f}`,
    "[0-9#*]\\ufe0f\\u20e3",
    `${EMOJI}(?:\\u200d${EMOJI})*`,
  ].join("|"),
  "gu",
);

/** Blanks that look like U+0020. The ideographic one is wider. */
const OTHER_BLANKS = /(?![ \u3000])[\p{Zs}\u2800]/gu;

const ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~.-]+";
const LABEL = "[\\p{L}\\p{N}_](?:[\\p{L}\\p{M}\\p{N}_-]*[\\p{L}\\p{M}\\p{N}_])?";
/** A local part, which may be quoted, and a domain or the literal of a host (RFC 5321, 4.1.2; RFC 6531). */
const ADDRESS = new RegExp(`^(?:"[^"]+"|${ATOM})@(?:${LABEL}(?:\\.${LABEL})*|\\[[\\w.:]+\\])$`, "u");

/** What is wrong with a name, as clauses such as `must not hold ...`. */
export function faultsOfName(name: string): string[] {
  const seen = isAddress(name) ? name : name.replace(WRITTEN, (written) => "x".repeat(written.length));
  return placesOf(HIDDEN, seen, name).map((places) => `must not hold hidden characters: ${places}`);
}

/** What is wrong with the name of a group: its text decides who has access. */
export function faultsOfGroup(name: string): string[] {
  const blanks = placesOf(OTHER_BLANKS, name).map(
    (places) => `must not hold blanks other than U+0020: ${places}`,
  );
  return [...faultsOfName(name), ...blanks];
}

/** What is wrong with the name of a person. Without an `@` it may be any login of a directory, blanks included. */
export function faultsOfUsername(name: string): string[] {
  const trimmed = name.trim();
  const ends = trimmed === name ? [] : ["must not begin or end with blanks"];
  if (!isAddress(name)) return [...ends, ...faultsOfGroup(name)];
  const isOne = isOneAddress(trimmed.replace(HIDDEN, ""));
  const form = isOne ? [] : ["must be one email address, such as ada@example.com"];
  return [...ends, ...faultsOfName(name), ...form];
}

/** What is wrong with a pattern of names of people, in which `*` and `?` stand for any characters. */
export function faultsOfUsernamePattern(pattern: string): string[] {
  return faultsOfUsername(pattern.replace(/[*?]/g, "x"));
}

/** A full-width `＠` is an `@` as well: some services compare names in this form. */
function isAddress(name: string): boolean {
  return name.normalize("NFKC").includes("@");
}

/** No address has characters of compatibility, such as full-width letters. */
function isOneAddress(text: string): boolean {
  return ADDRESS.test(text) && text.normalize("NFKC") === text.normalize("NFC");
}

/** More would not be read. */
const MOST_PLACES = 5;

/**
 * Where a text has such characters, each of them once: `U+200B at position 16`. Nothing if it has none.
 *
 * @param name the text in which positions count, if it has the same length and other characters
 */
function placesOf(characters: RegExp, text: string, name = text): string[] {
  const first = new Map<string, number>();
  for (const { 0: character, index } of text.matchAll(characters)) {
    if (!first.has(character)) first.set(character, index);
  }
  const places = [...first].map(
    ([character, index]) => `${codePointOf(character)} at position ${[...name.slice(0, index)].length + 1}`,
  );
  return places.length === 0 ? [] : [shortList(places, MOST_PLACES)];
}

function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
