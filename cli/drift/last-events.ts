/**
 * Finds the latest event that fits each difference: who may have changed it, and when. An event is no
 * proof, and the report is complete without it.
 */
import type { ApiClient } from "../../provider/api/client";
import { type EventList, type EventPlace, type EventResponse, readEvents } from "../../provider/api/events";
import { withoutUndefined } from "../../provider/resources/contract/values";
import { isOperationNotOffered } from "../../provider/resources/evidence/meaning";
import { CanceledError, messageOf, OpsManagerError } from "../../provider/text/errors";
import { splitId } from "../../provider/text/object-id";
import { DAY_MILLISECONDS, withClient } from "../connection";
import type { Unread } from "../project-access";
import { readCommandSettings } from "../settings";
import { counted, type Terminal } from "../terminal";
import { organizationOf, type Subject, subjectOf, subjectOfUnmanaged } from "./event-subjects";
import type { OwnedResource } from "./ownership";
import {
  type DriftReport,
  type LastEvent,
  mapUnmanaged,
  notIgnored,
  type UnmanagedEntry,
  unmanagedEntries,
} from "./report";
import { timeOfLastUpdate } from "./stacks";

/** Bounds for what is a note beside the report: lists in a run, and pages of 500 events in a list. */
const MOST_LISTS = 100;
const MOST_PAGES = 4;

/** An entry of the report whose last event is sought. */
interface Sought {
  readonly entry: object;
  readonly subject: Subject | "undocumented";
  readonly stack: string;
}

interface LastEventsOptions {
  /** The resources of each checked stack. */
  readonly resources: ReadonlyMap<string, readonly OwnedResource[]>;
  /** Older events do not count; default: the end of the last update of the stack. */
  readonly since?: Date | undefined;
}

/** If a stack records no update, the events of this many days count. */
const DAYS_WITHOUT_UPDATE = 30;

/**
 * The report with the last event of each difference that someone may have made outside Pulumi, and of
 * each unmanaged person, team and API key. Ignored ones are left out.
 *
 * @throws CanceledError
 */
export async function withLastEvents(
  terminal: Terminal,
  report: DriftReport,
  { resources, since }: LastEventsOptions,
): Promise<DriftReport> {
  const sought = soughtIn(report, resources);
  const stacks = [
    ...new Set(sought.filter(({ subject }) => subject !== "undocumented").map(({ stack }) => stack)),
  ];
  const times = new Map<string, number>();
  for (const stack of stacks) times.set(stack, await startOf(terminal, stack, since, report.generatedAt));
  const reader = new ListReader(terminal, new Date(Math.min(...times.values())));
  for (const stack of stacks) {
    const places = sought.flatMap((each) =>
      each.stack === stack && each.subject !== "undocumented" ? [each.subject.place] : [],
    );
    await reader.read(stack, places);
  }
  const found = new Map(
    sought.map(({ entry, subject, stack }): [object, LastEvent] => [
      entry,
      subject === "undocumented"
        ? { outcome: "undocumented" }
        : lastEventOf(subject, reader.listOf(subject.place), times.get(stack) ?? 0),
    ]),
  );
  const attributed = <T extends object>(entry: T): T => {
    const lastEvent = found.get(entry);
    return lastEvent === undefined ? entry : { ...entry, lastEvent };
  };
  const { findings, unmanaged } = report;
  return {
    ...report,
    findings: findings.map(attributed),
    ...(unmanaged && { unmanaged: mapUnmanaged(unmanaged, attributed) }),
    ...(reader.unread.length > 0 && { eventsUnread: reader.unread }),
  };
}

/** From when on events count for a stack, in whole seconds, as the service records them. */
async function startOf(
  terminal: Terminal,
  stack: string,
  since: Date | undefined,
  generatedAt: string,
): Promise<number> {
  const start = since ?? (await timeOfLastUpdate(terminal, stack));
  const time = start?.getTime() ?? Date.parse(generatedAt) - DAYS_WITHOUT_UPDATE * DAY_MILLISECONDS;
  return time - (time % 1000);
}

function soughtIn(report: DriftReport, resources: LastEventsOptions["resources"]): Sought[] {
  const orgOf = organizationOf([...resources.values()].flat());
  const findings = notIgnored(report.findings)
    // There is no change outside Pulumi if only the program has changed, or if the object is not created yet.
    .filter(
      ({ cause, kind, property }) => cause !== "not-applied" && !(kind === "removed" && property === ""),
    )
    .flatMap((finding): Sought[] => {
      const { stack, urn } = finding;
      const resource = resources.get(stack)?.find((each) => each.urn === urn);
      const subject = subjectOf(finding, resource, orgOf);
      return subject === undefined ? [] : [{ entry: finding, subject, stack }];
    });
  const unmanaged = notIgnored(unmanagedEntries(report.unmanaged)).flatMap((entry): Sought[] => {
    const subject = subjectOfUnmanaged(entry, orgOf);
    const stack = stackFor(entry, resources);
    return subject === undefined || stack === undefined ? [] : [{ entry: entry.object, subject, stack }];
  });
  return [...findings, ...unmanaged];
}

/** A stack whose key reads the place of an unmanaged object: one that has a resource there, or else the first. */
function stackFor(
  { container, orgId }: UnmanagedEntry,
  resources: LastEventsOptions["resources"],
): string | undefined {
  const isThere = ({ id = "", outputs }: OwnedResource) =>
    splitId(id).ownerId === container.id ||
    [container.id, orgId].some((each) => each !== undefined && each === outputs?.orgId);
  const stacks = [...resources.keys()];
  return stacks.find((stack) => resources.get(stack)?.some(isThere)) ?? stacks[0];
}

/** The events of a place that was read, and the key that has read them. */
interface ReadList extends EventList {
  readonly ownKey: string | undefined;
}

/** Reads the list of each place once, for all stacks. */
class ListReader {
  readonly unread: Unread[] = [];
  readonly #lists = new Map<string, ReadList | undefined>();

  constructor(
    private readonly terminal: Terminal,
    private readonly since: Date,
  ) {}

  /** `undefined` if it could not be read. */
  listOf(place: EventPlace): ReadList | undefined {
    return this.#lists.get(nameOf(place));
  }

  /** @throws CanceledError */
  async read(stack: string, places: readonly EventPlace[]): Promise<void> {
    const byName = new Map(places.map((place) => [nameOf(place), place]));
    const missing = [...byName].filter(([name]) => !this.#lists.has(name));
    const read = missing.slice(0, Math.max(0, MOST_LISTS - this.#lists.size));
    const left = missing.length - read.length;
    if (left > 0) {
      const reason = `One run reads the events of ${MOST_LISTS} projects and organizations at most.`;
      this.unread.push({
        what: counted(left, "more project or organization", "more projects and organizations"),
        reason,
      });
    }
    try {
      const { settings } = await readCommandSettings(this.terminal, stack);
      await withClient(settings, this.terminal, async (client) => {
        await Promise.all(read.map(([name, place]) => this.readPlace(client, name, place)));
      });
    } catch (error) {
      this.note(`stack ${stack}`, error);
    }
  }

  private async readPlace(client: ApiClient, name: string, place: EventPlace): Promise<void> {
    this.#lists.set(name, undefined);
    const { since } = this;
    const options = { since, mostPages: MOST_PAGES, signal: this.terminal.stop };
    try {
      const list = await readEvents(client, place, options);
      this.#lists.set(name, { ...list, ownKey: client.publicKey });
      if (list.isCut)
        this.unread.push({ what: name, reason: `It has more than ${MOST_PAGES * 500} events since then.` });
    } catch (error) {
      this.note(name, error);
    }
  }

  private note(what: string, error: unknown): void {
    if (this.terminal.stop.aborted) throw new CanceledError("Stopped; no report was written.");
    if (!(error instanceof OpsManagerError)) throw error;
    const reason = isOperationNotOffered(error) ? "The service does not offer events." : messageOf(error);
    this.unread.push({ what, reason });
  }
}

function nameOf(place: EventPlace): string {
  return "projectId" in place ? `project ${place.projectId}` : `organization ${place.orgId}`;
}

function lastEventOf(subject: Subject, list: ReadList | undefined, since: number): LastEvent {
  if (list === undefined) return { outcome: "unknown" };
  const { events, isCut, ownKey } = list;
  const types = new Set([...subject.documented, ...subject.others]);
  const fitting = events.filter(
    (event) => types.has(event.type) && timeOf(event) >= since && subject.isTarget(event),
  );
  // Of a list that was not read to its end, the latest event is known only if the list begins with it.
  if (isCut && (fitting.length === 0 || !isNewestFirst(events))) return { outcome: "unknown" };
  const latest = isNewestFirst(events) ? latestOf(fitting) : latestOf(fitting.toReversed());
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
