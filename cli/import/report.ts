import { invocation } from "../lib/command";
import { entryName, type ImportEntry } from "../lib/import-list";
import { counted, listed, type Terminal } from "../lib/terminal";
import type { ImportOutcome } from "./outcome";

/** More names would not be read. */
const MOST_NAMES = 10;

interface Undeclared {
  /** Entries that the program does not declare. */
  readonly undeclared?: readonly ImportEntry[];
}

/**
 * One message for each thing that the stack does not have.
 *
 * @param notRecorded why it does not have what the program alone knows
 */
export function remarks(
  { gone, failed, left, errors, undeclared = [] }: ImportOutcome & Undeclared,
  notRecorded: string | undefined,
  terminal: Pick<Terminal, "env">,
): string[] {
  const command = invocation(terminal);
  const part = (entries: readonly ImportEntry[], one: string, many: string, advice: string) =>
    entries.length === 0
      ? []
      : [
          `${counted(entries.length, "resource")} ${entries.length === 1 ? one : many}: ${namesOf(entries)}. ${advice}`,
        ];
  return [
    ...errors,
    ...failed
      .slice(0, MOST_NAMES)
      .map(({ entry, reason }) => `${entryName(entry)} is not imported: ${reason}`),
    ...(failed.length > MOST_NAMES ? [`${failed.length - MOST_NAMES} more are not imported.`] : []),
    ...part(
      gone,
      "of the list does not exist, or the key cannot see it",
      "of the list do not exist, or the key cannot see them",
      `pulumi up would create what the files declare: change the files first. ${command} adopt writes the list without them.`,
    ),
    ...part(
      undeclared,
      "of the list is not imported, because the program does not declare it",
      "of the list are not imported, because the program does not declare them",
      `${command} adopt writes the list again.`,
    ),
    ...part(left, "is not imported yet", "are not imported yet", "Run the same command again."),
    ...(notRecorded === undefined ? [] : [notRecorded]),
  ];
}

function namesOf(entries: readonly ImportEntry[]): string {
  const names = entries.slice(0, MOST_NAMES).map(entryName);
  const others = entries.length - names.length;
  return listed([...names, ...(others > 0 ? [`${others} more`] : [])]);
}

interface Summary {
  readonly stack: string;
  readonly imported: number;
  /** How many entries of the list the stack had before. */
  readonly before: number;
  /** The options of the next commands. */
  readonly here: string;
  /** How long the program and the reads took; absent without such a run. */
  readonly seconds: number | undefined;
}

/** What was imported, and the next commands. */
export function summary({ stack, imported, before, here, seconds }: Summary): string {
  const earlier = before > 0 ? `, ${before} ${before === 1 ? "was" : "were"} imported before` : "";
  return [
    `${counted(imported, "resource")} imported into stack ${stack}${earlier}. Nothing was sent that writes.`,
    "",
    "Next:",
    ...commands([
      [`pulumi preview --diff${here}`, seconds],
      // It begins with a preview.
      [`pulumi up --diff --suppress-outputs${here}`, seconds && 2 * seconds],
    ]),
    "",
  ].join("\n");
}

/** Each with the time that it takes, if that is known. */
function commands(timed: readonly (readonly [command: string, seconds: number | undefined])[]): string[] {
  const width = Math.max(...timed.map(([command]) => command.length));
  return timed.map(([command, seconds]) =>
    seconds === undefined ? `  ${command}` : `  ${command.padEnd(width)}   # about ${timeText(seconds)}`,
  );
}

function timeText(seconds: number): string {
  return seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
