/**
 * Validation that is the same for all resources: shape by zod, with what is not known yet left out.
 */
import type { z } from "zod";
import { nearest } from "../../text/nearest";
import { own } from "../../text/own";
import { canonicalText } from "./canonical";
import { pathText, valueAt, valuesAt } from "./property-path";
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
  /** The failure of an entry's name, whatever its value is. */
  readonly ofKey?: true;
  /** The failure of a name by the rules of `text/names.ts`. */
  readonly ofName?: true;
}

/** Marks an issue of the parser as one of the rules of names. */
export const NAME_RULE = { isOfName: true };

/** Failures as the providers return them: the sentence already contains the path. */
function withoutPaths(failures: readonly CheckFailure[]): CheckFailure[] {
  return failures.map(({ property, reason }) => ({ property, reason }));
}

/**
 * The failures of a program, without those of values that the state's inputs have too. A refresh or
 * an import wrote such a value there, or a version with other rules. The engine returns it to Check
 * for `ignoreChanges`, and the program that an import generates contains it. It changes nothing, so
 * the rules for programs do not apply to it. A name that may look like another one is warned of.
 *
 * @param inputs as the program gives them
 * @param oldInputs the inputs in the state; none for a resource that is created
 */
export function failuresOfProgram(
  failures: readonly (CheckFailure | LocatedFailure)[],
  { inputs, oldInputs = {}, context }: CheckedProgram,
): CheckFailure[] {
  const isRecorded = recordedIn(oldInputs, inputs);
  for (const failure of failures) {
    if (!("ofName" in failure) || !isRecorded(failure)) continue;
    context.log.warn(`${failure.reason} It stays, because the state has this name already.`);
  }
  return withoutPaths(failures.filter((failure) => !isRecorded(failure)));
}

interface CheckedProgram {
  /** As the program gives them. */
  readonly inputs: Properties;
  /** The inputs in the state; none for a resource that is created. */
  readonly oldInputs?: Properties | undefined;
  readonly context: { readonly log: { warn(message: string): void } };
}

/** Whether a failure is one of a value that is recorded in the same place. Any entry of a list is, because sets are sorted. */
function recordedIn(
  oldInputs: Properties,
  inputs: Properties,
): (failure: CheckFailure | LocatedFailure) => boolean {
  const textsByPlace = new Map<string, ReadonlySet<string | undefined>>();
  return (failure) => {
    if (!("path" in failure) || failure.path.length === 0) return false;
    const { path, ofKey } = failure;
    const place = JSON.stringify(path.map((step) => (typeof step === "number" ? null : step)));
    const texts = textsByPlace.get(place) ?? new Set(valuesAt(oldInputs, path).map(canonicalText));
    textsByPlace.set(place, texts);
    return ofKey ? texts.size > 0 : texts.has(canonicalText(valueAt(inputs, path)));
  };
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
  /** By path, the original names of entries that the parser would skip. */
  readonly originalNames: ReadonlyMap<string, string>;
  /**
   * Properties that were left out, and lists that lost an entry: neither is missing or too short.
   */
  readonly incomplete: ReadonlySet<string>;
}

function prune(root: Value): Pruned {
  const originalIndexes = new Map<string, readonly number[]>();
  const originalNames = new Map<string, string>();
  const incomplete = new Set<string>();
  const visit = (value: Value, path: readonly PropertyKey[]): unknown => {
    if (isList(value)) {
      const kept = value.flatMap((entry, index) => (entry === UNKNOWN ? [] : [index]));
      originalIndexes.set(pathText(path), kept);
      if (kept.length < value.length) incomplete.add(pathText(path));
      return kept.map((index, position) => visit(value[index] ?? null, [...path, position]));
    }
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).flatMap(([key, entry]) => {
      const name = parsedName(key, value);
      const at = [...path, name];
      if (name !== key) originalNames.set(pathText(at), key);
      if (entry === UNKNOWN) incomplete.add(pathText(at));
      return entry === UNKNOWN || entry === null ? [] : [[name, visit(entry, at)] as const];
    });
    return Object.fromEntries(entries);
  };
  return { value: visit(root, []), originalIndexes, originalNames, incomplete };
}

/** The parser skips an entry `__proto__` without a check, so it gets a name that no other entry has. */
function parsedName(key: string, entries: Readonly<Record<string, unknown>>): string {
  if (key !== "__proto__") return key;
  let name = "proto";
  while (Object.hasOwn(entries, name)) name += "_";
  return name;
}

function toFailures(issue: z.core.$ZodIssue, pruned: Pruned, schema: z.ZodObject): LocatedFailure[] {
  // The inner issues describe what is wrong with a key of a map.
  if (issue.code === "invalid_key") {
    return issue.issues.flatMap((inner) =>
      toFailures({ ...inner, path: issue.path }, pruned, schema).map((failure) => ({
        ...failure,
        ofKey: true,
      })),
    );
  }
  const path = originalPath(issue.path, pruned);
  const absent = issue.code === "invalid_type" || issue.code === "too_small";
  if (absent && pruned.incomplete.has(pathText(issue.path))) return [];
  const property = String(path[0] ?? "");
  if (issue.code === "unrecognized_keys") {
    const isWhole = path.length === 0;
    const known = isWhole ? Object.keys(schema.shape) : [];
    const within = isWhole ? "" : ` in ${pathText(path)}`;
    return issue.keys.map((name) => {
      const key = String(originalPath([...issue.path, name], pruned).at(-1));
      return { property: property || key, path: [...path, key], reason: notAProperty(key, known, within) };
    });
  }
  const text = pathText(path) || "The whole input";
  const ofName = issue.code === "custom" && issue.params === NAME_RULE;
  return [{ property, path, reason: `${text} ${issue.message}.`, ...(ofName && { ofName }) }];
}

function originalPath(
  path: readonly PropertyKey[],
  { originalIndexes, originalNames }: Pruned,
): PropertyKey[] {
  return path.map((step, position) =>
    typeof step === "number"
      ? (originalIndexes.get(pathText(path.slice(0, position)))?.[step] ?? step)
      : (originalNames.get(pathText(path.slice(0, position + 1))) ?? step),
  );
}

/** Values that occur more than once, each of them once. */
export function repeatedValues(values: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(values.filter((value) => seen.has(value) || !seen.add(value)))];
}

/** The entries as the program wrote them: messages name their indexes. */
export function listOf(values: unknown): readonly unknown[] {
  return Array.isArray(values) ? values : [];
}

/** Whether a value is a list of such entries, as far as it is known. */
export function isListOf(isEntry: (value: Value) => boolean): (value: Value) => boolean {
  return (value) => value === UNKNOWN || (isList(value) && value.every(isEntry));
}

/** Whether a value is a text, or not known yet. */
export function isText(value: Value): boolean {
  return typeof value === "string" || value === UNKNOWN;
}
