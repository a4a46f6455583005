/** Reading and writing what lies in the folder of project files. */
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Where a file waits until it is whole. The dot keeps what an ended process leaves from being taken for a project. */
export function unfinishedPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.tmp`);
}

/**
 * Writes a file beside its place.
 *
 * @returns puts it there, whole at once
 */
export async function prepareFile(path: string, text: string): Promise<() => Promise<void>> {
  const unfinished = unfinishedPath(path);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(unfinished, text);
  return () => rename(unfinished, path);
}

/** @returns `undefined` where there is no such file */
export async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(unlessMissing);
}

/** Paths of everything below a folder, relative to it; none where it is not there. */
export async function namesBelow(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true }).catch(unlessMissing)) ?? [];
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
  return undefined;
}
