/** Paths of properties in the engine's notation: `tags[3]`, `members["a@example.com"][0]`. */

/** Steps from a resource's top: property names and array indexes. */
export type PropertyPath = readonly (string | number)[];

export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    const name = String(step);
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === "" ? name : `${text}.${name}`;
  }, "");
}

/**
 * Parses a path as `pathText` or the engine writes it (sdk/go/common/resource, property_path.go).
 */
export function parsePath(text: string): PropertyPath {
  const steps = text.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g);
  return [...steps].map(([, quoted, index, name]) => {
    if (index !== undefined) return Number(index);
    return name ?? quoted?.replace(/\\(.)/g, "$1") ?? "";
  });
}

/**
 * The path without the indexes of lists. The index of an element changes when another one is added
 * or removed before it, so the value identifies the element.
 */
export function withoutIndexes(path: string): string {
  return path.replace(/\[\d+\]/g, "[]");
}

/**
 * Which complete properties `ignoreChanges` names: `tags`, `["tags"]` or `*`.
 *
 * A path into a property (`tags[0]`) does not count: the engine has already put the old value there
 * into the inputs of Check.
 */
export function ignoresProperty(ignoreChanges: readonly string[]): (property: string) => boolean {
  return isNamedBy(ignoreChanges.map(parsePath).filter(({ length }) => length === 1));
}

/**
 * Which properties `ignoreChanges` names completely or in part. The engine puts live values there.
 */
export function ignoresPart(ignoreChanges: readonly string[]): (property: string) => boolean {
  return isNamedBy(ignoreChanges.map(parsePath));
}

function isNamedBy(paths: readonly PropertyPath[]): (property: string) => boolean {
  const names = new Set(paths.map(([name]) => name));
  return (property) => names.has("*") || names.has(property);
}
