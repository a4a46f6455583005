/** The report as a comment on a pull request. */

import { visibleText } from "../../../provider/text/visible-text";
import { counted } from "../../terminal";
import {
  type DriftReport,
  differenceKinds,
  type Finding,
  type FormatOptions,
  notIgnored,
  stackCounts,
  type UnmanagedEntry,
  type UnmanagedKind,
  unmanagedEntries,
} from "../report";
import {
  causeText,
  countsOf,
  coveragesOf,
  coverageText,
  indirectPeople,
  kindOfResource,
  LONGEST_VALUE,
  resultTitle,
  undeclaredHint,
  unmanagedByKind,
  unmanagedHeading,
  valueText,
} from "./wording";

/** GitHub allows 65,536 characters in a comment; a workflow may add a line of its own. */
const LIMIT = 65_000;

/** Marks the comment, so the next run can find and replace it. */
const COMMENT_MARK = "<!-- opsmanager drift -->";

interface FoldedTable {
  readonly summary: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** GitHub-flavored Markdown of less than 65,000 characters; omitted rows are counted in a note. */
export function markdown(report: DriftReport, { wholeReport = [] }: Partial<FormatOptions> = {}): string {
  const head = `${COMMENT_MARK}\n## ${resultTitle(report)}\n\n${undeclaredHint(report)
    .map((line) => `${line}\n`)
    .join("")}${undeclaredHint(report).length > 0 ? "\n" : ""}`;
  const end = `<sub>opsmanager ${report.tool.version}, ${report.generatedAt}</sub>\n`;
  const sections = foldedTables(report);
  const all = sections.reduce((count, { rows }) => count + rows.length, 0);
  const whole = written(sections, Number.POSITIVE_INFINITY);
  if (head.length + whole.text.length + end.length < LIMIT) return `${head}${whole.text}${end}`;
  const noteOf = (left: number) =>
    `**${left} of ${all} rows are not shown**, because the length of a comment is limited. The complete report: ${
      wholeReport.length === 0
        ? `the output of ${codeSpan("--format json")}`
        : wholeReport.map(locationText).join(", ")
    }.\n\n`;
  const room = LIMIT - 1 - head.length - end.length - noteOf(all).length;
  const { text, shown } = written(sections, room);
  return `${head}${text}${noteOf(all - shown)}${end}`;
}

function written(sections: readonly FoldedTable[], room: number): { text: string; shown: number } {
  let text = "";
  let shown = 0;
  for (const { summary, columns, rows } of sections) {
    const isOpen = summary === "";
    const open = `${isOpen ? "" : `<details><summary>${summary}</summary>\n\n`}${row(columns)}${row(columns.map(() => "---"))}`;
    const close = isOpen ? "\n" : "\n</details>\n\n";
    const left = room - text.length - open.length - close.length;
    const fitting = rowsThatFit(rows.map(row), left);
    if (left < 0 || (fitting.length === 0 && rows.length > 0)) continue;
    text += `${open}${fitting.join("")}${close}`;
    shown += fitting.length;
  }
  return { text, shown };
}

function rowsThatFit(rows: readonly string[], room: number): string[] {
  let left = room;
  const fitting = rows.findIndex((line) => {
    left -= line.length;
    return left < 0;
  });
  return rows.slice(0, fitting < 0 ? rows.length : fitting);
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

/** The most important tables come first: the counts, the undetermined things, then each stack. */
function foldedTables(report: DriftReport): FoldedTable[] {
  return [
    countsTable(report),
    ...unreadableTable(report),
    ...differenceTables(report),
    ...unmanagedTables(report),
  ];
}

function countsTable(report: DriftReport): FoldedTable {
  const rows = report.stacks.map(({ stack, resources }) => {
    const { byKind, ignored } = stackCounts(report, stack);
    return [cell(stack), ...[resources, ...byKind, ignored].map(String)];
  });
  return { summary: "", columns: ["stack", "resources", ...differenceKinds, "ignored"], rows };
}

function unreadableTable(report: DriftReport): FoldedTable[] {
  const things = notIgnored(report.unreadable);
  if (things.length === 0) return [];
  return [
    {
      summary: `Could not be determined: ${things.length}`,
      columns: ["stack", "what", "reason"],
      rows: things.map(({ stack, what, reason }) => [
        stack === undefined ? "" : cell(stack),
        cell(what),
        cell(reason),
      ]),
    },
  ];
}

function differenceTables(report: DriftReport): FoldedTable[] {
  const byStack = Map.groupBy(notIgnored(report.findings), ({ stack }) => stack);
  return [...byStack].map(([stack, findings]) => ({
    summary: `${codeInHtml(shortenedText(stack))}: ${counted(findings.length, "difference")}`,
    columns: ["resource", "property", "difference", "cause", "declared", "live"],
    rows: findings.map(differenceRow),
  }));
}

function differenceRow(finding: Finding): string[] {
  const { name, property, kind, declared, live } = finding;
  return [
    `${cell(name)} ${kindOfResource(finding)}`,
    property === "" ? "(the whole object)" : cell(property),
    kind,
    causeText(finding),
    valueCell(declared),
    valueCell(live),
  ];
}

function valueCell(value: unknown): string {
  return value === undefined ? "" : cell(valueText(value));
}

function unmanagedTables({ unmanaged: found }: DriftReport): FoldedTable[] {
  if (found === undefined) return [];
  const unowned = notIgnored(unmanagedEntries(found));
  const indirect = indirectPeople(found);
  const ignored = unmanagedEntries(found).length - unowned.length;
  const names = `${countsOf(unowned).join(", ")}${ignored > 0 ? `, ${ignored} ignored` : ""}`;
  const coverages = found.organizations.map((organization) => ({
    orgId: organization.orgId,
    counts: coveragesOf(organization),
  }));
  const columns = [...new Set(coverages.flatMap(({ counts }) => [...counts.keys()]))];
  const sections: FoldedTable[] = [
    {
      summary: `Managed by these stacks, except ${names}`,
      columns: ["organization", ...columns],
      rows: coverages.map(({ orgId, counts }) => [
        codeSpan(orgId),
        ...columns.map((column) => coverageText(counts.get(column) ?? { total: 0, managed: 0 })),
      ]),
    },
    ...unmanagedByKind(unowned).map(({ kind, own }) => ({
      summary: `${unmanagedHeading(kind)}: ${own.length}`,
      columns: UNMANAGED_COLUMNS[kind].columns,
      rows: own.map(UNMANAGED_COLUMNS[kind].row),
    })),
    {
      summary: `Access only through a team or the organization, which a project cannot manage: ${counted(indirect.length, "person", "people")}`,
      columns: ["person", "projects"],
      rows: indirect.map(({ username, projects: projectNames }) => [
        cell(username),
        typeof projectNames === "number"
          ? String(projectNames)
          : projectNames.map((name) => cell(name)).join(", "),
      ]),
    },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

interface EntryColumns {
  readonly columns: readonly string[];
  readonly row: (entry: UnmanagedEntry) => readonly string[];
}

const UNMANAGED_COLUMNS: Readonly<Record<UnmanagedKind, EntryColumns>> = {
  projects: {
    columns: ["project", "id", "organization"],
    row: ({ name, id, orgId = "" }) => [cell(name), codeSpan(id), codeSpan(orgId)],
  },
  people: {
    columns: ["project", "person", "status", "roles"],
    row: ({ container, name, status = "", roles }) => [
      cell(container.name),
      cell(name),
      status,
      roles.length === 0 ? "" : cell(roles.join(", ")),
    ],
  },
  teams: {
    columns: ["project", "team", "roles"],
    row: ({ container, name, roles }) => [cell(container.name), cell(name), cell(roles.join(", "))],
  },
  teamPeople: {
    columns: ["team", "person", "organization"],
    row: ({ container, name, orgId = "" }) => [cell(container.name), cell(name), codeSpan(orgId)],
  },
};

/** Formats an address as a link. */
function locationText(location: string): string {
  return /^https:\/\/[\w.:/-]+$/.test(location) ? location : cell(location);
}

/** The text as code, without the end of a long one. */
function cell(text: string): string {
  return codeSpan(shortenedText(text));
}

function shortenedText(text: string): string {
  const characters = [...text];
  if (characters.length <= LONGEST_VALUE) return text;
  return `${characters.slice(0, LONGEST_VALUE).join("")}… (${characters.length} characters)`;
}

// Formats text from outside as code in Markdown. In code nothing is read as Markdown or HTML, no
// user is notified by `@name`, and no issue is linked by `#1`. Pure.

/**
 * A code span for a table cell. A pipe ends the cell even there, unless it is escaped. A pipe
 * after a backslash cannot be escaped, and a span loses spaces at its ends. Such texts are written
 * in HTML.
 */
function codeSpan(text: string): string {
  const shown = visibleText(text);
  if (/\\\|/.test(shown) || shown.trim() !== shown || shown === "") return codeInHtml(shown);
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const gap = /^`|`$/.test(shown) ? " " : "";
  return `${fence}${gap}${shown.replaceAll("|", "\\|")}${gap}${fence}`;
}

/**
 * The text as code in HTML, for use where a code span is impossible. A bare address would become a
 * link even there, so it is escaped.
 */
function codeInHtml(text: string): string {
  const escaped = visibleText(text).replace(
    /[^\p{L}\p{N} -]/gu,
    (character) => `&#${character.codePointAt(0)};`,
  );
  return `<code>${escaped}</code>`;
}
