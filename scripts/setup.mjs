/**
 * Puts everything in place that a command of this repository needs: dependencies, build, engine. It runs on Node 20 and in a
 * fresh clone, so it uses nothing but Node. Where all is there it is quick and says nothing.
 *
 *   node scripts/setup.mjs [--no-engine]
 */
import { join } from "node:path";
import { ensureEngine } from "./engine.mjs";
import { build, buildIsCurrent } from "./lib/build.mjs";
import { cacheFolder, keyOf } from "./lib/cache.mjs";
import { dependenciesAreCurrent, installDependencies } from "./lib/dependencies.mjs";
import { withLock } from "./lib/lock.mjs";
import { elapsed, progressWasMade, say, step } from "./lib/progress.mjs";
import { repositoryRoot } from "./lib/repository.mjs";
import { Failure, runScript } from "./lib/script.mjs";
import { isAtLeast } from "./lib/version.mjs";

const oldestNode = "20.0.0";

await runScript(async () => {
  const started = Date.now();
  requireNode();
  if (!dependenciesAreCurrent() || !buildIsCurrent())
    await withLock(lockOfThisClone(), prepareClone, { onWait });
  if (!process.argv.includes("--no-engine")) await ensureEngine();
  if (progressWasMade()) say(`set-up: everything is in place, after ${elapsed(started)}\n`);
});

/** Looks again: another process may have done it all while this one waited. */
async function prepareClone() {
  if (!dependenciesAreCurrent())
    await step("dependencies: installing with npm, about half a minute", installDependencies);
  if (!buildIsCurrent()) await step("build: compiling TypeScript", build);
}

/** @param {import("./lib/lock.mjs").Owner | undefined} owner */
function onWait(owner) {
  say(`set-up: waiting for another process ${owner ? `(${owner.pid}) ` : ""}that is setting this clone up`);
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
