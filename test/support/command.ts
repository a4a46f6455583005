/** Runs the `opsmanager` command in this process, with a terminal of its own. */
import { run } from "../../cli";
import type { Terminal } from "../../cli/lib/terminal";

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** By default there is no terminal and no color, and the environment is empty. */
export async function runCommand(
  argv: readonly string[],
  surroundings: Partial<Omit<Terminal, "stdout" | "stderr">> = {},
): Promise<CommandResult> {
  const written = { stdout: "", stderr: "" };
  const exitCode = await run(argv, {
    isWatched: false,
    hasColors: false,
    columns: 100,
    env: {},
    cwd: process.cwd(),
    stop: new AbortController().signal,
    ...surroundings,
    stdout: (text) => {
      written.stdout += text;
    },
    stderr: (text) => {
      written.stderr += text;
    },
  });
  return { exitCode, ...written };
}
