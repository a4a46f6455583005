/**
 * Finds the Pulumi engine, or gets one. `node scripts/engine.mjs --print` prints the folder of its binaries, `--json` all that
 * is known of it.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, keyOf } from "./lib/cache.mjs";
import { buildEngine, goVersion, moduleFiles } from "./lib/engine-build.mjs";
import { factsFile, minimumVersion } from "./lib/engine-facts.mjs";
import { installEngine } from "./lib/engine-install.mjs";
import { cachedEngine, engineFromEnvironment, engineFromPath } from "./lib/engine-lookup.mjs";
import { withLock } from "./lib/lock.mjs";
import { print, step } from "./lib/progress.mjs";
import { Failure, isStarted, messageOf, runScript } from "./lib/script.mjs";

/** @import { Engine, EngineFacts, Means } from "./lib/engine-facts.mjs" */

/** Changes when these scripts put something else into the cache than before. */
const cacheVersion = "2";

/**
 * Finds an engine in this order: the one that PULUMI_OPSMANAGER_ENGINE names, the one on PATH, the
 * one in the cache. If there is none, gets one: by the official installer, else by a build with Go.
 *
 * @param {Partial<Means>} [means]
 * @returns {Promise<Engine>}
 */
export async function ensureEngine({ dependencies = Promise.resolve(), signal } = {}) {
  const { engine, reason } = await findEngine();
  return engine ?? (await putIntoCache([`Pulumi on PATH: ${reason}`], { dependencies, signal }));
}

/**
 * The engine that this machine has, or why there is none on PATH. Nothing is installed or built.
 *
 * @returns {Promise<{ engine?: Engine, reason?: string }>}
 */
export async function findEngine(env = process.env) {
  if (!mustBeBuilt(env)) {
    const named = await engineFromEnvironment(env);
    if (named !== undefined) return { engine: named };
    const onPath = await engineFromPath(env);
    const engine = onPath.engine ?? engineFromCache(env);
    return engine === undefined ? onPath : { engine };
  }
  const engine = engineFromCache(env);
  return engine === undefined ? { reason: "it is not wanted" } : { engine };
}

/** Whether PULUMI_OPSMANAGER_ENGINE requests an engine that is built from its Go modules, whatever is on PATH. */
function mustBeBuilt(env = process.env) {
  return env.PULUMI_OPSMANAGER_ENGINE === "built";
}

function engineFromCache(env = process.env) {
  const engine = cachedEngine(cachedBin(env));
  return mustBeBuilt(env) && engine?.source !== "built" ? undefined : engine;
}

function cachedBin(env = process.env) {
  return join(cacheFolder({ env }), keyOf(moduleFiles, cacheVersion));
}

/**
 * @param {string[]} reasons why there is no engine so far
 * @param {Means} means
 */
function putIntoCache(reasons, means) {
  const bin = cachedBin();
  /** @param {import("./lib/lock.mjs").Owner | undefined} owner */
  const onWait = (owner) =>
    print(`engine: waiting for another process ${owner ? `(${owner.pid}) ` : ""}that is getting the engine`);
  return withLock(`${bin}.lock`, async () => engineFromCache() ?? (await obtain(bin, reasons, means)), {
    onWait,
  });
}

/** The installation options, fastest first. */
const options = [
  {
    name: "the official installer",
    what: "engine: trying the official Pulumi installer",
    get: installEngine,
  },
  {
    name: "the build from Go modules",
    what: "engine: building from Go modules, some minutes the first time",
    get: buildEngine,
  },
];

/**
 * @param {string} bin
 * @param {string[]} reasons why there is no engine so far
 * @param {Means} means
 * @returns {Promise<Engine>}
 */
async function obtain(bin, reasons, means) {
  const allowed = mustBeBuilt() ? options.slice(-1) : options;
  for (const { name, what, get } of allowed) {
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
