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
import { say, step } from "./lib/progress.mjs";
import { Failure, isStarted, messageOf, runScript } from "./lib/script.mjs";

/** @import { Engine, EngineFacts } from "./lib/engine-facts.mjs" */

/** Changes when these scripts put something else into the cache than before. */
const cacheVersion = "1";

/**
 * In this order: the one that is named, the one on PATH, the one in the cache, the official installer, a build with Go.
 *
 * @returns {Promise<Engine>}
 */
export async function ensureEngine(env = process.env) {
  const named = await engineFromEnvironment(env);
  if (named !== undefined) return named;
  const { engine, reason } = await engineFromPath(env);
  if (engine !== undefined) return engine;
  const bin = join(cacheFolder({ env }), keyOf(moduleFiles, cacheVersion));
  return cachedEngine(bin) ?? (await putIntoCache(bin, reason));
}

/**
 * @param {string} bin
 * @param {string | undefined} notOnPath why the engine on PATH does not do
 */
function putIntoCache(bin, notOnPath) {
  /** @param {import("./lib/lock.mjs").Owner | undefined} owner */
  const onWait = (owner) =>
    say(`engine: waiting for another process ${owner ? `(${owner.pid}) ` : ""}that is getting the engine`);
  return withLock(
    `${bin}.lock`,
    async () => cachedEngine(bin) ?? (await obtain(bin, [`Pulumi on PATH: ${notOnPath}`])),
    { onWait },
  );
}

/** Each way of getting an engine, cheapest first. */
const ways = [
  {
    name: "the official installer",
    what: "engine: trying the official Pulumi installer",
    get: installEngine,
  },
  {
    name: "a build from Go modules",
    what: "engine: building from Go modules, about 4 minutes the first time",
    get: buildEngine,
  },
];

/**
 * @param {string} bin
 * @param {string[]} reasons why the ways so far did not do
 * @returns {Promise<Engine>}
 */
async function obtain(bin, reasons) {
  for (const { name, what, get } of ways) {
    try {
      return await step(what, () => moveIntoPlace(bin, get));
    } catch (error) {
      reasons.push(`${name}: ${messageOf(error)}`);
      say(`engine: ${name} did not do`);
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
  - a way to https://get.pulumi.com, for the official installer
  - Go ${goVersion()} or newer on PATH with a way to a module proxy, to build it (https://go.dev/dl/)
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
