/**
 * Finds the latest event that fits each difference: who may have changed it, and when. An event is no
 * proof, and the report is complete without it.
 */
import { type EventPlace, nameOfPlace } from "../../provider/api/events";
import { CanceledError } from "../../provider/text/errors";
import { splitId } from "../../provider/text/object-id";
import { DAY_MILLISECONDS, withClient } from "../lib/connection";
import type { Subject } from "../lib/event-subjects";
import { EventLists, type LastEvent, lastEventOf } from "../lib/last-event";
import type { OwnedResource } from "../lib/ownership";
import { readCommandSettings } from "../lib/settings";
import { timeOfLastUpdate } from "../lib/stacks";
import type { Terminal } from "../lib/terminal";
import {
  deletedProjects,
  inDeletedProject,
  organizationOf,
  subjectOf,
  subjectOfUnmanaged,
} from "./event-subjects";
import { type Finding, notIgnored, ownable, type Report } from "./report/model";

/** A bound for what is a note beside the report. */
const MOST_LISTS = 100;

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
  const lists = new EventLists(new Date(Math.min(...documented.map(startOf))), terminal.stop, MOST_LISTS);
  const ownKeys = new Map<string, string | undefined>();
  for (const stack of stacks) {
    const places = sought.flatMap((each) =>
      each.stack === stack && each.subject !== "undocumented" ? [each.subject.place] : [],
    );
    ownKeys.set(stack, await readOfStack(terminal, stack, { lists, places }));
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
      const lastEvent = lastEventOf(subject, list, { since: startOf(each), ownKey: ownKeys.get(stack) });
      const { deletedProject } = subject;
      // The list of the organization need not have the events of its projects.
      if (deletedProject === undefined || lastEvent.outcome === "found") return [entry, lastEvent];
      lists.noteUnread(nameOfPlace({ projectId: deletedProject }), DELETED);
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
    ...(lists.unread.length > 0 && { eventsUnread: lists.unread }),
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

/**
 * Reads lists with the settings of a stack.
 *
 * @returns the public key of the stack
 * @throws CanceledError
 */
async function readOfStack(
  terminal: Terminal,
  stack: string,
  { lists, places }: { readonly lists: EventLists; readonly places: readonly EventPlace[] },
): Promise<string | undefined> {
  let ownKey: string | undefined;
  try {
    const { settings } = await readCommandSettings(terminal, stack);
    await withClient(settings, terminal, async (client) => {
      ownKey = client.publicKey;
      await lists.read(client, places);
    });
  } catch (error) {
    if (terminal.stop.aborted) throw new CanceledError("Stopped; no report was written.");
    lists.noteUnread(`stack ${stack}`, error);
  }
  return ownKey;
}
