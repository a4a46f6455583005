/** The Python client of Prometheus, which has a parser of OpenMetrics. It is kept in the cache of this repository. */
import { execFileSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../../../scripts/lib/cache.mjs";

const PACKAGE = "prometheus-client==0.26.0";

interface PythonPackage {
  readonly python: string;
  /** For `PYTHONPATH`. */
  readonly path: string;
  /** Why there is none; empty if there is one. */
  readonly missing: string;
}

export function prometheusClient(): PythonPackage {
  const python = process.platform === "win32" ? "python" : "python3";
  const path = join(cacheFolder(), PACKAGE.replace("==", "-"));
  if (!existsSync(path)) install(python, path);
  return { python, path, missing: existsSync(path) ? "" : `pip cannot install ${PACKAGE}` };
}

function install(python: string, path: string): void {
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
    PACKAGE,
  ];
  try {
    execFileSync(python, pip, { stdio: "ignore" });
    renameSync(unfinished, path);
  } catch {
    rmSync(unfinished, { recursive: true, force: true }); // no pip, no network, or another run was first
  }
}
