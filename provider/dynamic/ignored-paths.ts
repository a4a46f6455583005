/**
 * `ignoreChanges` inside a property, such as `ldapGroupMappings[0].ldapGroups`.
 *
 * For a plugin the engine puts the old value at that path into what Check is given, and a refresh
 * has made it the live one. This host never refreshes before an update, so there the old value is
 * the recorded one, and sending it would undo a change outside Pulumi.
 */
import { type PropertyPath, parsePath } from "../resources/property-path";
import { isList, isRecord, type Properties, type Value } from "../resources/values";

/** Paths that lead into a property; those that name a whole one are the handlers' affair. */
export function pathsInside(ignoreChanges: readonly string[]): PropertyPath[] {
  return ignoreChanges.map(parsePath).filter((steps) => steps.length > 1);
}

/**
 * The inputs with the values that `source` has at these paths; a path that leads nowhere changes
 * nothing.
 */
export function withValuesAt(
  inputs: Properties,
  source: Properties,
  paths: readonly PropertyPath[],
): Properties {
  return paths.reduce<Value>((value, path) => replaced(value, source, path), inputs) as Properties;
}

function replaced(value: Value, source: Value | undefined, path: PropertyPath): Value {
  const [step, ...rest] = path;
  if (source === undefined) return value;
  if (step === undefined) return source;
  const key = String(step);
  if (isList(value)) {
    return value.map((entry, index) =>
      String(index) === key ? replaced(entry, isList(source) ? source[index] : undefined, rest) : entry,
    );
  }
  if (!isRecord(value) || !(key in value)) return value;
  const inner = isRecord(source) ? (source[key] as Value | undefined) : undefined;
  return { ...(value as Properties), [key]: replaced(value[key] as Value, inner, rest) };
}
