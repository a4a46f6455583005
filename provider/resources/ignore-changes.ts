/**
 * Which whole properties `ignoreChanges` names: `tags`, `["tags"]` or `*`.
 *
 * A path into a property (`tags[0]`) needs nothing here: the engine has already put the old value there in what Check
 * was given.
 */
export function ignoresProperty(ignoreChanges: readonly string[]): (property: string) => boolean {
  const names = new Set(ignoreChanges.map((path) => path.replace(/^\["(.*)"\]$/, "$1")));
  return (property) => names.has("*") || names.has(property);
}

/** Which properties `ignoreChanges` names as a whole or in part: there the engine puts live values into the declared ones. */
export function ignoresPart(ignoreChanges: readonly string[]): (property: string) => boolean {
  const names = new Set(ignoreChanges.map((path) => /^\[?"?([^"\].[]+)/.exec(path)?.[1]));
  return (property) => names.has("*") || names.has(property);
}
