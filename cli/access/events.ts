/** Since when, and by whom, as far as events show. */
import type { ApiClient } from "../../provider/api/client";
import { type AccessEntry, type AccessReport, accessOf, type Found } from "../lib/access/report";
import { type Subject, subjectOfAccess } from "../lib/event-subjects";
import { EventLists, lastEventOf } from "../lib/last-event";

/**
 * The report with the latest event that gave each access: how a person came in or got roles, and likewise for teams
 * and API keys. An event doesn't prove it, and the report is complete without.
 *
 * @param since older events do not count
 * @throws the reason with which `signal` was aborted
 */
export async function withEvents(
  report: AccessReport,
  {
    client,
    since,
    signal,
  }: { readonly client: ApiClient; readonly since: Date; readonly signal: AbortSignal },
): Promise<AccessReport> {
  const lists = new EventLists(since, signal);
  const subjects = report.found.flatMap((found) =>
    found.access.flatMap((entry) => subjectOf(found, entry) ?? []),
  );
  await lists.read(
    client,
    subjects.map(({ place }) => place),
  );
  const options = { since: since.getTime(), ownKey: client.publicKey };
  const attributed =
    (found: Found) =>
    (entry: AccessEntry): AccessEntry => {
      const subject = subjectOf(found, entry);
      if (subject === undefined) return entry;
      return { ...entry, lastEvent: lastEventOf(subject, lists.of(subject.place), options) };
    };
  return {
    ...report,
    found: report.found.map((found) => ({ ...found, access: found.access.map(attributed(found)) })),
    eventsSince: since.toISOString(),
    eventsUnread: lists.unread,
  };
}

/** @returns `undefined` if nothing was read or is there, or if no event is documented: of groups, and of global roles */
function subjectOf(found: Found, entry: AccessEntry): Subject | undefined {
  const access = entry.isOutside || entry.status === "ended" ? undefined : accessOf(found, entry);
  return access && subjectOfAccess(access, "added");
}
