/** The report as a comment on a pull request. */
import {
  codeInHtml,
  codeSpan,
  limitedMarkdown,
  linkOrCode,
  prose,
  shortenedText,
  type Table,
  table,
} from "../../lib/markdown";
import { plain, sentence, type Words } from "../../lib/sentence";
import {
  counting,
  type Document,
  type Entry,
  type Fact,
  isDifference,
  type Section,
  sectionCount,
  sectionsOf,
} from "../report/document";
import { differenceKinds, notIgnored, ownable, type Report, stackCounts } from "../report/model";
import { countsOf, coveragesOf, coverageText } from "../report/unmanaged-kinds";
import type { Format } from "./format";

/** Marks the comment, so the next run can find and replace it. */
const COMMENT_MARK = "<!-- opsmanager drift -->";

/** GitHub-flavored Markdown of less than 65,000 characters; omitted rows are counted in a note. */
export const markdown: Format = (document, { wholeReport = [] } = {}) => {
  const { report, title, changes, hints } = document;
  const paragraphs = (lines: readonly string[]) => lines.map((line) => `${prose(line)}\n`).join("");
  const of = (...wanted: Section["about"][]) =>
    sectionsOf(document)
      .filter(({ about }) => wanted.includes(about))
      .flatMap(entriesTable)
      .map(table);
  return limitedMarkdown({
    head: `${COMMENT_MARK}\n## ${title}\n\n${paragraphs(changes)}${changes.length > 0 ? "\n" : ""}`,
    sections: [
      ...of("differences"),
      ...(hints.length > 0 ? [{ open: paragraphs(hints), entries: [], close: "\n" }] : []),
      ...of("undetermined", "earlier"),
      ...[countsTable(report), ...coverageTable(document)].map(table),
      ...of("unmanaged"),
    ],
    end: `<sub>opsmanager ${report.tool.version}, ${report.generatedAt}</sub>\n`,
    entries: "rows",
    wholeReport:
      wholeReport.length === 0 ? [`the output of ${codeSpan("--format json")}`] : wholeReport.map(linkOrCode),
  });
};

function countsTable(report: Report): Table {
  const rows = report.stacks.map(({ stack, resources }) => {
    const { byKind, ignored } = stackCounts(report, stack);
    return [stack, ...[resources, ...byKind, ignored].map((count) => plain(String(count)))];
  });
  return { summary: "", columns: ["stack", "resources", ...differenceKinds, "ignored"], rows };
}

function coverageTable({ report }: Document): Table[] {
  const { organizations = [] } = report.unmanaged ?? {};
  if (organizations.length === 0) return [];
  const rows = ownable(report);
  const counts = notIgnored(rows);
  const ignored = rows.length - counts.length;
  const shares = organizations.map((organization) => ({ organization, own: coveragesOf(organization) }));
  const columns = [...new Set(shares.flatMap(({ own }) => [...own.keys()]))];
  return [
    {
      summary: `Managed by these stacks, except ${countsOf(counts).join(", ")}${ignored > 0 ? `, ${ignored} ignored` : ""}`,
      columns: ["organization", ...columns],
      rows: shares.map(({ organization: { orgId, name }, own }) => [
        name === undefined ? orgId : sentence`${name} ${orgId}`,
        ...columns.map((column) => plain(coverageText(own.get(column) ?? { total: 0, managed: 0 }))),
      ]),
    },
  ];
}

/** A table with a column for each fact and each remark that any of the entries has. */
function entriesTable(section: Section): Table[] {
  const { about, title, stack, entries } = section;
  const shown = counting(entries);
  if (shown.length === 0) return [];
  const rows = shown.map((entry) => new Map(factsOf(entry).map((fact) => [fact.name, fact])));
  const used = (name: Fact["name"]) => rows.some((row) => (row.get(name)?.text ?? "") !== "");
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))].filter(used);
  const name = stack === undefined ? title : codeInHtml(shortenedText(title));
  return [
    {
      summary: `${name}: ${sectionCount(section, shown)}`,
      isOpen: about === "differences",
      columns,
      rows: rows.map((row) => columns.map((column) => factCell(row.get(column)))),
    },
  ];
}

function factsOf(entry: Entry): readonly Fact[] {
  const { kind, subject, facts, remarks } = entry;
  if (!isDifference(entry)) return [...facts, ...remarks];
  return [
    { name: "resource", text: subject },
    { name: "difference", text: kind, isOurs: true },
    ...facts,
    ...remarks,
  ];
}

function factCell({ text = "", isOurs = false }: Partial<Fact> = {}): Words {
  return isOurs ? plain(text) : text;
}
