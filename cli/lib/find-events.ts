/**
 * Finds the latest event that fits each difference: who may have changed it, and when. An event is no
 * proof, and a report is complete without it.
 */
import { type EventPlace, nameOfPlace } from "../../provider/api/events";
import { CanceledError } from "../../provider/text/errors";
import type { Unread } from "./access/reading";
import { DAY_MILLISECONDS, withClient } from "./connection";
import type { Subject } from "./event-subjects";
import { EventLists, type LastEvent, lastEventOf } from "./last-event";
import { readCommandSettings } from "./settings";
import { timeOfLastUpdate } from "./stacks";
import type { Terminal } from "./terminal";

/** A bound for what is a note beside the report. */
const MOST_LISTS = 100;

/** An entry of the report whose last event is sought. */
export interface Sought {
  readonly entry: object;
  readonly subject: Subject | "undocumented";
  /** Whose settings read its events; `undefined` if no stack is known to read them. */
  readonly stack: string | undefined;
  readonly isUndeclared: boolean;
}

/** If a stack records no update, the events of this many days count, and always for what is not declared. */
const DAYS_WITHOUT_UPDATE = 30;

/** Events are read as if the service's clock were so far behind: it is known only after the first response. */
const MOST_BEHIND_MILLISECONDS = 3_600_000;

const DELETED = "The project no longer exists, so its events cannot be read.";

const NO_STACK =
  "None of the given stacks has a resource in the organization, so it is unknown whose API key can read the events. Give a single --stack.";

/** What was found for each entry. */
export interface FoundEvents {
  readonly of: ReadonlyMap<object, LastEvent>;
  /** Events that could not be read, or not all of them. */
  readonly unread: readonly Unread[];
}

/** By this machine's clock. */
interface FindOptions {
  /** When the run that is reported began: its own update is not the last one. */
  readonly now: Date;
  /** Older events do not count; default: the beginning of the last update of the stack. */
  readonly since?: Date | undefined;
  /** When the run began, if it makes changes: what no person did from then on may be its own and does not count. */
  readonly until?: Date | undefined;
}

/** @throws CanceledError */
export async function findLastEvents(
  terminal: Terminal,
  sought: readonly Sought[],
  { now, since, until }: FindOptions,
): Promise<FoundEvents> {
  const documented = sought.filter(({ subject }) => subject !== "undocumented");
  const stacks = [...new Set(documented.flatMap(({ stack }) => stack ?? []))];
  const updates = new Map<string | undefined, Date | undefined>();
  for (const stack of stacks) updates.set(stack, since ?? (await timeOfLastUpdate(terminal, stack, now)));
  const longAgo = now.getTime() - DAYS_WITHOUT_UPDATE * DAY_MILLISECONDS;
  const startOf = ({ stack, isUndeclared }: Sought): number => {
    const update = updates.get(stack)?.getTime() ?? longAgo;
    // An update does not touch what is not declared, so an older event may have brought it.
    return isUndeclared && since === undefined ? Math.min(update, longAgo) : update;
  };
  const first = Math.min(...documented.map(startOf)) - MOST_BEHIND_MILLISECONDS;
  const lists = new EventLists(new Date(first), terminal.stop, MOST_LISTS);
  const readers = new Map<string, ReadBy>();
  for (const stack of stacks) {
    const places = sought.flatMap((each) =>
      each.stack === stack && each.subject !== "undocumented" ? [each.subject.place] : [],
    );
    readers.set(stack, await readOfStack(terminal, stack, { lists, places }));
  }
  const found = new Map(
    sought.map((each): [object, LastEvent] => {
      const { entry, subject, stack } = each;
      if (subject === "undocumented") return [entry, { outcome: "undocumented" }];
      if (stack === undefined) {
        lists.noteUnread(nameOfPlace(subject.place), NO_STACK);
        return [entry, { outcome: "unknown" }];
      }
      const list = lists.of(subject.place);
      const { ownKey, ahead = 0 } = readers.get(stack) ?? {};
      const start = startOf(each) + ahead;
      // The service records whole seconds.
      const times = { since: start - (start % 1000), until: until && until.getTime() + ahead };
      const lastEvent = lastEventOf(subject, list, { ...times, ownKey });
      const { deletedProject } = subject;
      // The list of the organization need not have the events of its projects.
      if (deletedProject === undefined || lastEvent.outcome === "found") return [entry, lastEvent];
      lists.noteUnread(nameOfPlace({ projectId: deletedProject }), DELETED);
      return [entry, { outcome: "unknown" }];
    }),
  );
  return { of: found, unread: lists.unread };
}

interface ReadBy {
  /** The public key of the stack. */
  readonly ownKey?: string | undefined;
  /** Milliseconds by which the service's clock is ahead of this machine's. */
  readonly ahead?: number;
}

/**
 * Reads lists with the settings of a stack.
 *
 * @throws CanceledError
 */
async function readOfStack(
  terminal: Terminal,
  stack: string,
  { lists, places }: { readonly lists: EventLists; readonly places: readonly EventPlace[] },
): Promise<ReadBy> {
  let by: ReadBy = {};
  try {
    const { settings } = await readCommandSettings(terminal, stack);
    await withClient(settings, terminal, async (client) => {
      by = { ownKey: client.publicKey };
      await lists.read(client, places);
      by = { ...by, ahead: client.now() - Date.now() };
    });
  } catch (error) {
    if (terminal.stop.aborted) throw new CanceledError("Stopped; no report was written.");
    lists.noteUnread(`stack ${stack}`, error);
  }
  return by;
}
