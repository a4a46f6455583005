/** Where a command reads its surroundings and writes what it has to say. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { styleText } from "node:util";
import { RefusedError } from "../errors";
import { visibleText } from "../visible-text";

export interface Terminal {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Somebody watches stderr, so that a line of progress can be written over. */
  readonly isWatched: boolean;
  /** Whether stdout takes colours: a terminal, and neither NO_COLOR nor a dumb one. */
  readonly hasColors: boolean;
  readonly columns: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Working directory; paths of the command line start here. */
  readonly cwd: string;
  /** Aborted by Ctrl-C. */
  readonly stop: AbortSignal;
  /** Asks a yes-or-no question; absent where nobody can answer. Without an answer it is no. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
}

type Style = Parameters<typeof styleText>[0];

/** The text in this style where the terminal takes colours. */
export function styled(terminal: Pick<Terminal, "hasColors">, style: Style, text: string): string {
  return terminal.hasColors ? styleText(style, text, { validateStream: false }) : text;
}

/** Prints a message of the command on stderr, in one line. Names and sentences of others may stand in it as they are. */
export function printMessage({ stderr }: Pick<Terminal, "stderr">, message: string): void {
  stderr(`opsmanager: ${visibleText(message)}\n`);
}

/**
 * Character in which each command of a CI service begins to be one, by the variable that the service sets in its jobs:
 *
 * - GitHub Actions: `::name::` at the beginning of a line, `##[name]` anywhere (actions/runner, ActionCommand.cs)
 * - GitLab CI: `section_start:` and `section_end:`, between sequences that clear the line
 * - Azure Pipelines: `##vso[name]` and `##[name]`
 */
const CI_COMMANDS: Readonly<Record<string, RegExp>> = {
  GITHUB_ACTIONS: /(?<=^(?:[^\S\n]|\p{Cc}\[[\d;]*m)*):(?=:)|(?<=##)\[/gmu,
  GITLAB_CI: /(?<=section_(?:start|end)):/g,
  TF_BUILD: /(?<=##(?:vso)?)\[/gi,
};

/**
 * The terminal of a CI job, where a name in the output must not command the service that reads the log. One character of such a
 * command is written as JSON escapes it, which leaves JSON as it is.
 */
export function withoutCiCommands(terminal: Terminal): Terminal {
  const commands = Object.entries(CI_COMMANDS).flatMap(([variable, command]) =>
    terminal.env[variable] ? [command] : [],
  );
  const harmless = (text: string) =>
    commands.reduce((result, command) => result.replace(command, escaped), text);
  return {
    ...terminal,
    stdout: (text) => terminal.stdout(harmless(text)),
    stderr: (text) => terminal.stderr(harmless(text)),
  };
}

function escaped(character: string): string {
  return `\\u00${character.charCodeAt(0).toString(16)}`;
}

/**
 * The terminal as it would be in another folder: `--cwd`.
 *
 * @throws RefusedError where there is no such folder: a slip would have everything written elsewhere, or `pulumi` not found
 */
export function inFolder(terminal: Terminal, folder: string | undefined): Terminal {
  if (folder === undefined) return terminal;
  const cwd = resolve(terminal.cwd, folder);
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return { ...terminal, cwd };
  throw new RefusedError(`--cwd ${folder}: there is no such folder.`);
}

/** The process's own. The first Ctrl-C lets a command end what it is at, the second ends the process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  // Whoever reads the output may have seen enough of it: `opsmanager adopt --dry-run | head`.
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

/** On stderr, so that stdout holds the result alone. */
async function confirmAt(
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  question: string,
  stop: AbortController,
): Promise<boolean> {
  const reader = createInterface({ input, output });
  // While a line is read, Ctrl-C reaches the reader and not the process.
  reader.once("SIGINT", () => stop.abort());
  // An end of the input is no answer, and leaves the question open.
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
