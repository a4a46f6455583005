/**
 * Converts the engine's steps about a resource to findings: each property whose live value differs
 * from the declared one.
 */

import { toProperties } from "../../provider/resources/contract/border";
import { textIn } from "../../provider/resources/contract/declared";
import { ignoresPart, pathText } from "../../provider/resources/contract/property-path";
import { propertiesRead } from "../../provider/resources/contract/read-marker";
import { endedIn, isEnded } from "../../provider/resources/contract/until";
import { IGNORE_CHANGES } from "../../provider/text/sentinels";
import { causesOf, isDeleted } from "../lib/causes";
import type { Step } from "../lib/engine-events";
import { logicalName } from "../lib/own-resources";
import { allPaths, CHANGING, type ComparedSides, changedValues } from "../lib/step-values";
import type { ValueDifference } from "../lib/value-differences";
import { endFindings, endFindingsOf, type Subject, withoutEnds } from "./ends";
import type { Finding } from "./report/model";

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
    const inputs = toProperties(step.new?.inputs ?? {});
    const end = isEnded(inputs) && { end: { until: textIn(inputs, "until") ?? "" } };
    return [
      refresh === undefined
        ? // Never applied, or deleted outside Pulumi and dropped from the state by an earlier refresh.
          { ...about, cause: "unknown", kind: "removed", property: "", ...end }
        : { ...about, ...idOfStep(refresh), cause: "outside", kind: "deleted", property: "" },
    ];
  }
  if (step.op === "delete") return [{ ...about, cause: "not-applied", kind: "added", property: "" }];
  if (!CHANGING.has(step.op)) return [];
  const inputs = toProperties(step.new?.inputs ?? {});
  if (step.old?.outputs?.endedAt === undefined && isEnded(inputs)) return endFindings(step, about, refresh);
  const ends = endedIn(inputs).flatMap((end) => endFindingsOf(end, step, about, refresh));
  const rest = withoutEnds(step, inputs);
  if (rest === undefined) return ends;
  const sides = { declared: rest.new, live: rest.old };
  const before = refresh && withoutEnds(refresh, inputs);
  const others = propertyFindings(rest, about, sides, (difference) =>
    before === undefined || isUnfinished ? "unknown" : causeOf(difference, before, sides),
  );
  return others && [...others, ...ends];
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

function subjectOf(step: Step, stack: string, comparison: Finding["comparison"]): Subject {
  const { urn, type } = step;
  return { stack, urn, type, name: logicalName(urn), ...idOfStep(step), comparison };
}

function idOfStep({ old, new: now }: Step): { readonly id?: string } {
  const id = old?.id || now?.id;
  return id ? { id } : {};
}

function propertyFindings(
  step: Step,
  about: Subject,
  sides: ComparedSides,
  causeOf: (difference: ValueDifference) => Finding["cause"],
): Finding[] | undefined {
  return changedValues(step, sides)?.map((difference) => {
    const { path, ...found } = difference;
    return { ...about, cause: causeOf(difference), ...found, property: pathText(path) };
  });
}

/**
 * The cause of a difference. A change that the program has made since the last update is not applied yet.
 */
function causeOf(difference: ValueDifference, refresh: Step, sides: ComparedSides): Finding["cause"] {
  const [first, ...others] = causesOf(difference, refresh, sides).map(({ cause }) => cause);
  if (first === undefined || others.length > 0) return "both";
  return first === "program" ? "not-applied" : first;
}
