import { readFileSync } from "node:fs";
import { inRepository } from "./repository.mjs";
import { Failure } from "./script.mjs";

/** Every lock file of npm in this repository. */
export const lockFiles = [
  "package-lock.json",
  "docs/site/package-lock.json",
  "test/support/formats/package-lock.json",
];

/** The systems and processors on which `npm ci` must work, in npm's words. */
const systems = ["linux", "darwin", "win32"];
const processors = ["x64", "arm64"];

interface LockedPackage {
  version?: string;
  license?: unknown;
  dev?: boolean;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
  os?: readonly string[];
  cpu?: readonly string[];
}

export function readLock(file: string): { packages: Record<string, LockedPackage> } {
  return JSON.parse(readFileSync(inRepository(file), "utf8"));
}

/** @returns what was found, in a few words */
export function checkLockFiles(): string {
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

/** What is missing in a lock file, or must not be in it. */
export function faultsOfLock({ packages }: { packages: Record<string, LockedPackage> }): string[] {
  return Object.entries(packages).flatMap(([path, entry]) => [
    ...faultsOfEntry(path, entry),
    ...faultsOfOptionalDependencies(packages, path, entry),
  ]);
}

function faultsOfEntry(path: string, { resolved, integrity, link }: LockedPackage) {
  if (!path.includes("node_modules/") || link) return [];
  return [
    ...(integrity === undefined ? [`${path} has no \`integrity\``] : []),
    // .npmrc: omit-lockfile-registry-resolved, so that a lock file works with every registry.
    ...(resolved === undefined ? [] : [`${path} names the registry ${resolved}`]),
  ];
}

function faultsOfOptionalDependencies(
  packages: Record<string, LockedPackage>,
  path: string,
  { optionalDependencies = {} }: LockedPackage,
) {
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

function platformsWithout(builds: readonly LockedPackage[]) {
  return systems
    .flatMap((os) => processors.map((cpu) => ({ os, cpu })))
    .filter(({ os, cpu }) => !builds.some((build) => build.os?.includes(os) && build.cpu?.includes(cpu)))
    .map(({ os, cpu }) => `${os} ${cpu}`);
}

/** Searches as Node does: in the package's own `node_modules`, then in that of each folder above it. */
function find(
  packages: Record<string, LockedPackage>,
  path: string,
  name: string,
): LockedPackage | undefined {
  const entry = packages[path === "" ? `node_modules/${name}` : `${path}/node_modules/${name}`];
  if (entry !== undefined || path === "") return entry;
  return find(packages, path.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, ""), name);
}
