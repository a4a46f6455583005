/** Finds files that would declare something if they were in a subfolder of their kind. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../provider/attempt";
import { FOLDERS, fileKinds } from "./access-files";
import { hasExtension, isIgnoredFile } from "./paths";
import { parseSource } from "./source";

/** A larger one is hardly a file of one project, and a lock file would take seconds. */
const LARGEST = 64 * 1024;

/** A file that others extend has neither, and one that declares a project or a team has one of them. */
const TELLING = ["name", "key"];

/**
 * The files below a folder that have properties of such files alone, apart from its three subfolders, and from those of
 * folders in it, which another component may read.
 *
 * The folder of a program may hold anything, so it is searched only if nothing is declared in it.
 *
 * @param declares the subfolders have files
 */
export function misplacedFiles(root: string, declares: boolean): string[] {
  if (declares && existsSync(join(root, "Pulumi.yaml"))) return [];
  return filesBelow(root).filter(looksDeclaring).sort();
}

const NOT_SEARCHED: readonly string[] = ["node_modules", ...FOLDERS];

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !isIgnoredFile(name) && !NOT_SEARCHED.includes(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return attempt(() => filesBelow(path)) ?? [];
      return entry.isFile() && hasExtension(path) && !entry.name.startsWith("Pulumi.") ? [path] : [];
    });
}

function looksDeclaring(path: string): boolean {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? Infinity) > LARGEST) return false;
  const bytes = attempt(() => readFileSync(path));
  const content = bytes && parseSource(path, bytes).content;
  if (content === undefined) return false;
  const names = [...content.entries.keys()];
  const fits = FOLDERS.some((kind) =>
    names.every((name) => Object.hasOwn(fileKinds[kind].source.shape, name)),
  );
  return fits && names.some((name) => TELLING.includes(name));
}
