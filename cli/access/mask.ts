/** `--mask-people`: the report without the names of people. */
import { maskOf } from "../lib/mask";
import type { AccessEntry, AccessReport, FoundKey, FoundPerson } from "./report";

/**
 * Replaces the name that was searched, the names of the others, and every email address with pseudonyms.
 *
 * @param others everyone whose name a project, a team or a resource could have in its own
 */
export function maskedReport(report: AccessReport, others: readonly string[]): AccessReport {
  const { name, found, unknown } = report;
  const mask = maskOf([
    ...others,
    // A key's public key is no name of a person.
    ...(found.some(({ kind }) => kind === "key") ? [] : [name]),
    ...found.flatMap((subject) =>
      subject.kind === "key" ? [] : subject.accounts.map(({ username }) => username),
    ),
  ]);
  const maybe = (text: string | undefined) => (text === undefined ? undefined : mask(text));
  const maskedEntry = (entry: AccessEntry): AccessEntry => ({
    ...entry,
    projectName: maybe(entry.projectName),
    teamName: maybe(entry.teamName),
    declaredBy: entry.declaredBy?.map(mask),
  });
  const maskedSubject = (subject: FoundPerson | FoundKey): FoundPerson | FoundKey => {
    const access = subject.access.map(maskedEntry);
    if (subject.kind === "key") return { ...subject, access, description: maybe(subject.description) };
    const accounts = subject.accounts.map((account) => ({ ...account, username: mask(account.username) }));
    return { ...subject, access, accounts };
  };
  return {
    ...report,
    name: mask(name),
    found: found.map(maskedSubject),
    unknown: unknown.map(({ what, reason }) => ({ what: mask(what), reason: mask(reason) })),
  };
}
