/** The summary of a run as text for a log, and as Markdown for a comment. Pure. */

import { pathText } from "../../provider/resources/contract/property-path";
import { shortList } from "../../provider/text/list";
import { visibleText } from "../../provider/text/visible-text";
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
import type { NamedHolder, Refusal } from "./access";
import {
  type Change,
  type ChangedValue,
  countsOf,
  type Group,
  groupName,
  operations,
  type Summary,
} from "./changes";
import type { NamedPlace } from "./places";
import { written } from "./sentence";

export interface FormatOptions {
  /** Locations of the complete text, for a comment that is too long: names of files, addresses. */
  readonly wholeReport: readonly string[];
}

export type Format = (summary: Summary, options: FormatOptions) => string;

/** Every change with all of its values, for a log or a file. */
export const text: Format = (summary) => {
  const { groups, refusals, notes, errors, warnings } = summary;
  const sections = [
    [
      titleOf(summary),
      ...refusals.map((refusal) => `  ${refusalText(refusal, visibleText)}`),
      ...ownersIn(summary).map((owner) => `  new owner: ${ownerText(owner)}`),
      ...groups.flatMap((group) => groupLines(group, summary)),
      ...notes.map((note) => `  ${written(note, visibleText)}`),
    ],
    groups.flatMap(({ changes }) => changes.flatMap((change) => changeLines(change))),
    errors.map((message) => `error: ${messageText(message)}`),
    warnings.map((message) => `warning: ${messageText(message)}`),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
};

/** Marks the comment, so the next run can find and replace it. */
const COMMENT_MARK = "<!-- opsmanager summary -->";

/** GitHub-flavored Markdown of less than 65,000 characters; what is omitted is counted in a note. */
export const markdown: Format = (summary, { wholeReport }) => {
  const { groups, refusals, notes, errors, warnings } = summary;
  const released = groups.some(({ changes }) => changes.some(({ operation }) => operation === "release"));
  const hint = released
    ? "Released: the resource leaves the stack, and the object stays unchanged in Ops Manager.\n\n"
    : "";
  return limitedMarkdown({
    head: `${COMMENT_MARK}\n## ${titleOf(summary, codeSpan)}\n\n${hint}`,
    sections: [
      ...messagesTable("Errors", errors, false),
      ...list(refusals.map((refusal) => `**${refusalText(refusal, codeInList)}**`)),
      ...ownersTable(summary),
      ...groupsTable(groups),
      ...undeclaredTable(groups),
      ...list(notes.map((note) => written(note, codeInList))),
      ...planSection(groups),
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

/** `Preview of prod: 1 to create, 2 to change; 1 gets access` */
function titleOf(summary: Summary, quoted = visibleText): string {
  const { command, stack, hasFailed, isDone, groups } = summary;
  const refusals = summary.refusals.filter(({ isCertain }) => isCertain);
  const subject = stack === "" ? TITLES[command] : `${TITLES[command]} of ${quoted(stack)}`;
  const early = command === "up" && !isDone ? " before its first change" : "";
  const verdict = hasFailed ? `${subject} failed${early}` : subject;
  const counts = countTexts(
    groups.flatMap(({ changes }) => changes),
    summary,
  );
  if (counts.length === 0) return hasFailed ? verdict : `${verdict}: no changes`;
  const access = (
    [
      [refusals.length, "deletion will fail", "deletions will fail"],
      [new Set(ownersIn(summary).map(({ name }) => name)).size, "new owner", "new owners"],
      [groups.flatMap(({ gained }) => gained).length, "gets access", "get access"],
      [groups.flatMap(({ lost }) => lost).length, "loses access", "lose access"],
    ] as const
  ).flatMap(([count, one, several]) => (count === 0 ? [] : [counted(count, one, several)]));
  return `${verdict}: ${[counts, access]
    .filter((texts) => texts.length > 0)
    .map((texts) => texts.join(", "))
    .join("; ")}`;
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
  return countsOf(changes).flatMap(([operation, count]) =>
    count === 0 ? [] : [`${count} ${isDone ? DONE[operation] : `to ${operation}`}`],
  );
}

function groupLines(group: Group, summary: Summary): string[] {
  const { changes, gained, lost, unclear, undeclared } = group;
  const facts = [
    ...countTexts(changes, summary),
    ...(gained.length > 0 ? [`access for ${gained.map(visibleText).join(", ")}`] : []),
    ...(lost.length > 0 ? [`no more access for ${lost.map(visibleText).join(", ")}`] : []),
    ...(unclear.length > 0 ? [`perhaps another access for ${unclear.map(visibleText).join(", ")}`] : []),
  ];
  return [
    ...(facts.length > 0 ? [`  ${groupName(group)}: ${facts.join(", ")}`] : []),
    ...(undeclared.length > 0
      ? [
          `  not declared in ${groupName(group)}: ${undeclared.map((who) => withRoles(who, visibleText)).join(", ")}`,
        ]
      : []),
  ];
}

function refusalText({ resource, isCertain, reason }: Refusal, quoted: (name: string) => string): string {
  return `Deleting ${quoted(resource)} ${isCertain ? "will" : "may"} fail: ${written(reason, quoted)}`;
}

/** @param who with roles of this provider's own table */
function withRoles({ name, roles }: NamedHolder, quoted: (name: string) => string): string {
  return roles.length === 0 ? quoted(name) : `${quoted(name)} (${roles.join(", ")})`;
}

/** A new owner, with all places in which they get these roles. */
interface OwnerOfPlaces extends NamedHolder {
  readonly through: string | undefined;
  readonly places: readonly NamedPlace[];
}

function ownersIn({ newOwners }: Summary): OwnerOfPlaces[] {
  const same = Map.groupBy(newOwners, ({ name, roles, through }) => JSON.stringify([name, roles, through]));
  return [...same.values()].flatMap((owners) =>
    owners.slice(0, 1).map(({ name, roles, through }) => ({
      name,
      roles,
      through,
      places: owners.map(({ place }) => place),
    })),
  );
}

function ownerText(owner: OwnerOfPlaces): string {
  const by = owner.through === undefined ? "" : ` through ${visibleText(owner.through)}`;
  return `${withRoles(owner, visibleText)}${by} in ${owner.places.map(groupName).join(", ")}`;
}

// Tables and the folded plan.

/** Operations that have a column in each table; others have one if there are any. */
const ALWAYS_SHOWN: readonly string[] = ["create", "change", "delete"];

function groupsTable(groups: readonly Group[]): Section[] {
  if (groups.length === 0) return [];
  const used = new Set(groups.flatMap(({ changes }) => changes.map(({ operation }) => operation)));
  const shown = operations.filter((operation) => used.has(operation) || ALWAYS_SHOWN.includes(operation));
  const changed = groups.filter(({ changes, gained, lost, unclear }) =>
    [changes, gained, lost, unclear].some(({ length }) => length > 0),
  );
  const isUnclear = changed.some(({ unclear }) => unclear.length > 0);
  const rows = changed.map((group) => [
    groupCell(group),
    ...countsOf(group.changes)
      .filter(([operation]) => shown.includes(operation))
      .map(([, count]) => (count === 0 ? "" : String(count))),
    namesCell(group.gained),
    namesCell(group.lost),
    ...(isUnclear ? [namesCell(group.unclear)] : []),
  ]);
  const access = ["get access", "lose access", ...(isUnclear ? ["perhaps another access"] : [])];
  return rows.length === 0 ? [] : [table({ summary: "", columns: ["project", ...shown, ...access], rows })];
}

function groupCell({ what, name }: Pick<Group, "what" | "name">): string {
  if (what === "other") return "other resources";
  return what === "project" ? cell(name) : `${what} ${cell(name)}`;
}

function ownersTable(summary: Summary): Section[] {
  const rows = ownersIn(summary).map(({ name, roles, through, places }) => [
    cell(name),
    [...roles, ...(through === undefined ? [] : [`through ${cell(through)}`])].join(", "),
    shortened(places.map(groupCell)),
  ]);
  return rows.length === 0 ? [] : [table({ summary: "", columns: ["new owner", "roles", "in"], rows })];
}

function undeclaredTable(groups: readonly Group[]): Section[] {
  const rows = groups
    .filter(({ undeclared }) => undeclared.length > 0)
    .map((group) => [groupCell(group), shortened(group.undeclared.map((who) => withRoles(who, cell)))]);
  return rows.length === 0
    ? []
    : [table({ summary: "", columns: ["project", "not declared and not changed"], rows })];
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

function planSection(groups: readonly Group[]): Section[] {
  const changes = groups.flatMap((group) => group.changes);
  if (changes.length === 0) return [];
  const entries = changes.map((change) => `${changeLines(change, shortenedText).join("\n")}\n`);
  // The fence is longer than any run of tildes in the text, so no name can end the block.
  const longest = Math.max(3, ...(entries.join("").match(/~+/g) ?? []).map(({ length }) => length));
  const fence = "~".repeat(longest + 1);
  return [
    folded(`${counted(changes.length, "resource")}`, {
      open: `${fence}diff\n`,
      entries,
      close: `${fence}\n`,
    }),
  ];
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
  limited = (value: string) => value,
) {
  return [
    `${SIGNS[operation]} ${operation} ${kind} ${visibleText(name)}${hasFailed ? " (failed)" : ""}`,
    ...values.flatMap((value) => valueLines(value).map(limited)),
    ...(isUnclear ? ["!     Pulumi reports a difference but not which property."] : []),
  ];
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
