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
  readonly isOwn?: boolean;
  readonly way?: Way | "unknown" | undefined;
  readonly status: AccessEntry["status"] | "removed" | "unknown";
  readonly reason?: string | undefined;
}

type Column = readonly [name: string, read: (row: Row) => string | undefined, isTime?: "time"];

const columns: readonly Column[] = [
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
  ["until", ({ until }) => until, "time"],
  ["ended", ({ endedAt }) => endedAt, "time"],
  ["overdue since", ({ overdueSince }) => overdueSince, "time"],
  ["reason", ({ reason, overdueReason }) => reason ?? overdueReason],
  ["expires", ({ expiresAt }) => expiresAt, "time"],
  ["last matching event", ({ lastEvent }) => lastEvent?.time ?? lastEvent?.outcome, "time"],
  ["by", ({ lastEvent }) => lastEvent?.username ?? lastEvent?.publicKey],
  ["of this command", ({ isOwn }) => (isOwn ? "yes" : undefined)],
];

/** Without it, Excel takes the file for one of the language of the computer. */
const BYTE_ORDER_MARK = "\uFEFF";

export function csv(report: AccessReport): string {
  const rows = rowsOf(report).map((row) =>
    columns.map(([, read, isTime]) => {
      const text = visibleText(read(row) ?? "");
      return cell(isTime ? text : asText(text));
    }),
  );
  const lines = [columns.map(([name]) => name), ...rows].map((cells) => cells.join(","));
  return BYTE_ORDER_MARK + lines.map((line) => `${line}\r\n`).join("");
}

function rowsOf({ found, projects, unknown, removed = [] }: AccessReport): Row[] {
  const reasons = new Map(unknown.map(({ what, reason }) => [what, reason]));
  const inProjects = new Set(projects.flatMap(({ unread }) => unread));
  const unread = (name: string, place = {}): Row => {
    return { ...place, kind: "unknown", name, status: "unknown", reason: reasons.get(name) };
  };
  return [
    ...found.flatMap((subject) => {
      const { kind } = subject;
      const isOwn = "isOwn" in subject && subject.isOwn === true;
      const holder = { kind, name: nameOf(subject), id: idOf(subject), isOwn };
      const all = subject.access.flatMap((entry) => [entry, ...accessBelow(entry, projects)]);
      return all.map((entry) => ({ ...entry, ...holder }));
    }),
    ...removed.map(
      ({ username, in: place, ...each }): Row => ({
        ...each,
        kind: "person",
        name: username,
        status: "removed",
        way: place === "organization" ? "organization role" : "own role",
      }),
    ),
    ...projects.flatMap((project) => project.unread.map((name) => unread(name, project))),
    ...[...reasons.keys()].filter((name) => !inProjects.has(name)).map((name) => unread(name)),
  ];
}

function nameOf(found: Found): string {
  if (found.kind === "service account") return found.name || found.clientId;
  return found.kind === "key" ? found.description || found.publicKey : found.name;
}

function idOf(found: Found): string {
  if (found.kind === "group") return found.property;
  if (found.kind === "service account") return found.clientId;
  return found.kind === "key" ? found.publicKey : found.accounts.map(({ userId }) => userId).join(" ");
}

/**
 * What a spreadsheet takes for the beginning of a formula, whoever wrote it: at the beginning of a cell, or after a `;`,
 * which separates cells in many countries. Full-width signs count in some. (OWASP, CSV Injection.)
 */
const FORMULA = /(^|;)(?=[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

const MONTHS =
  "jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?";

/** What a spreadsheet stores as something else than the text: `007` as 7, `MAR1` as a day, `5e0000000000000000000012` as a number. */
const CONVERTED = [
  /^\(?[$€£¥]?\s?[\d.,:/\s-]+(e[+-]?\d+)?\s?[%$€£¥]?\)?(\s?[ap]m?)?$/i,
  new RegExp(`^(\\d{1,4}[\\s./-]*)?(${MONTHS})\\.?([\\s,./-]*\\d{1,4}){0,2}$`, "i"),
];

/** With an apostrophe, if a spreadsheet would convert it. Then a filter by it still finds it. */
function asText(text: string): string {
  const isConverted = /\d/.test(text) && CONVERTED.some((form) => form.test(text.trim()));
  return isConverted || /^(true|false)$/i.test(text) ? `'${text}` : text;
}

/** An apostrophe makes it text. @param value without tabs and line ends, as visible text */
function cell(value: string): string {
  const harmless = value.replace(FORMULA, "$1'");
  return /[",;]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
