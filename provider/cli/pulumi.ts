/** The `pulumi` command, which a command of ours drives as a person would. */
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { RefusedError } from "../errors";
import { createRedact } from "../transport";
import { exists } from "./exists";
import type { Terminal } from "./terminal";

export interface PulumiResult {
  readonly exitCode: number;
  /** Empty where the caller took it piece by piece. */
  readonly stdout: string;
  /** The end of it, where it is long. */
  readonly stderr: string;
}

/** A message of `pulumi` is at the end of what a program has written before. */
const LONGEST_STDERR = 65_536;

/**
 * Runs `pulumi` in a folder and collects what it prints; the exit code is the caller's to judge. What it says of itself, on stderr
 * or on a stdout that is no result, may be shown: it is without credentials.
 *
 * @param onOutput takes stdout piece by piece, in place of the result: the events of thousands of resources fit into no string
 * @throws RefusedError when there is no `pulumi` on PATH
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
    // Of its own group: a Ctrl-C reaches it once, from us, and not from the terminal as well.
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

/** What `pulumi` said of its failure, in one line that ends with a full stop. */
export function pulumiMessage({ exitCode, stdout, stderr }: PulumiResult): string {
  const said = stderr.trim() || stdout.trim();
  const line = said
    .split("\n")
    .map((text) => text.trim().replace(/^error: /, ""))
    .filter((text) => text !== "")
    .join(" ");
  const text = line === "" ? `pulumi ended with exit code ${exitCode} and no word` : line;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/**
 * Messages of `pulumi` quote the address of the back end as it is, with the password of a database (`unable to open state database`
 * of 3.259.0), and a report of drift is read by more people than a terminal.
 */
export function withoutCredentials({
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

/** The folder of the Pulumi project that `cwd` is in. */
export async function findPulumiProject(cwd: string): Promise<string | undefined> {
  const file = await findPulumiFile(cwd);
  return file === undefined ? undefined : dirname(file);
}

/** The file of the Pulumi project that `cwd` is in; Pulumi looks upwards, too. */
export async function findPulumiFile(cwd: string): Promise<string | undefined> {
  for (const name of ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"]) {
    if (await exists(join(cwd, name))) return join(cwd, name);
  }
  const parent = dirname(cwd);
  return parent === cwd ? undefined : findPulumiFile(parent);
}
