/** The summary of a run as Markdown for a comment. Pure. */

import { isResourceKind } from "../../provider/resources/kinds";
import type { FoundEvents } from "../lib/find-events";
import {
  codeInHtml,
  codeSpan,
  folded,
  limitedMarkdown,
  linkOrCode,
  type Section,
  shortenedText,
  table,
} from "../lib/markdown";
import { plain, type Sentence, sentence, shortListed, type Words, written } from "../lib/sentence";
import { counted } from "../lib/terminal";
import type { UndeclaredHolder } from "./access";
import { changedDayText } from "./calendar";
import type { Summary } from "./changes";
import { type Change, countsOf, type Group, outcomes, type Story, stories } from "./groups";
import { planOf } from "./plan";
import {
  eventOf,
  type Format,
  headingOf,
  hintsIn,
  INVITED,
  lastDays,
  madeBy,
  NO_EVENTS,
  notesIn,
  type OwnerOfPlaces,
  ownersIn,
  ownerTitle,
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
      ...list(refusals.map((refusal) => sentence`**${refusalText(refusal)}**`)),
      ...ownersTable(summary),
      ...stories.flatMap((story) => storySections(summary, story, events)),
      ...headed(UNDECLARED, undeclaredTable(summary, events)),
      ...list(notesIn(summary, events)),
      ...planSection(summary),
      ...messagesTable("Warnings", warnings, true),
    ],
    end: "",
    entries: "rows and resources",
    wholeReport:
      wholeReport.length === 0 ? [`the output of ${codeSpan("--format text")}`] : wholeReport.map(linkOrCode),
  });
};

function list(entries: readonly Sentence[]): Section[] {
  return entries.length === 0
    ? []
    : [{ open: "", entries: entries.map((entry) => `- ${written(entry, codeInList)}\n`), close: "\n" }];
}

/** Outside of a table, a code span would show the escape of a pipe. */
function codeInList(text: string): string {
  return codeInHtml(shortenedText(text));
}

function messagesTable(title: string, messages: Summary["errors"], isFolded: boolean): Section[] {
  if (messages.length === 0) return [];
  const rows = messages.map(({ name = "", text: words }) => [name, words.replace(/\s+/g, " ")]);
  const summary = isFolded ? `${title}: ${messages.length}` : "";
  // A message is complete, however long it is.
  return [table({ summary, columns: ["resource", title.toLowerCase()], rows, quoted: codeSpan })];
}

function ownersTable(summary: Summary): Section[] {
  return [...Map.groupBy(ownersIn(summary), ownerTitle)].flatMap(([title, owners]) => {
    const rows = owners.map((owner) => [
      owner.name,
      rolesCell(owner),
      shortListed(owner.places.map(groupCell), MOST_NAMES),
      plain(madeBy(owner)),
    ]);
    return tableOf([title, "roles", "in", "made by"], rows);
  });
}

function rolesCell({ roles, isInvited, through }: OwnerOfPlaces): Sentence {
  const own = plain([...roles, ...(isInvited ? [INVITED] : [])].join(", "));
  return through === undefined ? own : sentence`${own}, through ${through}`;
}

/** One story: who and what changes in each place, and what somebody did there. */
function storySections(summary: Summary, cause: Story, events: FoundEvents): Section[] {
  const groups = summary.groups.filter((group) => group.cause === cause);
  return headed(headingOf(cause, summary), [
    ...(cause === "outside" ? outsideTable(summary, events) : []),
    ...groupsTable(groups, cause),
    ...(cause === "program" ? list(summary.changedDays.map(changedDayText)) : []),
  ]);
}

function headed(title: string, [first, ...others]: readonly Section[]): Section[] {
  return first ? [{ ...first, open: `### ${title}\n\n${first.open}` }, ...others] : [];
}

function outsideTable({ outside }: Summary, events: FoundEvents): Section[] {
  const rows = outside.map((entry) => [
    groupCell(entry.group),
    resourceCell(entry.change),
    whatChanged(entry),
    eventOf(entry, events),
  ]);
  return tableOf(
    [placeColumn(outside.map(({ group }) => group)), "resource", "changed outside Pulumi", "last event"],
    rows,
  );
}

function resourceCell({ kind, name }: Change): Sentence {
  return sentence`${isResourceKind(kind) ? plain(kind) : kind} ${name}`;
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
    ...countsOf(changesOf(group)).map(([, count]) => (count === 0 ? "" : plain(String(count)))),
    namesCell(group.gained.map(withRoles)),
    namesCell(group.lost.map(withRoles)),
    lastDays(group) === "" ? "" : plain(lastDays(group)),
    namesCell(group.unclear),
  ]);
  const access = [
    isBack ? "get access back" : "get access",
    "lose access",
    "after",
    "perhaps another access",
  ];
  return tableOf([placeColumn(changed), ...outcomes, ...access], rows);
}

function placeColumn(places: readonly Pick<Group, "what">[]): string {
  return places.every(({ what }) => what === "project") ? "project" : "in";
}

/** Without the columns that are empty: a comment is narrow on a phone. */
function tableOf(columns: readonly string[], rows: readonly (readonly Words[])[]): Section[] {
  if (rows.length === 0) return [];
  const isUsed = (_: Words, index: number) => rows.some((row) => row[index] !== "");
  return [
    table({ summary: "", columns: columns.filter(isUsed), rows: rows.map((row) => row.filter(isUsed)) }),
  ];
}

function groupCell({ what, name }: Pick<Group, "what" | "name">): Words {
  if (what === "other") return plain("other resources");
  return what === "project" ? name : sentence`${plain(what)} ${name}`;
}

function undeclaredTable({ undeclared }: Summary, events: FoundEvents): Section[] {
  const isAlone = (who: UndeclaredHolder) => who.isNew || events.of.get(who)?.outcome === "found";
  const sorted = [true, undefined, false].flatMap((isNew) => undeclared.filter((who) => who.isNew === isNew));
  const byRow = Map.groupBy(sorted, (who) => (isAlone(who) ? who : `${who.isNew} ${who.key}`));
  const rows = [...byRow.values()].flatMap((all) =>
    all
      .slice(0, 1)
      .map((first) => [
        groupCell(first.in),
        shortListed(all.map(withRoles), MOST_NAMES),
        plain(first.isNew ? "new" : first.isNew === undefined ? "not known" : "not new"),
        isAlone(first) ? eventOf(first, events) : "",
      ]),
  );
  const column = placeColumn(undeclared.map((who) => who.in));
  return tableOf([column, "who", "since the last update", "last event"], rows);
}

/** More names would make the table unreadable; the plan has all of them. */
const MOST_NAMES = 20;

function namesCell(names: readonly Words[]): Words {
  return names.length === 0 ? "" : shortListed(names, MOST_NAMES);
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
