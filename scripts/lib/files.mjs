import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * All files below a folder, in a fixed order; none where there is no such folder.
 *
 * @param {string} folder
 * @param {RegExp} [name] what a file's name has to match
 * @returns {string[]}
 */
export function filesBelow(folder, name = /./) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesBelow(path, name);
      return name.test(entry.name) ? [path] : [];
    });
}
