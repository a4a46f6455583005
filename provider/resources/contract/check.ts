/**
 * Validation that is the same for all resources: shape by zod, with what is not known yet left out.
 */
import type { z } from "zod";
import { nearest } from "../../text/nearest";
import { own } from "../../text/own";
import { canonicalText } from "./canonical";
import { pathText, valueAt } from "./property-path";
import { isList, isRecord, type Properties, UNKNOWN, type Value } from "./values";

export interface CheckFailure {
  /** Top-level property; empty if the fault concerns several properties. */
  readonly property: string;
  /** The complete sentence, with the full path of the value. */
  readonly reason: string;
}

/** A failure with the path of its value, for callers that report a line of a file. */
export interface LocatedFailure extends CheckFailure {
  readonly path: readonly PropertyKey[];
}

/** Failures as the providers return them: the sentence already contains the path. */
function withoutPaths(failures: readonly CheckFailure[]): CheckFailure[] {
  return failures.map(({ property, reason }) => ({ property, reason }));
}

/**
 * The failures of a program, without those of values that the state's inputs have too. A refresh or
 * an import wrote such a value there, because Check accepts no other. The engine returns it to Check
 * for `ignoreChanges`, and the program that an import generates contains it. It changes nothing, so
 * the rules for programs do not apply to it.
 *
 * @param inputs as the program gives them
 * @param oldInputs the inputs in the state; none for a resource that is created
 */
export function failuresOfProgram(
  failures: readonly (CheckFailure | LocatedFailure)[],
  { inputs, oldInputs = {} }: { readonly inputs: Properties; readonly oldInputs?: Properties | undefined },
): CheckFailure[] {
  const isRecorded = (failure: CheckFailure | LocatedFailure) => {
    if (!("path" in failure) || failure.path.length === 0) return false;
    const recorded = valueAt(oldInputs, failure.path);
    return recorded !== undefined && canonicalText(recorded) === canonicalText(valueAt(inputs, failure.path));
  };
  return withoutPaths(failures.filter((failure) => !isRecorded(failure)));
}

export function shapeFailures(schema: z.ZodObject, inputs: Properties): CheckFailure[] {
  return withoutPaths(locatedShapeFailures(schema, inputs));
}

/** All faults of shape, each with the path of its value. Null and absent are the same. */
export function locatedShapeFailures(schema: z.ZodObject, inputs: Properties): LocatedFailure[] {
  const pruned = prune(inputs);
  const parsed = schema.safeParse(pruned.value);
  const issues = parsed.success ? [] : parsed.error.issues;
  // The parser does not see properties that are not known yet, so it cannot report that they do not
  // exist.
  const unknownNames = Object.keys(inputs).filter(
    (key) => own(inputs, key) === UNKNOWN && !Object.hasOwn(schema.shape, key),
  );
  return [
    ...issues.flatMap((issue) => toFailures(issue, pruned, schema)),
    ...unknownNames.map((key) => ({
      property: key,
      path: [key],
      reason: notAProperty(key, Object.keys(schema.shape)),
    })),
  ];
}

function notAProperty(name: string, known: readonly string[], within = ""): string {
  const meant = nearest(name, known);
  return `${name} is not a property${within}.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
}

/** A value without its unknown parts. */
interface Pruned {
  readonly value: unknown;
  /** For each array, the original indexes of its entries: messages name these. */
  readonly originalIndexes: ReadonlyMap<string, readonly number[]>;
  /**
   * Properties that were left out, and lists that lost an entry: neither is missing or too short.
   */
  readonly incomplete: ReadonlySet<string>;
}

function prune(root: Value): Pruned {
  const originalIndexes = new Map<string, readonly number[]>();
  const incomplete = new Set<string>();
  const visit = (value: Value, path: readonly PropertyKey[]): unknown => {
    if (isList(value)) {
      const kept = value.flatMap((entry, index) => (entry === UNKNOWN ? [] : [index]));
      originalIndexes.set(pathText(path), kept);
      if (kept.length < value.length) incomplete.add(pathText(path));
      return kept.map((index, position) => visit(value[index] ?? null, [...path, position]));
    }
    if (!isRecord(value)) return value;
    const entries = Object.entries(value as Properties).filter(([key, entry]) => {
      if (entry === UNKNOWN) incomplete.add(pathText([...path, key]));
      return entry !== UNKNOWN && entry !== null;
    });
    return Object.fromEntries(entries.map(([key, entry]) => [key, visit(entry, [...path, key])]));
  };
  return { value: visit(root, []), originalIndexes, incomplete };
}

function toFailures(issue: z.core.$ZodIssue, pruned: Pruned, schema: z.ZodObject): LocatedFailure[] {
  // The inner issues describe what is wrong with a key of a map.
  if (issue.code === "invalid_key") {
    return issue.issues.flatMap((inner) => toFailures({ ...inner, path: issue.path }, pruned, schema));
  }
  const path = originalPath(issue.path, pruned);
  const absent = issue.code === "invalid_type" || issue.code === "too_small";
  if (absent && pruned.incomplete.has(pathText(issue.path))) return [];
  const property = String(path[0] ?? "");
  if (issue.code === "unrecognized_keys") {
    const isWhole = path.length === 0;
    const known = isWhole ? Object.keys(schema.shape) : [];
    const within = isWhole ? "" : ` in ${pathText(path)}`;
    return issue.keys.map((key) => ({
      property: property || key,
      path: [...path, key],
      reason: notAProperty(key, known, within),
    }));
  }
  const text = pathText(path) || "The whole input";
  return [{ property, path, reason: `${text} ${issue.message}.` }];
}

function originalPath(path: readonly PropertyKey[], { originalIndexes }: Pruned): PropertyKey[] {
  return path.map((step, position) =>
    typeof step === "number"
      ? (originalIndexes.get(pathText(path.slice(0, position)))?.[step] ?? step)
      : step,
  );
}

/** Values that occur more than once, each of them once. */
export function repeatedValues(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(values.filter((value) => seen.has(value) || !seen.add(value)))];
}
