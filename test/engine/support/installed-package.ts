/** Programs with packages that a real package manager has installed. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
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
 * once on this machine. These are links, so that Node.js compiles them once. All test files share the folder. docs/get-started.test.ts
 * has the folders that npm makes.
 *
 * @param name of the folder, and of the packages on this machine
 */
export function installation(name: string, { dependencies, devDependencies }: Manifest): Promise<string> {
  return oncePerRun(`installation-${name}`, async (folder) => {
    const path = join(folder, name);
    const own = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
    const { "pulumi-opsmanager": _, ...others } = {
      ...own.dependencies,
      ...dependencies,
      ...devDependencies,
    };
    const onMachine = await onceOnMachine(
      name,
      { "package.json": JSON.stringify({ private: true, dependencies: others }) },
      (program) => npm(program, ["install", "--ignore-scripts"]),
    );
    await writeFiles(path, {
      "package.json": JSON.stringify({ private: true, dependencies, devDependencies }),
      "package-lock.json": readFileSync(join(onMachine, "package-lock.json"), "utf8"),
    });
    linkPackages(onMachine, path);
    const { tarball } = await packRepository(path);
    const packed = join(path, "node_modules", "pulumi-opsmanager");
    await mkdir(packed);
    await extract({ file: tarball, cwd: packed, strip: 1 });
    await linkCommands(packed);
    return path;
  });
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
  for (const folder of ["", ...Object.keys(programs).map(dirname)])
    linkPackages(join(onMachine, folder), join(workspace, folder));
  const { tarball } = await packRepository(workspace);
  const store = join("node_modules", ".pnpm");
  const [own = ""] = (await readdir(join(workspace, store))).filter((name) =>
    /^pulumi-opsmanager@/.test(name),
  );
  await rm(join(workspace, store, own));
  linkPackages(join(onMachine, store, own), join(workspace, store, own));
  const packed = join(workspace, store, own, "node_modules", "pulumi-opsmanager");
  await rm(packed);
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
