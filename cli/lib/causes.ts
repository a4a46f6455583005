/**
 * Who made the differences that a run removes: the program since the last update, or somebody outside Pulumi. Pure.
 *
 * Three values decide: the recorded one, which is the state's before the refresh, the live one, and the declared one of
 * the program. From the recorded one, somebody's change leads to the live one, and the program's to the declared one.
 */
import { type PropertyPath, pathText } from "../../provider/resources/contract/property-path";
import { propertiesRead } from "../../provider/resources/contract/read-marker";
import type { Step } from "./engine-events";
import { type ComparedSides, namedPaths, valuesOf } from "./step-values";
import { entriesOnlyIn, partsOf, SECRET, type ValueDifference, valueDifferences } from "./value-differences";

/** `unknown`: the state does not prove which value the last update applied. */
export const causes = ["program", "outside", "unknown"] as const;
export type Cause = (typeof causes)[number];

/** A value before and after a change; absent where there is none. */
export interface ChangedValue {
  readonly path: PropertyPath;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** `outside`: what somebody changed, which the run reverses. `unknown`: what the run changes. */
export interface CausedValue extends ChangedValue {
  readonly cause: Cause;
}

interface ThreeValues {
  readonly recorded: unknown;
  readonly live: unknown;
  readonly declared: unknown;
}

/** The differences between the live and the declared value by their causes; a value that both changed has two. */
export function separated(path: PropertyPath, { recorded, live, declared }: ThreeValues): CausedValue[] {
  if (isSame(live, declared)) return [];
  const [now, wanted] = [partsOf(live), partsOf(declared)];
  if (now && wanted && Array.isArray(live) === Array.isArray(declared)) {
    const before = partsOf(recorded);
    return [...new Set([...wanted.keys(), ...now.keys()])].flatMap((name) =>
      separated([...path, name], {
        recorded: before?.get(name),
        live: now.get(name),
        declared: wanted.get(name),
      }),
    );
  }
  if (Array.isArray(live) && Array.isArray(declared))
    return separatedSet(path, Array.isArray(recorded) ? recorded : [], live, declared);
  return [
    ...(isSame(recorded, live) ? [] : [caused("outside", path, recorded, live)]),
    ...(isSame(recorded, declared) ? [] : [caused("program", path, recorded, declared)]),
  ];
}

/** All lists are sets: each entry has a cause of its own. */
function separatedSet(
  path: PropertyPath,
  recorded: readonly unknown[],
  live: readonly unknown[],
  declared: readonly unknown[],
): CausedValue[] {
  const missing = entriesOnlyIn(declared, live);
  const extra = entriesOnlyIn(live, declared);
  const recordedAmong = (entries: readonly unknown[]) =>
    entriesOnlyIn(entries, entriesOnlyIn(entries, recorded));
  return [
    caused("outside", path, orAbsent(recordedAmong(missing)), orAbsent(entriesOnlyIn(extra, recorded))),
    caused("program", path, orAbsent(recordedAmong(extra)), orAbsent(entriesOnlyIn(missing, recorded))),
  ].filter((value) => "before" in value || "after" in value);
}

function orAbsent(entries: readonly unknown[]): readonly unknown[] | undefined {
  return entries.length === 0 ? undefined : entries;
}

/**
 * The causes of one difference between the live object and the program.
 *
 * @param refresh the preceding refresh step: the recorded resource and the live one; without it, the live side is the
 * recorded one
 * @returns nothing if the engine names a difference that the values do not show
 */
export function causesOf(
  { path, declared, live }: ValueDifference,
  refresh: Step | undefined,
  sides: ComparedSides,
): CausedValue[] {
  const top = String(path[0]);
  const recordedSide = refresh === undefined ? sides.live : refresh.old;
  if (propertiesRead(recordedSide?.inputs ?? {}).includes(top))
    return [caused("unknown", path, live, declared)];
  const [recorded, now, wanted] = valuesOf(top, recordedSide, sides.live, sides.declared);
  if (JSON.stringify([recorded, now, wanted]).includes(JSON.stringify(SECRET))) {
    // Only the engine has compared the secret, and only between state and live object.
    const isChanged = refresh !== undefined && namedPaths(refresh).some(([name]) => String(name) === top);
    return [caused(isChanged ? "unknown" : "program", path, live, declared)];
  }
  return separated([top], { recorded, live: now, declared: wanted }).filter(
    (value) => pathText(value.path) === pathText(path),
  );
}

export function caused(cause: Cause, path: PropertyPath, before: unknown, after: unknown): CausedValue {
  return { cause, path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

function isSame(one: unknown, other: unknown): boolean {
  return valueDifferences([], one, other).length === 0;
}

/**
 * The refresh steps by URN. A resource that a replacement still has to delete shares the URN of
 * its successor and is left out.
 */
export function refreshesOf(steps: readonly Step[]): ReadonlyMap<string, Step> {
  const kept = steps.filter((step) => step.isRefresh && step.old?.delete !== true);
  return new Map(kept.map((step) => [step.urn, step]));
}

/** The URN in the state, which an alias may have changed. */
export function formerUrn({ urn, old }: Step): string {
  return old?.urn ?? urn;
}

/** Whether a refresh found that the object no longer exists. */
export function isDeleted({ op, isRefresh, new: live }: Step): boolean {
  return op === "delete" || (isRefresh && op === "refresh" && !live);
}
