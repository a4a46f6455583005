import { readFileSync } from "node:fs";
import { inRepository } from "./repository.mjs";
import { Failure } from "./script.mjs";

/** Licenses of packages that come with the npm package or the plugin archive. They require a notice and nothing more. */
const allowed = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "Python-2.0",
  "Unlicense",
]);

/** Packages whose manifest names no license of this list, and the reason why they are accepted. */
const accepted = new Map([
  ["@logdna/tail-file", "SEE LICENSE IN LICENSE: the file holds the text of MIT"],
  ["spdx-exceptions", "CC-BY-3.0: a list of names, used unchanged"],
]);

/** @typedef {{ version?: string, license?: string, dev?: boolean }} LockedPackage */

/** @returns {string} what was found, in a few words */
export function checkLicenses() {
  const lock = JSON.parse(readFileSync(inRepository("package-lock.json"), "utf8"));
  const faults = faultsOfLicenses(lock);
  if (faults.length === 0) return `${productionPackages(lock).length} packages`;
  throw new Failure(
    `licenses that are not on the list of scripts/lib/license-check.mjs:\n${faults.map((fault) => `  ${fault}`).join("\n")}\n` +
      "Read the license. If it permits distribution with a notice, add it or the package to the list; otherwise use another package.",
  );
}

/**
 * The packages of a lock file whose license is not allowed, as `name version: license`.
 *
 * @param {{ packages: Record<string, LockedPackage> }} lock
 */
export function faultsOfLicenses(lock) {
  return productionPackages(lock)
    .filter(({ name, license }) => !accepted.has(name) && !isAllowed(license))
    .map(({ name, version, license }) => `${name} ${version}: ${license ?? "no license"}`);
}

/**
 * What is installed with the npm package, each name and version as often as it is in the lock file.
 *
 * @param {{ packages: Record<string, LockedPackage> }} lock
 */
export function productionPackages({ packages }) {
  return Object.entries(packages)
    .filter(([path, { dev }]) => path.includes("node_modules/") && !dev)
    .map(([path, { version, license }]) => ({
      name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
      version,
      license,
    }));
}

/**
 * Whether an SPDX expression is allowed: one side of OR, all sides of AND.
 *
 * @param {string | undefined} license
 */
function isAllowed(license) {
  return (license ?? "")
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((side) => side.split(" AND ").every((name) => allowed.has(name.trim())));
}
