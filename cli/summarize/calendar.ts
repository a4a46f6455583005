/** The last days that resources declare: what ends because its day is over, and which days the program changes. Pure. */

import { sameName } from "../../provider/access/person";
import { toProperties } from "../../provider/resources/contract/border";
import { recordsIn, textIn } from "../../provider/resources/contract/declared";
import { endedIn, isDay, isOver, isPlannedEnd } from "../../provider/resources/contract/until";
import { inOrder, isRecord, type Properties } from "../../provider/resources/contract/values";
import { PUT_OFF_BY_CLOCK } from "../../provider/resources/session/ends";
import { own } from "../../provider/text/own";
import type { ChangedValue } from "../lib/causes";
import { DAY_MILLISECONDS } from "../lib/connection";
import type { Step } from "../lib/engine-events";
import { listsOfPeople } from "../lib/own-resources";
import { listed, type Sentence, sentence } from "../lib/sentence";
import { type Facts, visible } from "./facts";
import { type Side, sidesOf } from "./origins";
import type { Places } from "./places";

/** What ends later is in the program, and would stand in every summary. */
const SOON_DAYS = 31;

/** Last days by the names of those who have them. */
type Days = ReadonlyMap<string, string>;

/** What the program does with last days; `from` is absent for a new one, `to` for one that it takes away. */
export interface ChangedDay {
  /** `bob@example.com in project payments` */
  readonly who: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The last day of a holder, if it was recorded before it passed: otherwise the program ends the access. */
export function dayOf({ new: now }: Step, name: string): string | undefined {
  const inputs = toProperties(now?.inputs ?? {});
  if (isPlannedEnd(inputs)) return textIn(inputs, "until");
  return endedIn(inputs).find((end) => end.isPlanned && sameName(end.name, name))?.until;
}

/** Whether the end of a holder was tried in vain before. */
export function isOverdue({ old }: Step, name: string): boolean {
  const state = toProperties(old?.outputs ?? {});
  const isTheirs = (end: Properties) => sameName(textIn(end, "username"), name);
  return [state, ...recordsIn(state.ends).filter(isTheirs)].some(({ overdueSince }) => overdueSince);
}

/** Whether a step ends, perhaps once more, what is over as planned. */
export function isEnd({ op, new: now }: Step): boolean {
  const inputs = toProperties(now?.inputs ?? {});
  const { overdueReason, ends } = toProperties(now?.outputs ?? {});
  const reasons = [overdueReason, ...recordsIn(ends).map((record) => textIn(record, "overdueReason"))];
  // It is too early by the service's clock, and a warning says that.
  if (op !== "update" || reasons.includes(PUT_OFF_BY_CLOCK)) return false;
  return isPlannedEnd(inputs) || endedIn(inputs).some(({ isPlanned }) => isPlanned);
}

/** What was granted to those whom Check has marked as ended. @param marks the changes of the mark */
export function endedValues({ type, old }: Step, marks: readonly ChangedValue[]): ChangedValue[] {
  const before = visible(old?.inputs);
  const names = marks.flatMap(({ path: [, name] }) => (typeof name === "string" ? [name] : []));
  const [list = "roles"] = listsOfPeople(type);
  const granted = own(before, list);
  if (isRecord(granted)) return names.map((name) => ({ path: [list, name], before: own(granted, name) }));
  return [{ path: [list], before: list === "roles" ? granted : names }];
}

/** @param steps of this provider's resources */
export function calendarOf(steps: readonly Step[], facts: Facts, places: Places, now: Date) {
  const changes: ChangedDay[] = [];
  const soon: { readonly who: string; readonly until: string }[] = [];
  for (const step of steps) {
    const { recorded, declared } = sidesOf(step);
    // With its resource, a last day goes and comes without a word, as does that of whoever leaves a list.
    if (!declared) continue;
    const { what, name: place } = places.named(places.keyOf(step));
    const [before, after] = [daysOf(step, recorded, facts), daysOf(step, declared, facts)];
    const there = facts.holders(step, declared);
    const isThere = (name: string) => there.some((holder) => holder.isList || sameName(holder.name, name));
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const [from, to] = [before.get(name), after.get(name)];
      const who = `${name} in ${what} ${place}`;
      const isGone = to === undefined && !isThere(name);
      if (from !== to && !isGone) changes.push({ who, from, to });
      else if (to !== undefined && !isGone && isSoon(to, now)) soon.push({ who, until: to });
    }
  }
  const days = [...Map.groupBy(soon, ({ until }) => until)].sort(([one], [next]) => inOrder(one, next));
  const notes = days.map(
    ([until, same]) => sentence`Access will end after ${until}: ${listed(same.map(({ who }) => who))}.`,
  );
  return { changes, notes };
}

function isSoon(until: string, now: Date): boolean {
  return !isOver(until, now.getTime()) && isOver(until, now.getTime() + SOON_DAYS * DAY_MILLISECONDS);
}

function daysOf(step: Step, side: Side, facts: Facts): Days {
  const { until } = visible(side?.inputs);
  const isShown = (day: unknown): day is string => typeof day === "string" && isDay(day);
  if (isRecord(until))
    return new Map(Object.entries(until).flatMap(([name, day]) => (isShown(day) ? [[name, day]] : [])));
  if (!isShown(until)) return new Map();
  return new Map(facts.holders(step, side).map(({ name }) => [name, until]));
}

/** What changes, as a sentence. */
export function changedDayText({ who, from, to }: ChangedDay): Sentence {
  if (from === undefined) return sentence`The program gives ${who} a last day: ${to ?? ""}.`;
  if (to === undefined) return sentence`The program no longer has a last day for ${who}, which was ${from}.`;
  return sentence`The program changes the last day of ${who}: ${from} becomes ${to}.`;
}
