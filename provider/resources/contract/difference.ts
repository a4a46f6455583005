/** Differences between what is and what is declared, in the terms of the engine's detailed diff. */

import { knownTexts } from "./canonical";
import type { PropertyPath } from "./property-path";
import { hasUnknown, inOrder, sameSet, type Unsure } from "./values";

export interface Difference {
  readonly path: PropertyPath;
  readonly kind: "add" | "delete" | "update";
  /** The change needs a new object in place of the old one. */
  readonly replace?: boolean;
  /** Only a program can have made this difference, so no read of the object is needed to decide. */
  readonly byProgram?: true;
  /** The old value to show is the old input, not the old output (engine, detailedDiff.go). */
  readonly inputDiff?: boolean;
}

/** An update that no property names, so that neither `ignoreChanges` nor `replaceOnChanges` reaches it. */
export const UPDATE_WITHOUT_PATH: Difference = { path: [], kind: "update" };

export function isWithoutPath({ path }: Difference): boolean {
  return path.length === 0;
}

/**
 * Differences of two arrays that are sets, entry by entry: deleted entries at their old index, new
 * ones at their new index. The engine holds one kind for a path, so where both fall on one index
 * that is one update.
 *
 * @param key what makes two entries the same one; texts are it themselves
 * @param skipOld entries of the old array that are not to be reported; they still count for the
 * indexes
 */
export function setDifferences<T>(
  path: PropertyPath,
  olds: readonly T[],
  news: readonly T[],
  key: (entry: T) => string = String,
  skipOld: (entry: T) => boolean = () => false,
): Difference[] {
  const before = new Set(olds.map(key));
  const after = new Set(news.map(key));
  const deleted = new Set(
    olds.flatMap((entry, index) => (after.has(key(entry)) || skipOld(entry) ? [] : [index])),
  );
  const fresh = new Set(news.flatMap((entry, index) => (before.has(key(entry)) ? [] : [index])));
  const kindAt = (index: number) => (!deleted.has(index) ? "add" : fresh.has(index) ? "update" : "delete");
  return [...new Set([...deleted, ...fresh])]
    .sort((one, other) => one - other)
    .map((index) => ({ path: [...path, index], kind: kindAt(index) }));
}

/** Differences of a property that is a set. A set that is not known yet, in whole or in part, may differ. */
export function unsureSetDifferences(
  property: string,
  recorded: readonly string[],
  declared: Unsure<readonly Unsure<string>[]>,
): Difference[] {
  if (hasUnknown(declared)) return [{ path: [property], kind: "update" }];
  return setDifferences([property], recorded, declared as readonly string[]);
}

/** What happened to a property of the inputs. */
export function changeKind(before: unknown, after: unknown): Difference["kind"] {
  if (before === undefined) return "add";
  return after === undefined ? "delete" : "update";
}

/** Another project or organization replaces the resource. */
export function placeDifferences(
  property: "projectId" | "orgId",
  recorded: string | undefined,
  declared: unknown,
): Difference[] {
  if (declared === recorded) return [];
  return [{ path: [property], kind: "update", replace: !hasUnknown(declared), byProgram: true }];
}

/**
 * Differences of inputs that have a default. To declare a default explicitly changes nothing, so the
 * values that apply are compared.
 *
 * @param effective the values that apply if a program gives these inputs
 */
export function settingDifferences<Inputs extends object, Name extends keyof Inputs & string>(
  inputs: Inputs,
  oldInputs: Inputs,
  names: readonly Name[],
  effective: (given: Inputs) => Readonly<Record<Name, unknown>>,
): Difference[] {
  const [before, after] = [effective(oldInputs), effective(inputs)];
  return names
    .filter((name) => hasUnknown(inputs[name]) || before[name] !== after[name])
    .map((name) => ({ path: [name], kind: changeKind(oldInputs[name], inputs[name]), inputDiff: true }));
}

/** A set of texts that only a program gives, and that is no setting of one value. */
export function textSetDifferences<Name extends string>(
  property: Name,
  inputs: Readonly<Partial<Record<Name, unknown>>>,
  oldInputs: Readonly<Partial<Record<Name, unknown>>>,
): Difference[] {
  const path = [property];
  const before = oldInputs[property];
  const after = inputs[property];
  if (hasUnknown(after)) return [{ path, kind: changeKind(before, after), inputDiff: true }];
  const [olds, news] = [knownTexts(before), knownTexts(after)];
  if (sameSet(olds, news)) return [];
  if (before === undefined || after === undefined)
    return [{ path, kind: changeKind(before, after), inputDiff: true }];
  return setDifferences(path, olds, news).map((difference) => ({ ...difference, inputDiff: true }));
}

/** The top-level names in a list of differences, each once. */
export function changedProperties(differences: readonly Difference[]): string[] {
  const named = differences.filter((difference) => !isWithoutPath(difference));
  return [...new Set(named.map(({ path }) => String(path[0])))].sort(inOrder);
}
