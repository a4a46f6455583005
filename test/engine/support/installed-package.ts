/** This package as a user gets it: packed by npm, and installed from the archive by real package managers. */
import { execFileSync } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { repositoryRoot } from "../../support";
import { startProcess } from "../../support/child-process";

/** Whether packages can be installed; asked while tests are being defined, hence synchronously. */
export function registryAnswers(): boolean {
  const quick = ["--prefer-offline", "--fetch-retries=0", "--fetch-timeout=10000"];
  try {
    execFileSync("npm", ["view", "pnpm@10", "name", ...quick], { stdio: "ignore", timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
}

/** Files by their path below a folder. */
export type Files = Readonly<Record<string, string>>;

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** @returns the path of the archive */
export async function packPackage(folder: string): Promise<string> {
  await runTool("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], repositoryRoot);
  const [archive] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
  if (archive === undefined) throw new Error("npm pack has made no archive.");
  return join(folder, archive);
}

/** Installs what the manifests in this folder ask for, from the user's own cache as far as that goes. */
export async function installWith(manager: "npm" | "pnpm", folder: string): Promise<void> {
  const [command, args] =
    manager === "npm"
      ? ["npm", ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"]]
      : ["npx", ["--yes", "pnpm@10", "install", "--prefer-offline", "--ignore-scripts"]];
  await runTool(command, args as string[], folder);
}

/** @throws with all that was printed, unless it succeeds */
export async function runTool(command: string, args: readonly string[], cwd: string): Promise<void> {
  const env = Object.fromEntries(Object.entries(process.env).filter(isText));
  const { exitCode, output } = await startProcess(command, args, { cwd, env }).finished;
  if (exitCode !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${exitCode}:\n${output}`);
}

function isText(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined;
}
