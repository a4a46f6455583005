/** The environment of a command: input, output, working directory, signals. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";
import { own } from "../../provider/text/own";
import { visibleText } from "../../provider/text/visible-text";
import { UsageError } from "./usage-error";

export interface Terminal {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** stderr is a terminal, so a progress line can be overwritten. */
  readonly isWatched: boolean;
  /** Whether stdout supports colors: a terminal, and neither NO_COLOR nor a dumb one. */
  readonly hasColors: boolean;
  readonly columns: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Working directory; base of the paths on the command line. */
  readonly cwd: string;
  /** Aborted by Ctrl-C. */
  readonly stop: AbortSignal;
  /** Prompts for yes or no; absent without an interactive terminal. No input means no. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
}

export type Style = Parameters<typeof styleText>[0];

/** The text in this style if the terminal supports colors. */
export function styled(terminal: Pick<Terminal, "hasColors">, style: Style, text: string): string {
  return terminal.hasColors ? styleText(style, text, { validateStream: false }) : text;
}

/** The lines of a section of a report below its title; no section without lines. */
export function section(terminal: Pick<Terminal, "hasColors">, title: string, lines: readonly string[]) {
  return lines.length === 0 ? [] : [[styled(terminal, "bold", title), ...lines].join("\n")];
}

/** `a`, `a and b`, `a, b, and c` */
export function listed(texts: readonly string[]): string {
  return LIST_FORMAT.format(texts);
}

const LIST_FORMAT = new Intl.ListFormat("en");

/** `1 project`, `2 projects` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `--cwd` and `--stack` as this command got them, for the commands that it proposes. */
export function optionsText({ cwd, stack }: { readonly cwd?: string; readonly stack?: string }): string {
  return Object.entries({ cwd, stack })
    .map(([flag, value]) => (value === undefined ? "" : ` --${flag} ${shellWord(value)}`))
    .join("");
}

export function shellWord(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Prints a message of the command on stderr, in one line. It may contain unescaped text from
 * outside.
 */
export function printMessage({ stderr }: Pick<Terminal, "stderr">, message: string): void {
  stderr(`opsmanager: ${visibleText(message)}\n`);
}

/**
 * The character that begins each log command of a CI service, by the variable that the service
 * sets in its jobs:
 *
 * - GitHub Actions: `::name::` at the beginning of a line, `##[name]` anywhere (actions/runner,
 *   ActionCommand.cs; it trims white space as .NET does, U+0085 included)
 * - GitLab CI: `section_start:` and `section_end:`, between sequences that clear the line
 * - Azure Pipelines: `##vso[name]` and `##[name]`
 */
const CI_COMMANDS: Readonly<Record<string, RegExp>> = {
  GITHUB_ACTIONS: /(?<=^(?:[^\S\n]|\u0085|\p{Cc}\[[\d;]*m)*):(?=:)|(?<=##)\[/gmu,
  GITLAB_CI: /(?<=section_(?:start|end)):/g,
  TF_BUILD: /(?<=##(?:vso)?)\[/gi,
};

/**
 * The terminal of a CI job, where a name in the output must not control the service that reads the
 * log. One character of each log command is escaped as in JSON, so JSON output keeps its meaning.
 */
export function withoutCiCommands(terminal: Terminal): Terminal {
  const commands = Object.entries(CI_COMMANDS).flatMap(([variable, command]) =>
    own(terminal.env, variable) ? [command] : [],
  );
  const harmless = (text: string) =>
    commands.reduce((result, command) => result.replace(command, jsonEscape), text);
  return {
    ...terminal,
    stdout: (text) => terminal.stdout(harmless(text)),
    stderr: (text) => terminal.stderr(harmless(text)),
  };
}

function jsonEscape(character: string): string {
  return `\\u00${character.charCodeAt(0).toString(16)}`;
}

/**
 * The terminal in another folder: `--cwd`.
 *
 * @throws UsageError if there is no such folder: a typing error would write everything
 * elsewhere, or `pulumi` would not be found
 */
export function inFolder(terminal: Terminal, folder: string | undefined): Terminal {
  if (folder === undefined) return terminal;
  const cwd = resolve(terminal.cwd, folder);
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return { ...terminal, cwd };
  throw new UsageError(`--cwd ${folder}: there is no such folder.`);
}

/**
 * The process's own terminal. After the first Ctrl-C, a command finishes its current step and
 * stops. The second Ctrl-C ends the process.
 */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  // The reader of the output may close it early: `opsmanager adopt --dry-run | head`.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  return {
    stdout: (text) => void stdout.write(text),
    stderr: (text) => void stderr.write(text),
    isWatched: stderr.isTTY && env.TERM !== "dumb" && !env.CI,
    hasColors: stdout.isTTY && stdout.hasColors() && !env.NO_COLOR,
    columns: stdout.columns ?? 100,
    env,
    cwd: process.cwd(),
    stop: stop.signal,
    confirm: stdin.isTTY && stderr.isTTY ? (question) => confirmAt(stdin, stderr, question, stop) : undefined,
  };
}

/** Prompts on stderr, so stdout holds only the result. */
async function confirmAt(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  question: string,
  stop: AbortController,
): Promise<boolean> {
  const reader = createInterface({ input, output });
  // While a line is read, Ctrl-C reaches the reader and not the process.
  reader.once("SIGINT", () => stop.abort());
  // At the end of the input, the prompt would never resolve.
  const ended = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
  try {
    const answer = await Promise.race([
      reader.question(`${question} [y/N] `, { signal: stop.signal }),
      ended,
    ]);
    return /^y(es)?$/i.test(answer.trim());
  } catch (error) {
    if (stop.signal.aborted) return false;
    throw error;
  } finally {
    reader.close();
  }
}
