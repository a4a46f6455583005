/**
 * The report as CSV (RFC 4180), for a periodic review in a spreadsheet: a line for each holder, place and way. Roles from
 * above have a line in each project below, so that a filter by project shows everyone.
 */
import { visibleText } from "../../provider/text/visible-text";
import type { AccessEntry, AccessReport, Found, Way } from "../lib/access/report";
import { resourceText } from "../lib/own-resources";
import { accessBelow } from "./effective";

/** One access, or a list that could not be read and may have more. */
interface Row extends Partial<Omit<AccessEntry, "status" | "way">> {
  readonly kind: Found["kind"] | "unknown";
  readonly name: string;
  readonly id?: string;
  readonly way?: Way | "unknown" | undefined;
  readonly status: AccessEntry["status"] | "unknown";
  readonly reason?: string | undefined;
}

const columns: readonly (readonly [name: string, read: (row: Row) => string | undefined])[] = [
  ["kind", ({ kind }) => kind],
  ["name", ({ name }) => name],
  ["id", ({ id }) => id],
  ["project", ({ projectName }) => projectName],
  ["project id", ({ projectId }) => projectId],
  ["organization", ({ orgName }) => orgName],
  ["organization id", ({ orgId }) => orgId],
  ["team", ({ teamName }) => teamName],
  ["team id", ({ teamId }) => teamId],
  ["way", ({ way = "unknown" }) => way],
  ["roles", ({ roles }) => roles?.join(" ")],
  ["status", ({ status }) => status],
  ["declaration", ({ declaration = "unknown" }) => declaration],
  ["declared by", ({ declaredBy }) => declaredBy?.map(resourceText).join(" ")],
  ["other declared roles", ({ declaredRoles }) => declaredRoles?.join(" ")],
  ["until", ({ until }) => until],
  ["ended", ({ endedAt }) => endedAt],
  ["overdue since", ({ overdueSince }) => overdueSince],
  ["reason", ({ reason, overdueReason }) => reason ?? overdueReason],
  ["expires", ({ expiresAt }) => expiresAt],
  ["last matching event", ({ lastEvent }) => lastEvent?.time ?? lastEvent?.outcome],
  ["by", ({ lastEvent }) => lastEvent?.username ?? lastEvent?.publicKey],
];

/** Without it, Excel takes the file for one of the language of the computer. */
const BYTE_ORDER_MARK = "\uFEFF";

export function csv(report: AccessReport): string {
  const rows = rowsOf(report).map((row) => columns.map(([, read]) => read(row) ?? ""));
  const lines = [columns.map(([name]) => name), ...rows].map((cells) => cells.map(cell).join(","));
  return BYTE_ORDER_MARK + lines.map((line) => `${line}\r\n`).join("");
}

function rowsOf({ found, projects, unknown }: AccessReport): Row[] {
  const reasons = new Map(unknown.map(({ what, reason }) => [what, reason]));
  const inProjects = new Set(projects.flatMap(({ unread }) => unread));
  const unread = (name: string, place = {}): Row => {
    return { ...place, kind: "unknown", name, status: "unknown", reason: reasons.get(name) };
  };
  return [
    ...found.flatMap((subject) => {
      const { kind } = subject;
      const holder = { kind, name: nameOf(subject), id: idOf(subject) };
      const all = subject.access.flatMap((entry) => [entry, ...accessBelow(entry, projects)]);
      return all.map((entry) => ({ ...entry, ...holder }));
    }),
    ...projects.flatMap((project) => project.unread.map((name) => unread(name, project))),
    ...[...reasons.keys()].filter((name) => !inProjects.has(name)).map((name) => unread(name)),
  ];
}

function nameOf(found: Found): string {
  return found.kind === "key" ? found.description || found.publicKey : found.name;
}

function idOf(found: Found): string {
  if (found.kind === "group") return found.property;
  return found.kind === "key" ? found.publicKey : found.accounts.map(({ userId }) => userId).join(" ");
}

/**
 * What a spreadsheet takes for the beginning of a formula, whoever wrote it: at the beginning of a cell, or after a `;`,
 * which separates cells in many countries. Full-width signs count in some. (OWASP, CSV Injection.)
 */
const FORMULA = /(^|;)(?=[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** An apostrophe makes it text. Tabs and line ends are visible text here. */
function cell(value: string): string {
  const harmless = visibleText(value).replace(FORMULA, "$1'");
  return /[",;]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
