import { readFileSync } from "node:fs";
import { inRepository } from "./repository.mjs";
import { Failure } from "./script.mjs";

/** Every lock file of npm in this repository. */
export const lockFiles = [
  "package-lock.json",
  "docs/site/package-lock.json",
  "test/bench/wire/peers/package-lock.json",
  "test/support/formats/package-lock.json",
];

/** The systems and processors on which `npm ci` must work, in npm's words. */
const systems = ["linux", "darwin", "win32"];
const processors = ["x64", "arm64"];

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {unknown} [license]
 * @property {boolean} [dev]
 * @property {string} [resolved]
 * @property {string} [integrity]
 * @property {boolean} [link]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {readonly string[]} [os]
 * @property {readonly string[]} [cpu]
 */

/** @param {string} file @returns {{ packages: Record<string, LockedPackage> }} */
export function readLock(file) {
  return JSON.parse(readFileSync(inRepository(file), "utf8"));
}

/** @returns {string} what was found, in a few words */
export function checkLockFiles() {
  const faults = lockFiles.flatMap((file) =>
    faultsOfLock(readLock(file)).map((fault) => `  ${file}: ${fault}`),
  );
  if (faults.length === 0) return `${lockFiles.length} files are complete`;
  throw new Failure(
    `\`npm ci\` would fail on some machines:\n${faults.join("\n")}\n` +
      "Restore the file with `git checkout`, delete node_modules, and run `npm install --package-lock-only` again. " +
      "npm drops the packages of other platforms if it updates a lock file from an existing node_modules.",
  );
}

/**
 * What is missing in a lock file, or must not be in it.
 *
 * @param {{ packages: Record<string, LockedPackage> }} lock
 * @returns {string[]}
 */
export function faultsOfLock({ packages }) {
  return Object.entries(packages).flatMap(([path, entry]) => [
    ...faultsOfEntry(path, entry),
    ...faultsOfOptionalDependencies(packages, path, entry),
  ]);
}

/** @param {string} path @param {LockedPackage} entry */
function faultsOfEntry(path, { resolved, integrity, link }) {
  if (!path.includes("node_modules/") || link) return [];
  return [
    ...(integrity === undefined ? [`${path} has no \`integrity\``] : []),
    // .npmrc: omit-lockfile-registry-resolved, so that a lock file works with every registry.
    ...(resolved === undefined ? [] : [`${path} names the registry ${resolved}`]),
  ];
}

/** @param {Record<string, LockedPackage>} packages @param {string} path @param {LockedPackage} entry */
function faultsOfOptionalDependencies(packages, path, { optionalDependencies = {} }) {
  const found = Object.keys(optionalDependencies).map((name) => ({
    name,
    entry: find(packages, path, name),
  }));
  const missing = found.filter(({ entry }) => entry === undefined);
  const native = found.flatMap(({ entry }) => (entry?.os && entry.cpu ? [entry] : []));
  return [
    ...missing.map(({ name }) => `${path} needs ${name}, which is missing`),
    // A package for one system alone, such as fsevents, is no native dependency with a build for each.
    ...(native.length < 2
      ? []
      : platformsWithout(native).map((platform) => `${path} has no build for ${platform}`)),
  ];
}

/** @param {readonly LockedPackage[]} builds */
function platformsWithout(builds) {
  return systems
    .flatMap((os) => processors.map((cpu) => ({ os, cpu })))
    .filter(({ os, cpu }) => !builds.some((build) => build.os?.includes(os) && build.cpu?.includes(cpu)))
    .map(({ os, cpu }) => `${os} ${cpu}`);
}

/**
 * Searches as Node does: in the package's own `node_modules`, then in that of each folder above it.
 *
 * @param {Record<string, LockedPackage>} packages
 * @param {string} path
 * @param {string} name
 * @returns {LockedPackage | undefined}
 */
function find(packages, path, name) {
  const entry = packages[path === "" ? `node_modules/${name}` : `${path}/node_modules/${name}`];
  if (entry !== undefined || path === "") return entry;
  return find(packages, path.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ""), name);
}
