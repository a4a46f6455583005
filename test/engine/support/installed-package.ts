/** Programs with packages that a real package manager has installed. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { chmod, copyFile, mkdir, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { extract } from "tar";
import { cacheFolder } from "../../../scripts/lib/cache.mjs";
import { withLock } from "../../../scripts/lib/lock.mjs";
import { run } from "../../../scripts/lib/run.mjs";
import { linkPackages } from "../../support/installation";
import { npm, packRepository } from "../../support/npm";
import { repositoryRoot } from "../../support/repository";
import { oncePerRun } from "../../support/run-folder";

/** Files by their path below a folder. */
export type Files = Readonly<Record<string, string>>;

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * A folder with the packages of a program's manifest: the packed package is new in each run, and those of others were installed by npm,
 * once on this machine. Copy it with `copyInstallation`. packaging/installed.test.ts installs the packed package with npm.
 *
 * @param name of the folder
 */
export function installation(name: string, { dependencies, devDependencies }: Manifest): Promise<string> {
  return oncePerRun(`installation-${name}`, async (folder) => {
    const path = join(folder, name);
    const manifest = { private: true, dependencies, devDependencies };
    await writeFiles(path, { "package.json": JSON.stringify(manifest) });
    await installPackages(path, name);
    return path;
  });
}

/** What `npm install` would do in a folder that has a manifest. @param name of the packages on this machine */
export async function installPackages(path: string, name: string): Promise<void> {
  const read = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { dependencies, devDependencies } = read(path);
  const { "pulumi-opsmanager": _, ...others } = {
    ...read(repositoryRoot).dependencies,
    ...dependencies,
    ...devDependencies,
  };
  const manifest = JSON.stringify({ private: true, dependencies: others });
  const onMachine = await onceOnMachine(name, { "package.json": manifest }, (folder) =>
    npm(folder, ["install", "--ignore-scripts"]),
  );
  await copyFile(join(onMachine, "package-lock.json"), join(path, "package-lock.json"));
  await linkPackages(onMachine, path);
  const { tarball } = await packRepository(path);
  const packed = join(path, "node_modules", "pulumi-opsmanager");
  await mkdir(packed);
  await extract({ file: tarball, cwd: packed, strip: 1 });
  await linkCommands(packed);
}

/** As npm does, in `node_modules/.bin`. */
async function linkCommands(packed: string): Promise<void> {
  const { name, bin } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8"));
  for (const [command, file] of Object.entries<string>(bin)) {
    await chmod(join(packed, file), 0o755);
    await symlink(join("..", name, file), join(packed, "..", ".bin", command));
  }
}

/**
 * What `pnpm install` would do in a workspace with these programs, each of which requests the packed package as `file:../../NAME.tgz`.
 * pnpm installs them once on this machine, and the packed package is replaced in each run.
 */
export async function installPnpmWorkspace(workspace: string, programs: Files): Promise<void> {
  const { dependencies } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
  const files = { ...programs, "pnpm-workspace.yaml": "packages: ['packages/*']\n", "package.json": "{}" };
  const onMachine = await onceOnMachine(
    "pnpm",
    { ...files, "dependencies.json": JSON.stringify(dependencies) },
    async (folder) => {
      await packRepository(folder);
      const install = "pnpm install --prefer-offline --ignore-scripts";
      await npm(folder, ["exec", "--yes", "--package=pnpm@10", `--call=${install}`]);
    },
  );
  const folders = ["", ...Object.keys(programs).map(dirname)];
  for (const folder of folders) await linkPackages(join(onMachine, folder), join(workspace, folder));
  const { tarball } = await packRepository(workspace);
  const packed = await realpath(join(workspace, folders.at(-1) ?? "", "node_modules", "pulumi-opsmanager"));
  await rm(packed, { recursive: true }); // Its files are links to those of the machine.
  await mkdir(packed);
  await extract({ file: tarball, cwd: packed, strip: 1 });
}

/** As the engine is, and beside it. @param files what the packages depend on */
function onceOnMachine(
  name: string,
  files: Files,
  install: (folder: string) => Promise<unknown>,
): Promise<string> {
  const key = createHash("sha256").update(Object.values(files).join("")).digest("hex").slice(0, 16);
  const folder = join(cacheFolder(), `packages-${name}-${key}`);
  return withLock(`${folder}.lock`, async () => {
    if (existsSync(folder)) return folder;
    const partial = `${folder}.partial`;
    await rm(partial, { recursive: true, force: true });
    await writeFiles(partial, files);
    await install(partial);
    await rename(partial, folder);
    return folder;
  });
}

/** Rejects if the compiler that the first program has installed finds a fault in a program, or in what this package declares. */
export async function checkTypes(...folders: string[]): Promise<void> {
  const compiler = require.resolve("typescript", { paths: [folders[0] ?? ""] });
  await run(process.execPath, [typeCheck, compiler, ...folders]);
}

const typeCheck = join(repositoryRoot, "test", "support", "programs", "check-types.cjs");
