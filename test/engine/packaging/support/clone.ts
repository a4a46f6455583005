/**
 * A repository of one commit that holds what this one holds just now, changes that are not committed included. Of the
 * development dependencies, it has those of the build.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { repositoryRoot } from "../../../support";

/** Why there can be no clone; empty if there can. */
export const gitProblem = existsSync(join(repositoryRoot, ".git")) ? "" : "this is not a git repository";

/** The environment of a user: without the newer Node.js that the scripts of this repository put in front of it. */
export const env = {
  PATH: (process.env.PATH ?? "")
    .split(delimiter)
    .filter((part) => !part.startsWith(join(repositoryRoot, "node_modules")))
    .join(delimiter),
};

export interface Clone {
  /** Holds the clone, and may hold more. */
  readonly folder: string;
  readonly path: string;
  remove(): void;
}

export async function makeClone(): Promise<Clone> {
  const folder = mkdtempSync(join(tmpdir(), "opsmanager-clone-"));
  const path = join(folder, "clone");
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  if (gitProblem) return { folder, path, remove };
  for (const file of trackedFiles()) {
    await mkdir(dirname(join(path, file)), { recursive: true });
    await copyFile(join(repositoryRoot, file), join(path, file));
  }
  keepToolsOfTheBuild(join(path, "package.json"));
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: path, stdio: ["ignore", "pipe", "pipe"] });
  git("init", "--quiet");
  git("add", "--all");
  git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message=All");
  return { folder, path, remove };
}

/** A user waits for all 900 packages. The result is the same without the tools of tests and checks. */
function keepToolsOfTheBuild(file: string): void {
  const { overrides: _, ...manifest } = JSON.parse(readFileSync(file, "utf8"));
  const tools = Object.entries(manifest.devDependencies).filter(([name]) =>
    /^(@types\/|typescript$)/.test(name),
  );
  writeFileSync(file, JSON.stringify({ ...manifest, devDependencies: Object.fromEntries(tools) }));
}

function trackedFiles(): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", args, { cwd: repositoryRoot, encoding: "utf8" }).split("\0");
  return files.filter((file) => file !== "" && existsSync(join(repositoryRoot, file)));
}
