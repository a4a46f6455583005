import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "./repository.mjs";
import { Failure } from "./script.mjs";

/**
 * The license texts of packages whose code is part of a file that we hand out, as Apache-2.0, BSD and MIT require.
 *
 * @param packageFolders relative to the repository
 */
export function licenseTexts(packageFolders: readonly string[]) {
  const chapters = packageFolders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(inRepository(folder, "package.json"), "utf8"));
    return [`${name} ${version}\nLicense: ${license}`, ...textsIn(inRepository(folder), name)].join("\n\n");
  });
  const introduction = "The plugin contains code of these packages, under the licenses below.";
  return `${[introduction, ...chapters].join(`\n\n${"=".repeat(80)}\n\n`)}\n`;
}

function textsIn(folder: string, name: string) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  if (files.length === 0) throw new Failure(`${name} comes without a license text, so it cannot be bundled`);
  return files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim());
}
