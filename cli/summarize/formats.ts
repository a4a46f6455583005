/** The summary of a run as text for a log, and as Markdown for a comment. Pure. */

import { pathText } from "../../provider/resources/contract/property-path";
import { shortList } from "../../provider/text/list";
import { visibleText } from "../../provider/text/visible-text";
import { type Cause, type ChangedValue, causes } from "../lib/causes";
import type { FoundEvents } from "../lib/find-events";
import { eventText } from "../lib/last-event";
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
import { treatmentOf } from "../lib/own-resources";
import { counted } from "../lib/terminal";
import type { NamedHolder, Refusal } from "./access";
import {
  type Change,
  countsOf,
  type Group,
  groupName,
  operations,
  type Summary,
  type SummaryOwner,
  type Undeclared,
} from "./changes";
import type { OutsideChange } from "./outside";
import type { NamedPlace } from "./places";
import { type Sentence, sentence, written } from "./sentence";

export interface FormatOptions {
  /** Locations of the complete text, for a comment that is too long: names of files, addresses. */
  readonly wholeReport: readonly string[];
  /** Who changed what outside Pulumi. */
  readonly events?: FoundEvents | undefined;
}

export type Format = (summary: Summary, options: FormatOptions) => string;

const NO_EVENTS: FoundEvents = { of: new Map(), unread: [] };

/** Every change with all of its values, for a log or a file. */
export const text: Format = (summary, { events = NO_EVENTS }) => {
  const { refusals, errors, warnings } = summary;
  const important = [
    ...refusals.map((refusal) => refusalText(refusal, visibleText)),
    ...ownersIn(summary).map((owner) => `new owner: ${ownerText(owner)}`),
  ];
  const stories = causes.map((cause) => storyLines(summary, cause, events));
  const [program = [], ...others] = stories;
  const sections = [
    [titleOf(summary), ...[...important, ...program].map((line) => `  ${line}`)],
    ...others.map((lines, index) => titled(headingOf(causes[index + 1] ?? "unknown", summary), lines)),
    titled(UNDECLARED, undeclaredLines(summary, events)),
    [...hintsIn(summary), ...notesIn(summary, events).map((note) => written(note, visibleText))],
    planLines(summary),
    errors.map((message) => `error: ${messageText(message)}`),
    warnings.map((message) => `warning: ${messageText(message)}`),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
};

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
}

function storyLines(summary: Summary, cause: Cause, events: FoundEvents): string[] {
  return summary.groups
    .filter((group) => group.cause === cause)
    .flatMap((group) => [
      groupLine(group, summary),
      ...summary.outside
        .filter((change) => change.group === group)
        .map(
          (change) =>
            `  ${outsideText(change, visibleText)}${inParentheses(eventOf(change, events, visibleText))}`,
        ),
    ]);
}

function undeclaredLines({ undeclared }: Summary, events: FoundEvents): string[] {
  return undeclared.map((who) => {
    const since = who.isNew
      ? `, new since the last update${inParentheses(eventOf(who, events, visibleText))}`
      : "";
    return `not declared in ${groupName(who.in)}: ${withRoles(who, visibleText)}${since}`;
  });
}

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
      ...causes.flatMap((cause) => storySections(summary, cause, events)),
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

export const formats = { text, markdown } satisfies Readonly<Record<string, Format>>;

const TITLES: Readonly<Record<Summary["command"], string>> = { preview: "Preview", up: "Update" };

/** `Preview of prod: 1 new owner; 2 to change, 1 gets access; 3 outside changes to reverse` */
function titleOf(summary: Summary, quoted = visibleText): string {
  const { command, stack, hasFailed, isDone, groups } = summary;
  const subject = stack === "" ? TITLES[command] : `${TITLES[command]} of ${quoted(stack)}`;
  const early = command === "up" && !isDone ? " before its first change" : "";
  const verdict = hasFailed ? `${subject} failed${early}` : subject;
  const facts = countsIn(summary);
  if (facts.length > 0) return `${verdict}: ${facts.map((texts) => texts.join(", ")).join("; ")}`;
  return hasFailed || groups.length > 0 ? verdict : `${verdict}: no changes`;
}

/** What is important, what the program does, and the rest. */
function countsIn(summary: Summary): string[][] {
  const { isDone, groups, outside, undeclared } = summary;
  const of = (cause: Cause) => groups.filter((group) => group.cause === cause);
  const program = of("program");
  const holders = (list: (group: Group) => readonly string[]) => program.flatMap(list).length;
  const certain = summary.refusals.filter(({ isCertain }) => isCertain).length;
  const names = new Set(summary.newOwners.map(({ name }) => name));
  const unknown = of("unknown").flatMap(({ changes }) => changes).length;
  const changes = program.flatMap((group) => group.changes);
  const isOther = [outside, undeclared.filter(({ isNew }) => isNew)].some(({ length }) => length > 0);
  return [
    [
      ...countText(certain, "deletion will fail", "deletions will fail"),
      ...countText(names.size, "new owner", "new owners"),
    ],
    [
      ...(changes.length === 0 && isOther && unknown === 0 ? ["nothing by the program"] : []),
      ...countTexts(changes, summary),
      ...countText(
        holders(({ gained }) => gained),
        "gets access",
        "get access",
      ),
      ...countText(
        holders(({ lost }) => lost),
        "loses access",
        "lose access",
      ),
    ],
    countText(
      outside.length,
      `outside change ${isDone ? "reversed" : "to reverse"}`,
      `outside changes ${isDone ? "reversed" : "to reverse"}`,
    ),
    countText(unknown, "change of unknown origin", "changes of unknown origin"),
    countText(
      undeclared.filter(({ isNew }) => isNew).length,
      "newcomer whom nobody declares",
      "newcomers whom nobody declares",
    ),
  ].filter((texts) => texts.length > 0);
}

function countText(count: number, one: string, several: string): string[] {
  return count === 0 ? [] : [counted(count, one, several)];
}

/** What follows from the cause. */
function headingOf(cause: Cause, { isDone }: Summary): string {
  switch (cause) {
    case "program":
      return isDone ? "What the program changed" : "What the program changes";
    case "outside":
      return `Changed outside Pulumi, and ${isDone ? "changed back" : "to be changed back"}`;
    case "unknown":
      return "It is not known whether the program or somebody outside Pulumi changed this";
  }
}

const UNDECLARED = "Declared by nobody, and left as they are";

// Who did what outside Pulumi.

type Quoted = (name: string) => string;

function eventOf(entry: object, { of }: FoundEvents, quoted: Quoted): string {
  const event = of.get(entry);
  if (event === undefined) return "";
  switch (event.outcome) {
    case "found":
      return quoted(eventText(event));
    case "none":
      return "no matching event";
    case "undocumented":
      return "no event; this kind is not documented";
    case "unknown":
      return "its event could not be read";
  }
}

function inParentheses(words: string): string {
  return words === "" ? "" : ` (${words})`;
}

function outsideText(change: OutsideChange, quoted: Quoted): string {
  const { kind, name } = change.change;
  return `${kind} ${quoted(name)}: ${whatChanged(change, quoted)}`;
}

/** What somebody did, in the direction in which they did it. */
function whatChanged({ change, value, isDeleted, others }: OutsideChange, quoted: Quoted): string {
  if (isDeleted && isRemoval(change)) return "removed";
  if (isDeleted) return others === 0 ? "deleted" : `deleted, with ${counted(others, "other resource")}`;
  if (value === undefined) return "changed; Pulumi does not report which property";
  const path = quoted(pathText(value.path));
  const shown = (side: unknown) => quoted(valueText(side));
  if (!("after" in value)) return `${path}: ${shown(value.before)} removed`;
  if (!("before" in value)) return `${path}: ${shown(value.after)} added`;
  return `${path}: ${shown(value.before)} became ${shown(value.after)}`;
}

/** Whether the end of an object is that of an access, such as a person's: its holder exists further. */
function isRemoval({ resource }: Change): boolean {
  const treatment = treatmentOf(resource.type);
  return treatment?.isContainer === false && Object.keys(treatment.holders).length > 0;
}

/** Beside the notes about access: what a correction cannot bring back, and why it may be unknown who made a change. */
function notesIn(
  { notes: ofAccess, outside }: Summary,
  { unread: [first, ...others] }: FoundEvents,
): Sentence[] {
  const isProject = ({ change, isDeleted }: OutsideChange) => isDeleted && change.kind === "Project";
  const notes = outside.some(isProject)
    ? [
        ...ofAccess,
        sentence`A deleted project is created again without what it contained, and with another ID.`,
      ]
    : ofAccess;
  if (first === undefined) return [...notes];
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  const missing = sentence`Who made a change is missing where events could not be read: ${first.what}: ${first.reason}`;
  return [...notes, { texts: [...missing.texts.slice(0, -1), more], names: missing.names }];
}

/** What must be known to understand the rest. */
function hintsIn({ groups, unread }: Summary): string[] {
  const isReleased = groups.some(({ changes }) => changes.some(({ operation }) => operation === "release"));
  const resources = counted(unread, "resource was", "resources were");
  return [
    ...(groups.some(({ cause }) => cause === "unknown")
      ? [
          "The origin of a change is unknown if a refresh or a failed update has overwritten the state since the last update, or if a value is secret.",
        ]
      : []),
    ...(isReleased
      ? ["Released: the resource leaves the stack, and the object stays unchanged in Ops Manager."]
      : []),
    ...(unread > 0
      ? [
          `${resources} not read before this run, so what somebody changed there outside Pulumi is missing here.`,
        ]
      : []),
  ];
}

const DONE: Readonly<Record<Change["operation"], string>> = {
  create: "created",
  change: "changed",
  replace: "replaced",
  import: "imported",
  delete: "deleted",
  release: "released",
};

function countTexts(changes: readonly Change[], { isDone }: Pick<Summary, "isDone">): string[] {
  const failed = changes.filter(({ hasFailed }) => hasFailed).length;
  const counts = countsOf(changes.filter(({ hasFailed }) => !hasFailed));
  return [
    ...counts.flatMap(([operation, count]) =>
      count === 0 ? [] : [`${count} ${isDone ? DONE[operation] : `to ${operation}`}`],
    ),
    ...(failed === 0 ? [] : [`${failed} failed`]),
  ];
}

function groupLine(group: Group, summary: Summary): string {
  const { changes, gained, lost, unclear } = group;
  const facts = [
    ...countTexts(changes, summary),
    ...(gained.length > 0 ? [`access for ${gained.map(visibleText).join(", ")}`] : []),
    ...(lost.length > 0 ? [`no more access for ${lost.map(visibleText).join(", ")}`] : []),
    ...(unclear.length > 0 ? [`perhaps another access for ${unclear.map(visibleText).join(", ")}`] : []),
  ];
  return `${groupName(group)}: ${facts.join(", ")}`;
}

function refusalText({ resource, isCertain, reason }: Refusal, quoted: Quoted): string {
  return `Deleting ${quoted(resource)} ${isCertain ? "will" : "may"} fail: ${written(reason, quoted)}`;
}

/** @param who with roles of this provider's own table */
function withRoles({ name, roles }: NamedHolder, quoted: Quoted): string {
  return roles.length === 0 ? quoted(name) : `${quoted(name)} (${roles.join(", ")})`;
}

/** A new owner, with all places in which they get these roles. */
interface OwnerOfPlaces extends NamedHolder {
  readonly through: string | undefined;
  readonly cause: Cause;
  readonly isAdopted: boolean;
  readonly undeclared: Undeclared | undefined;
  readonly places: readonly NamedPlace[];
}

/** Those first whom the program makes. */
function ownersIn({ newOwners }: Summary): OwnerOfPlaces[] {
  const rankOf = ({ cause, undeclared }: SummaryOwner) => causes.indexOf(cause) - (undeclared ? 0.5 : 0);
  const sorted = [...newOwners].sort((one, next) => rankOf(one) - rankOf(next));
  const same = Map.groupBy(sorted, ({ name, roles, through, cause, isAdopted, undeclared }) =>
    JSON.stringify([name, roles, through, cause, isAdopted, undeclared?.key]),
  );
  return [...same.values()].flatMap((owners) =>
    owners.slice(0, 1).map(({ name, roles, through, cause, isAdopted = false, undeclared }) => ({
      name,
      roles,
      through,
      cause,
      isAdopted,
      undeclared,
      places: owners.map(({ place }) => place),
    })),
  );
}

function ownerText(owner: OwnerOfPlaces): string {
  const through = owner.through === undefined ? "" : ` through ${visibleText(owner.through)}`;
  return `${withRoles(owner, visibleText)}${through} in ${owner.places.map(groupName).join(", ")}, made by ${madeBy(owner)}`;
}

/** Who makes someone an owner. */
function madeBy({ cause, isAdopted, undeclared }: OwnerOfPlaces): string {
  if (undeclared) return "somebody outside Pulumi; undeclared";
  if (isAdopted) return "somebody outside Pulumi; declared now";
  switch (cause) {
    case "program":
      return "the program";
    case "outside":
      return "a correction: had it before";
    case "unknown":
      return "the program or a correction: not known";
  }
}

// Tables and the folded plan.

/** The story of one cause: who and what changes in each place, and what somebody did there. */
function storySections(summary: Summary, cause: Cause, events: FoundEvents): Section[] {
  const groups = summary.groups.filter((group) => group.cause === cause);
  return headed(headingOf(cause, summary), [
    ...(cause === "outside" ? outsideTable(summary, events) : []),
    ...groupsTable(groups, cause),
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
  return tableOf(["project", "resource", "changed outside Pulumi", "last event"], rows);
}

function groupsTable(groups: readonly Group[], cause: Cause): Section[] {
  // What is changed back has rows of its own, so only the people remain.
  const isBack = cause === "outside";
  const changed = groups.filter(({ changes, gained, lost, unclear }) =>
    [isBack ? [] : changes, gained, lost, unclear].some(({ length }) => length > 0),
  );
  const rows = changed.map((group) => [
    groupCell(group),
    ...countsOf(isBack ? [] : group.changes).map(([, count]) => (count === 0 ? "" : String(count))),
    ...[group.gained, group.lost, group.unclear].map(namesCell),
  ]);
  const access = [isBack ? "get access back" : "get access", "lose access", "perhaps another access"];
  return tableOf(["project", ...operations, ...access], rows);
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

function ownersTable(summary: Summary): Section[] {
  const rows = ownersIn(summary).map((owner) => [
    cell(owner.name),
    [...owner.roles, ...(owner.through === undefined ? [] : [`through ${cell(owner.through)}`])].join(", "),
    shortened(owner.places.map(groupCell)),
    madeBy(owner),
  ]);
  return tableOf(["new owner", "roles", "in", "made by"], rows);
}

function undeclaredTable({ undeclared }: Summary, events: FoundEvents): Section[] {
  const [arrived, known] = [true, false].map((isNew) => undeclared.filter((who) => who.isNew === isNew));
  const rows = [
    ...(arrived ?? []).map((who) => [
      groupCell(who.in),
      withRoles(who, cell),
      `new since the last update${inParentheses(eventOf(who, events, cell))}`,
    ]),
    ...[...Map.groupBy(known ?? [], ({ key }) => key).values()].flatMap((all) =>
      all
        .slice(0, 1)
        .map((first) => [groupCell(first.in), shortened(all.map((who) => withRoles(who, cell))), "not new"]),
    ),
  ];
  return tableOf(["project", "who", "since"], rows);
}

/** Outside of a table, a code span would show the escape of a pipe. */
function codeInList(text: string): string {
  return codeInHtml(shortenedText(text));
}

function list(entries: readonly string[]): Section[] {
  return entries.length === 0
    ? []
    : [{ open: "", entries: entries.map((entry) => `- ${entry}\n`), close: "\n" }];
}

/** More names would make the table unreadable; the plan has all of them. */
const MOST_NAMES = 20;

function namesCell(names: readonly string[]): string {
  return shortened(names.map((name) => cell(name)));
}

function shortened(cells: readonly string[]): string {
  return shortList(cells, MOST_NAMES);
}

function planSection({ groups }: Summary): Section[] {
  const isSplit = groups.some(({ cause }) => cause !== "program");
  const entries = causes.flatMap((cause) => {
    const changes = groups.filter((group) => group.cause === cause).flatMap((group) => group.changes);
    return changes.map((change, index) => {
      const lines = changeLines(change, cause, shortenedText);
      const mark = isSplit && index === 0 ? `@@ ${CAUSES[cause]} @@\n` : "";
      return `${mark}${lines.join("\n")}\n`;
    });
  });
  if (entries.length === 0) return [];
  // The fence is longer than any run of tildes in the text, so no name can end the block.
  const longest = Math.max(3, ...(entries.join("").match(/~+/g) ?? []).map(({ length }) => length));
  const fence = "~".repeat(longest + 1);
  return [
    folded(`${counted(entries.length, "resource")}`, {
      open: `${fence}diff\n`,
      entries,
      close: `${fence}\n`,
    }),
  ];
}

/** As a diff marks a part of a file. */
const CAUSES: Readonly<Record<Cause, string>> = {
  program: "by the program",
  outside: "back to what is declared",
  unknown: "not known whether by the program or back to what is declared",
};

function planLines({ groups }: Summary): string[] {
  const isSplit = groups.some(({ cause }) => cause !== "program");
  return causes.flatMap((cause) => {
    const changes = groups.filter((group) => group.cause === cause).flatMap((group) => group.changes);
    const lines = changes.flatMap((change) => changeLines(change, cause));
    return isSplit && lines.length > 0 ? [`@@ ${CAUSES[cause]} @@`, ...lines] : lines;
  });
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

const SIGNS: Readonly<Record<Change["operation"], string>> = {
  create: "+",
  change: "!",
  replace: "!",
  import: "+",
  delete: "-",
  release: "-",
};

/**
 * The change as lines of a diff: a resource, and below it each value.
 *
 * @param limited shortens a long value
 */
function changeLines(
  { operation, kind, name, values, isUnclear, hasFailed }: Change,
  cause: Cause,
  limited = (value: string) => value,
) {
  return [
    `${SIGNS[operation]} ${operation} ${kind} ${visibleText(name)}${hasFailed ? " (failed)" : ""}`,
    ...values.flatMap((value) => valueLines(cause === "outside" ? reversed(value) : value).map(limited)),
    ...(isUnclear ? ["!     Pulumi reports a difference but not which property."] : []),
  ];
}

/** What the run does about what somebody did. */
function reversed({ path, ...sides }: ChangedValue): ChangedValue {
  return {
    path,
    ...("after" in sides && { before: sides.after }),
    ...("before" in sides && { after: sides.before }),
  };
}

function valueLines({ path, ...sides }: ChangedValue): string[] {
  const name = visibleText(pathText(path));
  return [
    ...("before" in sides ? [`-     ${name}: ${valueText(sides.before)}`] : []),
    ...("after" in sides ? [`+     ${name}: ${valueText(sides.after)}`] : []),
  ];
}

function valueText(value: unknown): string {
  return visibleText(JSON.stringify(value));
}

function messageText({ name, text: words }: Summary["errors"][number]): string {
  const line = visibleText(words.replace(/\s+/g, " "));
  return name === undefined ? line : `${visibleText(name)}: ${line}`;
}
