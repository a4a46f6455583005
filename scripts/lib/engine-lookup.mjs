import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, resolve, sep } from "node:path";
import { run } from "./run.mjs";
import { Failure } from "./script.mjs";
import { findVersion, isAtLeast } from "./version.mjs";

/**
 * What is known about an engine, beyond where it is.
 *
 * @typedef {object} EngineFacts
 * @property {string} version
 * @property {"environment" | "path" | "installer" | "built"} source how it came to this machine
 * @property {string} nodeHostVersion
 * @property {string} [residentCommandLine] path below the folder of the resident command line, if it was built with the engine
 * @property {boolean} canRunPlugins whether the Node language host can start a plugin from PulumiPlugin.yaml and generate SDKs
 *
 * @typedef {EngineFacts & { bin: string }} Engine
 *
 * An engine, or why there is none.
 *
 * @typedef {{ engine?: Engine, reason?: string }} Lookup
 */

/** Since this version `pulumi` has the exit codes that docs/drift.md documents for CI. */
export const minimumVersion = "3.227.0";

const isWindows = process.platform === "win32";
const suffix = isWindows ? ".exe" : "";
const cli = `pulumi${suffix}`;
/** A script that starts dynamic providers. */
export const dynamicProviderLauncher = `pulumi-resource-pulumi-nodejs${isWindows ? ".cmd" : ""}`;
/** An engine is complete with these. The hosts of Python and Go may be missing: then the programs of `test/engine/sdks` are skipped. */
const parts = [
  cli,
  `pulumi-language-nodejs${suffix}`,
  `pulumi-language-yaml${suffix}`,
  dynamicProviderLauncher,
];

/** Stands beside the binaries of an engine that these scripts put there. */
export const factsFile = "engine.json";

/**
 * The engine that the user has: the one that PULUMI_OPSMANAGER_ENGINE names, or else the one on PATH. A named one that does not do is an
 * error, because another one would be a surprise.
 *
 * @returns {Promise<Lookup>}
 */
export async function engineOfUser({ PULUMI_OPSMANAGER_ENGINE: named, PATH = "" } = process.env) {
  if (named) {
    const { engine, reason } = await inspect(resolve(named), "environment", []);
    if (engine) return { engine };
    throw new Failure(`PULUMI_OPSMANAGER_ENGINE names ${named}, which does not do: ${reason}`);
  }
  // npm puts its folders on PATH; a package there that calls itself `pulumi` is not the engine.
  const folders = PATH.split(delimiter).filter((folder) => !folder.includes(`node_modules${sep}.bin`));
  const found = folders.find((folder) => existsSync(join(folder, cli)));
  if (found === undefined) return { reason: "there is none on PATH" };
  return inspect(dirname(realpathSync(join(found, cli))), "path", folders);
}

/**
 * One that was installed or built before. It was inspected then, so this only reads a file.
 *
 * @param {string} bin
 * @returns {Engine | undefined}
 */
export function cachedEngine(bin) {
  const file = join(bin, factsFile);
  return existsSync(file) ? { bin, ...JSON.parse(readFileSync(file, "utf8")) } : undefined;
}

/**
 * @param {string} bin
 * @param {"environment" | "path"} source
 * @param {readonly string[]} otherFolders where the language hosts may stand, besides `bin`
 * @returns {Promise<Lookup>}
 */
async function inspect(bin, source, otherFolders) {
  const missing = parts.filter(
    (part) => ![bin, ...otherFolders].some((folder) => existsSync(join(folder, part))),
  );
  if (missing.length > 0) return { reason: `it lacks ${missing.join(", ")}` };
  const known = cachedEngine(bin);
  if (known !== undefined) return { engine: { ...known, source } };
  const version = await versionOf(bin).catch(() => undefined);
  if (!isAtLeast(version, minimumVersion)) {
    return { reason: `it is version ${version ?? "unknown"}, and ${minimumVersion} is needed` };
  }
  // Pulumi's own distributions hold a Node host of the same age, which can start plugins since long before our minimum.
  return { engine: { bin, version, source, nodeHostVersion: version, canRunPlugins: true } };
}

/** @param {string} bin */
export async function versionOf(bin) {
  return findVersion(await run(join(bin, cli), ["version"]));
}
