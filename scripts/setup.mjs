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
import { step } from "./lib/progress.mjs";
import { repositoryRoot } from "./lib/repository.mjs";
import { runOnInstalledNode } from "./lib/run.mjs";
import { Failure, isStarted, runScript } from "./lib/script.mjs";
import { isAtLeast } from "./lib/version.mjs";

const oldestNode = "20.0.0";

/** Sets up everything. The engine is built while npm installs the dependencies, and canceled if the clone cannot be set up. */
export async function setUp() {
  const abort = new AbortController();
  const clone = setUpClone();
  const engine = ensureEngine({ dependencies: clone, signal: abort.signal });
  clone.catch(() => abort.abort());
  engine.catch(() => {}); // It is awaited later, and throws then.
  await clone;
  return engine;
}

/** Installs the dependencies and compiles the sources of this clone. */
async function setUpClone() {
  if (!isAtLeast(process.versions.node, oldestNode))
    throw new Failure(
      `Node ${oldestNode} or newer is needed to start with, and this is ${process.versions.node}`,
    );
  if (dependenciesAreCurrent() && buildIsCurrent()) return;
  await withLock(lockOfThisClone(), installAndBuild, "set-up");
}

/** Checks again what is missing, as another process may have done the work meanwhile. */
async function installAndBuild() {
  if (!dependenciesAreCurrent()) {
    await step("dependencies: installing with npm, one or two minutes the first time", installDependencies);
  }
  if (!buildIsCurrent()) await step("build: compiling TypeScript", build);
}

/** Outside the clone, as npm fills `node_modules` and the build fills `dist`. */
function lockOfThisClone() {
  return join(cacheFolder(), `clone-${keyOf([], repositoryRoot)}.lock`);
}

if (isStarted(import.meta.url)) {
  await runScript(async () => {
    const args = process.argv.slice(2);
    const withoutEngine = args[0] === "--no-engine";
    await (withoutEngine ? setUpClone() : setUp());
    const command = args.slice(withoutEngine ? 1 : 0);
    if (command.length > 0) process.exitCode = await runOnInstalledNode(command);
  });
}
