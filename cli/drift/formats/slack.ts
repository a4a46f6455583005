/**
 * The report as a message for Slack: Block Kit, within its documented limits. All text of the report is
 * plain text, so it can neither format the message nor mention anyone.
 */
import { visibleText } from "../../../provider/text/visible-text";
import { timeText } from "../../lib/last-event";
import {
  counting,
  type Document,
  EARLIER,
  type Entry,
  statement,
  summaryLines,
  undeterminedElsewhere,
} from "../report/document";
import { notIgnored, ownable } from "../report/model";
import { countsOf } from "../report/unmanaged-kinds";
import type { Format } from "./format";

/** Slack's limits (reference of Block Kit): blocks of a message, characters of a header and of a text. */
const MOST_BLOCKS = 50;
const LONGEST_HEADER = 150;
const LONGEST_TEXT = 3000;

interface Paragraph {
  readonly title: string;
  readonly lines: readonly string[];
}

export const slack: Format = (document) => {
  const { report, title } = document;
  const texts = paragraphsOf(document).flatMap(textsOf);
  // The header, the summary and the footer are always there, and what is left out is counted.
  const shown = texts.slice(0, MOST_BLOCKS - 4);
  const rest = texts.length - shown.length;
  const summary = summaryLines(document).join("\n");
  const more = rest > 0 ? [`${rest} more sections are only in the other formats.`] : [];
  const blocks = [
    { type: "header", text: plainText(title, LONGEST_HEADER) },
    ...[summary, ...shown, ...more].map((text) => ({ type: "section", text: plainText(text) })),
    {
      type: "context",
      elements: [plainText(`opsmanager ${report.tool.version}, ${timeText(report.generatedAt)}`)],
    },
  ];
  return `${JSON.stringify({ text: title, blocks }, null, 2)}\n`;
};

function plainText(text: string, most = LONGEST_TEXT) {
  return { type: "plain_text", text: shortened(text, most), emoji: false };
}

/** A character of two units is left out as a whole. */
function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

function paragraphsOf(document: Document): Paragraph[] {
  const { report, entries } = document;
  const isUndetermined = ({ kind }: Entry) => kind === "undetermined";
  const lines = (own: readonly Entry[]) => counting(own).map((entry) => statement(entry));
  const ofStack = (stack: string) => {
    const own = entries.filter((entry) => entry.stack === stack && !(entry.kind in EARLIER));
    return lines([...own.filter((entry) => !isUndetermined(entry)), ...own.filter(isUndetermined)]);
  };
  const unmanaged = countsOf(notIgnored(ownable(report)));
  return [
    ...report.stacks.map(({ stack }) => ({ title: visibleText(stack), lines: ofStack(stack) })),
    { title: "Undetermined", lines: lines(undeterminedElsewhere(document)) },
    ...(["resolved", "notChecked"] as const).map((kind) => ({
      title: EARLIER[kind],
      lines: entries.filter((entry) => entry.kind === kind).map(({ line }) => line),
    })),
    { title: "Unmanaged", lines: report.unmanaged ? unmanaged : [] },
  ].filter((paragraph) => paragraph.lines.length > 0);
}

/** The lines below their title, in as many texts as the limit requires. */
function textsOf({ title, lines }: Paragraph): string[] {
  const texts: string[] = [];
  let text = title;
  for (const line of lines.map((each) => shortened(each, LONGEST_TEXT - title.length - 1))) {
    if (text.length + 1 + line.length > LONGEST_TEXT) {
      texts.push(text);
      text = title;
    }
    text = `${text}\n${line}`;
  }
  return [...texts, text];
}
