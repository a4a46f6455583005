/**
 * The report as a message for Slack: Block Kit, within its documented limits. All text of the report is
 * plain text, so it can neither format the message nor mention anyone.
 */
import { visibleText } from "../../../provider/text/visible-text";
import {
  type DriftReport,
  type Format,
  newFirst,
  notIgnored,
  ofStack,
  type Undetermined,
  undeterminedRows,
  unmanagedEntries,
} from "../report";
import {
  countsOf,
  differenceText,
  earlierSections,
  earlierText,
  kindOfResource,
  remarks,
  resultTitle,
  summaryLines,
  timeText,
  undeterminedText,
} from "./wording";

/** Slack's limits (reference of Block Kit): blocks of a message, characters of a header and of a text. */
const MOST_BLOCKS = 50;
const LONGEST_HEADER = 150;
const LONGEST_TEXT = 3000;

interface Paragraph {
  readonly title: string;
  readonly lines: readonly string[];
}

export const slack: Format = (report) => {
  const texts = paragraphsOf(report).flatMap(textsOf);
  // The header, the summary and the footer are always there, and what is left out is counted.
  const shown = texts.slice(0, MOST_BLOCKS - 4);
  const rest = texts.length - shown.length;
  const blocks = [
    { type: "header", text: plainText(resultTitle(report), LONGEST_HEADER) },
    { type: "section", text: plainText(summaryLines(report).join("\n")) },
    ...shown.map((text) => ({ type: "section", text: plainText(text) })),
    ...(rest > 0
      ? [{ type: "section", text: plainText(`${rest} more sections are only in the other formats.`) }]
      : []),
    {
      type: "context",
      elements: [plainText(`opsmanager ${report.tool.version}, ${timeText(report.generatedAt)}`)],
    },
  ];
  return `${JSON.stringify({ text: resultTitle(report), blocks }, null, 2)}\n`;
};

function plainText(text: string, most = LONGEST_TEXT) {
  return { type: "plain_text", text: shortened(text, most), emoji: false };
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

function paragraphsOf(report: DriftReport): Paragraph[] {
  const undeterminedLines = (things: readonly Undetermined[]) =>
    newFirst(report, undeterminedRows(report, notIgnored(things))).map(
      (thing) =>
        `? ${visibleText(undeterminedText(thing))}: ${visibleText(thing.reason)}${remarks(report, thing)}`,
    );
  const own = new Set<string | undefined>(report.stacks.map(({ stack }) => stack));
  const unmanaged = countsOf(notIgnored(unmanagedEntries(report.unmanaged)));
  return [
    ...report.stacks.map(({ stack }) => {
      const { findings, unreadable } = ofStack(report, stack);
      const lines = newFirst(report, notIgnored(findings)).map(
        (finding) =>
          `${visibleText(finding.name)} (${kindOfResource(finding)}): ${differenceText(finding)}${remarks(report, finding)}`,
      );
      return { title: visibleText(stack), lines: [...lines, ...undeterminedLines(unreadable)] };
    }),
    {
      title: "Undetermined",
      lines: undeterminedLines(report.unreadable.filter(({ stack }) => !own.has(stack))),
    },
    ...earlierSections(report).map(({ title, entries }) => ({
      title,
      lines: entries.map(earlierText),
    })),
    { title: "Unmanaged", lines: report.unmanaged ? unmanaged : [] },
  ].filter(({ lines }) => lines.length > 0);
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
