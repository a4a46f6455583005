/** Runs the `opsmanager` command in this process, as its bin does, with a terminal that remembers. */
import { delimiter, join } from "node:path";
import { run } from "../../provider/cli";
import { engine } from "./engine";
import { passphrase } from "./stack-config";
import type { StackFolder } from "./stack-folder";

export interface CommandLineResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly cwd: string;
  /** All of it: nothing of this process's own environment is seen. */
  readonly env: Readonly<Record<string, string>>;
  readonly stop?: AbortSignal;
}

export async function runCommandLine(
  argv: readonly string[],
  { cwd, env, stop = new AbortController().signal }: Surroundings,
): Promise<CommandLineResult> {
  const written = { stdout: [] as string[], stderr: [] as string[] };
  const exitCode = await run(argv, {
    stdout: (text) => void written.stdout.push(text),
    stderr: (text) => void written.stderr.push(text),
    isWatched: false,
    hasColors: false,
    columns: 100,
    env,
    cwd,
    stop,
  });
  return { exitCode, stdout: written.stdout.join(""), stderr: written.stderr.join("") };
}

/** With the tests' engine on PATH, and nothing of the machine's own Pulumi. @param home folder that takes what Pulumi keeps */
export function engineEnvironment(home: string): Record<string, string> {
  return {
    PATH: [engine().bin, process.env.PATH].join(delimiter),
    HOME: home,
    PULUMI_HOME: join(home, ".pulumi"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
}

/** What a person has who works in the folder of this stack. */
export function stackEnvironment(paths: StackFolder): Record<string, string> {
  return {
    ...engineEnvironment(paths.home),
    PULUMI_BACKEND_URL: `file://${paths.state}`,
    PULUMI_CONFIG_PASSPHRASE: passphrase,
  };
}
