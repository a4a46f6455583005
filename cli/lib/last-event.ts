/** The latest event that fits an access or a difference: who may have changed it, and when. */
import type { ApiClient } from "../../provider/api/client";
import {
  type EventList,
  type EventPlace,
  type EventResponse,
  nameOfPlace,
  readEvents,
} from "../../provider/api/events";
import { ITEMS_PER_PAGE } from "../../provider/api/pages";
import { withoutUndefined } from "../../provider/resources/contract/values";
import { isOperationNotOffered } from "../../provider/resources/evidence/meaning";
import { messageOf, OpsManagerError } from "../../provider/text/errors";
import { visibleText } from "../../provider/text/visible-text";
import type { Unread } from "./access/reading";
import { DAY_MILLISECONDS } from "./connection";
import type { Subject } from "./event-subjects";
import { counted } from "./terminal";

/** What the events show, which proves nothing: another event may be the cause. */
export interface LastEvent {
  /**
   * `none`: the service lists no matching event since then. `undocumented`: no event of this kind is documented,
   * and none was found. `unknown`: the events could not be read, or not all of them.
   */
  readonly outcome: "found" | "none" | "undocumented" | "unknown";
  /** ISO 8601, UTC. */
  readonly time?: string | undefined;
  readonly type?: string | undefined;
  /** The person who acted. */
  readonly username?: string | undefined;
  /** The API key that acted. */
  readonly publicKey?: string | undefined;
  /** It is the API key of the command. */
  readonly isOwnKey?: true | undefined;
  readonly address?: string | undefined;
}

/** How far back events are looked up for a review: most organizations review access at least once a year. */
export const DAYS_OF_EVENTS = 365;

export function reviewSince(): Date {
  return new Date(Date.now() - DAYS_OF_EVENTS * DAY_MILLISECONDS);
}

/** Pages that are read of one list: a bound for what is a note beside a report. */
const MOST_PAGES = 4;

/** Reads the list of each place once. */
export class EventLists {
  readonly #lists = new Map<string, EventList | undefined>();
  readonly #unread = new Map<string, string>();

  /** @param most lists that are read at most */
  constructor(
    private readonly since: Date,
    private readonly signal: AbortSignal,
    private readonly most = Number.POSITIVE_INFINITY,
  ) {}

  /** `undefined` if it could not be read. */
  of(place: EventPlace): EventList | undefined {
    return this.#lists.get(nameOfPlace(place));
  }

  get unread(): Unread[] {
    return [...this.#unread].map(([what, reason]) => ({ what, reason }));
  }

  /** @throws the reason with which the signal was aborted */
  async read(client: ApiClient, places: readonly EventPlace[]): Promise<void> {
    const byName = new Map(places.map((place) => [nameOfPlace(place), place]));
    const missing = [...byName].filter(([name]) => this.#lists.get(name) === undefined);
    const read = missing.slice(0, Math.max(0, this.most - this.#lists.size));
    const left = missing.length - read.length;
    if (left > 0) {
      const what = counted(left, "more project or organization", "more projects and organizations");
      const reason = `One run reads the events of ${this.most} projects and organizations at most.`;
      this.#unread.set(what, reason);
    }
    await Promise.all(read.map(([name, place]) => this.#readPlace(client, name, place)));
  }

  async #readPlace(client: ApiClient, name: string, place: EventPlace): Promise<void> {
    this.#lists.set(name, undefined);
    const { since, signal } = this;
    try {
      const list = await readEvents(client, place, { since, mostPages: MOST_PAGES, signal });
      this.#lists.set(name, list);
      this.#unread.delete(name);
      if (list.isCut)
        this.#unread.set(name, `It has more than ${MOST_PAGES * ITEMS_PER_PAGE} events since then.`);
    } catch (error) {
      this.noteUnread(name, error);
    }
  }

  /**
   * @param reason why it was not read; an error of the service is one
   * @throws the reason with which the signal was aborted, and an error that is none of the service
   */
  noteUnread(what: string, reason: unknown): void {
    this.signal.throwIfAborted();
    if (typeof reason === "string") this.#unread.set(what, reason);
    else if (!(reason instanceof OpsManagerError)) throw reason;
    else
      this.#unread.set(
        what,
        isOperationNotOffered(reason) ? "The service does not offer events." : messageOf(reason),
      );
  }
}

/** After what the command signs in with. */
export const OF_THIS_COMMAND = " (the one of this command)";

/** `2026-11-24 10:02 UTC by mallory@example.com from 192.0.2.7`; the outcome if no event was found. */
export function eventText({ outcome, time = "", username, publicKey, isOwnKey, address }: LastEvent): string {
  if (outcome !== "found") return outcome;
  const key = publicKey && `API key ${publicKey}${isOwnKey ? OF_THIS_COMMAND : ""}`;
  const [by, from] = [username ?? key, address].map((each) => each && visibleText(each));
  return `${timeText(time)}${by ? ` by ${by}` : ""}${from ? ` from ${from}` : ""}`;
}

/** A time to the minute: `2026-11-23 06:00 UTC`. */
export function timeText(iso: string): string {
  return `${iso.slice(0, "2026-11-23T06:00".length).replace("T", " ")} UTC`;
}

/**
 * @param list `undefined` if it could not be read
 * @param options in milliseconds. `since`: older events do not count. `until`: when a run of changes began; what no person
 * did from then on may be its own and does not count
 */
export function lastEventOf(
  subject: Subject,
  list: EventList | undefined,
  {
    since,
    until = Number.POSITIVE_INFINITY,
    ownKey,
  }: { readonly since: number; readonly until?: number | undefined; readonly ownKey: string | undefined },
): LastEvent {
  if (list === undefined) return { outcome: "unknown" };
  const { events } = list;
  const oldest = events.at(-1);
  const newestFirst = isNewestFirst(events);
  const reachesBack = oldest !== undefined && newestFirst && timeOf(oldest) < since;
  const isCut = list.isCut && !reachesBack;
  const types = new Set([...subject.documented, ...subject.others]);
  // Runs sign in with keys, whichever provider of a stack it is, and the service records whole seconds.
  const isOfRun = (event: EventResponse) => event.username === undefined && timeOf(event) > until - 1000;
  const fitting = events.filter(
    (event) => types.has(event.type) && timeOf(event) >= since && !isOfRun(event) && subject.isTarget(event),
  );
  // Of a list that was not read to its end, the latest event is known only if the list begins with it.
  if (isCut && (fitting.length === 0 || !newestFirst)) return { outcome: "unknown" };
  const latest = newestFirst ? latestOf(fitting) : latestOf(fitting.toReversed());
  if (latest === undefined) return { outcome: subject.documented.length === 0 ? "undocumented" : "none" };
  const { type, username, publicKey, remoteAddress } = latest;
  return withoutUndefined({
    outcome: "found",
    time: new Date(timeOf(latest)).toISOString(),
    type,
    username,
    publicKey,
    isOwnKey: publicKey !== undefined && publicKey === ownKey ? true : undefined,
    address: remoteAddress,
  });
}

const timeOf = ({ createdAt }: EventResponse): number => Date.parse(createdAt);

function isNewestFirst(events: readonly EventResponse[]): boolean {
  const [first, last] = [events[0], events.at(-1)];
  return first === undefined || last === undefined || timeOf(first) >= timeOf(last);
}

/** The first of the latest: several may have the same second. */
function latestOf(events: readonly EventResponse[]): EventResponse | undefined {
  const [first, ...others] = events;
  return first && others.reduce((latest, event) => (timeOf(event) > timeOf(latest) ? event : latest), first);
}
