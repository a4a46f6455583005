/** Finds the files of a folder that declare a person, and takes the person out of them. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { allOf, FOLDERS, type Layout } from "../../projects/access-files";
import { ProjectFilesError } from "../../projects/faults";
import { EXTENSIONS, loadFiles } from "../../projects/load";
import { ConfigurationError, RefusedError } from "../../provider/text/errors";
import { writeWhole } from "../lib/report-files";
import { type Edit, withoutPerson } from "./edit";

export interface FolderOfFiles {
  readonly layout: Layout;
  readonly folder: string;
}

export interface EditedFile extends Edit {
  /** As the folder was named. */
  readonly path: string;
  readonly before: string;
}

export interface Plan {
  readonly edits: readonly EditedFile[];
  /** Files that still declare the person, because nobody else would be left in a list that must have somebody. */
  readonly left: readonly EditedFile[];
  /** The keys of the files that still declare the person; unknown if a file that others extend is left. */
  readonly keptKeys: readonly string[] | "unknown";
}

/**
 * Reads every YAML and JSON file of the folder, those that others extend among them.
 *
 * @throws ConfigurationError if there is no such folder, ProjectFilesError if its files have faults: then an edit could
 * not be checked
 */
export function planEdits({ layout, folder }: FolderOfFiles, name: string, cwd: string): Plan {
  const root = resolve(cwd, folder);
  if (!statSync(root, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigurationError(
      `${folder}: There is no such folder. Name the folder of the files after the person.`,
    );
  const files = allOf(loadFiles(layout, folder, cwd));
  const paths = layout === "projects" ? filesBelow(root) : accessFilesBelow(root);
  const found = paths.flatMap((path): EditedFile[] => {
    const before = readFileSync(path, "utf8");
    const edit = withoutPerson(before, name);
    return edit === undefined ? [] : [{ ...edit, path: join(folder, path.slice(root.length + 1)), before }];
  });
  const left = found.filter(({ emptied }) => emptied.length > 0);
  const keys = left.map(({ path }) => files.find(({ file }) => file === path)?.key);
  return {
    edits: found.filter(({ emptied }) => emptied.length === 0),
    left,
    keptKeys: keys.includes(undefined) ? "unknown" : keys.filter((key) => key !== undefined),
  };
}

/** The files of AccessFolder: in its subfolders, and the defaults of all of them. Beside them may be anything. */
function accessFilesBelow(root: string): string[] {
  const defaults = filesBelow(root, (name) => name.startsWith("_"));
  const inFolders = FOLDERS.map((name) => join(root, name)).filter((path) => existsSync(path));
  return [...defaults, ...inFolders.flatMap((path) => filesBelow(path))];
}

/** @param only the files of the folder itself with such a name; default: all files below it */
function filesBelow(folder: string, only?: (name: string) => boolean): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return only === undefined ? filesBelow(path) : [];
      if (only?.(entry.name) === false) return [];
      return entry.isFile() && EXTENSIONS.includes(extname(path).toLowerCase()) ? [path] : [];
    })
    .sort();
}

/**
 * Writes all edits or none: if the files then have a fault, each gets its former text back.
 *
 * @throws RefusedError that names the faults
 */
export async function writeEdits(
  edits: readonly EditedFile[],
  { layout, folder }: FolderOfFiles,
  cwd: string,
): Promise<void> {
  const restore = () => Promise.all(edits.map(({ path, before }) => writeWhole(resolve(cwd, path), before)));
  try {
    for (const { path, text } of edits) await writeWhole(resolve(cwd, path), text);
    loadFiles(layout, folder, cwd);
  } catch (error) {
    await restore();
    if (!(error instanceof ProjectFilesError)) throw error;
    throw new RefusedError(`The files would have faults, so none was changed:\n${error.message}`);
  }
}
