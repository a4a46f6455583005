/** Since when, and by whom, and who was removed, as far as events show. */
import { foldName } from "../../provider/access/person";
import type { ApiClient } from "../../provider/api/client";
import type { EventPlace } from "../../provider/api/events";
import { inOrder } from "../../provider/resources/contract/values";
import {
  type AccessEntry,
  type AccessReport,
  accessOf,
  type Found,
  type FoundPerson,
  type RemovedAccess,
} from "../lib/access/report";
import { type Subject, subjectOfAccess } from "../lib/event-subjects";
import { EventLists, lastEventOf } from "../lib/last-event";

/**
 * The report with the latest event that gave each access: how a person came in or got roles, and likewise for teams
 * and API keys, or of what has ended, that took it away; and with the people who were removed. An event doesn't prove it, and
 * the report is complete without.
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
  // Whoever was removed is nowhere else.
  const { searched, projects } = report;
  await lists.read(client, [
    ...subjects.map(({ place }) => place),
    ...searched.map(({ orgId }) => ({ orgId })),
    ...projects.map(({ projectId }) => ({ projectId })),
  ]);
  const options = { since: since.getTime(), ownKey: client.publicKey };
  const attributed =
    (found: Found) =>
    (entry: AccessEntry): AccessEntry => {
      const subject = subjectOf(found, entry);
      if (subject === undefined) return entry;
      return { ...entry, lastEvent: lastEventOf(subject, lists.of(subject.place), options) };
    };
  const all = report.found.map((found) => ({ ...found, access: found.access.map(attributed(found)) }));
  return {
    ...report,
    found: all,
    removed: removedIn(report, lists, options),
    eventsSince: since.toISOString(),
    eventsUnread: lists.unread,
  };
}

/**
 * How it was given, or of one that has ended, how it was taken away.
 *
 * @returns `undefined` if nothing was read or is there, or if no event is documented: of groups, and of global roles
 */
function subjectOf(found: Found, entry: AccessEntry): Subject | undefined {
  const access = entry.isOutside ? undefined : accessOf(found, entry);
  return access && subjectOfAccess(access, entry.status === "ended" ? "removed" : "added");
}

/** Who was removed from where, by the events that were read, and is not there now: each once, the latest first. */
function removedIn(
  { found, name, searched, projects }: AccessReport,
  lists: EventLists,
  options: { readonly since: number; readonly ownKey: string | undefined },
): RemovedAccess[] {
  const people = found.filter((each) => each.kind === "person");
  const present = peopleByPlace(people);
  // With a name, all that were found are the one person.
  const sought = name === undefined ? undefined : new Set([foldName(name), ...people.flatMap(foldedNames)]);
  const removedFrom = (where: Omit<RemovedAccess, "username" | "lastEvent">, place: EventPlace) => {
    const id = idOf(where);
    const list = lists.of(place);
    const targets = new Map(
      (list?.events ?? []).flatMap(({ targetUsername }) =>
        targetUsername === undefined ? [] : [[foldName(targetUsername), targetUsername] as const],
      ),
    );
    return [...targets].flatMap(([folded, username]): RemovedAccess[] => {
      if (present.get(id)?.has(folded) || sought?.has(folded) === false) return [];
      const access = { holder: { kind: "person", username }, place: { kind: where.in, id } } as const;
      const subject = subjectOfAccess(access, "removed");
      const lastEvent = subject && lastEventOf(subject, list, options);
      return lastEvent?.outcome === "found" ? [{ ...where, username, lastEvent }] : [];
    });
  };
  return [
    ...searched.flatMap(({ orgId, orgName }) =>
      removedFrom({ in: "organization", orgId, orgName }, { orgId }),
    ),
    ...projects.flatMap(({ unread: _, ...project }) =>
      removedFrom({ in: "project", ...project }, { projectId: project.projectId }),
    ),
  ].sort((one, other) => inOrder(other.lastEvent.time ?? "", one.lastEvent.time ?? ""));
}

/** By the ID of an organization or project, who is in it by an access of their own. */
function peopleByPlace(people: readonly FoundPerson[]): ReadonlyMap<string, ReadonlySet<string>> {
  const places = new Map<string, Set<string>>();
  for (const person of people) {
    const names = foldedNames(person);
    for (const entry of person.access) {
      if (entry.teamId !== undefined) continue;
      const present = places.get(idOf(entry)) ?? new Set();
      places.set(idOf(entry), present);
      for (const name of names) present.add(name);
    }
  }
  return places;
}

function idOf({ in: place, orgId, projectId }: Pick<AccessEntry, "in" | "orgId" | "projectId">): string {
  return (place === "project" ? projectId : orgId) ?? "";
}

function foldedNames({ name, accounts }: FoundPerson): string[] {
  return [name, ...accounts.map(({ username }) => username)].map(foldName);
}
