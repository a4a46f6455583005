/** Runs the `pulumi` command, as a user would. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { RefusedError } from "../../provider/text/errors";
import { createRedact } from "../../provider/transport";
import type { Terminal } from "./terminal";

export interface PulumiResult {
  readonly exitCode: number;
  /** Empty if the caller received it piece by piece. */
  readonly stdout: string;
  /** The end of stderr, if it is long. */
  readonly stderr: string;
}

/** Where and how `pulumi` runs. */
export type PulumiEnvironment = Pick<Terminal, "cwd" | "env" | "stop">;

/** Arguments that print the name of the selected stack, or of the one in `--stack`. */
export const SHOW_NAME: readonly string[] = ["stack", "--show-name"];

/** A message of `pulumi` follows the earlier output of a program. */
const LONGEST_STDERR = 65_536;

/**
 * Runs `pulumi` in a folder and collects its output; the caller interprets the exit code. Its
 * messages, on stderr or on a stdout that is no result, may be shown: credentials are removed.
 *
 * @param onOutput receives stdout piece by piece instead of the result: the events of thousands of
 * resources do not fit into a string
 * @throws RefusedError if there is no `pulumi` on PATH
 */
export async function runPulumi(
  args: readonly string[],
  { cwd, env, stop }: PulumiEnvironment,
  onOutput?: (text: string) => void,
): Promise<PulumiResult> {
  const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
    cwd,
    env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    stdio: ["ignore", "pipe", "pipe"],
    // A process group of its own: a Ctrl-C reaches it once, from this process, and not from the
    // terminal as well.
    detached: true,
  });
  const interrupt = () => void child.kill("SIGINT");
  stop.addEventListener("abort", interrupt, { once: true });
  const written = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (onOutput) onOutput(text);
    else written.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    written.stderr = lastLines(written.stderr + text);
  });
  try {
    const [code] = await once(child, "close");
    const exitCode = typeof code === "number" ? code : 255;
    const shown = withoutCredentials(env);
    const stdout = exitCode === 0 ? written.stdout : shown(written.stdout);
    return { exitCode, stdout, stderr: shown(written.stderr) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new RefusedError(
      "There is no pulumi command on PATH. This command runs it: install Pulumi 3.227 or newer (https://www.pulumi.com/docs/install/).",
    );
  } finally {
    stop.removeEventListener("abort", interrupt);
  }
}

/** The last lines, each of them whole: `--mask-people` does not recognize a part of a name. */
function lastLines(text: string): string {
  if (text.length <= LONGEST_STDERR) return text;
  const start = text.indexOf("\n", text.length - LONGEST_STDERR - 1) + 1;
  return start === text.length ? text : text.slice(start);
}

/**
 * The selected stack.
 *
 * @throws RefusedError with the message of `pulumi` if that cannot be determined
 */
export async function selectedStack(terminal: PulumiEnvironment, run = runPulumi): Promise<string> {
  const result = await run(SHOW_NAME, terminal);
  if (result.exitCode === 0) return result.stdout.trim();
  throw new RefusedError(
    `The selected stack could not be determined: ${pulumiMessage(result)} Name a stack with --stack.`,
  );
}

/** The failure message of `pulumi`, in one line that ends with a full stop. */
export function pulumiMessage({ exitCode, stdout, stderr }: PulumiResult): string {
  const output = stderr.trim() || stdout.trim();
  // The stack traces of all its threads follow.
  const panic = /^panic: .*$/m.exec(output)?.[0];
  if (panic !== undefined) return `pulumi itself failed (${panic}), which is a fault of pulumi.`;
  const line = output
    .split("\n")
    .map((text) => text.trim().replace(/^error: /, ""))
    .filter((text) => text !== "")
    .join(" ");
  const text = line === "" ? `pulumi ended with exit code ${exitCode} and no message` : line;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/**
 * Removes credentials. Messages of `pulumi` quote the address of the backend unchanged, with the
 * password of a database (`unable to open state database` of 3.259.0). A drift report has more
 * readers than a terminal.
 */
function withoutCredentials({ PULUMI_BACKEND_URL: backend }: Terminal["env"]): (text: string) => string {
  const password = backend !== undefined && URL.canParse(backend) ? new URL(backend).password : "";
  return createRedact([password, decoded(password)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The file of the Pulumi project that contains `cwd`; Pulumi searches parent folders too. */
export function findPulumiFile(cwd: string): string | undefined {
  const names = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];
  return findAbove(cwd, names);
}

/** The first path with one of these names in the folder or the nearest folder above it. */
export function findAbove(folder: string, names: readonly string[]): string | undefined {
  const found = names.map((name) => join(folder, name)).find((path) => existsSync(path));
  const parent = dirname(folder);
  return found ?? (parent === folder ? undefined : findAbove(parent, names));
}

export function noPulumiProject(cwd: string): string {
  return `There is no Pulumi.yaml in ${cwd} nor above it. Go to the program's folder, or name it with --cwd.`;
}
