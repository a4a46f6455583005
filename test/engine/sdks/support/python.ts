/** Virtual environments in which the Python SDK of this clone is installed. */
import { execFile, execFileSync } from "node:child_process";
import { appendFile, cp, readdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../../../support";
import { askedOncePerRun, oncePerRun } from "../../../support/run-folder";

const execute = promisify(execFile);

/** What the cached environment holds beside Python itself is in `requirements.txt`. */
export interface PythonBase {
  readonly folder: string;
  /** `3.12` */
  readonly version: string;
}

/** The titles of skipped tests contain the reason. */
export function pythonBase(): PythonBase | { readonly reason: string } {
  return askedOncePerRun("python-base", () =>
    JSON.parse(
      execFileSync(process.execPath, [join(__dirname, "python-environment.mjs")], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"],
      }),
    ),
  );
}

/** What mypy remembers of the packages in the cached environment; it checks anew each file whose content has changed. */
export function mypyCache({ folder }: PythonBase): string {
  return `${folder}-mypy`;
}

export interface PythonSdk {
  /** Path of the wheel of `sdk/python`. */
  readonly wheel: string;
  /** Path of an interpreter that has it, and beside it what the cached environment has. */
  readonly python: string;
}

/**
 * Lets a program in Python find the SDK.
 *
 * @returns the environment of its runs. The current engine passes the options of Pulumi.yaml in another form than the language host of
 * 2023 expects. That host does not read `virtualenv`. Both read this setting.
 */
export async function useSdk(program: string, { python }: PythonSdk): Promise<{ PULUMI_PYTHON_CMD: string }> {
  await symlink(dirname(dirname(python)), join(program, "venv"), "dir");
  return { PULUMI_PYTHON_CMD: python };
}

/** Made once in a run. */
export function installSdk(base: PythonBase): Promise<PythonSdk> {
  return oncePerRun("python-sdk", async (folder) => {
    const wheel = await buildWheel(base, folder);
    return { wheel, python: await createEnvironment(base, join(folder, "venv"), wheel) };
  });
}

/** Builds the wheel from a copy, because a build leaves files behind. */
async function buildWheel(base: PythonBase, folder: string): Promise<string> {
  const source = join(folder, "source");
  await cp(join(repositoryRoot, "sdk", "python"), source, { recursive: true });
  const wheels = join(folder, "wheels");
  await pip(base, ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, source]);
  const [wheel, ...others] = await readdir(wheels);
  if (wheel === undefined || others.length > 0) throw new Error(`Expected one wheel in ${wheels}.`);
  return join(wheels, wheel);
}

/** A fresh virtual environment with the wheel in it; all else it finds in the cached one, by a `.pth` file. */
async function createEnvironment(base: PythonBase, folder: string, wheel: string): Promise<string> {
  const python = interpreter(folder);
  await execute(interpreter(base.folder), ["-m", "venv", "--without-pip", folder]);
  await appendFile(join(sitePackages(folder, base), "base.pth"), `${sitePackages(base.folder, base)}\n`);
  await pip(base, ["--python", python, "install", "--no-deps", "--no-index", wheel]);
  return python;
}

function pip(base: PythonBase, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
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
