/** The last days in the files of a run: what ends because its day is over, and which days the program changes. Pure. */

import { endText, HOLDERS, type NamedEnd } from "../../projects/as-of";
import { isOver } from "../../projects/ends";
import { sameName } from "../../provider/access/person";
import { toProperties } from "../../provider/resources/contract/border";
import { recordsIn, textIn } from "../../provider/resources/contract/declared";
import { endedIn, isEnded } from "../../provider/resources/contract/until";
import { inOrder, isRecord } from "../../provider/resources/contract/values";
import { PUT_OFF_BY_CLOCK } from "../../provider/resources/session/ends";
import { own } from "../../provider/text/own";
import { MARK } from "../../provider/text/sentinels";
import { type CausedValue, caused } from "../lib/causes";
import { DAY_MILLISECONDS } from "../lib/connection";
import { recordedEndsOf, untilOf } from "../lib/ends";
import type { Step } from "../lib/engine-events";
import { logicalName, treatmentOf } from "../lib/own-resources";
import { listed, type Sentence, sentence } from "../lib/sentence";
import type { StoryValue } from "./groups";

/** What ends later is in the files, and would stand in every summary. */
const SOON_DAYS = 31;

/** Whether the step takes an access away because its last day is over. */
function isEndOfAccess({ op, new: now }: Step): boolean {
  return op === "update" && isEnded(toProperties(now?.inputs ?? {}));
}

/** Whether nothing has ended, because it is too early by the service's clock: a warning says that. */
function isPutOff({ new: now }: Step): boolean {
  const { overdueReason, ends } = toProperties(now?.outputs ?? {});
  const reasons = [overdueReason, ...recordsIn(ends).map((record) => textIn(record, "overdueReason"))];
  return reasons.includes(PUT_OFF_BY_CLOCK);
}

export class Calendar {
  /** Sentences about the last days that the program gives, changes or takes away. */
  readonly changes: readonly Sentence[];
  readonly #soon: readonly NamedEnd[];
  readonly #over: ReadonlyMap<string, readonly NamedEnd[]>;

  /** @param steps also those of components, which record the ends of their files */
  constructor(steps: readonly Step[], now: Date) {
    // The last step of a component has what this run records.
    const last = new Map(steps.flatMap((step) => (step.isRefresh ? [] : [[step.urn, step] as const])));
    const endsOn = (side: "old" | "new") =>
      recordedEndsOf([...last.values()].map((step) => ({ outputs: step[side]?.outputs ?? {} })));
    const before = byEntry(endsOn("old"));
    const declared = byEntry(endsOn("new"));
    const soon = new Date(now.getTime() + SOON_DAYS * DAY_MILLISECONDS);
    this.#soon = [...declared.values()].filter((end) => !isOver(end, now) && isOver(end, soon));
    // Whoever gives an entry a day that is over already ends the access, not the calendar.
    const over = [...declared].flatMap(([key, end]) =>
      isOver(end, now) && before.get(key)?.until === end.until ? [end] : [],
    );
    this.changes = [...new Set([...before.keys(), ...declared.keys()])].flatMap((key) =>
      changeOf(before.get(key), declared.get(key), now),
    );
    this.#over = Map.groupBy(over, ({ resource }) => resource);
  }

  /** The last day of the one access that the resource declares, if it is over. */
  dayOf(step: Step): string | undefined {
    const { until } = step.new?.inputs ?? {};
    if (isEndOfAccess(step)) return step.old?.inputs?.until === until ? String(until) : undefined;
    return untilOf(this.#endsOf(step), undefined);
  }

  /** The last day of one of those whom the resource declares. */
  dayIn(step: Step, name: string): string | undefined {
    // A run that fails records no ends of the component.
    const planned = endedIn(toProperties(step.new?.inputs ?? {})).find(
      (ended) => ended.isPlanned && sameName(ended.name, name),
    );
    return planned?.until ?? untilOf(this.#endsOf(step), name);
  }

  /** Whether the step does nothing but end, perhaps once more, what is over. */
  isEnd(step: Step): boolean {
    const marks = step.new?.inputs?.[MARK];
    return isEndOfAccess(step)
      ? this.dayOf(step) !== undefined
      : isRecord(marks) && Object.keys(marks).some((name) => this.dayIn(step, name) !== undefined);
  }

  /** Tells the entries that end by the calendar from the others that a list loses. */
  told(step: Step, value: CausedValue): StoryValue[] {
    if (value.cause !== "program") return [value];
    if (value.path[0] === MARK && isPutOff(step)) return [];
    if (this.dayOf(step) !== undefined)
      return [isEndOfAccess(step) ? { ...value, cause: "calendar" } : value];
    const { path, before, after } = value;
    const isOf = (entry: unknown) => typeof entry === "string" && this.dayIn(step, entry) !== undefined;
    if (path.length > 1) {
      const isLost = after === undefined || path[0] === MARK;
      return [isLost && isOf(path[1]) ? { ...value, cause: "calendar" } : value];
    }
    const parts = (wanted: boolean) => [before, after].map((side) => entriesOf(side, path[0], isOf, wanted));
    return [false, true].flatMap((isOver) => {
      const [lost, gained] = parts(isOver);
      if (lost === undefined && gained === undefined) return [];
      return [{ ...caused("program", path, lost, gained), ...(isOver && { cause: "calendar" as const }) }];
    });
  }

  /** What will end soon, a sentence for each day. */
  notes(): Sentence[] {
    const days = Map.groupBy(this.#soon, ({ until }) => until);
    return [...days]
      .sort(([one], [next]) => inOrder(one, next))
      .map(([until, same]) => {
        return sentence`Access will end after ${until}: ${listed(same.map(endText))}.`;
      });
  }

  #endsOf({ urn, type }: Step): readonly NamedEnd[] {
    const ends = this.#over.get(logicalName(urn)) ?? [];
    const inFile = treatmentOf(type)?.inFile;
    return ends.filter(({ what, holder }) => {
      // A file as a whole declares people.
      const [property = "members"] = inFile?.path(holder) ?? [];
      return inFile && own(HOLDERS, String(property)) === what;
    });
  }
}

function byEntry(ends: readonly NamedEnd[]): ReadonlyMap<string, NamedEnd> {
  return new Map(ends.map((end) => [`${end.what} ${end.resource} ${end.holder}`, end]));
}

function changeOf(before: NamedEnd | undefined, declared: NamedEnd | undefined, now: Date): Sentence[] {
  const end = declared ?? before;
  if (end === undefined || before?.until === declared?.until) return [];
  const who = endText(end);
  if (before === undefined) return [sentence`The program gives ${who} a last day: ${end.until}.`];
  if (declared !== undefined)
    return [sentence`The program changes the last day of ${who}: ${before.until} becomes ${end.until}.`];
  // The entry of someone whose access is over is only cleared away.
  return isOver(end, now)
    ? []
    : [sentence`The program no longer has a last day for ${who}, which was ${end.until}.`];
}

/** The entries of a list for which it is as wanted; another value has none that ends. */
function entriesOf(
  side: unknown,
  property: unknown,
  isOf: (entry: unknown) => boolean,
  wanted: boolean,
): unknown {
  if (property === MARK && isRecord(side)) {
    const marks = Object.entries(side).filter(([name]) => isOf(name) === wanted);
    return marks.length === 0 ? undefined : Object.fromEntries(marks);
  }
  if (!Array.isArray(side)) return wanted ? undefined : side;
  const entries = side.filter((entry) => isOf(entry) === wanted);
  return entries.length === 0 ? undefined : entries;
}
