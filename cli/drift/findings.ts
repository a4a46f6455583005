/**
 * Converts the engine's steps about a resource to findings: each property whose live value differs
 * from the declared one.
 */
import {
  ignoresPart,
  type PropertyPath,
  parsePath,
  pathText,
  withoutIndexes,
} from "../../provider/resources/contract/property-path";
import { propertiesRead } from "../../provider/resources/contract/read-marker";
import { IGNORE_CHANGES, isHiddenProperty } from "../../provider/text/sentinels";
import { logicalName } from "../own-resources";
import type { Snapshot, Step } from "./engine-events";
import type { Finding } from "./report";
import { readable, SECRET, type ValueDifference, valueDifferences } from "./value-differences";

/** Engine operations that change the object. */
const CHANGING = new Set(["update", "replace"]);

/**
 * Findings of a refresh: old is the state, new the live object.
 *
 * @param isUnfinished the last create or update of the resource has failed halfway
 * @returns `undefined` if the engine reports a difference, but neither its paths nor the values
 * show which
 */
export function findingsOfRefresh(step: Step, stack: string, isUnfinished = false): Finding[] | undefined {
  const about = subjectOf(step, stack, "state");
  if (isDeleted(step)) return [{ ...about, cause: "outside", kind: "deleted", property: "" }];
  const differs = CHANGING.has(step.op) || (step.op === "refresh" && allPaths(step).length > 0);
  if (!differs) return [];
  const causeOf = ({ path: [top] }: ValueDifference) =>
    isUnfinished || isRead(step, String(top)) ? "unknown" : "outside";
  return propertyFindings(step, about, { declared: step.old, live: step.new }, causeOf);
}

/** A resource before the program's step. */
interface Before {
  /**
   * The preceding refresh step: state against live object. `undefined` for a resource that is not
   * in the state.
   */
  readonly refresh: Step | undefined;
  readonly isUnfinished: boolean;
}

/**
 * Findings of the program after a refresh: old is the live object, new the program.
 *
 * @returns `undefined` if the engine reports a difference, but neither its paths nor the values
 * show which
 */
export function findingsOfProgram(
  step: Step,
  stack: string,
  { refresh, isUnfinished }: Before = { refresh: undefined, isUnfinished: false },
): Finding[] | undefined {
  const about = subjectOf(step, stack, "program");
  if (step.op === "create" || step.op === "import") {
    return [
      refresh === undefined
        ? // Never applied, or deleted outside Pulumi and dropped from the state by an earlier refresh.
          { ...about, cause: "unknown", kind: "removed", property: "" }
        : { ...about, ...idOfStep(refresh), cause: "outside", kind: "deleted", property: "" },
    ];
  }
  if (step.op === "delete") return [{ ...about, cause: "not-applied", kind: "added", property: "" }];
  if (!CHANGING.has(step.op)) return [];
  const sides = { declared: step.new, live: step.old };
  return propertyFindings(step, about, sides, (difference) =>
    refresh === undefined || isUnfinished ? "unknown" : causeOf(difference, refresh, sides),
  );
}

/** Whether a refresh found that the object no longer exists. */
export function isDeleted({ op, isRefresh, new: live }: Step): boolean {
  return op === "delete" || (isRefresh && op === "refresh" && !live);
}

/**
 * The properties whose values in the state come from a read, so they do not prove what was
 * declared.
 */
export function propertiesNotProven({ old }: Step, ignoreChanges: readonly string[]): string[] {
  const inputs = old?.inputs ?? {};
  const isIgnored = ignoresPart([...ignoreChanges, ...onlyTexts(inputs[IGNORE_CHANGES])]);
  return propertiesRead(inputs).filter((name) => !isIgnored(name));
}

function onlyTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

function isRead({ old }: Step, property: string): boolean {
  return propertiesRead(old?.inputs ?? {}).includes(property);
}

type Subject = Omit<Finding, "kind" | "cause" | "property" | "declared" | "live">;

function subjectOf(step: Step, stack: string, comparison: Finding["comparison"]): Subject {
  const { urn, type } = step;
  return { stack, urn, type, name: logicalName(urn), ...idOfStep(step), comparison };
}

function idOfStep({ old, new: now }: Step): { readonly id?: string } {
  const id = old?.id || now?.id;
  return id ? { id } : {};
}

type Side = Snapshot | null | undefined;

interface ComparedSides {
  readonly declared: Side;
  readonly live: Side;
}

function propertyFindings(
  step: Step,
  about: Subject,
  sides: ComparedSides,
  causeOf: (difference: ValueDifference) => Finding["cause"],
): Finding[] | undefined {
  const named = namedPaths(step);
  // If the engine names no property, the inputs themselves show the difference.
  const tops = named.length === 0 ? inputNames(sides).filter(isVisible) : named.map(([top]) => String(top));
  const elements = [...new Set(tops)].flatMap((top) => {
    const [declared, live] = valuesOf(top, sides.declared, sides.live);
    return valueDifferences([top], declared, live);
  });
  const within = elements.filter(
    ({ path }) => named.length === 0 || named.some((other) => overlaps(path, other)),
  );
  // The engine compares secrets, which no report shows; the rest of the property does not reveal
  // them.
  const hidden = named
    .filter((path) => !within.some((element) => overlaps(element.path, path)))
    .map((path) => truncated(path, sides));
  const once = new Map(
    [...within, ...hidden].map((found) => [`${found.kind} ${pathText(found.path)}`, found]),
  );
  if (once.size === 0) return isInternal(step, sides) ? [] : undefined;
  return [...once.values()].map((difference) => {
    const { path, ...found } = difference;
    return { ...about, cause: causeOf(difference), ...found, property: pathText(path) };
  });
}

/**
 * The cause of a difference, from three values: the state's (last applied), the live one and the
 * program's. A difference between state and live object was made outside Pulumi. A difference
 * between state and program is not applied yet.
 */
function causeOf(
  difference: ValueDifference,
  refresh: Step,
  { declared, live }: ComparedSides,
): Finding["cause"] {
  const top = String(difference.path[0]);
  if (isRead(refresh, top)) return "unknown";
  const [applied, now, intended] = valuesOf(top, refresh.old, live, declared);
  if (JSON.stringify([applied, now, intended]).includes(JSON.stringify(SECRET))) {
    // Only the engine has compared the secret, and only between state and live object.
    return namedPaths(refresh).some(([name]) => String(name) === top) ? "unknown" : "not-applied";
  }
  const isIn = (differences: readonly ValueDifference[]) =>
    differences.some((other) => differenceKey(other) === differenceKey(difference));
  if (isIn(valueDifferences([top], applied, now))) return "outside";
  return isIn(valueDifferences([top], intended, applied)) ? "not-applied" : "both";
}

function differenceKey({ path, kind, declared, live }: ValueDifference): string {
  return JSON.stringify([kind, withoutIndexes(pathText(path)), declared, live]);
}

function allPaths({ detailedDiff, diffs }: Step): readonly string[] {
  const paths = Object.keys(detailedDiff ?? {});
  return paths.length > 0 ? paths : (diffs ?? []);
}

/**
 * The properties that the engine names, without this provider's internal ones.
 */
function namedPaths(step: Step): PropertyPath[] {
  return allPaths(step).filter(isVisible).map(parsePath);
}

/**
 * Whether only hidden properties differ: by the engine's paths or, if it names none, by the inputs
 * themselves.
 */
function isInternal({ detailedDiff, diffs }: Step, sides: ComparedSides): boolean {
  const paths = [...Object.keys(detailedDiff ?? {}), ...(diffs ?? [])];
  if (paths.length > 0) return !paths.some(isVisible);
  const [one, other] = [sides.declared?.inputs ?? {}, sides.live?.inputs ?? {}];
  const names = inputNames(sides);
  const differs = (name: string) => JSON.stringify(one[name]) !== JSON.stringify(other[name]);
  const shown = names.filter(isVisible).map((name) => readable(one[name]));
  // In the stream all secrets are equal.
  return !JSON.stringify(shown).includes(SECRET) && names.some((name) => !isVisible(name) && differs(name));
}

/** Whether a path is not one of this provider's internal properties (two underscores). */
function isVisible(path: string): boolean {
  return !isHiddenProperty(path);
}

function inputNames({ declared, live }: ComparedSides): string[] {
  return [...new Set([declared, live].flatMap((side) => Object.keys(side?.inputs ?? {})))];
}

/**
 * The values of a property. Inputs hold declared values; a property that is not declared can differ
 * only in the outputs.
 */
function valuesOf(top: string, ...sides: readonly Side[]): unknown[] {
  const isInput = sides.some((side) => side?.inputs?.[top] !== undefined);
  return sides.map((side) => readable((isInput ? side?.inputs : side?.outputs)?.[top]));
}

/**
 * Whether both paths concern the same property. Names are compared and indexes are not: an entry
 * of a set can have different indexes in the declared and the live list. So `ignoreChanges`
 * applies to a name in a map, but not to an index.
 */
function overlaps(one: PropertyPath, other: PropertyPath): boolean {
  const [a, b] = [stepsBeforeIndex(one), stepsBeforeIndex(other)];
  return a.slice(0, b.length).every((key, index) => key === b[index]);
}

function stepsBeforeIndex(path: PropertyPath): PropertyPath {
  const index = path.findIndex((step) => typeof step === "number");
  return index === -1 ? path : path.slice(0, index);
}

/** Truncates the path at the first secret, because values inside of it must not be shown. */
function truncated([top = "", ...steps]: PropertyPath, sides: ComparedSides): ValueDifference {
  let [declared, live] = valuesOf(String(top), sides.declared, sides.live);
  const path = [top];
  for (const step of steps) {
    if (declared === SECRET || live === SECRET) break;
    [declared, live] = [declared, live].map(
      (value) => (value as Record<string, unknown> | undefined)?.[step],
    );
    path.push(step);
  }
  return { path, kind: "changed", declared, live };
}
