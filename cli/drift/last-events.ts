/** The last event of each entry of the drift report. */
import { splitId } from "../../provider/text/object-id";
import type { OwnedResource } from "../lib/access/declared";
import {
  deletedProjects,
  inDeletedProject,
  organizationOf,
  subjectOf,
  subjectOfUnmanaged,
} from "../lib/difference-subjects";
import { findLastEvents, type Sought } from "../lib/find-events";
import type { Terminal } from "../lib/terminal";
import { type Finding, notIgnored, ownable, type Report } from "./report/model";

interface LastEventsOptions {
  /** The resources of each checked stack. */
  readonly resources: ReadonlyMap<string, readonly OwnedResource[]>;
  /** Older events do not count; default: the beginning of the last update of the stack. */
  readonly since?: Date | undefined;
}

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
  const found = await findLastEvents(terminal, sought, { now: new Date(report.generatedAt), since });
  const attributed = <T extends object>(entry: T): T => {
    const lastEvent = found.of.get(entry);
    return lastEvent === undefined ? entry : { ...entry, lastEvent };
  };
  /** No one is named for an invitation that expired, unless an event shows that it was removed before. */
  const attributedFinding = (finding: Finding): Finding => {
    if (finding.cause !== "expired") return attributed(finding);
    const lastEvent = found.of.get(finding);
    if (lastEvent?.outcome !== "found") return finding;
    const { expiredAt: _, ...others } = finding;
    return { ...others, cause: "outside", lastEvent };
  };
  const { findings, unmanaged } = report;
  return {
    ...report,
    findings: findings.map(attributedFinding).map(withTrueCause),
    ...(unmanaged && { unmanaged: { ...unmanaged, rows: unmanaged.rows.map(attributed) } }),
    ...(found.unread.length > 0 && { eventsUnread: [...found.unread] }),
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
