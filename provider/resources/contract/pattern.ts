/**
 * Patterns of tags, names and e-mail addresses: `*` stands for any run of characters, `?` for one,
 * everything else for itself. A glob library would bring braces, classes and path rules that users
 * do not expect in such a pattern.
 */
export function matchesAny(patterns: readonly string[], text: string): boolean {
  const characters = [...text];
  return patterns.some((pattern) => matches([...pattern], characters));
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
