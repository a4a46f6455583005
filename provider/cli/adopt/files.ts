/** Reading and writing what lies in the folder of project files. */
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Writes a file whole or not at all: an interruption leaves no half of it under its name. */
export async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // The dot keeps what an ended process leaves behind from being taken for a project.
  const unfinished = join(dirname(path), `.${basename(path)}.tmp`);
  await writeFile(unfinished, text);
  await rename(unfinished, path);
}

/** @returns `undefined` where there is no such file */
export async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(unlessMissing);
}

/** Names in a folder; none where it is not there. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(unlessMissing)) ?? [];
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
  return undefined;
}
