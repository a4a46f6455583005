/** The summary of a run as Markdown for a comment. Pure. */

import { shortList } from "../../provider/text/list";
import type { FoundEvents } from "../lib/find-events";
import {
  cell,
  codeInHtml,
  codeSpan,
  folded,
  limitedMarkdown,
  linkOrCode,
  type Section,
  shortenedText,
  table,
} from "../lib/markdown";
import { counted } from "../lib/terminal";
import type { Summary } from "./changes";
import { type Change, countsOf, type Group, operations, type Story, stories } from "./groups";
import { planOf } from "./plan";
import { written } from "./sentence";
import {
  eventOf,
  type Format,
  headingOf,
  hintsIn,
  madeBy,
  NO_EVENTS,
  notesIn,
  ownersIn,
  refusalText,
  titleOf,
  UNDECLARED,
  whatChanged,
  withRoles,
} from "./words";

/** Marks the comment, so the next run can find and replace it. */
const COMMENT_MARK = "<!-- opsmanager summary -->";

/** GitHub-flavored Markdown of less than 65,000 characters; what is omitted is counted in a note. */
export const markdown: Format = (summary, { wholeReport, events = NO_EVENTS }) => {
  const { refusals, errors, warnings } = summary;
  const hints = hintsIn(summary).map((hint) => `${hint}\n\n`);
  return limitedMarkdown({
    head: `${COMMENT_MARK}\n## ${titleOf(summary, codeSpan)}\n\n${hints.join("")}`,
    sections: [
      ...messagesTable("Errors", errors, false),
      ...list(refusals.map((refusal) => `**${refusalText(refusal, codeInList)}**`)),
      ...ownersTable(summary),
      ...stories.flatMap((story) => storySections(summary, story, events)),
      ...headed(UNDECLARED, undeclaredTable(summary, events)),
      ...list(notesIn(summary, events).map((note) => written(note, codeInList))),
      ...planSection(summary),
      ...messagesTable("Warnings", warnings, true),
    ],
    end: "",
    entries: "rows and resources",
    wholeReport:
      wholeReport.length === 0 ? [`the output of ${codeSpan("--format text")}`] : wholeReport.map(linkOrCode),
  });
};

function list(entries: readonly string[]): Section[] {
  return entries.length === 0
    ? []
    : [{ open: "", entries: entries.map((entry) => `- ${entry}\n`), close: "\n" }];
}

/** Outside of a table, a code span would show the escape of a pipe. */
function codeInList(text: string): string {
  return codeInHtml(shortenedText(text));
}

function messagesTable(title: string, messages: Summary["errors"], isFolded: boolean): Section[] {
  if (messages.length === 0) return [];
  const rows = messages.map(({ name = "", text: words }) => [
    name === "" ? "" : cell(name),
    codeSpan(words.replace(/\s+/g, " ")),
  ]);
  const summary = isFolded ? `${title}: ${messages.length}` : "";
  return [table({ summary, columns: ["resource", title.toLowerCase()], rows })];
}

function ownersTable(summary: Summary): Section[] {
  const rows = ownersIn(summary).map((owner) => [
    cell(owner.name),
    [...owner.roles, ...(owner.through === undefined ? [] : [`through ${cell(owner.through)}`])].join(", "),
    shortened(owner.places.map(groupCell)),
    madeBy(owner),
  ]);
  return tableOf(["new owner", "roles", "in", "made by"], rows);
}

/** One story: who and what changes in each place, and what somebody did there. */
function storySections(summary: Summary, cause: Story, events: FoundEvents): Section[] {
  const groups = summary.groups.filter((group) => group.cause === cause);
  return headed(headingOf(cause, summary), [
    ...(cause === "outside" ? outsideTable(summary, events) : []),
    ...groupsTable(groups, cause),
    ...(cause === "program" ? list(summary.changedDays.map((change) => written(change, codeInList))) : []),
  ]);
}

function headed(title: string, [first, ...others]: readonly Section[]): Section[] {
  return first ? [{ ...first, open: `### ${title}\n\n${first.open}` }, ...others] : [];
}

function outsideTable({ outside }: Summary, events: FoundEvents): Section[] {
  const rows = outside.map((change) => [
    groupCell(change.group),
    `${change.change.kind} ${cell(change.change.name)}`,
    whatChanged(change, cell),
    eventOf(change, events, cell),
  ]);
  return tableOf(
    [placeColumn(outside.map(({ group }) => group)), "resource", "changed outside Pulumi", "last event"],
    rows,
  );
}

function groupsTable(groups: readonly Group[], cause: Story): Section[] {
  // What is changed back has rows of its own, and the calendar changes nothing else, so only the people remain.
  const isBack = cause === "outside";
  const changesOf = (group: Group) => (isBack || cause === "calendar" ? [] : group.changes);
  const changed = groups.filter((group) =>
    [changesOf(group), group.gained, group.lost, group.unclear].some(({ length }) => length > 0),
  );
  const rows = changed.map((group) => [
    groupCell(group),
    ...countsIn(changesOf(group)).map((count) => (count === 0 ? "" : String(count))),
    ...[group.gained, group.lost].map(namesCell),
    group.days.join(", "),
    namesCell(group.unclear),
  ]);
  const access = [
    isBack ? "get access back" : "get access",
    "lose access",
    "after",
    "perhaps another access",
  ];
  return tableOf([placeColumn(changed), ...operations, "failed", ...access], rows);
}

/** Of each operation, and how many have failed. */
function countsIn(changes: readonly Change[]): number[] {
  const [failed, done] = [true, false].map((hasFailed) =>
    changes.filter((each) => each.hasFailed === hasFailed),
  );
  return [...countsOf(done ?? []).map(([, count]) => count), failed?.length ?? 0];
}

function placeColumn(places: readonly Pick<Group, "what">[]): string {
  return places.every(({ what }) => what === "project") ? "project" : "in";
}

/** Without the columns that are empty: a comment is narrow on a phone. */
function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): Section[] {
  if (rows.length === 0) return [];
  const isUsed = (_: string, index: number) => rows.some((row) => row[index] !== "");
  return [
    table({ summary: "", columns: columns.filter(isUsed), rows: rows.map((row) => row.filter(isUsed)) }),
  ];
}

function groupCell({ what, name }: Pick<Group, "what" | "name">): string {
  if (what === "other") return "other resources";
  return what === "project" ? cell(name) : `${what} ${cell(name)}`;
}

function undeclaredTable({ undeclared }: Summary, events: FoundEvents): Section[] {
  const [arrived, known] = [true, false].map((isNew) => undeclared.filter((who) => who.isNew === isNew));
  const rows = [
    ...(arrived ?? []).map((who) => [
      groupCell(who.in),
      withRoles(who, cell),
      "new",
      eventOf(who, events, cell),
    ]),
    ...[...Map.groupBy(known ?? [], ({ key }) => key).values()].flatMap((all) =>
      all
        .slice(0, 1)
        .map((first) => [
          groupCell(first.in),
          shortened(all.map((who) => withRoles(who, cell))),
          "not new",
          "",
        ]),
    ),
  ];
  const column = placeColumn(undeclared.map((who) => who.in));
  return tableOf([column, "who", "since the last update", "last event"], rows);
}

/** More names would make the table unreadable; the plan has all of them. */
const MOST_NAMES = 20;

function namesCell(names: readonly string[]): string {
  return shortened(names.map((name) => cell(name)));
}

function shortened(cells: readonly string[]): string {
  return shortList(cells, MOST_NAMES);
}

/** A resource may change for several causes. */
function resourcesIn({ groups }: Summary): number {
  const changes = groups.flatMap((group) => group.changes);
  return new Set(changes.map(({ kind, name }) => `${kind} ${name}`)).size;
}

function planSection(summary: Summary): Section[] {
  const entries = planOf(summary, shortenedText).map((lines) => `${lines.join("\n")}\n`);
  if (entries.length === 0) return [];
  // The fence is longer than any run of tildes in the text, so no name can end the block.
  const longest = Math.max(3, ...(entries.join("").match(/~+/g) ?? []).map(({ length }) => length));
  const fence = "~".repeat(longest + 1);
  return [
    folded(counted(resourcesIn(summary), "resource"), {
      open: `${fence}diff\n`,
      entries,
      close: `${fence}\n`,
    }),
  ];
}
