/**
 * Finds the latest event that fits each difference: who may have changed it, and when. An event is no
 * proof, and the report is complete without it.
 */
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
import { CanceledError, messageOf, OpsManagerError } from "../../provider/text/errors";
import { splitId } from "../../provider/text/object-id";
import { DAY_MILLISECONDS, withClient } from "../lib/connection";
import type { OwnedResource } from "../lib/ownership";
import type { Unread } from "../lib/project-access";
import { readCommandSettings } from "../lib/settings";
import { timeOfLastUpdate } from "../lib/stacks";
import { counted, type Terminal } from "../lib/terminal";
import {
  deletedProjects,
  inDeletedProject,
  organizationOf,
  type Subject,
  subjectOf,
  subjectOfUnmanaged,
} from "./event-subjects";
import { type Finding, type LastEvent, notIgnored, ownable, type Report } from "./report/model";

/** Bounds for what is a note beside the report: lists in a run, and pages in a list. */
const MOST_LISTS = 100;
const MOST_PAGES = 4;

/** An entry of the report whose last event is sought. */
interface Sought {
  readonly entry: object;
  readonly subject: Subject | "undocumented";
  /** Whose settings read its events; `undefined` if no stack is known to read them. */
  readonly stack: string | undefined;
  readonly isUndeclared: boolean;
}

interface LastEventsOptions {
  /** The resources of each checked stack. */
  readonly resources: ReadonlyMap<string, readonly OwnedResource[]>;
  /** Older events do not count; default: the beginning of the last update of the stack. */
  readonly since?: Date | undefined;
}

/** If a stack records no update, the events of this many days count, and always for what is not declared. */
const DAYS_WITHOUT_UPDATE = 30;

const DELETED = "The project no longer exists, so its events cannot be read.";

const NO_STACK =
  "None of the given stacks has a resource in the organization, so it is unknown whose API key can read the events. Give a single --stack.";

/**
 * The report with the last event of each difference that someone may have made outside Pulumi, and of
 * each unmanaged person, team and API key. Ignored ones are left out.
 *
 * @throws CanceledError
 */
export async function withLastEvents(
  terminal: Terminal,
  report: Report,
  { resources, since }: LastEventsOptions,
): Promise<Report> {
  const sought = soughtIn(report, resources);
  const documented = sought.filter(({ subject }) => subject !== "undocumented");
  const stacks = [...new Set(documented.flatMap(({ stack }) => stack ?? []))];
  const updates = new Map<string | undefined, Date | undefined>();
  for (const stack of stacks) updates.set(stack, since ?? (await timeOfLastUpdate(terminal, stack)));
  const longAgo = Date.parse(report.generatedAt) - DAYS_WITHOUT_UPDATE * DAY_MILLISECONDS;
  const startOf = ({ stack, isUndeclared }: Sought): number => {
    const update = updates.get(stack)?.getTime() ?? longAgo;
    // An update does not touch what is not declared, so an older event may have brought it.
    const start = isUndeclared && since === undefined ? Math.min(update, longAgo) : update;
    return start - (start % 1000); // The service records whole seconds.
  };
  const reader = new ListReader(terminal, new Date(Math.min(...documented.map(startOf))));
  for (const stack of stacks) {
    const places = sought.flatMap((each) =>
      each.stack === stack && each.subject !== "undocumented" ? [each.subject.place] : [],
    );
    await reader.read(stack, places);
  }
  const found = new Map(
    sought.map((each): [object, LastEvent] => {
      const { entry, subject, stack } = each;
      if (subject === "undocumented") return [entry, { outcome: "undocumented" }];
      if (stack === undefined) {
        reader.noteUnread(subject.place, NO_STACK);
        return [entry, { outcome: "unknown" }];
      }
      const list = reader.listOf(subject.place);
      const lastEvent = lastEventOf(subject, list, { since: startOf(each), ownKey: reader.keyOf(stack) });
      const { deletedProject } = subject;
      // The list of the organization need not have the events of its projects.
      if (deletedProject === undefined || lastEvent.outcome === "found") return [entry, lastEvent];
      reader.noteUnread({ projectId: deletedProject }, DELETED);
      return [entry, { outcome: "unknown" }];
    }),
  );
  const attributed = <T extends object>(entry: T): T => {
    const lastEvent = found.get(entry);
    return lastEvent === undefined ? entry : { ...entry, lastEvent };
  };
  /** No one is named for an invitation that expired, unless an event shows that it was removed before. */
  const attributedFinding = (finding: Finding): Finding => {
    if (finding.cause !== "expired") return attributed(finding);
    const lastEvent = found.get(finding);
    if (lastEvent?.outcome !== "found") return finding;
    const { expiredAt: _, ...others } = finding;
    return { ...others, cause: "outside", lastEvent };
  };
  const { findings, unmanaged } = report;
  return {
    ...report,
    findings: findings.map(attributedFinding).map(withTrueCause),
    ...(unmanaged && { unmanaged: { ...unmanaged, rows: unmanaged.rows.map(attributed) } }),
    ...(reader.unread.length > 0 && { eventsUnread: reader.unread }),
  };
}

/** What the key of the stack changed was not changed outside Pulumi for certain, declared or not. */
function withTrueCause(finding: Finding): Finding {
  const isByOwnKey = finding.kind === "undeclared" && finding.lastEvent?.isOwnKey === true;
  return isByOwnKey ? { ...finding, cause: "unknown" } : finding;
}

function soughtIn(report: Report, resources: LastEventsOptions["resources"]): Sought[] {
  const orgOf = organizationOf([...resources.values()].flat(), report.unmanaged?.rows);
  const deleted = deletedProjects(report.findings);
  const findings = notIgnored(report.findings)
    // There is no change outside Pulumi if only the program has changed, or if the object is not created yet.
    .filter(
      ({ cause, kind, property }) => cause !== "not-applied" && !(kind === "removed" && property === ""),
    )
    .flatMap((finding): Sought[] => {
      const { stack, urn } = finding;
      const resource = resources.get(stack)?.find((each) => each.urn === urn);
      const found = subjectOf(finding, resource, orgOf);
      if (found === undefined) return [];
      const subject = found === "undocumented" ? found : inDeletedProject(found, deleted, orgOf);
      return [{ entry: finding, subject, stack, isUndeclared: finding.kind === "undeclared" }];
    });
  const unmanaged = notIgnored(ownable(report)).flatMap((entry): Sought[] => {
    const subject = subjectOfUnmanaged(entry, orgOf);
    if (subject === undefined) return [];
    const { place, orgId = orgOf(place.id) } = entry;
    const stack = stackFor([place.id, orgId], resources);
    return [{ entry, subject, stack, isUndeclared: true }];
  });
  return [...findings, ...unmanaged];
}

/**
 * A stack whose key reads the places of an unmanaged object: one that has a resource there, or the
 * only stack. Other stacks may belong to another service.
 *
 * @param places a project, a team or an organization, and its organization
 */
function stackFor(
  places: readonly (string | undefined)[],
  resources: LastEventsOptions["resources"],
): string | undefined {
  const isThere = ({ id = "", outputs }: OwnedResource) =>
    places.some((place) => place !== undefined && [splitId(id).placeId, outputs?.orgId].includes(place));
  const stacks = [...resources.keys()];
  const own = stacks.find((stack) => resources.get(stack)?.some(isThere));
  return own ?? (stacks.length === 1 ? stacks[0] : undefined);
}

/** Reads the list of each place once, for all stacks. */
class ListReader {
  readonly #lists = new Map<string, EventList | undefined>();
  readonly #unread = new Map<string, string>();
  readonly #keys = new Map<string, string | undefined>();

  constructor(
    private readonly terminal: Terminal,
    private readonly since: Date,
  ) {}

  /** `undefined` if it could not be read. */
  listOf(place: EventPlace): EventList | undefined {
    return this.#lists.get(nameOfPlace(place));
  }

  /** The public key of a stack. */
  keyOf(stack: string): string | undefined {
    return this.#keys.get(stack);
  }

  get unread(): Unread[] {
    return [...this.#unread].map(([what, reason]) => ({ what, reason }));
  }

  /** @throws CanceledError */
  async read(stack: string, places: readonly EventPlace[]): Promise<void> {
    const byName = new Map(places.map((place) => [nameOfPlace(place), place]));
    const missing = [...byName].filter(([name]) => this.#lists.get(name) === undefined);
    const read = missing.slice(0, Math.max(0, MOST_LISTS - this.#lists.size));
    const left = missing.length - read.length;
    if (left > 0) {
      const reason = `One run reads the events of ${MOST_LISTS} projects and organizations at most.`;
      this.#unread.set(
        counted(left, "more project or organization", "more projects and organizations"),
        reason,
      );
    }
    try {
      const { settings } = await readCommandSettings(this.terminal, stack);
      await withClient(settings, this.terminal, async (client) => {
        this.#keys.set(stack, client.publicKey);
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
      this.#lists.set(name, list);
      this.#unread.delete(name);
      if (list.isCut)
        this.#unread.set(name, `It has more than ${MOST_PAGES * ITEMS_PER_PAGE} events since then.`);
    } catch (error) {
      this.note(name, error);
    }
  }

  noteUnread(place: EventPlace, reason: string): void {
    this.#unread.set(nameOfPlace(place), reason);
  }

  private note(what: string, error: unknown): void {
    if (this.terminal.stop.aborted) throw new CanceledError("Stopped; no report was written.");
    if (!(error instanceof OpsManagerError)) throw error;
    const reason = isOperationNotOffered(error) ? "The service does not offer events." : messageOf(error);
    this.#unread.set(what, reason);
  }
}

function lastEventOf(
  subject: Subject,
  list: EventList | undefined,
  { since, ownKey }: { readonly since: number; readonly ownKey: string | undefined },
): LastEvent {
  if (list === undefined) return { outcome: "unknown" };
  const { events } = list;
  const oldest = events.at(-1);
  const newestFirst = isNewestFirst(events);
  const reachesBack = oldest !== undefined && newestFirst && timeOf(oldest) < since;
  const isCut = list.isCut && !reachesBack;
  const types = new Set([...subject.documented, ...subject.others]);
  const fitting = events.filter(
    (event) => types.has(event.type) && timeOf(event) >= since && subject.isTarget(event),
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
