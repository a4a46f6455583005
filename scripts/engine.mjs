/**
 * Finds the Pulumi engine, or gets one. `node scripts/engine.mjs` prints the folder of its binaries, with `--json` all that is
 * known of it.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, keyOf } from "./lib/cache.mjs";
import { buildEngine, goVersion, moduleFiles } from "./lib/engine-build.mjs";
import { installEngine } from "./lib/engine-install.mjs";
import { cachedEngine, engineOfUser, factsFile, minimumVersion } from "./lib/engine-lookup.mjs";
import { withLock } from "./lib/lock.mjs";
import { print, step } from "./lib/progress.mjs";
import { Failure, isStarted, messageOf, runScript } from "./lib/script.mjs";

/** @import { Engine, EngineFacts } from "./lib/engine-lookup.mjs" */

/** Changes when these scripts put something else into the cache than before. */
const cacheVersion = "2";

/**
 * What a function that installs or builds an engine works with: `dependencies` resolves once `node_modules` is complete.
 *
 * @typedef {{ dependencies: Promise<unknown>, signal?: AbortSignal | undefined }} Means
 *
 * @typedef {{ name: string, what: string, get: (folder: string, means: Means) => Promise<EngineFacts> }} Option
 */

/** @type {Option} */
const installer = {
  name: "the official installer",
  what: "engine: trying the official Pulumi installer",
  get: installEngine,
};
/** @type {Option} */
const goBuild = {
  name: "the build from Go modules",
  what: "engine: building from Go modules, some minutes the first time",
  get: buildEngine,
};

/**
 * Finds an engine in this order: the one that PULUMI_OPSMANAGER_ENGINE names, the one on PATH, the one in the cache. If there is
 * none, gets one, fastest first. PULUMI_OPSMANAGER_ENGINE=built requests one that is built from its Go modules, whatever is on PATH.
 *
 * @param {Partial<Means>} [means]
 * @returns {Promise<Engine>}
 */
export async function ensureEngine({ dependencies = Promise.resolve(), signal } = {}) {
  const mustBeBuilt = process.env.PULUMI_OPSMANAGER_ENGINE === "built";
  const bin = join(cacheFolder(), keyOf(moduleFiles, cacheVersion));
  const fromCache = () => {
    const cached = cachedEngine(bin);
    return mustBeBuilt && cached?.source !== "built" ? undefined : cached;
  };
  const { engine, reason } = mustBeBuilt ? { reason: "it is not wanted" } : await engineOfUser();
  const found = engine ?? fromCache();
  if (found !== undefined) return found;
  const reasons = [`Pulumi on PATH: ${reason}`];
  const options = mustBeBuilt ? [goBuild] : [installer, goBuild];
  const get = () => obtain(bin, options, reasons, { dependencies, signal });
  return withLock(`${bin}.lock`, async () => fromCache() ?? (await get()), "engine");
}

/**
 * @param {string} bin
 * @param {readonly Option[]} options
 * @param {string[]} reasons why there is no engine so far
 * @param {Means} means
 * @returns {Promise<Engine>}
 */
async function obtain(bin, options, reasons, means) {
  for (const { name, what, get } of options) {
    try {
      return await step(what, () => moveIntoPlace(bin, (folder) => get(folder, means)));
    } catch (error) {
      if (means.signal?.aborted) throw error;
      const reason = messageOf(error);
      reasons.push(`${name}: ${reason}`);
      print(`engine: ${name} failed: ${reason.split("\n", 1)[0]}`);
    }
  }
  throw new Failure(noEngine(reasons));
}

/**
 * The folder appears with all that belongs to it, or not at all.
 *
 * @param {string} bin
 * @param {(folder: string) => Promise<EngineFacts>} get
 */
async function moveIntoPlace(bin, get) {
  const folder = `${bin}.partial`; // ours alone, by the lock; what stands there was left by an interrupted run
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    const facts = await get(folder);
    writeFileSync(join(folder, factsFile), JSON.stringify(facts, null, 2));
    rmSync(bin, { recursive: true, force: true });
    renameSync(folder, bin);
    return { bin, ...facts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {readonly string[]} reasons */
function noEngine(reasons) {
  return `There is no Pulumi engine on this machine, and none could be had. One of these is needed:
  - Pulumi ${minimumVersion} or newer on PATH, with its language hosts (https://www.pulumi.com/docs/install/)
  - access to https://get.pulumi.com, for the official installer
  - Go ${goVersion()} or newer on PATH with access to a module proxy, to build it (https://go.dev/dl/)
  - PULUMI_OPSMANAGER_ENGINE=FOLDER, where FOLDER holds pulumi and its language hosts

What was tried:
${reasons.map((reason) => `  - ${reason.trim().replaceAll("\n", "\n    ")}`).join("\n")}`;
}

if (isStarted(import.meta.url)) {
  await runScript(async () => {
    const engine = await ensureEngine();
    console.log(process.argv.includes("--json") ? JSON.stringify(engine) : engine.bin);
  });
}
