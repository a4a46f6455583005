/** Python packages that check what the command writes. They are kept in the cache of this repository. */
import { execFileSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../../../scripts/lib/cache.mjs";

interface PythonPackage {
  readonly python: string;
  /** For `PYTHONPATH`. */
  readonly path: string;
  /** Why there is none; empty if there is one. */
  readonly missing: string;
}

/** @param name with its version: `prometheus-client==0.26.0` */
export function pythonPackage(name: string): PythonPackage {
  const python = process.platform === "win32" ? "python" : "python3";
  const path = join(cacheFolder(), name.replace("==", "-"));
  if (!existsSync(path)) install(name, python, path);
  return { python, path, missing: existsSync(path) ? "" : `pip cannot install ${name}` };
}

/** Runs a program that imports the package; returns what it printed. */
export function runPython({ python, path }: PythonPackage, program: string, input: string): string {
  const env = { ...process.env, PYTHONPATH: path };
  return execFileSync(python, ["-c", program], { input, env, encoding: "utf8", stdio: "pipe" });
}

function install(name: string, python: string, path: string): void {
  const unfinished = `${path}.${process.pid}`;
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
    name,
  ];
  try {
    execFileSync(python, pip, { stdio: "ignore" });
    renameSync(unfinished, path);
  } catch {
    rmSync(unfinished, { recursive: true, force: true }); // no pip, no network, or another run was first
  }
}
