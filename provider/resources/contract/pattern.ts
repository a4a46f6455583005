/**
 * Patterns of tags, names and e-mail addresses: `*` stands for any run of characters, `?` for one,
 * everything else for itself. A glob library would bring braces, classes and path rules that users
 * do not expect in such a pattern.
 */

import { knownTexts } from "./canonical";

/** Each text is compared with each pattern, so Check limits a list of patterns. No real one is that long. */
export const MOST_PATTERNS = 1000;

/** The known patterns of a list; none of one that is too long, which is a failure by itself. */
export function patternsIn(list: unknown): string[] {
  const patterns = knownTexts(list);
  return patterns.length > MOST_PATTERNS ? [] : patterns;
}

export function matchesAny(patterns: readonly string[], text: string): boolean {
  return matcherOf(patterns)(text);
}

/** `matchesAny` for many texts. */
export function matcherOf(patterns: readonly string[]): (text: string) => boolean {
  const split = patterns.map((pattern) => [...pattern]);
  return (text) => {
    const characters = [...text];
    return split.some((pattern) => matches(pattern, characters));
  };
}

/**
 * Takes time in proportion to the length of the pattern times the length of the text, where a
 * regular expression tries every combination. Only the last `*` is extended: a shorter run for an
 * earlier one leaves at least as much text to the later ones.
 */
function matches(pattern: readonly string[], text: readonly string[]): boolean {
  let inPattern = 0;
  let inText = 0;
  let star = -1;
  let runEnd = 0;
  while (inText < text.length) {
    const expected = pattern[inPattern];
    if (expected === "*") {
      star = inPattern;
      runEnd = inText;
      inPattern += 1;
    } else if (expected === "?" || expected === text[inText]) {
      inPattern += 1;
      inText += 1;
    } else if (star >= 0) {
      runEnd += 1;
      inText = runEnd;
      inPattern = star + 1;
    } else return false;
  }
  return pattern.slice(inPattern).every((character) => character === "*");
}
