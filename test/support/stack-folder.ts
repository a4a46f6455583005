import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyProgram, linkPackages } from "../../scripts/lib/program-folder.mjs";
import { copyInstallation } from "./installation";
import { writeNodeProgram } from "./node-program";
import { isProgramFolder, type Program, type ProgramFolder, type ProviderKind } from "./program";
import { yamlProgram } from "./yaml-program";

/** The folders of one stack: everything that Pulumi reads or writes for it is below `root`. */
export interface StackFolder {
  readonly root: string;
  readonly program: string;
  readonly home: string;
  readonly state: string;
  readonly temporary: string;
}

const prefix = "opsmanager-stack-";

/** Once per process: folders are named after the process that made them, so those of interrupted runs can be recognized. */
let swept: Promise<void> | undefined;

export async function createStackFolder(): Promise<StackFolder> {
  swept ??= removeAbandonedFolders();
  await swept;
  const root = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  const below = (name: string) => join(root, name);
  const folder = {
    root,
    program: below("program"),
    home: below("home"),
    state: below("state"),
    temporary: below("tmp"),
  };
  for (const path of [folder.program, folder.home, folder.state, folder.temporary]) await mkdir(path);
  return folder;
}

export async function removeStackFolder(folder: StackFolder): Promise<void> {
  await rm(folder.root, { recursive: true, force: true, maxRetries: 5 });
}

async function removeAbandonedFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = name.startsWith(prefix) ? Number(name.slice(prefix.length).split("-")[0]) : Number.NaN;
    if (Number.isNaN(owner) || isRunning(owner)) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 5 });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // it belongs to another user
  }
}

/** Replaces the program, and returns the name of the Pulumi project it now holds. */
export async function writeProgram(
  folder: StackFolder,
  provider: ProviderKind,
  project: string,
  program: Program | ProgramFolder,
): Promise<string> {
  if (isProgramFolder(program) && program.inPlace) return await projectName(program.folder);
  await rm(folder.program, { recursive: true, force: true });
  await mkdir(folder.program);
  if (isProgramFolder(program)) {
    await copyProgram(program.folder, folder.program);
    if (program.installation === undefined) await linkPackages(folder.program);
    else copyInstallation(program.installation, folder.program);
    return await projectName(folder.program);
  }
  if (provider === "dynamic") {
    await writeNodeProgram(folder.program, project, program);
    await linkPackages(folder.program);
  } else {
    await writeFile(join(folder.program, "Pulumi.yaml"), yamlProgram(project, program));
  }
  return project;
}

async function projectName(folder: string): Promise<string> {
  const text = await readFile(join(folder, "Pulumi.yaml"), "utf8");
  const name = /^name:\s*(\S+)/m.exec(text)?.[1];
  if (name === undefined) throw new Error(`${folder}/Pulumi.yaml has no name`);
  return name;
}
