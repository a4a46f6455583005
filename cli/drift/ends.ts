/** Findings of accesses that are there although their last day is over. */

import { toProperties } from "../../provider/resources/contract/border";
import { recordsIn, rolesIn, textIn } from "../../provider/resources/contract/declared";
import { pathText } from "../../provider/resources/contract/property-path";
import { type EndedPerson, endedIn, withoutMark } from "../../provider/resources/contract/until";
import { isRecord, type Properties } from "../../provider/resources/contract/values";
import { isNameOf, lasting, peopleLists } from "../../provider/resources/lists/ends";
import type { Step } from "../lib/engine-events";
import { overdueOf } from "../lib/last-day";
import type { Finding } from "./report/model";

/** What all findings about one resource say. */
export type Subject = Omit<Finding, "kind" | "cause" | "property" | "declared" | "live">;

/**
 * What an update would do because a last day is over: take an access that was brought back, or one whose end is overdue.
 */
export function endFindings(step: Step, about: Subject, refresh: Step | undefined): Finding[] {
  const recorded = outputsOf(step);
  // Gone by hand, which the next update records.
  if (rolesIn(recorded.roles)?.length === 0) return [];
  const until = textIn(toProperties(step.new?.inputs ?? {}), "until") ?? "";
  return endFinding(
    { ...about, kind: "added", property: "" },
    until,
    recorded,
    refresh && outputsOf(refresh),
  );
}

/** The same for a person of a list. */
export function endFindingsOf(
  { name, until }: EndedPerson,
  step: Step,
  about: Subject,
  refresh: Step | undefined,
): Finding[] {
  const isThem = isNameOf([{ name }]);
  const endIn = (outputs: Properties) =>
    recordsIn(outputs.ends).find((end) => isThem(textIn(end, "username") ?? ""));
  const outputs = outputsOf(step);
  const recorded = endIn(outputs);
  if (recorded?.endedAt !== undefined) return [];
  return peopleLists.flatMap((list) => {
    const { [list]: people } = outputs;
    const access = { ...about, kind: "added" } as const;
    const before = refresh && endIn(outputsOf(refresh));
    if (isRecord(people)) {
      return Object.entries(people)
        .filter(([username]) => isThem(username))
        .flatMap(([username, live]) =>
          endFinding({ ...access, property: pathText([list, username]), live }, until, recorded, before),
        );
    }
    const there = Array.isArray(people) ? people.filter((username) => isThem(String(username))) : [];
    return there.length === 0
      ? []
      : endFinding({ ...access, property: list, live: there }, until, recorded, before);
  });
}

/**
 * @param recorded what a read has left of the end
 * @param before what was recorded before it
 */
function endFinding(
  access: Omit<Finding, "cause">,
  until: string,
  recorded: Properties | undefined,
  before: Properties | undefined,
): Finding[] {
  if (before?.endedAt !== undefined) return [{ ...access, cause: "outside", end: { until } }];
  const overdue = overdueOf(until, recorded ?? {});
  return overdue ? [{ ...access, cause: "not-applied", end: { until, ...overdue } }] : [];
}

/** Of the step before the program: what a read has left. Of a read: what was recorded before. */
function outputsOf({ old }: Step): Properties {
  return toProperties(old?.outputs ?? {});
}

/**
 * The step without the people whose last day is over.
 *
 * @param program the inputs that know whose day it is
 * @returns `undefined` if the step does nothing else
 */
export function withoutEnds(step: Step, program: Properties): Step | undefined {
  const ended = endedIn(program);
  if (ended.length === 0) return step;
  const without = (side: Step["old"]) => side && { ...side, inputs: withoutPeople(side, ended) };
  const [old, now] = [without(step.old), without(step.new)];
  const isSame = JSON.stringify(old?.inputs) === JSON.stringify(now?.inputs);
  return isSame ? undefined : { ...step, old, new: now };
}

function withoutPeople(side: NonNullable<Step["old"]>, ended: readonly EndedPerson[]) {
  const inputs = toProperties(side.inputs ?? {});
  return peopleLists.reduce((rest, list) => lasting(rest, ended, list), withoutMark(inputs));
}
