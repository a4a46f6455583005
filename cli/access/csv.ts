/** The report as CSV (RFC 4180): a line for each way of access, for a periodic review in a spreadsheet. */
import { visibleText } from "../../provider/text/visible-text";
import type { AccessEntry, AccessReport, Found } from "../lib/access/report";
import { resourceText } from "../lib/own-resources";

type Column = readonly [name: string, read: (found: Found, entry: AccessEntry) => string | undefined];

const columns: readonly Column[] = [
  ["kind", ({ kind }) => kind],
  ["name", nameOf],
  ["id", (found) => idOf(found)],
  ["in", (_, entry) => entry.in],
  ["organization", (_, { orgName }) => orgName],
  ["organization id", (_, { orgId }) => orgId],
  ["project", (_, { projectName }) => projectName],
  ["project id", (_, { projectId }) => projectId],
  ["team", (_, { teamName }) => teamName],
  ["team id", (_, { teamId }) => teamId],
  ["status", (_, { status }) => status],
  ["roles", (_, { roles }) => roles.join(" ")],
  ["declared by", (_, { declaredBy }) => (declaredBy ? declaredBy.map(resourceText).join(" ") : "unknown")],
  ["other declared roles", (_, { declaredRoles }) => declaredRoles?.join(" ")],
  ["until", (_, { until }) => until],
  ["ended", (_, { endedAt }) => endedAt],
  ["overdue since", (_, { overdueSince }) => overdueSince],
  ["overdue because", (_, { overdueReason }) => overdueReason],
  ["expires", (_, { expiresAt }) => expiresAt],
  ["last matching event", (_, { lastEvent }) => lastEvent?.time ?? lastEvent?.outcome],
  ["by", (_, { lastEvent }) => lastEvent?.username ?? lastEvent?.publicKey],
];

export function csv({ found }: AccessReport): string {
  const rows = found.flatMap((each) =>
    each.access.map((entry) => columns.map(([, read]) => read(each, entry) ?? "")),
  );
  const lines = [columns.map(([name]) => name), ...rows].map((cells) => cells.map(cell).join(","));
  return lines.map((line) => `${line}\r\n`).join("");
}

function nameOf(found: Found): string {
  return found.kind === "key" ? found.description || found.publicKey : found.name;
}

function idOf(found: Found): string {
  if (found.kind === "group") return found.property;
  return found.kind === "key" ? found.publicKey : found.accounts.map(({ userId }) => userId).join(" ");
}

/**
 * A spreadsheet takes text that begins like a formula for one, whoever wrote it. An apostrophe before it makes it
 * text (OWASP, CSV Injection).
 */
function cell(value: string): string {
  const text = visibleText(value);
  const harmless = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
