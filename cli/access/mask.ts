/** `--mask-people`: the report without the names of people. */

import type { Unread } from "../lib/access/reading";
import type { AccessEntry, AccessReport, Found } from "../lib/access/report";
import { maskOf, pseudonymOf } from "../lib/mask";

/**
 * Replaces the name that was searched, the names of the others, and every email address with pseudonyms.
 *
 * @param others everyone whose name a project, a team or a resource could have in its own
 */
export function maskedReport(report: AccessReport, others: readonly string[]): AccessReport {
  const { name, found, unknown, eventsUnread } = report;
  const mask = maskOf([
    ...others,
    // The public key of an API key doesn't name a person.
    ...(name === undefined || found.some(({ kind }) => kind === "key") ? [] : [name]),
    ...found.flatMap((subject) =>
      subject.kind === "person" ? [subject.name, ...subject.accounts.map(({ username }) => username)] : [],
    ),
  ]);
  const maskedUnread = ({ what, reason }: Unread): Unread => ({ what: mask(what), reason: mask(reason) });
  const maybe = (text: string | undefined) => (text === undefined ? undefined : mask(text));
  const maskedEntry = (entry: AccessEntry): AccessEntry => ({
    ...entry,
    projectName: maybe(entry.projectName),
    teamName: maybe(entry.teamName),
    declaredBy: entry.declaredBy?.map(mask),
    lastEvent: entry.lastEvent && {
      ...entry.lastEvent,
      username: entry.lastEvent.username && pseudonymOf(entry.lastEvent.username),
      // An address identifies the person who used it.
      address: entry.lastEvent.address && "[masked]",
    },
  });
  const maskedSubject = (subject: Found): Found => {
    const access = subject.access.map(maskedEntry);
    if (subject.kind === "group") return { ...subject, access, name: mask(subject.name) };
    if (subject.kind === "key") return { ...subject, access, description: maybe(subject.description) };
    const accounts = subject.accounts.map((account) => ({ ...account, username: mask(account.username) }));
    return { ...subject, access, name: mask(subject.name), accounts };
  };
  return {
    ...report,
    name: maybe(name),
    found: found.map(maskedSubject),
    unknown: unknown.map(maskedUnread),
    eventsUnread: eventsUnread?.map(maskedUnread),
  };
}
