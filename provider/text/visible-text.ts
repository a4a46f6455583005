/** Makes text from outside safe to print, such as a project's name or a server's sentence. */

/**
 * Code points that are made visible: control, format, surrogate and noncharacter code points, line
 * and paragraph separators, and every code point without a glyph (Unicode,
 * Default_Ignorable_Code_Point). They end a line, control a terminal, change the direction of a
 * text, or make two names look equal.
 */
export const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Returns the text in one line, with each hidden character written as JSON escapes it: `\u001b`,
 * `\udb40\udc41`. Visible text is returned unchanged, so applying the function twice changes
 * nothing more.
 */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, escapedInJson);
}

/**
 * Returns a YAML document in which each hidden character except line ends is escaped. All hidden
 * characters must be in double-quoted scalars: `hasHidden` is true of these.
 */
export function visibleYaml(document: string): string {
  return document
    .split("\n")
    .map((line) => line.replace(HIDDEN, escapedInYaml))
    .join("\n");
}

/** Whether `visibleText` would change the text. */
export function hasHidden(text: string): boolean {
  return visibleText(text) !== text;
}

/**
 * Applies `visibleText` to each line. Only for a text whose line ends come from this program, such
 * as a list of faults.
 */
export function visibleLines(text: string): string {
  return text.split("\n").map(visibleText).join("\n");
}

/**
 * Returns a sentence from outside in one line: line ends and other runs of white space become one
 * space.
 */
export function inOneLine(text: string): string {
  return visibleText(text.replace(/\s+/gu, " ").trim());
}

function escapedInJson(character: string): string {
  return character
    .split("")
    .map((codeUnit) => `\\u${hexadecimal(codeUnit, 4)}`)
    .join("");
}

/** YAML has no surrogate pairs: a character above U+FFFF is `\U000e0041`. */
function escapedInYaml(character: string): string {
  return character.length === 1 ? escapedInJson(character) : `\\U${hexadecimal(character, 8)}`;
}

function hexadecimal(character: string, digits: number): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(digits, "0");
}
