/** Runs the `pulumi` command, as a user would. */
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { RefusedError } from "../errors";
import { createRedact } from "../transport";
import { exists } from "./exists";
import type { Terminal } from "./terminal";

export interface PulumiResult {
  readonly exitCode: number;
  /** Empty if the caller received it piece by piece. */
  readonly stdout: string;
  /** The end of stderr, if it is long. */
  readonly stderr: string;
}

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
  { cwd, env, stop }: Pick<Terminal, "cwd" | "env" | "stop">,
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
    written.stderr = (written.stderr + text).slice(-LONGEST_STDERR);
  });
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve(code ?? 255));
    });
    const shown = withoutCredentials(env);
    const stdout = exitCode === 0 ? written.stdout : shown(written.stdout);
    return { exitCode, stdout, stderr: shown(written.stderr) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new RefusedError(
      "There is no pulumi command on PATH. This command drives it: install Pulumi 3.227 or newer (https://www.pulumi.com/docs/install/).",
    );
  } finally {
    stop.removeEventListener("abort", interrupt);
  }
}

/** The failure message of `pulumi`, in one line that ends with a full stop. */
export function pulumiMessage({ exitCode, stdout, stderr }: PulumiResult): string {
  const output = stderr.trim() || stdout.trim();
  const line = output
    .split("\n")
    .map((text) => text.trim().replace(/^error: /, ""))
    .filter((text) => text !== "")
    .join(" ");
  const text = line === "" ? `pulumi ended with exit code ${exitCode} and no word` : line;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/**
 * Removes credentials. Messages of `pulumi` quote the address of the back end unchanged, with the
 * password of a database (`unable to open state database` of 3.259.0). A drift report has more
 * readers than a terminal.
 */
function withoutCredentials({
  PULUMI_BACKEND_URL: backend,
}: Terminal["env"]): (text: string) => string {
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

/** The folder of the Pulumi project that contains `cwd`. */
export async function findPulumiProject(cwd: string): Promise<string | undefined> {
  const file = await findPulumiFile(cwd);
  return file === undefined ? undefined : dirname(file);
}

/** The file of the Pulumi project that contains `cwd`; Pulumi searches parent folders too. */
export async function findPulumiFile(cwd: string): Promise<string | undefined> {
  for (const name of ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"]) {
    if (await exists(join(cwd, name))) return join(cwd, name);
  }
  const parent = dirname(cwd);
  return parent === cwd ? undefined : findPulumiFile(parent);
}
