import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** What each file below a folder holds: the same before and after, where nothing may be written. */
export async function filesBelow(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const read = async (file: string) => [file, await readFile(file, "base64")] as const;
  return Object.fromEntries(await Promise.all(files.map(read)));
}
