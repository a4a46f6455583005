/** The values that one step of the engine changes, property by property. */
import {
  type PropertyPath,
  parsePath,
  pathText,
  valueAt,
} from "../../provider/resources/contract/property-path";
import { own } from "../../provider/text/own";
import { isHiddenProperty } from "../../provider/text/sentinels";
import type { Snapshot, Step } from "./engine-events";
import { readable, SECRET, type ValueDifference, valueDifferences } from "./value-differences";

/** Engine operations that change the object. */
export const CHANGING: ReadonlySet<string> = new Set(["update", "replace"]);

type Side = Snapshot | null | undefined;

export interface ComparedSides {
  readonly declared: Side;
  readonly live: Side;
}

/**
 * The values that differ between the two sides of a step. Secrets and unknown values are replaced by texts.
 *
 * @returns `undefined` if the engine reports a difference, but neither its paths nor the values show which
 */
export function changedValues(step: Step, sides: ComparedSides): ValueDifference[] | undefined {
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
  return [...once.values()];
}

export function allPaths({ detailedDiff, diffs }: Step): readonly string[] {
  const paths = Object.keys(detailedDiff ?? {});
  return paths.length > 0 ? paths : (diffs ?? []);
}

/**
 * The properties that the engine names, without this provider's internal ones.
 */
export function namedPaths(step: Step): PropertyPath[] {
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
  const differs = (name: string) => JSON.stringify(own(one, name)) !== JSON.stringify(own(other, name));
  const shown = names.filter(isVisible).map((name) => readable(own(one, name)));
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
export function valuesOf(top: string, ...sides: readonly Side[]): unknown[] {
  const isInput = sides.some((side) => own(side?.inputs ?? {}, top) !== undefined);
  return sides.map((side) => readable(own((isInput ? side?.inputs : side?.outputs) ?? {}, top)));
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
    [declared, live] = [declared, live].map((value) => valueAt(value, [step]));
    path.push(step);
  }
  return { path, kind: "changed", declared, live };
}
