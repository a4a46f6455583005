/** Paths of files and folders. */
import { isAbsolute, relative, sep } from "node:path";

/** Whether a path is below a folder. */
export function isInside(folder: string, path: string): boolean {
  const [first] = relative(folder, path).split(sep);
  return first !== "" && first !== ".." && !isAbsolute(relative(folder, path));
}
