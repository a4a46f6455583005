/** The report for a terminal: counts first, then each stack, resource by resource. */

import { visibleText } from "../../../visible-text";
import { nameOf } from "../../own-resources";
import { counted, styled } from "../../terminal";
import {
  countedFindings,
  countedUnmanaged,
  countedUnreadable,
  countIgnored,
  type DriftReport,
  directPeople,
  type Finding,
  type Format,
  ofStack,
  type Unmanaged,
  type UnreadableThing,
  unreadableElsewhere,
} from "../report";
import {
  causeText,
  countsOf,
  coveragesOf,
  coverageText,
  differencesText,
  ignoredText,
  indirectPeople,
  kindOfResource,
  valuesText,
  valueText,
  wholeObjectText,
} from "./wording";

type Style = Parameters<typeof styled>[1];

const SIGNS: Readonly<Record<Finding["kind"], { sign: string; style: Style }>> = {
  changed: { sign: "~", style: "yellow" },
  added: { sign: "+", style: "green" },
  removed: { sign: "-", style: "red" },
  deleted: { sign: "x", style: "red" },
};

export const text: Format = (report, { hasColors, mostEntries }) => {
  const limited = limitOf(mostEntries);
  const paint = (style: Style, words: string) => styled({ hasColors }, style, words);
  const sections = [
    paint("bold", verdict(report)),
    ...report.stacks.map(({ stack, project, resources }) => {
      const { findings, unreadable } = ofStack(report, stack);
      const head = `${paint("bold", stack)} (${project}, ${counted(resources, "resource")})`;
      const lines = [
        ...resourceLines(findings, paint, limited),
        ...unreadableLines(unreadable, paint, limited),
      ];
      return [head, ...(lines.length > 0 ? lines : ["  as declared"])].join("\n");
    }),
    ...unreadableLines(unreadableElsewhere(report), paint, limited),
    ...(report.unmanaged ? unmanagedText(report.unmanaged, (line) => paint("dim", line), limited) : []),
  ];
  return `${sections.join("\n\n")}\n`;
};

/** The first items of a section, and a note about the others: nothing if all are shown. */
type Limited = <T extends object>(
  items: readonly T[],
) => { readonly shown: readonly T[]; readonly note: readonly string[] };

/** Ignored items are the first that are left out. The order stays the same. */
function limitOf(mostEntries = Number.POSITIVE_INFINITY): Limited {
  return (items) => {
    const left = items.length - mostEntries;
    if (left <= 0) return { shown: items, note: [] };
    const isIgnored = (item: object) => "ignored" in item && item.ignored !== undefined;
    const byImportance = [...items.filter((item) => !isIgnored(item)), ...items.filter(isIgnored)];
    const first = new Set(byImportance.slice(0, mostEntries));
    return {
      shown: items.filter((item) => first.has(item)),
      note: [`and ${left} more (--all shows them)`],
    };
  };
}

/** `Drift: 2 differences in 1 resource (1 changed, 1 added). 1 could not be determined.` */
function verdict(report: DriftReport): string {
  const findings = countedFindings(report);
  const unread = countedUnreadable(report).length;
  const ignored = countIgnored(report);
  const open = `${unread} could not be determined.`;
  const sentences =
    findings.length === 0
      ? [unread === 0 ? quiet(report) : `No drift was found, but ${open}`]
      : [driftIn(findings), ...(unread === 0 ? [] : [open])];
  return [...sentences, ...(ignored > 0 ? [`${ignored} ignored.`] : [])].join(" ");
}

/**
 * A result without differences. With `--fail-on-unmanaged`, unmanaged objects are drift although
 * every resource is as declared.
 */
function quiet({ result }: DriftReport): string {
  return result === "drift" ? "Drift: unmanaged objects, but no difference." : "No drift.";
}

function driftIn(findings: readonly Finding[]): string {
  const kinds = (Object.keys(SIGNS) as Finding["kind"][]).flatMap((kind) => {
    const found = findings.filter((finding) => finding.kind === kind).length;
    return found === 0 ? [] : [`${found} ${kind}`];
  });
  return `Drift: ${differencesText(findings)} (${kinds.join(", ")}).`;
}

function resourceLines(findings: readonly Finding[], paint: Paint, limited: Limited): string[] {
  const { shown, note } = limited(findings);
  const lines = [...Map.groupBy(shown, ({ urn }) => urn)].flatMap(([urn, own]) => [
    `  ${visibleText(nameOf(urn))} (${own[0] && kindOfResource(own[0])})`,
    ...own.map((finding) => `    ${findingLine(finding, paint)}`),
  ]);
  return [...lines, ...note.map((line) => `  ${line}`)];
}

type Paint = (style: Style, words: string) => string;

function findingLine(finding: Finding, paint: Paint): string {
  const { kind, ignored } = finding;
  const what =
    finding.property === ""
      ? wholeObjectText(finding)
      : `${visibleText(finding.property)}: ${valuesText(finding)}`;
  const line = `${SIGNS[kind].sign} ${what}`;
  const cause = ` (${causeText(finding)})`;
  if (ignored === undefined) return paint(SIGNS[kind].style, line) + cause;
  return paint("dim", line + cause + ignoredText(ignored));
}

/**
 * Lists what is unreadable. One reason may apply to many things: if the people of a project cannot
 * be listed, none of them can be read.
 */
function unreadableLines(things: readonly UnreadableThing[], paint: Paint, limited: Limited): string[] {
  const { shown, note } = limited(things);
  const byReason = Map.groupBy(
    shown,
    ({ reason, ignored }) => reason + (ignored ? ignoredText(ignored) : ""),
  );
  const lines = [...byReason].map(([reason, same]) => {
    const names = same.map(({ what }) => (what.startsWith("urn:") ? nameOf(what) : what));
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
function unmanagedText(found: Unmanaged, dim: (line: string) => string, limited: Limited): string[] {
  const { organizations, projects } = found;
  const unmanagedItems = countedUnmanaged(found);
  const indirect = indirectPeople(found);
  const name = (text: string) => (/^[\w.@+-]+$/.test(text) ? text : valueText(text));
  const withRule = (line: string, { ignored }: Pick<Unmanaged["projects"][number], "ignored">) =>
    ignored === undefined ? line : dim(line + ignoredText(ignored));
  const linesOf = <T extends object>(items: readonly T[], lineOf: (item: T) => string) => {
    const { shown, note } = limited(items);
    return [...shown.map(lineOf), ...note.map((line) => `  ${line}`)];
  };
  const inProject = (person: Unmanaged["people"][number]) => {
    const { username, projectName, projectId, roles, status } = person;
    const membership = `${visibleText(username)} in ${name(projectName)} (${projectId})`;
    return withRule(`  ${membership}: ${[status, ...roles].join(", ")}`, person);
  };
  return [
    [
      `Unmanaged: ${countsOf(unmanagedItems).join(", ")}.`,
      ...organizations.map(
        (each) =>
          `  organization ${each.orgId}: ${[...coveragesOf(each)].map(([what, coverage]) => coverageText(coverage, ` ${what} managed`)).join(", ")}`,
      ),
    ],
    linesOf(projects, (project) => {
      const of = `a project of organization ${project.orgId} that no resource owns`;
      return withRule(`  ${name(project.name)} (${project.projectId}): ${of}`, project);
    }),
    linesOf(directPeople(found), inProject),
    linesOf(found.teams, (team) => {
      const membership = `team ${name(team.name)} in ${name(team.projectName)} (${team.projectId})`;
      return withRule(`  ${membership}: ${team.roles.join(", ")}`, team);
    }),
    linesOf(found.teamPeople, (person) => {
      const team = `team ${name(person.teamName)} (${person.teamId}) of organization ${person.orgId}`;
      return withRule(`  ${visibleText(person.username)} in ${team}`, person);
    }),
    indirect.length === 0
      ? []
      : [
          "Access only through a team or the organization, which a project cannot manage:",
          ...linesOf(
            indirect,
            ({ username, projects: projectNames }) =>
              `  ${visibleText(username)} in ${typeof projectNames === "number" ? `${projectNames} projects` : projectNames.map(name).join(", ")}`,
          ),
        ],
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"));
}
