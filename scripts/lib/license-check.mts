import { lockFiles, readLock } from "./lock-file.mts";
import { Failure } from "./script.mjs";

/**
 * What is allowed for some packages: licenses, and by name packages whose manifest names none of them, with the reason
 * why they are accepted.
 */
type Allowed = { licenses: ReadonlySet<string>; packages: ReadonlyMap<string, string> };

/** For packages that come with the npm package or the plugin archive: their licenses require a notice and nothing more. */
const forReleases: Allowed = {
  licenses: new Set([
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
  ]),
  packages: new Map([
    ["@logdna/tail-file", "SEE LICENSE IN LICENSE: the file holds the text of MIT"],
    ["spdx-exceptions", "CC-BY-3.0: a list of names, used unchanged"],
  ]),
};

/** For packages of the tests and scripts, of which no release contains any part. */
const forTools: Allowed = {
  licenses: new Set([...forReleases.licenses, "CC-BY-4.0", "MPL-2.0", "WTFPL"]),
  packages: new Map([
    ...forReleases.packages,
    ["@cspell/dict-en-common-misspellings", "CC BY-SA 4.0: a list of words, used unchanged"],
    ["base-64", "no `license`: the file LICENSE-MIT.txt holds the text of MIT"],
    ["format", "no `license`: an older field names MIT"],
    ["optimist", "MIT/X11: the file LICENSE holds the text of MIT"],
    ["pause-stream", "MIT and Apache-2.0, as a list"],
  ]),
};

type Lock = ReturnType<typeof readLock>;

/**
 * Each package of each lock file. The SDKs for Python and Go require Pulumi's own SDKs. No lock file names them, and no
 * release contains them.
 *
 * @returns what was found, in a few words
 */
export function checkLicenses(): string {
  const locks = lockFiles.map((file) => ({ file, lock: readLock(file) }));
  const faults = locks.flatMap(({ file, lock }) => {
    const isPublished = file === "package-lock.json";
    return faultsOfLicenses(lock, { isPublished }).map((fault) => `  ${file}: ${fault}`);
  });
  if (faults.length === 0)
    return `${locks.reduce((sum, { lock }) => sum + lockedPackages(lock).length, 0)} packages`;
  throw new Failure(
    `licenses that are not on the lists of scripts/lib/license-check.mts:\n${faults.join("\n")}\n` +
      "Read the license. If it permits the use, add it or the package to the list; otherwise use another package.",
  );
}

/**
 * The packages of a lock file whose license is not allowed, as `name version: license`.
 *
 * @param options whether the npm package or the plugin archive contains the packages, except
 *   those for development
 */
export function faultsOfLicenses(lock: Lock, { isPublished }: { isPublished: boolean }) {
  return lockedPackages(lock)
    .filter(({ name, license, dev }) => {
      const { licenses, packages } = dev || !isPublished ? forTools : forReleases;
      return !packages.has(name) && !isAllowed(license, licenses);
    })
    .map(({ name, version, license }) => `${name} ${version}: ${license ?? "no license"}`);
}

function lockedPackages({ packages }: Lock) {
  return Object.entries(packages)
    .filter(([path]) => path.includes("node_modules/"))
    .map(([path, entry]) => ({
      ...entry,
      name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
    }));
}

/** Whether an SPDX expression is allowed: one side of OR, all sides of AND. */
function isAllowed(license: unknown, licenses: Allowed["licenses"]) {
  return (
    typeof license === "string" &&
    license
      .replace(/[()]/g, "")
      .split(" OR ")
      .some((side) => side.split(" AND ").every((name) => licenses.has(name.trim())))
  );
}
