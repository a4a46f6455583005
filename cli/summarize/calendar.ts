/** What ends in a run because its last day, which the files had before the run as well, is over. Pure. */

import type { NamedEnd } from "../../projects/as-of";
import { isOver } from "../../projects/ends";
import { type CausedValue, caused } from "../lib/causes";
import { recordedEndsOf, untilOf } from "../lib/ends";
import type { Step } from "../lib/engine-events";
import { logicalName, treatmentOf } from "../lib/own-resources";
import type { StoryValue } from "./groups";
import { listed, type Sentence, sentence } from "./sentence";

/** What the first part of the path of an entry in a file declares; a file as a whole declares people. */
const WHAT: ReadonlyMap<unknown, NamedEnd["what"]> = new Map([
  ["members", "person"],
  [undefined, "person"],
  ["teams", "team"],
  ["apiKeys", "key"],
]);

export class Calendar {
  readonly #later: readonly NamedEnd[];
  readonly #over: ReadonlyMap<string, readonly NamedEnd[]>;

  /** @param steps also those of components, which record the ends of their files */
  constructor(steps: readonly Step[], now: Date) {
    // The last step of a component has what this run records.
    const last = new Map(steps.flatMap((step) => (step.isRefresh ? [] : [[step.urn, step] as const])));
    const endsOn = (side: "old" | "new") =>
      recordedEndsOf([...last.values()].map((step) => ({ outputs: step[side]?.outputs ?? {} })));
    const before = new Set(endsOn("old").map((end) => JSON.stringify(end)));
    const declared = endsOn("new");
    this.#later = declared.filter((end) => !isOver(end, now));
    // Whoever gives an entry a day that is over already ends the access, not the calendar.
    const over = declared.filter((end) => isOver(end, now) && before.has(JSON.stringify(end)));
    this.#over = Map.groupBy(over, ({ resource }) => resource);
  }

  /** The last day of the one access that the resource declares, if it is over. */
  dayOf(step: Step): string | undefined {
    return untilOf(this.#endsOf(step), undefined);
  }

  /** The last day of one of those whom the resource declares. */
  dayIn(step: Step, name: string): string | undefined {
    return untilOf(this.#endsOf(step), name);
  }

  /** Tells the entries that end by the calendar from the others that a list loses. */
  told(step: Step, value: CausedValue): StoryValue[] {
    if (value.cause !== "program" || this.dayOf(step) !== undefined) return [value];
    const { path, before, after } = value;
    const isOf = (entry: unknown) => typeof entry === "string" && this.dayIn(step, entry) !== undefined;
    if (path.length > 1)
      return [after === undefined && isOf(path[1]) ? { ...value, cause: "calendar" } : value];
    const parts = (wanted: boolean) => [before, after].map((side) => entriesOf(side, isOf, wanted));
    return [false, true].flatMap((isOver) => {
      const [lost, gained] = parts(isOver);
      if (lost === undefined && gained === undefined) return [];
      return [{ ...caused("program", path, lost, gained), ...(isOver && { cause: "calendar" as const }) }];
    });
  }

  /** What will end, a sentence for each day. */
  notes(): Sentence[] {
    return [...Map.groupBy(this.#later, ({ until }) => until)].map(([until, same]) => {
      const names = listed(same.map(({ holder, place }) => `${holder} in ${place}`));
      return sentence`Access will end after ${until}: ${names}.`;
    });
  }

  #endsOf({ urn, type }: Step): readonly NamedEnd[] {
    const ends = this.#over.get(logicalName(urn)) ?? [];
    const inFile = treatmentOf(type)?.inFile;
    return ends.filter(({ what, holder }) => inFile && WHAT.get(inFile.path(holder)[0]) === what);
  }
}

/** The entries of a list for which it is as wanted; another value has none that ends. */
function entriesOf(side: unknown, isOf: (entry: unknown) => boolean, wanted: boolean): unknown {
  if (!Array.isArray(side)) return wanted ? undefined : side;
  const entries = side.filter((entry) => isOf(entry) === wanted);
  return entries.length === 0 ? undefined : entries;
}
