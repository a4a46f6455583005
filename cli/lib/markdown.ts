/** Markdown of limited length for a comment on GitHub, and text from outside in it. Pure. */

import { visibleText } from "../../provider/text/visible-text";
import { type Words, written as writtenWords } from "./sentence";

/** GitHub allows 65,536 characters in a comment; a workflow may add a line of its own. */
const LIMIT = 65_000;

/** A longer value is folded or truncated, because it would displace a dozen other rows. */
export const LONGEST_VALUE = 500;

/** A part of a comment: entries between a beginning and an end. */
export interface Section {
  readonly open: string;
  /** Each with its line end. */
  readonly entries: readonly string[];
  readonly close: string;
}

interface LimitedMarkdown {
  /** What is always shown, before and after the sections. */
  readonly head: string;
  readonly end: string;
  /** The most important ones come first. */
  readonly sections: readonly Section[];
  /** What the note about omitted entries calls them: `rows`. */
  readonly entries: string;
  /** Where the complete report is, in Markdown. */
  readonly wholeReport: readonly string[];
}

/** Markdown of less than 65,000 characters. Omitted entries are counted in a note before the end. */
export function limitedMarkdown({ head, end, sections, entries, wholeReport }: LimitedMarkdown): string {
  const all = sections.reduce((count, section) => count + section.entries.length, 0);
  const whole = written(sections, Number.POSITIVE_INFINITY);
  if (head.length + whole.text.length + end.length < LIMIT) return `${head}${whole.text}${end}`;
  const noteOf = (left: number) =>
    `**${left} of ${all} ${entries} are not shown**, because the length of a comment is limited. The complete report: ${wholeReport.join(", ")}.\n\n`;
  const room = LIMIT - 1 - head.length - end.length - noteOf(all).length;
  const { text, shown } = written(sections, room);
  return `${head}${text}${noteOf(all - shown)}${end}`;
}

function written(sections: readonly Section[], room: number): { text: string; shown: number } {
  let text = "";
  let shown = 0;
  for (const { open, entries, close } of sections) {
    const left = room - text.length - open.length - close.length;
    const fitting = entriesThatFit(entries, left);
    if (left < 0 || (fitting.length === 0 && entries.length > 0)) continue;
    text += `${open}${fitting.join("")}${close}`;
    shown += fitting.length;
  }
  return { text, shown };
}

function entriesThatFit(entries: readonly string[], room: number): readonly string[] {
  let left = room;
  const fitting = entries.findIndex((line) => {
    left -= line.length;
    return left < 0;
  });
  return entries.slice(0, fitting < 0 ? entries.length : fitting);
}

/**
 * The section folded under a line, or not folded if the line is empty.
 *
 * @param summary in HTML
 * @param isOpen whether a reader sees it at first
 */
export function folded(summary: string, { open, entries, close }: Section, isOpen = false): Section {
  if (summary === "") return { open, entries, close: `${close}\n` };
  return {
    open: `<details${isOpen ? " open" : ""}><summary>${summary}</summary>\n\n${open}`,
    entries,
    close: `${close}\n</details>\n\n`,
  };
}

export interface Table {
  /** In HTML; empty for a table that is not folded. */
  readonly summary: string;
  /** Whether a reader sees a folded table at first. */
  readonly isOpen?: boolean;
  readonly columns: readonly string[];
  /** The names in words of our own are shown as code, as is all other text. */
  readonly rows: readonly (readonly Words[])[];
  /** How a text from outside is written; default: as code, without the end of a long one. */
  readonly quoted?: (text: string) => string;
}

export function table({ summary, isOpen, columns, rows, quoted = cell }: Table): Section {
  const open = row(columns) + row(columns.map(() => "---"));
  const inMarkdown = (words: Words) => (words === "" ? "" : writtenWords(words, quoted));
  return folded(
    summary,
    { open, entries: rows.map((cells) => row(cells.map(inMarkdown))), close: "" },
    isOpen,
  );
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

/**
 * A sentence of our own that quotes texts from outside. Each word of it that could be more than a word, such as a
 * mention, an address or the number of an issue, is shown as code.
 */
export function prose(text: string): string {
  return text.replace(/\S*(?:[^\p{L}\p{N}\s.,:;()"'-]|\.(?=[\p{L}\p{N}])|\p{L}-(?=\p{N}))\S*/gu, codeInHtml);
}

/** Formats an address as a link. */
export function linkOrCode(location: string): string {
  return /^https:\/\/[\w.:/-]+$/.test(location) ? location : cell(location);
}

/** The text as code, without the end of a long one. */
export function cell(text: string): string {
  return codeSpan(shortenedText(text));
}

export function shortenedText(text: string): string {
  const characters = [...text];
  if (characters.length <= LONGEST_VALUE) return text;
  return `${characters.slice(0, LONGEST_VALUE).join("")}… (${characters.length} characters)`;
}

// Formats text from outside as code in Markdown. In code nothing is read as Markdown or HTML, no
// user is notified by `@name`, and no issue is linked by `#1`. Pure.

/**
 * A code span for a table cell. A pipe ends the cell even there, unless it is escaped. A pipe
 * after a backslash cannot be escaped, and a span loses spaces at its ends. Such texts are written
 * in HTML.
 */
export function codeSpan(text: string): string {
  const shown = visibleText(text);
  if (/\\\|/.test(shown) || shown.trim() !== shown || shown === "") return codeInHtml(shown);
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  const gap = /^`|`$/.test(shown) ? " " : "";
  return `${fence}${gap}${shown.replaceAll("|", "\\|")}${gap}${fence}`;
}

/**
 * The text as code in HTML, for use where a code span is impossible. A bare address would become a
 * link even there, so it is escaped.
 */
export function codeInHtml(text: string): string {
  const escaped = visibleText(text).replace(
    /[^\p{L}\p{N} -]/gu,
    (character) => `&#${character.codePointAt(0)};`,
  );
  return `<code>${escaped}</code>`;
}
