/** Virtual environments in which the Python SDK of this clone is installed. */
import { execFile, execFileSync } from "node:child_process";
import { appendFile, cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../../../support";

const execute = promisify(execFile);

/** What the cached environment holds beside Python itself is in `requirements.txt`. */
export interface PythonBase {
  readonly folder: string;
  /** `3.12` */
  readonly version: string;
}

let found: PythonBase | { readonly reason: string } | undefined;

/** Checks once per test file, before the tests are defined: the titles of skipped tests contain the reason. */
export function pythonBase(): PythonBase | { readonly reason: string } {
  found ??= JSON.parse(
    execFileSync(process.execPath, [join(__dirname, "python-environment.mjs")], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    }),
  ) as PythonBase | { readonly reason: string };
  return found;
}

/** Builds the wheel of `sdk/python` from a copy, because a build leaves files behind; returns its path. */
export async function buildWheel(base: PythonBase, folder: string): Promise<string> {
  const source = join(folder, "source");
  await cp(join(repositoryRoot, "sdk", "python"), source, { recursive: true });
  const wheels = join(folder, "wheels");
  await pip(base, ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, source]);
  const [wheel, ...others] = await readdir(wheels);
  if (wheel === undefined || others.length > 0) throw new Error(`Expected one wheel in ${wheels}.`);
  return join(wheels, wheel);
}

/** A fresh virtual environment with the wheel in it; all else it finds in the cached one, by a `.pth` file. */
export async function createEnvironment(base: PythonBase, folder: string, wheel: string): Promise<string> {
  const python = interpreter(folder);
  await execute(interpreter(base.folder), ["-m", "venv", "--without-pip", folder]);
  await appendFile(join(sitePackages(folder, base), "base.pth"), `${sitePackages(base.folder, base)}\n`);
  await pip(base, ["--python", python, "install", "--no-deps", "--no-index", wheel]);
  return python;
}

export function pip(base: PythonBase, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return execute(interpreter(base.folder), ["-m", "pip", "--disable-pip-version-check", ...args]);
}

function interpreter(folder: string): string {
  return join(folder, ...(process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"]));
}

function sitePackages(folder: string, { version }: PythonBase): string {
  return process.platform === "win32"
    ? join(folder, "Lib", "site-packages")
    : join(folder, "lib", `python${version}`, "site-packages");
}
