import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "./repository.mjs";
import { run } from "./run.mjs";

/**
 * Whether `node_modules` holds what the lock file names. npm keeps a list of what it installed, so
 * this also notices an `npm install` by the user. Packages of other platforms do not count.
 *
 * @param {string} [folder] of the package
 */
export function dependenciesAreCurrent(folder = inRepository()) {
  const installed = packagesIn(join(folder, "node_modules", ".package-lock.json"));
  const wanted = packagesIn(join(folder, "package-lock.json"));
  return Object.entries(wanted).every(
    ([path, entry]) => path === "" || entry.optional || installed[path]?.version === entry.version,
  );
}

/**
 * Installs exactly what the lock file names. The lock file has no address of a package, so npm reads the list of its versions. A list in
 * npm's cache is as good as a new one, because the lock file has the version and its hash.
 */
export async function installDependencies() {
  // `npm ci` removes `node_modules` first. Windows does not remove a program that is running, which may be the Node.js in there.
  const isInUse = process.platform === "win32" && process.execPath.startsWith(inRepository("node_modules"));
  const command = isInUse ? ["install", "--no-save"] : ["ci"];
  await run("npm", [...command, "--prefer-offline", "--loglevel=error"], { cwd: inRepository() });
}

/** @param {string} file @returns {Record<string, { version?: string, optional?: boolean }>} */
function packagesIn(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : {};
}
