/** The project files that a folder holds already. */
import { extname, resolve, sep } from "node:path";
import { EXTENSIONS, loadProjectFiles } from "../../projects/load";
import { namesBelow } from "./files";
import type { FileThere } from "./plan";

/**
 * @param folder relative to `directory`; one that is not there, or that holds no project, holds no files
 * @throws ProjectFilesError with every fault: what a faulty file declares is not known
 */
export async function filesThere(folder: string, directory: string): Promise<readonly FileThere[]> {
  const names = await namesBelow(resolve(directory, folder));
  return names.some(isProjectFile) ? loadProjectFiles(folder, directory) : [];
}

function isProjectFile(name: string): boolean {
  const isHidden = name.split(sep).some((part) => /^[._]/.test(part));
  return !isHidden && EXTENSIONS.includes(extname(name).toLowerCase());
}
