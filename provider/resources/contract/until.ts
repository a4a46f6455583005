/**
 * `until`: the last day of an access. An end is declared and not left out: the resource stays in the program and in the
 * state, and once the day is over its update takes the access away.
 *
 * Check alone applies the calendar. For what is over it adds `ended` to the inputs that the program gave, so recorded
 * inputs say what was applied, and every other method reads that. Roles are no such mark: live ones reach the inputs
 * through a refresh, and come back to Check through `ignoreChanges`.
 */
import { z } from "zod";
import { foldName } from "../../access/person";
import { own } from "../../text/own";
import { MARK } from "../../text/sentinels";
import { recordsIn, textIn } from "./declared";
import { changeKind, type Difference } from "./difference";
import { optionalText } from "./fields";
import type { End } from "./resource";
import type { Session } from "./session";
import { hasUnknown, isRecord, type Properties, type Value } from "./values";

const DAY = 24 * 60 * 60 * 1000;

/** Whether a text is a day such as `2026-12-31`. A year before 2000 is a mistake. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && text >= "2000" && new Date(time).toISOString().startsWith(text);
}

/**
 * Whether the last day is over, in UTC.
 *
 * @param now milliseconds since 1970
 */
export function isOver(until: string, now: number): boolean {
  return now >= Date.parse(`${until}T00:00:00Z`) + DAY;
}

/**
 * @param whose what has the last day: `the person in the project`
 * @param effect what the first update after it does: `removes the person, whoever added them`
 * @param back what a later day, or none, brings back: `adds or invites the person again`
 */
export function untilInput(whose: string, effect: string, back: string) {
  return z
    .string("must be text")
    .refine(isDay, "must be the last day, in UTC, such as 2026-12-31")
    .optional()
    .meta({
      description: `Last day of ${whose}, in UTC, such as \`2026-12-31\`. The first update after that day ${effect}. Keep the resource: with a later day, or without \`until\`, an update ${back}.`,
    });
}

/** What is recorded of an end. */
export const endOutputs = {
  endedAt: optionalText(
    "When the access was taken away after its last day, or found to be gone: ISO 8601, UTC. Absent before that, and while somebody has brought the access back or another resource of the program declares it.",
  ),
  overdueSince: optionalText(
    "When an update first failed to take the access away after its last day: ISO 8601, UTC. Absent once the access is gone.",
  ),
  overdueReason: optionalText("Why the last try failed, as a sentence. Absent once the access is gone."),
};

/** The outputs of an end, without the name of an input. */
export type EndRecord = { readonly [Name in keyof typeof endOutputs]?: string | undefined };

/** Whether an end is recorded that was tried in vain, of the access or of a person of a list. */
export function isOverdue(state: Properties): boolean {
  return [state, ...recordsIn(state.ends)].some((record) => textIn(record, "overdueSince") !== undefined);
}

/** The mark if the day was recorded before it passed. */
const PLANNED = "as planned";

/** The time at which a run applies the calendar: what ends in it ends together. */
class TimeOfRun {
  readonly now = Date.now();
}

/** Whether the last day is over by this machine's clock. */
export function isOverToday(until: Value | undefined, session: Session): boolean {
  return typeof until === "string" && isDay(until) && isOver(until, session.of(TimeOfRun).now);
}

/** Whether checked or recorded inputs are of an access whose last day is over. */
export function isEnded(inputs: Properties | undefined): boolean {
  return own(inputs, MARK) === true || isPlannedEnd(inputs);
}

/** Whether the day was recorded before it passed. Such an end counts for no limit, however often it is tried. */
export function isPlannedEnd(inputs: Properties | undefined): boolean {
  return own(inputs, MARK) === PLANNED;
}

/**
 * The inputs with a mark on what is over: on the whole, or on each person of a list.
 *
 * @param oldInputs what is recorded, which shows the days that were known before they passed
 */
export function withMarks(inputs: Properties, oldInputs: Properties, session: Session): Properties {
  const { until } = inputs;
  if (!isRecord(until)) {
    const mark = markOf(until, oldInputs.until, own(oldInputs, MARK), session);
    return mark === undefined ? inputs : { ...inputs, [MARK]: mark };
  }
  const [oldDays, oldMarks] = [namedIn(oldInputs.until), namedIn(own(oldInputs, MARK))];
  const marks = Object.entries(until).flatMap(([name, day]) => {
    const mark = markOf(day, oldDays(name), oldMarks(name), session);
    return mark === undefined ? [] : [[name, mark] as const];
  });
  return marks.length === 0 ? inputs : { ...inputs, [MARK]: Object.fromEntries(marks) };
}

function markOf(
  until: Value | undefined,
  oldUntil: Value | undefined,
  oldMark: Value | undefined,
  session: Session,
): typeof PLANNED | true | undefined {
  if (!isOverToday(until, session)) return undefined;
  return until === oldUntil && oldMark !== true ? PLANNED : true;
}

/** The values of a map by the names of people. */
function namedIn(values: Value | undefined): (name: string) => Value | undefined {
  const entries = isRecord(values) ? Object.entries(values as Properties) : [];
  const byName = new Map(entries.map(([name, value]) => [foldName(name), value] as const));
  return (name) => byName.get(foldName(name));
}

/** A person of a list whose last day is over. */
export interface EndedPerson {
  /** As `until` spells it. */
  readonly name: string;
  readonly until: string;
  readonly isPlanned: boolean;
}

/** The people of a list whose last day is over, by its checked or recorded inputs. */
export function endedIn(inputs: Properties): EndedPerson[] {
  const marks = own(inputs, MARK);
  const dayOf = namedIn(inputs.until);
  if (!isRecord(marks)) return [];
  return Object.entries(marks).flatMap(([name, mark]) => {
    const until = dayOf(name);
    return typeof until === "string" ? [{ name, until, isPlanned: mark === PLANNED }] : [];
  });
}

/**
 * The recorded inputs of a list with the last days of its state. After a failed update, the engine keeps the inputs before
 * it: they may lack the mark of an end that was tried, and have the mark of one that is none any more.
 *
 * @param tried whose ends the state records
 */
export function withDaysOf(
  { until }: Properties,
  { until: oldDays, [MARK]: oldMarks, ...others }: Properties,
  tried: readonly string[],
): Properties {
  if (!isRecord(until)) return others;
  const [oldDay, oldMark] = [namedIn(oldDays), namedIn(oldMarks)];
  const isTried = new Set(tried.map(foldName));
  const marks = Object.entries(until).flatMap(([name, day]) => {
    const mark = (day === oldDay(name) ? oldMark(name) : undefined) ?? isTried.has(foldName(name));
    return mark === false ? [] : [[name, mark] as const];
  });
  return { ...others, until, [MARK]: Object.fromEntries(marks) };
}

/** The inputs with the marks of others. */
export function withMarksOf(recorded: Properties, inputs: Properties): Properties {
  const mark = own(recorded, MARK);
  return mark === undefined ? inputs : { ...inputs, [MARK]: mark };
}

export function withoutMark(inputs: Properties): Properties {
  const { [MARK]: _, ...others } = inputs;
  return others;
}

/** `ignoreChanges` brings an old mark back; a program that gives one itself has a fault. */
export function withoutOldMark(inputs: Properties, oldInputs: Properties): Properties {
  return Object.hasOwn(oldInputs, MARK) ? withoutMark(inputs) : inputs;
}

/** What changes because the program gives another last day. */
export function untilDifferences(inputs: Properties, oldInputs: Properties): Difference[] {
  const [before, after] = [own(oldInputs, "until"), own(inputs, "until")];
  if (!hasUnknown(after) && before === after) return [];
  return [{ path: ["until"], kind: changeKind(before, after), inputDiff: true }];
}

/**
 * How to keep what was not removed, as the end of a refusal: `until` counts more than `onDestroy`.
 *
 * @param otherwise if it is not an end
 */
export function howToKeep(end: End | undefined, otherwise: string): string {
  return end === undefined ? otherwise : "To keep this access, give a later day in until, or remove until.";
}
