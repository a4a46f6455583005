/** Validation that is the same for all resources: shape by zod, with what is not known yet left out. */
import type { z } from "zod";
import type { CheckFailure } from "./resource";
import { isRecord, type Properties, UNKNOWN, type Value } from "./values";

/** Every fault of shape at once, each with the place of the value. Null and absent are the same. */
export function shapeFailures(schema: z.ZodType, inputs: Properties): CheckFailure[] {
  const unknownPlaces = new Set<string>();
  const known = prune(inputs, unknownPlaces);
  const parsed = schema.safeParse(known.value);
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue) => toFailures(issue, known, unknownPlaces));
}

/** A pruned value remembers for each array where its entries stood before, so that messages name the real place. */
interface Pruned {
  readonly value: unknown;
  readonly places: ReadonlyMap<string, readonly number[]>;
}

function prune(root: Value, unknownPlaces: Set<string>): Pruned {
  const places = new Map<string, readonly number[]>();
  const visit = (value: Value, path: readonly PropertyKey[]): unknown => {
    if (Array.isArray(value)) {
      const kept = value.flatMap((entry: Value, index) => (entry === UNKNOWN ? [] : [index]));
      places.set(pathText(path), kept);
      return kept.map((index, position) =>
        visit((value as readonly Value[])[index] as Value, [...path, position]),
      );
    }
    if (!isRecord(value)) return value;
    const entries = Object.entries(value as Properties).filter(([key, entry]) => {
      if (entry === UNKNOWN) unknownPlaces.add(pathText([...path, key]));
      return entry !== UNKNOWN && entry !== null;
    });
    return Object.fromEntries(entries.map(([key, entry]) => [key, visit(entry, [...path, key])]));
  };
  return { value: visit(root, []), places };
}

function toFailures(
  issue: z.core.$ZodIssue,
  pruned: Pruned,
  unknownPlaces: ReadonlySet<string>,
): CheckFailure[] {
  const path = originalPath(issue.path, pruned);
  if (unknownPlaces.has(pathText(issue.path))) return [];
  const property = String(path[0] ?? "");
  if (issue.code === "unrecognized_keys") {
    const within = path.length === 0 ? "" : ` in ${pathText(path)}`;
    return issue.keys.map((key) => ({
      property: property || key,
      reason: `${key} is not a property${within}.`,
    }));
  }
  const text = pathText(path) || "The whole input";
  return [{ property, reason: `${text} ${issue.message}.` }];
}

function originalPath(path: readonly PropertyKey[], { places }: Pruned): PropertyKey[] {
  return path.map((step, position) =>
    typeof step === "number" ? (places.get(pathText(path.slice(0, position)))?.[step] ?? step) : step,
  );
}

/** `tags[3]`, `ldapGroupMappings[0].ldapGroups[1]`, `members["a@example.com"]`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    const name = String(step);
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === "" ? name : `${text}.${name}`;
  }, "");
}

/** Values that stand more than once, each once. */
export function duplicates(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
