import { extname, isAbsolute, relative, sep } from "node:path";

export const EXTENSIONS: readonly string[] = [".yaml", ".yml", ".json"];

export function isInside(folder: string, path: string): boolean {
  const [first] = relative(folder, path).split(sep);
  return first !== "" && first !== ".." && !isAbsolute(relative(folder, path));
}

/** Whether a name is that of a file in YAML or JSON. */
export function hasExtension(path: string): boolean {
  return EXTENSIONS.includes(extname(path).toLowerCase());
}

/** Such files and folders declare nothing, but may be extended. */
export function isIgnoredFile(name: string): boolean {
  return name.startsWith("_") || name.startsWith(".");
}
