/** `--format NAME[=FILE]`: the destinations of what a command writes. */

import { resolve } from "node:path";
import { Option } from "commander";
import { messageOf, RefusedError } from "../../provider/text/errors";
import { own } from "../../provider/text/own";
import { collect } from "./command";
import { whyNotWritable, writeWhole } from "./report-files";
import type { Terminal } from "./terminal";
import { UsageError } from "./usage-error";

export interface Output<Format> {
  readonly format: Format;
  /** Absolute path; `undefined` for stdout. */
  readonly file: string | undefined;
}

/**
 * `--format`, in each command that has it.
 *
 * @param formats by their names
 * @param beside as for `readOutputs`, in words
 */
export function formatOption(formats: Readonly<Record<string, unknown>>, beside = "text"): Option {
  return new Option(
    "--format <name[=file]>",
    `${Object.keys(formats).join(", ")}; to stdout or into a file, repeatable; if none goes to stdout, ${beside} does`,
  ).argParser(collect);
}

/**
 * Reads each `--format NAME[=FILE]`. Without any, the text format writes to stdout.
 *
 * @param beside what writes to stdout if all of them go to files
 * @throws UsageError that names every fault
 */
export function readOutputs<Format>(
  values: readonly string[],
  cwd: string,
  formats: Readonly<Record<string, Format>> & { readonly text: Format },
  beside = formats.text,
): Output<Format>[] {
  const faults: string[] = [];
  const outputs = values.flatMap((value) => {
    const [name = "", ...rest] = value.split("=");
    const format = own<Format>(formats, name);
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
      "Only one --format can go to stdout; give the others a file, such as --format markdown=report.md.",
    );
  }
  const files = outputs.flatMap(({ file }) => (file === undefined ? [] : [file]));
  for (const twice of new Set(files.filter((file, index) => files.indexOf(file) !== index))) {
    faults.push(`Two formats go to the same file, ${twice}.`);
  }
  if (faults.length > 0) throw new UsageError(faults);
  if (toStdout.length > 0) return outputs;
  return [...outputs, { format: outputs.length === 0 ? formats.text : beside, file: undefined }];
}

/**
 * Makes the folders of the files. A command calls this before its work, which a file that cannot
 * be written would waste.
 *
 * @throws UsageError that names every file which cannot be written
 */
export async function checkWritable(outputs: readonly Output<unknown>[]): Promise<void> {
  const faults: string[] = [];
  for (const { file } of outputs) {
    const reason = file === undefined ? undefined : await whyNotWritable(file);
    if (reason !== undefined)
      faults.push(`${file} cannot be written: ${reason}. Give --format another file.`);
  }
  if (faults.length > 0) throw new UsageError(faults);
}

/**
 * Writes each file completely or not at all, so readers never see a part of it.
 *
 * @throws RefusedError that names every file which could not be written
 */
export async function writeOutputs<Format>(
  outputs: readonly Output<Format>[],
  { stdout }: Pick<Terminal, "stdout">,
  textOf: (format: Format, isFile: boolean) => string,
): Promise<void> {
  const faults: string[] = [];
  for (const { format, file } of outputs) {
    if (file === undefined) stdout(textOf(format, false));
    else {
      await writeWhole(file, textOf(format, true)).catch((error: unknown) => {
        faults.push(messageOf(error));
      });
    }
  }
  if (faults.length > 0) throw new RefusedError(faults);
}
