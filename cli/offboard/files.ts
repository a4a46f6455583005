/** Takes people out of the files of a folder that declare them. */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep, win32 } from "node:path";
import { parse } from "yaml";
import type { AccessFiles, FileKindName } from "../../projects/access-files";
import type { Fault } from "../../projects/faults";
import { type ReadFolder, readFaultyFolder } from "../../projects/load";
import { peopleOf } from "../../projects/near-names";
import { isInside } from "../../projects/paths";
import { foldName, sameName } from "../../provider/access/person";
import { attempt } from "../../provider/attempt";
import { isRecord } from "../../provider/resources/contract/values";
import { findPulumiFile } from "../lib/pulumi";
import { writeWhole } from "../lib/report-files";
import { type Edit, withoutPeople } from "./edit";

export interface EditedFile extends Edit {
  /** As messages name it: relative to the working directory if it is below it. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

export interface Plan {
  readonly edits: readonly EditedFile[];
  /** Files that stay as they are, because a list would be empty otherwise. */
  readonly kept: readonly EditedFile[];
  /** What is wrong with the files after the edits. Then nothing is written. */
  readonly faults: readonly Fault[];
  /** What the next `up` reads. A file whose edit has a fault is as it was; one that had others is not among them. */
  readonly files: AccessFiles;
}

/** The folder whose files are edited. */
export interface Folder {
  readonly folder: string;
  readonly cwd: string;
}

/**
 * Edits every file that was read for the folder, those that others extend among them. Faults that the edits mend do not
 * matter.
 *
 * @param names of all people who leave
 */
export function planEdits(read: ReadFolder, names: readonly string[], { folder, cwd }: Folder): Plan {
  const found = read.paths.flatMap((path): EditedFile[] => {
    const edit = withoutPeople(readFileSync(path, "utf8"), names);
    return edit === undefined ? [] : [{ ...edit, path, name: nameOf(path, cwd) }];
  });
  const emptied = emptiedBy(names, read, cwd);
  const [kept = [], edits = []] = [true, false].map((isKept) =>
    found.filter(({ path }) => emptied.has(path) === isKept),
  );
  const texts = new Map(edits.map(({ path, text }) => [path, text]));
  const { files, faults } = readFaultyFolder(folder, cwd, texts);
  return { edits, kept, faults, files: faults.length === 0 ? files : withFormer(files, read.files) };
}

function withFormer(files: AccessFiles, former: AccessFiles): AccessFiles {
  const all = <File extends AccessFile>(now: readonly File[], before: readonly File[]) => [
    ...now,
    ...before.filter(({ key }) => !now.some((file) => file.key === key)),
  ];
  return {
    projects: all(files.projects, former.projects),
    teams: all(files.teams, former.teams),
    organizations: all(files.organizations, former.organizations),
  };
}

/** The real paths of the files that name the people of lists in which nobody else would be left, inherited ones included. */
function emptiedBy(
  names: readonly string[],
  { files, locate }: ReadFolder,
  cwd: string,
): ReadonlySet<string> {
  const leaves = ({ name }: { readonly name: string }) => isOneOf(name, names);
  return new Set(
    peopleOf(files)
      .filter((list) => list.names.every(leaves))
      .flatMap(({ file, names: all }) => all.map(({ path }) => locate(file, path).file))
      .map((file) => realpathSync(resolve(cwd, file))),
  );
}

function nameOf(path: string, cwd: string): string {
  const root = realpathSync(cwd);
  return isInside(root, path) ? relative(root, path).split(sep).join("/") : path;
}

/**
 * Whether all of these folders are the one whose files were read: as components record them, relative to the folder in which
 * the program runs, or absolute, perhaps on another machine.
 */
export function areOf({ folder, cwd }: Folder, recorded: readonly string[]): boolean {
  const own = realpathSync(resolve(cwd, folder));
  const base = programFolder(cwd);
  const isElsewhere = (path: string) => win32.isAbsolute(path) && !existsSync(path);
  return (
    (recorded.length === 1 && recorded.every(isElsewhere)) ||
    recorded.every((path) => attempt(() => realpathSync(resolve(base, path))) === own)
  );
}

/** Where the program runs: its `main` may be in another folder than `Pulumi.yaml`. */
function programFolder(cwd: string): string {
  const file = findPulumiFile(cwd);
  if (file === undefined) return cwd;
  const project: unknown = attempt(() => parse(readFileSync(file, "utf8")));
  const path = resolve(
    dirname(file),
    isRecord(project) && typeof project.main === "string" ? project.main : ".",
  );
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path;
}

/** Writes all edits or none. @throws RefusedError */
export async function writeEdits(edits: readonly EditedFile[]): Promise<void> {
  const before = edits.map(({ path }) => [path, readFileSync(path, "utf8")] as const);
  try {
    for (const { path, text } of edits) await writeWhole(path, text);
  } catch (error) {
    await Promise.allSettled(before.map(([path, text]) => writeWhole(path, text)));
    throw error;
  }
}

export type AccessFile = AccessFiles[FileKindName][number];

/** Everyone whom a file names. */
export function namesIn(file: AccessFile): readonly string[] {
  return "usernames" in file ? file.usernames : Object.keys(file.members ?? {});
}

/** A file may name thousands, each of whom is looked for. */
const foldedNames = new WeakMap<AccessFile, ReadonlySet<string>>();

export function isListed(names: readonly string[], file: AccessFile): boolean {
  const listed = foldedNames.get(file) ?? new Set(namesIn(file).map(foldName));
  foldedNames.set(file, listed);
  return names.some((each) => listed.has(foldName(each)));
}

export function isOneOf(name: string, names: readonly string[]): boolean {
  return names.some((each) => sameName(each, name));
}
