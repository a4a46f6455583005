/**
 * Patterns of things to leave alone: `*` stands for any run of characters, `?` for one, everything else for itself.
 * A glob library would bring braces, classes and path rules that nobody expects in a tag or an e-mail address.
 */
export function matchesAny(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => toExpression(pattern).test(text));
}

function toExpression(pattern: string): RegExp {
  const escaped = pattern.replace(/[\\^$.+()[\]{}|]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s");
}
