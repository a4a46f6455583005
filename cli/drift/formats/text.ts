/** The report for a terminal: counts first, then each stack, resource by resource. */

import { visibleText } from "../../../provider/text/visible-text";
import { organizationText } from "../../lib/organization";
import { logicalName } from "../../lib/own-resources";
import { counted, type Style, styled } from "../../lib/terminal";
import {
  type DriftReport,
  type Finding,
  type Format,
  isNew,
  newFirst,
  notIgnored,
  ofStack,
  type Undetermined,
  type Unmanaged,
  type UnmanagedEntry,
  undeterminedRows,
  unmanagedEntries,
  unreadableElsewhere,
} from "../report";
import {
  bothSides,
  causeText,
  countsOf,
  coveragesOf,
  coverageText,
  type Dated,
  earlierSections,
  earlierText,
  indirectPeople,
  kindOfResource,
  lastEventText,
  quotedIfNeeded,
  remarks,
  ruleText,
  summaryLines,
  undeterminedText,
  unmanagedByKind,
  unmanagedText,
  wholeObjectText,
} from "./wording";

const SIGNS: Readonly<Record<Finding["kind"], { sign: string; style: Style }>> = {
  changed: { sign: "~", style: "yellow" },
  added: { sign: "+", style: "green" },
  removed: { sign: "-", style: "red" },
  deleted: { sign: "x", style: "red" },
  undeclared: { sign: "!", style: "red" },
};

export const text: Format = (report, { hasColors, mostEntries }) => {
  const limited = limitOf(report, mostEntries);
  const paint = (style: Style, words: string) => styled({ hasColors }, style, words);
  const sections = [
    summaryLines(report, (result) => paint("bold", result)).join("\n"),
    ...earlierParagraphs(report, limited),
    ...report.stacks.map(({ stack, project, resources }) => {
      const { findings, unreadable } = ofStack(report, stack);
      const head = `${paint("bold", stack)} (${project}, ${counted(resources, "resource")})`;
      const lines = [
        ...resourceLines(report, findings, paint, limited),
        ...unreadableLines(report, unreadable, paint, limited),
      ];
      return [head, ...(lines.length > 0 ? lines : ["  as declared"])].join("\n");
    }),
    ...unreadableLines(report, unreadableElsewhere(report), paint, limited),
    ...(report.unmanaged
      ? unmanagedParagraphs(report, report.unmanaged, (line) => paint("dim", line), limited)
      : []),
  ];
  return `${sections.join("\n\n")}\n`;
};

/** The first items of a section, and a note about the others: nothing if all are shown. */
type Limited = <T extends object>(
  items: readonly T[],
) => { readonly shown: readonly T[]; readonly note: readonly string[] };

/** Ignored items are left out first, and new ones last. The order of the others stays the same. */
function limitOf(report: DriftReport, mostEntries = Number.POSITIVE_INFINITY): Limited {
  return (items) => {
    const left = items.length - mostEntries;
    if (left <= 0) return { shown: items, note: [] };
    const isIgnored = (item: object) => "ignored" in item && item.ignored !== undefined;
    const counted = items.filter((item) => !isIgnored(item));
    const byImportance = [...newFirst(report, counted), ...items.filter(isIgnored)];
    const first = new Set(byImportance.slice(0, mostEntries));
    return {
      shown: items.filter((item) => first.has(item)),
      note: [`and ${left} more (--all shows them)`],
    };
  };
}

/** What is resolved, and what could not be checked, a paragraph each. */
function earlierParagraphs(report: DriftReport, limited: Limited): string[] {
  return earlierSections(report).map(({ title, entries }) => {
    const { shown, note } = limited(entries);
    return [`${title}:`, ...[...shown.map(earlierText), ...note].map((line) => `  ${line}`)].join("\n");
  });
}

function resourceLines(
  report: DriftReport,
  findings: readonly Finding[],
  paint: Paint,
  limited: Limited,
): string[] {
  const { shown, note } = limited(findings);
  const lines = [...Map.groupBy(shown, ({ urn }) => urn)].flatMap(([urn, own]) => [
    `  ${visibleText(logicalName(urn))} (${own[0] && kindOfResource(own[0])})`,
    ...own.flatMap((finding) => [
      `    ${findingLine(report, finding, paint)}`,
      ...eventLine(finding, "      "),
    ]),
  ]);
  return [...lines, ...note.map((line) => `  ${line}`)];
}

type Paint = (style: Style, words: string) => string;

/** An event that was found has a line of its own. */
function eventLine(thing: Dated, indent: string): string[] {
  return isEventFound(thing) ? [`${indent}${lastEventText(thing)}`] : [];
}

function suffix(report: DriftReport, thing: Dated): string {
  return remarks(report, isEventFound(thing) ? { since: thing.since } : thing);
}

function isEventFound({ lastEvent }: Dated): boolean {
  return lastEvent?.outcome === "found";
}

function findingLine(report: DriftReport, finding: Finding, paint: Paint): string {
  const { kind, ignored } = finding;
  const what =
    finding.property === ""
      ? wholeObjectText(finding)
      : `${visibleText(finding.property)}: ${bothSides(finding)}`;
  const line = `${SIGNS[kind].sign} ${what}`;
  const cause = ` (${causeText(finding)})${suffix(report, finding)}`;
  if (ignored === undefined) return paint(SIGNS[kind].style, line) + cause;
  return paint("dim", line + cause + ignoredSuffix(ignored));
}

function ignoredSuffix(ignored: NonNullable<Finding["ignored"]>): string {
  return ` (ignored: ${visibleText(ruleText(ignored))})`;
}

/**
 * Lists the undetermined things. One reason may apply to many things: if the people of a project
 * cannot be listed, none of them can be read.
 */
function unreadableLines(
  report: DriftReport,
  things: readonly Undetermined[],
  paint: Paint,
  limited: Limited,
): string[] {
  const { shown, note } = limited(undeterminedRows(report, things));
  const byReason = Map.groupBy(
    shown,
    ({ reason, ignored }) => reason + (ignored ? ignoredSuffix(ignored) : ""),
  );
  const lines = [...byReason].map(([reason, same]) => {
    const names = same.map((thing) => {
      const name = undeterminedText(thing);
      // A reason has one line, so only what is new is marked in it.
      return isNew(report, thing) ? `${name} (new)` : name;
    });
    return `  ${paint("magenta", visibleText(`? ${names.join(", ")}: ${reason}`.replace(/\s+/g, " ")))}`;
  });
  return [...lines, ...note.map((line) => `  ? ${line}`)];
}

// The unmanaged objects, for a terminal.

/**
 * Formats one paragraph each: the coverage, the projects, the people, the teams, their members.
 *
 * @param dim for the lines of ignored objects
 */
function unmanagedParagraphs(
  report: DriftReport,
  found: Unmanaged,
  dim: (line: string) => string,
  limited: Limited,
): string[] {
  const indirect = indirectPeople(found);
  const lineOf = (entry: UnmanagedEntry) => {
    const line = [
      `  ${unmanagedText(entry)}${unmanagedFacts(entry)}${suffix(report, entry)}`,
      ...eventLine(entry, "    "),
    ].join("\n");
    return entry.ignored === undefined ? line : dim(line + ignoredSuffix(entry.ignored));
  };
  const linesOf = <T extends object>(items: readonly T[], lineOf: (item: T) => string) => {
    const { shown, note } = limited(items);
    return [...shown.map(lineOf), ...note.map((line) => `  ${line}`)];
  };
  return [
    [
      `Unmanaged: ${countsOf(notIgnored(unmanagedEntries(found))).join(", ")}.`,
      ...found.organizations.map(
        (each) =>
          `  ${organizationText({ ...each, orgName: each.name })}: ${[...coveragesOf(each)].map(([what, coverage]) => coverageText(coverage, ` ${what} managed`)).join(", ")}`,
      ),
    ],
    ...unmanagedByKind(unmanagedEntries(found)).map(({ own }) => linesOf(own, lineOf)),
    indirect.length === 0
      ? []
      : [
          "Access only through a team or the organization, which a project cannot manage:",
          ...linesOf(
            indirect,
            ({ username, projects: projectNames }) =>
              `  ${visibleText(username)} in ${typeof projectNames === "number" ? `${projectNames} projects` : projectNames.map(quotedIfNeeded).join(", ")}`,
          ),
        ],
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"));
}

/** What the line of an unmanaged object has after its name. */
function unmanagedFacts(entry: UnmanagedEntry): string {
  const facts =
    entry.kind === "projects"
      ? [`a project of ${organizationText(entry)} that no resource owns`]
      : [...(entry.kind === "people" ? [entry.status] : []), ...entry.roles];
  return facts.length === 0 ? "" : `: ${facts.join(", ")}`;
}
