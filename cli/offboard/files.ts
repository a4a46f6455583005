/** Takes a person out of the files of a folder that declare them. */
import { readFileSync, realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { allOf } from "../../projects/access-files";
import { faultLine, ProjectFilesError } from "../../projects/faults";
import { placesWithOwners } from "../../projects/left-behind";
import { loadFiles, readFolder } from "../../projects/load";
import { isInside } from "../../projects/paths";
import { sameName } from "../../provider/access/person";
import { RefusedError } from "../../provider/text/errors";
import { writeWhole } from "../lib/report-files";
import { type Edit, withoutPerson } from "./edit";

export interface EditedFile extends Edit {
  /** As messages name it: relative to the working directory if it is below it. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly before: string;
}

export interface Plan {
  readonly edits: readonly EditedFile[];
  /** Files that still declare the person, because the list must not be empty and they are the only one in it. */
  readonly left: readonly EditedFile[];
  /** The keys of the files that still declare the person; unknown if a file that others extend is left. */
  readonly keptKeys: readonly string[] | "unknown";
  /** The projects and organizations whose files then list no owner, such as `project payments`. */
  readonly ownerless: readonly string[];
}

/**
 * Edits every file that was read for the folder, those that others extend among them.
 *
 * @throws ProjectFilesError if there is no such folder, or if its files have faults: then an edit could not be checked
 */
export function planEdits(folder: string, name: string, cwd: string): Plan {
  const { files, paths } = readFolder(folder, cwd);
  const isPerson = (other: string) => sameName(other, name);
  const found = paths.flatMap((path): EditedFile[] => {
    const before = readFileSync(path, "utf8");
    const edit = withoutPerson(before, name);
    return edit === undefined ? [] : [{ ...edit, path, name: nameOf(path, cwd), before }];
  });
  const left = found.filter(({ emptied }) => emptied.length > 0);
  const keys = left.map(
    ({ path }) => allOf(files).find(({ file }) => realpathSync(resolve(cwd, file)) === path)?.key,
  );
  return {
    edits: found.filter(({ emptied }) => emptied.length === 0),
    left,
    keptKeys: keys.includes(undefined) ? "unknown" : keys.filter((key) => key !== undefined),
    ownerless: placesWithOwners(files)
      .filter(({ key, owners }) => !keys.includes(key) && owners.length > 0 && owners.every(isPerson))
      .map(({ place }) => place),
  };
}

function nameOf(path: string, cwd: string): string {
  const root = realpathSync(cwd);
  return isInside(root, path) ? relative(root, path).split(sep).join("/") : path;
}

/**
 * Writes all edits or none: if the files then have a fault, each gets its former text back.
 *
 * @throws RefusedError that names the faults
 */
export async function writeEdits(edits: readonly EditedFile[], folder: string, cwd: string): Promise<void> {
  try {
    for (const { path, text } of edits) await writeWhole(path, text);
    loadFiles(folder, cwd);
  } catch (error) {
    await Promise.all(edits.map(({ path, before }) => writeWhole(path, before)));
    if (!(error instanceof ProjectFilesError)) throw error;
    throw new RefusedError([
      "The files would have faults, so none was changed:",
      ...error.faults.map(faultLine),
    ]);
  }
}
