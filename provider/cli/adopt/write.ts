/** Puts what a run gathered where it belongs. */
import { resolve } from "node:path";
import { messageOf, RefusedError } from "../../errors";
import type { Terminal } from "../terminal";
import { prepareFile } from "./files";
import type { Found, Write } from "./gather";

/**
 * The list is written before the files and takes its place after them: an interrupted run leaves no list of what has no file,
 * and the next run finds what it was to hold.
 */
export async function writeAll(
  { list, files }: Pick<Found, "list" | "files">,
  { cwd, stop }: Pick<Terminal, "cwd" | "stop">,
): Promise<void> {
  const finish = await put(list, prepareFile(resolve(cwd, list.path), list.text, list.replaces));
  for (const file of files) {
    stop.throwIfAborted();
    const place = await put(file, prepareFile(resolve(cwd, file.path), file.text));
    await put(file, place());
  }
  await put(list, finish());
}

async function put<T>({ path }: Write, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new RefusedError(
      `${path} cannot be written: ${messageOf(error)}. Nothing that was there is replaced. Files that were written before it are whole; run the same command again to write the rest.`,
      { cause: error },
    );
  }
}
