/**
 * Reads and writes files in the folder. A file that a user may have edited is
 * never replaced.
 */
import { constants, copyFile, link, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { messageOf, RefusedError } from "../../provider/text/errors";
import { makeFolder, writeNew } from "../lib/report-files";

/**
 * Path of a file while it is incomplete. The dot keeps the remains of an ended process from being
 * read as a project.
 */
function unfinishedPath(path: string): string {
  return join(dirname(path), `.${basename(path)}.tmp`);
}

/**
 * Writes a text to a temporary file.
 *
 * @param replaced text of the file that is replaced; `undefined` for a new file
 * @returns moves the complete file to its path
 */
export async function prepareFile(
  path: string,
  text: string,
  replaced?: string,
): Promise<() => Promise<void>> {
  const unfinished = unfinishedPath(path);
  await makeFolder(dirname(path));
  await writeNew(unfinished, text);
  if (replaced === undefined) return () => createFrom(unfinished, path);
  return async () => {
    if ((await readFile(path, "utf8")) !== replaced) throw new Error("it was edited during the run");
    await rename(unfinished, path);
  };
}

/**
 * Creates the file by a hard link, so it is complete from the start. On a file system without hard
 * links (exFAT, some network shares) link fails with EPERM, ENOTSUP, ENOSYS or EXDEV, and the file
 * is copied. If link failed for another reason, the copy fails for the same one. Neither replaces
 * a file, not even one created a moment before.
 */
async function createFrom(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path).catch((error: unknown) => {
      if (exists(error)) throw error;
      return copyFile(unfinished, path, constants.COPYFILE_EXCL);
    });
  } catch (error) {
    if (!exists(error)) throw error;
    throw new Error("another process created a file with this name", { cause: error });
  } finally {
    await rm(unfinished, { force: true });
  }
}

function exists(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EEXIST";
}

/**
 * @returns `undefined` if there is no such file
 * @throws RefusedError if something other than a file has this path
 */
export async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(unlessMissing(path));
}

/**
 * Lists all paths below a folder, relative to it; none if the folder does not exist.
 *
 * @throws RefusedError if it is not a folder, or cannot be read
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
