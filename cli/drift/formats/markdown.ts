/** The report as a comment on a pull request. */

import {
  cell,
  codeInHtml,
  codeSpan,
  limitedMarkdown,
  linkOrCode,
  shortenedText,
  type Table,
  table,
} from "../../lib/markdown";
import { counted } from "../../lib/terminal";
import {
  type DriftReport,
  differenceKinds,
  type Finding,
  type FormatOptions,
  isCompared,
  newFirst,
  notIgnored,
  stackCounts,
  type UnmanagedEntry,
  type UnmanagedKind,
  undeterminedRows,
  unmanagedEntries,
} from "../report";
import {
  ageText,
  causeText,
  changesSentence,
  countsOf,
  coveragesOf,
  coverageText,
  type Dated,
  earlierSections,
  hints,
  indirectPeople,
  kindOfResource,
  lastEventText,
  projectsOfTeam,
  resultTitle,
  timeText,
  undeterminedText,
  unmanagedByKind,
  unmanagedHeading,
  valueText,
} from "./wording";

/** Marks the comment, so the next run can find and replace it. */
const COMMENT_MARK = "<!-- opsmanager drift -->";

/** GitHub-flavored Markdown of less than 65,000 characters; omitted rows are counted in a note. */
export function markdown(report: DriftReport, { wholeReport = [] }: Partial<FormatOptions> = {}): string {
  const hint = [...changesSentence(report), ...hints(report)].map((line) => `${line}\n`);
  return limitedMarkdown({
    head: `${COMMENT_MARK}\n## ${resultTitle(report)}\n\n${hint.join("")}${hint.length > 0 ? "\n" : ""}`,
    sections: foldedTables(report).map(table),
    end: `<sub>opsmanager ${report.tool.version}, ${report.generatedAt}</sub>\n`,
    entries: "rows",
    wholeReport:
      wholeReport.length === 0 ? [`the output of ${codeSpan("--format json")}`] : wholeReport.map(linkOrCode),
  });
}

/** The most important tables come first: the counts, the undetermined things, then each stack. */
function foldedTables(report: DriftReport): Table[] {
  return [
    countsTable(report),
    ...earlierTables(report),
    ...unreadableTable(report),
    ...differenceTables(report),
    ...unmanagedTables(report),
  ];
}

function countsTable(report: DriftReport): Table {
  const rows = report.stacks.map(({ stack, resources }) => {
    const { byKind, ignored } = stackCounts(report, stack);
    return [cell(stack), ...[resources, ...byKind, ignored].map(String)];
  });
  return { summary: "", columns: ["stack", "resources", ...differenceKinds, "ignored"], rows };
}

function earlierTables(report: DriftReport): Table[] {
  return earlierSections(report).map(({ title, entries }) => ({
    summary: `${title}: ${entries.length}`,
    columns: ["stack", "what", "kind", "since"],
    rows: entries.map((entry) => [
      entry.stack === undefined ? "" : cell(entry.stack),
      cell(entry.what),
      entry.kind,
      timeText(entry.since),
    ]),
  }));
}

/** The table with a column of the last events, if they were sought, and one of ages, if the report was compared. */
function withRemarks<T extends Dated>(
  report: DriftReport,
  things: readonly T[],
  {
    summary,
    columns,
    row,
  }: Pick<Table, "summary"> & { columns: readonly string[]; row: (thing: T) => readonly string[] },
): Table {
  const hasEvents = things.some((thing) => lastEventText(thing) !== "");
  const hasAges = isCompared(report);
  return {
    summary,
    columns: [...columns, ...(hasEvents ? ["last matching event"] : []), ...(hasAges ? ["age"] : [])],
    rows: newFirst(report, things).map((thing) => [
      ...row(thing),
      ...(hasEvents ? [cell(lastEventText(thing).replace(/^last matching event: /, ""))] : []),
      ...(hasAges ? [ageText(report, thing)] : []),
    ]),
  };
}

function unreadableTable(report: DriftReport): Table[] {
  const things = notIgnored(report.unreadable);
  if (things.length === 0) return [];
  return [
    withRemarks(report, undeterminedRows(report, things), {
      summary: `Could not be determined: ${things.length}`,
      columns: ["stack", "what", "reason"],
      row: ({ stack, reason, ...thing }) => [
        stack === undefined ? "" : cell(stack),
        cell(undeterminedText(thing)),
        cell(reason),
      ],
    }),
  ];
}

function differenceTables(report: DriftReport): Table[] {
  const byStack = Map.groupBy(notIgnored(report.findings), ({ stack }) => stack);
  return [...byStack].map(([stack, findings]) =>
    withRemarks(report, findings, {
      summary: `${codeInHtml(shortenedText(stack))}: ${counted(findings.length, "difference")}`,
      columns: ["resource", "property", "difference", "cause", "declared", "live"],
      row: differenceRow,
    }),
  );
}

function differenceRow(finding: Finding): string[] {
  const { name, property, kind, declared, live } = finding;
  const where = projectsOfTeam(finding);
  return [
    `${cell(name)} ${kindOfResource(finding)}`,
    property === "" ? "(the whole object)" : cell(property),
    kind,
    causeText(finding),
    valueCell(declared),
    [valueCell(live), ...(where === "" ? [] : [cell(where)])].join(" "),
  ];
}

function valueCell(value: unknown): string {
  return value === undefined ? "" : cell(valueText(value));
}

function unmanagedTables(report: DriftReport): Table[] {
  const { unmanaged: found } = report;
  if (found === undefined) return [];
  const unowned = notIgnored(unmanagedEntries(found));
  const indirect = indirectPeople(found);
  const ignored = unmanagedEntries(found).length - unowned.length;
  const names = `${countsOf(unowned).join(", ")}${ignored > 0 ? `, ${ignored} ignored` : ""}`;
  const coverages = found.organizations.map((organization) => ({
    orgId: organization.orgId,
    name: organization.name,
    counts: coveragesOf(organization),
  }));
  const columns = [...new Set(coverages.flatMap(({ counts }) => [...counts.keys()]))];
  const sections: Table[] = [
    {
      summary: `Managed by these stacks, except ${names}`,
      columns: ["organization", ...columns],
      rows: coverages.map(({ orgId, name, counts }) => [
        organizationCell({ orgId, orgName: name }),
        ...columns.map((column) => coverageText(counts.get(column) ?? { total: 0, managed: 0 })),
      ]),
    },
    ...unmanagedByKind(unowned).map(({ kind, own }) =>
      withRemarks(report, own, {
        summary: `${unmanagedHeading(kind)}: ${own.length}`,
        ...UNMANAGED_COLUMNS[kind],
      }),
    ),
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
    row: ({ name, id, ...entry }) => [cell(name), codeSpan(id), organizationCell(entry)],
  },
  people: {
    columns: ["project", "person", "status", "roles"],
    row: ({ container, name, status = "", roles }) => [
      cell(container.name),
      cell(name),
      status,
      rolesCell(roles),
    ],
  },
  teams: {
    columns: ["project", "team", "roles"],
    row: ({ container, name, roles }) => [cell(container.name), cell(name), cell(roles.join(", "))],
  },
  keys: {
    columns: ["project", "API key", "public key", "roles"],
    row: ({ container, name, id, roles }) => [
      cell(container.name),
      cell(name),
      codeSpan(id),
      cell(roles.join(", ")),
    ],
  },
  mappings: {
    columns: ["project", "mappings", "roles"],
    row: ({ container, name, roles }) => [cell(container.name), codeSpan(name), cell(roles.join(", "))],
  },
  owners: {
    columns: ["organization", "owner", "status", "roles"],
    row: ({ name, status = "", roles, ...entry }) => [
      organizationCell(entry),
      cell(name),
      status,
      rolesCell(roles),
    ],
  },
  ownerKeys: {
    columns: ["organization", "API key", "public key", "roles"],
    row: ({ name, id, roles, ...entry }) => [
      organizationCell(entry),
      cell(name),
      codeSpan(id),
      rolesCell(roles),
    ],
  },
  teamPeople: {
    columns: ["team", "person", "organization", "roles"],
    row: ({ container, name, roles, ...entry }) => [
      cell(container.name),
      cell(name),
      organizationCell(entry),
      rolesCell(roles),
    ],
  },
};

function rolesCell(roles: readonly string[]): string {
  return roles.length === 0 ? "" : cell(roles.join(", "));
}

function organizationCell({ orgId = "", orgName }: Pick<UnmanagedEntry, "orgId" | "orgName">): string {
  return orgName === undefined ? codeSpan(orgId) : `${cell(orgName)} ${codeSpan(orgId)}`;
}
