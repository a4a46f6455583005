import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, resolve, sep } from "node:path";
import { cli, factsFile, minimumVersion, parts } from "./engine-facts.mjs";
import { run } from "./run.mjs";
import { Failure } from "./script.mjs";
import { findVersion, isAtLeast } from "./version.mjs";

/** @import { Engine } from "./engine-facts.mjs" */

/**
 * The engine that `PULUMI_OPSMANAGER_ENGINE` names. One that does not do is an error: another one would be a surprise.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Engine | undefined>}
 */
export async function engineFromEnvironment(env) {
  const named = env.PULUMI_OPSMANAGER_ENGINE;
  if (!named) return undefined;
  const { engine, reason } = await inspect(resolve(named), "environment", []);
  if (engine === undefined)
    throw new Failure(`PULUMI_OPSMANAGER_ENGINE names ${named}, which does not do: ${reason}`);
  return engine;
}

/**
 * The `pulumi` that the user has.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ engine?: Engine, reason?: string }>}
 */
export async function engineFromPath(env) {
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => !isPackageFolder(folder));
  const found = folders.find((folder) => existsSync(join(folder, cli)));
  if (found === undefined) return { reason: "there is none on PATH" };
  const bin = dirname(realpathSync(join(found, cli)));
  return inspect(bin, "path", folders);
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
 * @returns {Promise<{ engine?: Engine, reason?: string }>}
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

/** npm puts these folders on PATH; a package there that calls itself `pulumi` is not the engine. @param {string} folder */
function isPackageFolder(folder) {
  return folder.includes(`node_modules${sep}.bin`);
}
