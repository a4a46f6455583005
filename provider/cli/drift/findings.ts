/** From what the engine says of a resource to what a person has to know: each property that is not as declared. */
import { pathText } from "../../resources/check";
import type { PropertyPath } from "../../resources/difference";
import { nameOf } from "../own-resources";
import type { Snapshot, Step } from "./engine-events";
import type { Finding } from "./report";
import { parsePath, readable, SECRET, type ValueDifference, valueDifferences } from "./value-differences";

/** Ops of the engine after which the object would be another one than it is now. */
const CHANGING = new Set(["update", "replace"]);

/**
 * What a refresh found: old is the state, new the live object.
 *
 * @returns `undefined` where the engine says that something differs, and nobody can tell what
 */
export function findingsOfRefresh(step: Step, stack: string): Finding[] | undefined {
  const about = subjectOf(step, stack, "state");
  if (step.op === "delete") return [{ ...about, kind: "deleted", property: "" }];
  if (!CHANGING.has(step.op)) return [];
  return propertyFindings(step, about, { declared: step.old, live: step.new });
}

/**
 * What the program would do, after a refresh: old is the live object, new the program.
 *
 * @returns `undefined` as above
 */
export function findingsOfProgram(step: Step, stack: string): Finding[] | undefined {
  const about = subjectOf(step, stack, "program");
  if (step.op === "create" || step.op === "import") return [{ ...about, kind: "removed", property: "" }];
  if (step.op === "delete") return [{ ...about, kind: "added", property: "" }];
  if (!CHANGING.has(step.op)) return [];
  return propertyFindings(step, about, { declared: step.new, live: step.old });
}

type Subject = Omit<Finding, "kind" | "property" | "declared" | "live">;

function subjectOf(
  { urn, type, old, new: now }: Step,
  stack: string,
  comparison: Finding["comparison"],
): Subject {
  const id = old?.id || now?.id;
  return { stack, urn, type, name: nameOf(urn), ...(id ? { id } : {}), comparison };
}

interface Sides {
  readonly declared: Snapshot | null | undefined;
  readonly live: Snapshot | null | undefined;
}

function propertyFindings(step: Step, about: Subject, sides: Sides): Finding[] | undefined {
  const named = namedPaths(step);
  // Without a word of the engine on the properties the inputs themselves have to tell.
  const tops = named.length === 0 ? inputNames(sides) : new Set(named.map(([top]) => String(top)));
  const elements = [...tops].flatMap((top) => {
    const { declared, live } = valuesOf(top, sides);
    return valueDifferences([top], declared, live);
  });
  const within = elements.filter(
    ({ path }) => named.length === 0 || named.some((other) => meet(path, other)),
  );
  // The engine compares what nobody may see, and the rest of a property says nothing of it.
  const hidden = named
    .filter((path) => !within.some((element) => meet(element.path, path)))
    .map((path) => coarse(path, sides));
  const once = new Map(
    [...within, ...hidden].map((found) => [`${found.kind} ${pathText(found.path)}`, found]),
  );
  if (once.size === 0) return isInternal(step) ? [] : undefined;
  return [...once.values()].map(({ path, ...found }) => ({ ...about, ...found, property: pathText(path) }));
}

/** The properties that the engine names, without those that are this provider's own business (two underscores). */
function namedPaths({ detailedDiff, diffs }: Step): PropertyPath[] {
  const paths = Object.keys(detailedDiff ?? {});
  return (paths.length > 0 ? paths : (diffs ?? [])).filter((path) => !path.startsWith("__")).map(parsePath);
}

function isInternal({ detailedDiff, diffs }: Step): boolean {
  const paths = [...Object.keys(detailedDiff ?? {}), ...(diffs ?? [])];
  return paths.length > 0 && paths.every((path) => path.startsWith("__"));
}

function inputNames({ declared, live }: Sides): Set<string> {
  const names = [...Object.keys(declared?.inputs ?? {}), ...Object.keys(live?.inputs ?? {})];
  return new Set(names.filter((name) => !name.startsWith("__")));
}

/** Inputs say what is declared; what nobody declared can only differ in the outputs. */
function valuesOf(top: string, { declared, live }: Sides): { declared: unknown; live: unknown } {
  const isInput = [declared, live].some((side) => side?.inputs?.[top] !== undefined);
  const of = (side: Snapshot | null | undefined) => (isInput ? side?.inputs : side?.outputs)?.[top];
  return { declared: readable(of(declared)), live: readable(of(live)) };
}

/**
 * Whether both paths are about the same property. Names count and indexes do not: an entry of a set stands at one index in the
 * declared list and at another in the live one. So `ignoreChanges` on a person of a map is heeded, and on an index is not.
 */
function meet(one: PropertyPath, other: PropertyPath): boolean {
  const [a, b] = [keysOf(one), keysOf(other)];
  return a.slice(0, b.length).every((key, index) => key === b[index]);
}

function keysOf(path: PropertyPath): PropertyPath {
  const index = path.findIndex((step) => typeof step === "number");
  return index === -1 ? path : path.slice(0, index);
}

/** As far into the property as somebody may see. */
function coarse(path: PropertyPath, sides: Sides): ValueDifference {
  const [top = ""] = path;
  let { declared, live } = valuesOf(String(top), sides);
  const walked: (string | number)[] = [top];
  for (const step of path.slice(1)) {
    if (declared === SECRET || live === SECRET) break;
    declared = (declared as Record<string | number, unknown> | undefined)?.[step];
    live = (live as Record<string | number, unknown> | undefined)?.[step];
    walked.push(step);
  }
  return { path: walked, kind: "changed", declared, live };
}
