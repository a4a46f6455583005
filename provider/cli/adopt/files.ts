/** Reading and writing what lies in the folder of project files. */
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { messageOf, RefusedError } from "../../errors";

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

/**
 * @returns `undefined` where there is no such file
 * @throws RefusedError where something else stands in its place
 */
export async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(unlessMissing(path));
}

/**
 * Paths of everything below a folder, relative to it; none where it is not there.
 *
 * @throws RefusedError where it is no folder, or cannot be read
 */
export async function namesBelow(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true }).catch(unlessMissing(folder))) ?? [];
}

function unlessMissing(path: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code === "ENOENT") return undefined;
    throw new RefusedError(`${path} cannot be read: ${messageOf(error)}. Nothing was written.`, {
      cause: error,
    });
  };
}
