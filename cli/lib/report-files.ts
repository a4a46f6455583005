/** The files of reports: written completely or not at all, and the paths that they contain. */

import type { Stats } from "node:fs";
import { chmod, mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { messageOf, RefusedError } from "../../provider/text/errors";
import { own } from "../../provider/text/own";
import { findAbove } from "./pulumi";
import type { Terminal } from "./terminal";

/**
 * Writes a file so that readers never see a part of it. A link stays, and its file is written with the permissions that it
 * has. A device or a pipe, such as `/dev/null`, gets the content itself.
 *
 * @throws RefusedError
 */
export async function writeWhole(file: string, content: string): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const temporary = temporaryFor(target);
  try {
    await makeFolder(dirname(target));
    const present = await facts(target);
    if (isSpecial(present)) return await writeFile(target, content);
    await writeNew(temporary, content, present?.mode);
    // The mask of the process has taken from the mode.
    if (present) await chmod(temporary, present.mode);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw new RefusedError(`${file} could not be written: ${reasonOf(error)}.`, { cause: error });
  }
}

/**
 * Tries to write beside a file, so that a long run does not end without its report. Makes the
 * folder of the file.
 *
 * @returns the reason why the file cannot be written; `undefined` if it can be
 */
export async function whyNotWritable(file: string): Promise<string | undefined> {
  const target = await realpath(file).catch(() => file);
  const temporary = temporaryFor(target);
  const present = await facts(target);
  if (present?.isDirectory()) return REASONS.EISDIR;
  if (isSpecial(present)) return undefined;
  try {
    await makeFolder(dirname(target));
    await writeNew(temporary, "");
    await rm(temporary);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/**
 * Writes a file that an ended process may have left. Others may write in a folder such as `/tmp`: a link that they put
 * there is removed, never followed.
 */
export async function writeNew(path: string, text: string, mode = 0o666): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { flag: "wx", mode });
}

/** Whether the path is that of a device or a pipe, which a rename would replace. */
function isSpecial(present: Stats | undefined): boolean {
  return present !== undefined && !present.isFile() && !present.isDirectory();
}

/**
 * Makes a folder and those above it. `mkdir` of Node.js 24 with `recursive` never ends below a link
 * to nothing, and in a folder that takes no others, such as `/proc`.
 */
export async function makeFolder(path: string): Promise<void> {
  const isFolder = async () => (await facts(path))?.isDirectory();
  if (await isFolder()) return;
  await makeFolder(dirname(path));
  await mkdir(path).catch(async (error: unknown) => {
    // Another process may have made it.
    if (!(await isFolder())) throw error;
  });
}

/** What is at the path, or where its link leads; `undefined` if nothing is. */
async function facts(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

function temporaryFor(file: string): string {
  return join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
}

const NO_PERMISSION = "the user of this process may not write there";
const FILE_IN_PATH = "a part of its path is a file, or a link to nothing, and not a folder";

/** By the code of Node.js. */
const REASONS: Readonly<Record<string, string>> = {
  EISDIR: "it is a folder",
  EEXIST: FILE_IN_PATH,
  ENOTDIR: FILE_IN_PATH,
  ENOENT: "its folder cannot be created",
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  EROFS: "the file system is read-only",
};

function reasonOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
  return own(REASONS, code) ?? messageOf(error);
}

/**
 * The path of a file from the root of its repository, with `/`; only its name if it is in none.
 *
 * @param file absolute
 */
export function pathInRepository(file: string): string {
  const repository = findAbove(dirname(file), [".git"]);
  return repository === undefined ? basename(file) : relative(dirname(repository), file).split(sep).join("/");
}

/**
 * The locations of the complete report, for a truncated format. They are the file of a
 * complete format, and the run of GitHub Actions that writes it.
 *
 * @param file absolute, if a complete format is written to one
 */
export function wholeReportLocations(
  file: string | undefined,
  { cwd, env }: Pick<Terminal, "cwd" | "env">,
): readonly string[] {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  return [
    ...(file === undefined ? [] : [relative(cwd, file)]),
    ...(server && repository && run ? [`${server}/${repository}/actions/runs/${run}`] : []),
  ];
}
