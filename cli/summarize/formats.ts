/** The summary of a run as text for a log, and as Markdown for a comment. Pure. */

import { pathText } from "../../provider/resources/contract/property-path";
import { visibleText } from "../../provider/text/visible-text";
import {
  cell,
  codeSpan,
  folded,
  limitedMarkdown,
  linkOrCode,
  type Section,
  shortenedText,
  table,
} from "../markdown";
import { counted } from "../terminal";
import {
  type Change,
  type ChangedValue,
  countsOf,
  type Group,
  groupName,
  operations,
  type Summary,
} from "./changes";

export interface FormatOptions {
  /** Locations of the complete text, for a comment that is too long: names of files, addresses. */
  readonly wholeReport: readonly string[];
}

export type Format = (summary: Summary, options: FormatOptions) => string;

/** Every change with all of its values, for a log or a file. */
export const text: Format = (summary) => {
  const { groups, errors, warnings } = summary;
  const sections = [
    [
      titleOf(summary),
      ...groups.map((group) => `  ${groupName(group)}: ${groupTexts(group, summary).join(", ")}`),
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
  const { groups, errors, warnings } = summary;
  const released = groups.some(({ changes }) => changes.some(({ operation }) => operation === "release"));
  const hint = released
    ? "Released: the resource leaves the stack, and the object stays unchanged in Ops Manager.\n\n"
    : "";
  return limitedMarkdown({
    head: `${COMMENT_MARK}\n## ${titleOf(summary, codeSpan)}\n\n${hint}`,
    sections: [
      ...messagesTable("Errors", errors, false),
      ...groupsTable(groups),
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
  const subject = stack === "" ? TITLES[command] : `${TITLES[command]} of ${quoted(stack)}`;
  const early = command === "up" && !isDone ? " before its first change" : "";
  const verdict = hasFailed ? `${subject} failed${early}` : subject;
  const counts = countTexts(
    groups.flatMap(({ changes }) => changes),
    summary,
  );
  if (counts.length === 0) return hasFailed ? verdict : `${verdict}: no changes`;
  const [coming, going] = [groups.flatMap((group) => group.coming), groups.flatMap((group) => group.going)];
  const access = [
    ...(coming.length > 0 ? [`${counted(coming.length, "gets access", "get access")}`] : []),
    ...(going.length > 0 ? [`${counted(going.length, "loses access", "lose access")}`] : []),
  ];
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

function groupTexts({ changes, coming, going }: Group, summary: Summary): string[] {
  return [
    ...countTexts(changes, summary),
    ...(coming.length > 0 ? [`access for ${coming.map(visibleText).join(", ")}`] : []),
    ...(going.length > 0 ? [`no more access for ${going.map(visibleText).join(", ")}`] : []),
  ];
}

// Tables and the folded plan.

/** Operations that have a column in each table; others have one if there are any. */
const ALWAYS_SHOWN: readonly string[] = ["create", "change", "delete"];

function groupsTable(groups: readonly Group[]): Section[] {
  if (groups.length === 0) return [];
  const used = new Set(groups.flatMap(({ changes }) => changes.map(({ operation }) => operation)));
  const shown = operations.filter((operation) => used.has(operation) || ALWAYS_SHOWN.includes(operation));
  const rows = groups.map(({ what, name, changes, coming, going }) => [
    what === "other" ? "other resources" : `${what === "project" ? "" : `${what} `}${cell(name)}`,
    ...countsOf(changes)
      .filter(([operation]) => shown.includes(operation))
      .map(([, count]) => (count === 0 ? "" : String(count))),
    namesCell(coming),
    namesCell(going),
  ]);
  return [table({ summary: "", columns: ["project", ...shown, "get access", "lose access"], rows })];
}

/** More names would make the table unreadable; the plan has all of them. */
const MOST_NAMES = 20;

function namesCell(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => cell(name));
  const left = names.length - shown.length;
  return [...shown, ...(left > 0 ? [`and ${left} more`] : [])].join(", ");
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
