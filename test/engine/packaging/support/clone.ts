/**
 * A repository of one commit that holds what the package is built from, changes that are not committed included. To install and compile
 * takes minutes, so it has another compiler and no dependencies. The compiler writes the plugin as one bundled file. CI
 * installs all dependencies of a checkout and compiles it.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { extract } from "tar";
import { repositoryRoot } from "../../../support";
import { writeFiles } from "../../support/installed-package";
import { pluginArchive } from "./archive";

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
  await replaceCompiler(folder, path);
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: path, stdio: ["ignore", "pipe", "pipe"] });
  git("init", "--quiet");
  git("add", "--all");
  git("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "--quiet", "--message=All");
  return { folder, path, remove };
}

async function replaceCompiler(folder: string, clone: string): Promise<void> {
  const built = join(folder, "built");
  await mkdir(built);
  await extract({ file: await pluginArchive(), cwd: built, filter: (path) => path.startsWith("dist/") });
  const { overrides: _, ...manifest } = JSON.parse(readFileSync(join(clone, "package.json"), "utf8"));
  await mkdir(join(built, "dist", "sdk", "nodejs"), { recursive: true });
  const copy = `require("node:fs").cpSync(${JSON.stringify(join(built, "dist"))}, "dist", { recursive: true });`;
  await writeFiles(clone, {
    "package.json": JSON.stringify({
      ...manifest,
      dependencies: {},
      devDependencies: { typescript: "file:compiler" },
    }),
    "package-lock.json": JSON.stringify({ lockfileVersion: 3, packages: {} }),
    "compiler/package.json": JSON.stringify({
      name: "typescript",
      version: "6.0.0",
      bin: { tsc: "tsc.cjs" },
    }),
    "compiler/tsc.cjs": `#!/usr/bin/env node\n${copy}\n`,
  });
}

/** Folders that the build does not read. */
const notBuilt = /^(bench|docs|examples|test|sdk\/(dotnet|go|java|python))\//;

function trackedFiles(): string[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", args, { cwd: repositoryRoot, encoding: "utf8" }).split("\0");
  return files.filter(
    (file) => file !== "" && !notBuilt.test(file) && existsSync(join(repositoryRoot, file)),
  );
}
