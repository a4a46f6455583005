/** The destinations and formats of the report, and the locations that it refers to. */

import { relative, resolve } from "node:path";
import { ConfigurationError, messageOf, RefusedError } from "../../provider/text/errors";
import { writeWhole } from "../report-files";
import type { Terminal } from "../terminal";
import { html } from "./formats/html";
import { junit } from "./formats/junit";
import { markdown } from "./formats/markdown";
import { sarif } from "./formats/sarif";
import { text } from "./formats/text";
import { type DriftReport, driftReport, type Format, type FormatOptions } from "./report";

/**
 * Text on a terminal stops here in each section, so a section fits a screen. A file has everything.
 */
const MOST_ENTRIES_ON_STDOUT = 20;

export interface Output {
  readonly format: Format;
  /** Absolute path; `undefined` for stdout. */
  readonly file: string | undefined;
}

/**
 * Reads each `--format NAME[=FILE]`. If none of them writes to stdout, the text format does.
 *
 * @throws ConfigurationError that names every fault
 */
export function readOutputs(values: readonly string[], cwd: string): Output[] {
  const faults: string[] = [];
  const outputs = values.flatMap((value) => {
    const [name = "", ...rest] = value.split("=");
    const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
    if (format === undefined) {
      faults.push(
        `--format ${value}: there is no format ${JSON.stringify(name)}; there are ${Object.keys(formats).join(", ")}.`,
      );
      return [];
    }
    if (rest.length > 0 && rest.join("=") === "")
      faults.push(`--format ${value}: the name of the file is missing.`);
    return [{ format, file: rest.length === 0 ? undefined : resolve(cwd, rest.join("=")) }];
  });
  const toStdout = outputs.filter(({ file }) => file === undefined);
  if (toStdout.length > 1) {
    faults.push(
      "Only one --format can go to stdout; give the others a file, such as --format json=drift.json.",
    );
  }
  const files = outputs.flatMap(({ file }) => (file === undefined ? [] : [file]));
  for (const twice of new Set(files.filter((file, index) => files.indexOf(file) !== index))) {
    faults.push(`Two formats go to the same file, ${twice}.`);
  }
  if (faults.length > 0) throw new ConfigurationError(faults);
  return toStdout.length === 0 ? [...outputs, { format: text, file: undefined }] : outputs;
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
  report: DriftReport,
  outputs: readonly Output[],
  terminal: Pick<Terminal, "stdout" | "hasColors">,
  { showAll = false, ...options }: WriteOptions = {},
): Promise<void> {
  const faults: string[] = [];
  for (const { format, file } of outputs) {
    if (file === undefined) {
      const mostEntries = showAll ? undefined : MOST_ENTRIES_ON_STDOUT;
      terminal.stdout(format(report, { ...options, hasColors: terminal.hasColors, mostEntries }));
      continue;
    }
    await writeWhole(file, format(report, { ...options, hasColors: false })).catch((error: unknown) => {
      faults.push(messageOf(error));
    });
  }
  if (faults.length > 0) throw new RefusedError(faults);
}

/** The report as JSON, for programs; its JSON Schema is published with the package. */
export const json: Format = (report) => `${JSON.stringify(driftReport.parse(report), null, 2)}\n`;

/** The formats of a report, by their names for `--format`. */
export const formats: Readonly<Record<string, Format>> = {
  text,
  json,
  markdown,
  html,
  sarif,
  junit,
};

/**
 * The locations of the complete report, for a truncated format. They are the file of the JSON
 * format, and the run of GitHub Actions that writes it.
 *
 * @param file absolute, if JSON is written to one
 */
export function wholeReportLocations(
  file: string | undefined,
  { cwd, env }: Pick<Terminal, "cwd" | "env">,
): readonly string[] {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  return [
    ...(file === undefined ? [] : [relative(cwd, file)]),
    ...(server && repository && run ? [`${server}/${repository}/actions/runs/${run}`] : []),
  ];
}
