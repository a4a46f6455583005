/**
 * Sets up what a command of this repository needs: dependencies, build and engine. It runs on Node.js
 * 20 in a fresh clone, so it uses nothing but Node.js. If nothing is missing, it prints nothing.
 *
 *   node scripts/setup.mjs [--no-engine] [SCRIPT [ARGUMENT]...]
 *
 * Then it runs the script, if one is named, on the Node.js of the dependencies: that one runs TypeScript.
 */
import { join } from "node:path";
import { ensureEngine } from "./engine.mjs";
import { build, buildIsCurrent } from "./lib/build.mjs";
import { cacheFolder, keyOf } from "./lib/cache.mjs";
import { dependenciesAreCurrent, installDependencies } from "./lib/dependencies.mjs";
import { withLock } from "./lib/lock.mjs";
import { elapsed, print, progressWasMade, step } from "./lib/progress.mjs";
import { repositoryRoot } from "./lib/repository.mjs";
import { runOnInstalledNode } from "./lib/run.mjs";
import { Failure, isStarted, runScript } from "./lib/script.mjs";
import { isAtLeast } from "./lib/version.mjs";

const oldestNode = "20.0.0";

/**
 * Starts to set up everything. The engine is built while npm installs the dependencies. If the clone
 * cannot be set up, the build of the engine is canceled.
 *
 * @returns {{ clone: Promise<void>, engine: Promise<import("./lib/engine-facts.mjs").Engine> }}
 */
export function startSetup() {
  requireNode();
  const abort = new AbortController();
  const clone = setUpClone();
  const engine = ensureEngine({ dependencies: clone, signal: abort.signal });
  clone.catch(() => abort.abort());
  engine.catch(() => {}); // The caller awaits it later, and gets the error then.
  return { clone, engine };
}

/** Installs the dependencies and compiles the sources of this clone. */
async function setUpClone() {
  if (dependenciesAreCurrent() && buildIsCurrent()) return;
  await withLock(lockOfThisClone(), installAndBuild, { onWait });
}

/** Checks again what is missing, as another process may have done the work meanwhile. */
async function installAndBuild() {
  if (!dependenciesAreCurrent()) {
    await step("dependencies: installing with npm, about half a minute", installDependencies);
  }
  if (!buildIsCurrent()) await step("build: compiling TypeScript", build);
}

/** @param {import("./lib/lock.mjs").Owner | undefined} owner */
function onWait(owner) {
  print(`set-up: waiting for another process ${owner ? `(${owner.pid}) ` : ""}that is setting this clone up`);
}

/** Outside the clone, as npm fills `node_modules` and the build fills `dist`. */
function lockOfThisClone() {
  return join(cacheFolder(), `clone-${keyOf([], repositoryRoot)}.lock`);
}

function requireNode() {
  if (isAtLeast(process.versions.node, oldestNode)) return;
  throw new Failure(
    `Node ${oldestNode} or newer is needed to start with, and this is ${process.versions.node}`,
  );
}

if (isStarted(import.meta.url)) {
  await runScript(async () => {
    const started = Date.now();
    const [first, ...others] = process.argv.slice(2);
    const command = first === "--no-engine" || first === undefined ? others : [first, ...others];
    if (first === "--no-engine") {
      requireNode();
      await setUpClone();
    } else {
      const { clone, engine } = startSetup();
      await clone;
      await engine;
    }
    if (progressWasMade()) print(`set-up: everything is in place, after ${elapsed(started)}\n`);
    if (command.length > 0) process.exitCode = await runOnInstalledNode(command);
  });
}
