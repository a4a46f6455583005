import { existsSync, readFileSync } from "node:fs";
import { inRepository } from "./repository.mjs";
import { run } from "./run.mjs";

/**
 * Whether `node_modules` holds what the lock file asks for. npm leaves a list of what it put there, so this also sees an
 * `npm install` that the user ran, and packages that are for another platform do not count.
 */
export function dependenciesAreCurrent() {
  const installed = packagesIn(inRepository("node_modules", ".package-lock.json"));
  const wanted = packagesIn(inRepository("package-lock.json"));
  return Object.entries(wanted).every(
    ([path, entry]) => path === "" || entry.optional || installed[path]?.version === entry.version,
  );
}

/**
 * Installs what the lock file says and leaves that file alone. Not `npm ci`: it refuses a lock file that lacks the optional
 * packages of other platforms, and npm writes such a one where its registry does not offer them.
 */
export async function installDependencies() {
  await run("npm", ["install", "--no-save", "--loglevel=error"], { cwd: inRepository() });
}

/** @param {string} file @returns {Record<string, { version?: string, optional?: boolean }>} */
function packagesIn(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : {};
}
