/** The report for a terminal: the result in a line, then the differences of each stack, resource by resource. */
import { visibleText } from "../../../provider/text/visible-text";
import { organizationText } from "../../lib/organization";
import { counted, type Style, styled } from "../../lib/terminal";
import {
  type Document,
  type Entry,
  type EntryKind,
  firstLine,
  isDifference,
  remarksText,
  type Section,
  sectionsOf,
  undeterminedElsewhere,
} from "../report/document";
import { notIgnored, ownable } from "../report/model";
import { countsOf, coveragesOf, coverageText } from "../report/unmanaged-kinds";
import type { Format } from "./format";

const SIGNS: Readonly<Partial<Record<EntryKind, { sign: string; style: Style }>>> = {
  changed: { sign: "~ ", style: "yellow" },
  added: { sign: "+ ", style: "green" },
  removed: { sign: "- ", style: "red" },
  deleted: { sign: "x ", style: "red" },
  undeclared: { sign: "! ", style: "red" },
};

export const text: Format = (document, { hasColors = false, mostEntries } = {}) => {
  const { report, result, entries, hints } = document;
  const paint = (style: Style, words: string) => styled({ hasColors }, style, words);
  /** The lines of the first entries, and a note about the others. */
  const linesOf = (
    own: readonly Entry[],
    write: (shown: readonly Entry[]) => readonly string[],
    before = "  ",
  ) => {
    const { shown, left } = limited(own, mostEntries);
    return [...write(shown), ...(left > 0 ? [`${before}and ${left} more (--all shows them)`] : [])];
  };
  const undetermined = (own: readonly Entry[]) =>
    linesOf(own, (shown) => undeterminedLines(shown, paint), "  ? ");
  const sectionLines = ({ title, entries: own }: Section) => [
    `${title}:`,
    ...linesOf(own, (shown) => shown.flatMap((entry) => entryLines(entry, "  ", paint))),
  ];
  const of = (wanted: Section["about"]) =>
    sectionsOf(document)
      .filter(({ about }) => about === wanted)
      .map(sectionLines);
  const sections = [
    [firstLine({ ...document, result: paint("bold", result) })],
    ...report.stacks.map(({ stack, project, resources }) => {
      const own = entries.filter((entry) => entry.stack === stack && !entry.isConsequence);
      const lines = [
        ...linesOf(own.filter(isDifference), (shown) => differenceLines(shown, paint)),
        ...undetermined(own.filter(({ kind }) => kind === "undetermined")),
      ];
      const head = `${paint("bold", stack)} (${project}, ${counted(resources, "resource")})`;
      return [head, ...(lines.length > 0 ? lines : ["  as declared"])];
    }),
    undetermined(undeterminedElsewhere(document)),
    hints,
    ...of("earlier"),
    coverageLines(document),
    ...of("unmanaged"),
  ];
  const paragraphs = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${paragraphs.join("\n\n")}\n`;
};

type Paint = (style: Style, words: string) => string;

/** Ignored entries are left out first, and new ones last. The order of the others stays the same. */
function limited(entries: readonly Entry[], most = Number.POSITIVE_INFINITY) {
  const left = entries.length - most;
  if (left <= 0) return { shown: entries, left: 0 };
  const rank = ({ ignored, isNew }: Entry) => (ignored ? 2 : isNew ? 0 : 1);
  const first = new Set([...entries].sort((one, other) => rank(one) - rank(other)).slice(0, most));
  return { shown: entries.filter((entry) => first.has(entry)), left };
}

function differenceLines(entries: readonly Entry[], paint: Paint): string[] {
  return [...Map.groupBy(entries, ({ path }) => path).values()].flatMap((own) => [
    `  ${own[0]?.subject}`,
    ...own.flatMap((entry) => entryLines(entry, "    ", paint)),
  ]);
}

/** The entry, and below it an event that was found. */
function entryLines(entry: Entry, indent: string, paint: Paint): string[] {
  const { kind, line, remarks, rule, lastEvent } = entry;
  const { sign = "", style } = SIGNS[kind] ?? {};
  const isBelow = ({ name }: Entry["remarks"][number]) =>
    name === "last matching event" && lastEvent?.outcome === "found";
  const ignored = rule === undefined ? "" : ` (ignored: ${visibleText(rule)})`;
  const own = style === undefined || ignored ? `${sign}${line}` : paint(style, `${sign}${line}`);
  const lines = [
    `${own}${remarksText(remarks.filter((remark) => !isBelow(remark)))}${ignored}`,
    ...remarks.filter(isBelow).map(({ text: event, words = event }) => `  ${words}`),
  ];
  return lines.map((each) => `${indent}${ignored ? paint("dim", each) : each}`);
}

/**
 * One reason may apply to many entries: if the people of a project cannot be listed, none of them can
 * be read. A reason has one line, so of the remarks only what is new is marked in it.
 */
function undeterminedLines(entries: readonly Entry[], paint: Paint): string[] {
  const reasonOf = ({ subject, line, rule }: Entry) =>
    line.slice(subject.length) + (rule === undefined ? "" : ` (ignored: ${rule})`);
  return [...Map.groupBy(entries, reasonOf)].map(([reason, same]) => {
    const names = same.map(({ subject, isNew }) => (isNew ? `${subject} (new)` : subject));
    return `  ${paint("magenta", visibleText(`? ${names.join(", ")}${reason}`))}`;
  });
}

function coverageLines({ report }: Document): string[] {
  if (report.unmanaged === undefined) return [];
  return [
    `Unmanaged: ${countsOf(notIgnored(ownable(report))).join(", ")}.`,
    ...report.unmanaged.organizations.map((organization) => {
      const shares = [...coveragesOf(organization)].map(([what, coverage]) =>
        coverageText(coverage, ` ${what} managed`),
      );
      const name = organizationText({ orgId: organization.orgId, orgName: organization.name });
      return `  ${name}: ${shares.join(", ")}`;
    }),
  ];
}
