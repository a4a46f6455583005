/** The destinations and formats of the report, and the locations that it refers to. */

import { type Output as OutputOf, readOutputs as outputsOf, writeOutputs } from "../lib/outputs";
import type { Terminal } from "../lib/terminal";
import type { Format, FormatOptions } from "./formats/format";
import { html } from "./formats/html";
import { junit } from "./formats/junit";
import { markdown } from "./formats/markdown";
import { sarif } from "./formats/sarif";
import { text } from "./formats/text";
import { documentOf } from "./report/document";
import type { Report } from "./report/model";
import { driftReport } from "./report/schema";

/**
 * Text on a terminal stops here in each section, so a section fits a screen. A file has everything.
 */
const MOST_ENTRIES_ON_STDOUT = 20;

export type Output = OutputOf<Format>;

/**
 * Reads each `--format NAME[=FILE]` of a report.
 *
 * @throws UsageError that names every fault
 */
export function readOutputs(values: readonly string[], cwd: string): Output[] {
  return outputsOf(values, cwd, formats);
}

/** The file with the complete report, without a length limit: for people if there is one. */
export function wholeReportFile(outputs: readonly Output[]): string | undefined {
  const files = [html, json].map((format) => outputs.find((output) => output.format === format)?.file);
  return files.find((file) => file !== undefined);
}

interface WriteOptions extends Omit<FormatOptions, "hasColors" | "mostEntries"> {
  /** Whether the text on stdout has every entry, as with `--all`. */
  readonly showAll?: boolean | undefined;
}

/**
 * Writes each file completely or not at all, so readers never see a partial report.
 *
 * @throws RefusedError that names every file which could not be written
 */
export async function writeReport(
  report: Report,
  outputs: readonly Output[],
  terminal: Pick<Terminal, "stdout" | "hasColors">,
  { showAll = false, ...options }: WriteOptions = {},
): Promise<void> {
  const document = documentOf(report);
  await writeOutputs(outputs, terminal, (format, isFile) =>
    isFile || showAll
      ? format(document, { ...options, hasColors: !isFile && terminal.hasColors })
      : format(document, { ...options, hasColors: terminal.hasColors, mostEntries: MOST_ENTRIES_ON_STDOUT }),
  );
}

/** The report for programs; its JSON Schema is published with the package. */
export const json: Format = ({ report }) =>
  `${JSON.stringify(driftReport.parse(report), null, 2).replace(HALF_CHARACTER, "$1\\ufffd")}\n`;

/** The escape of a half of a character, which a name may contain. jq reads no file with one. */
const HALF_CHARACTER = /(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/g;

/** The formats of a report, by their names for `--format`. */
export const formats = {
  text,
  json,
  markdown,
  html,
  sarif,
  junit,
} satisfies Readonly<Record<string, Format>>;
