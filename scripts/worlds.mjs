/**
 * `npm run worlds`: whether random worlds find the known faults of an earlier version.
 *
 *   npm run worlds -- --provider REF [--seed NUMBER] [--worlds NUMBER] [--scripts]
 *
 * Takes `provider/`, `cli/` and `projects/` from the Git reference, and the worlds, the embedded service and the engine model from
 * this commit.
 * Ends when each known fault is found, or with exit code 1 after all worlds. `--scripts` prints the first counterexample of each fault.
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { print } from "./lib/progress.mjs";
import { grouped, numberOption, randomSeed } from "./lib/proof.mjs";
import { inRepository } from "./lib/repository.mjs";
import { run } from "./lib/run.mjs";
import { Failure, readOptions, runScript } from "./lib/script.mjs";
import { loadTypeScript } from "./lib/typescript.mjs";
import { inThreads } from "./lib/worlds.mjs";

/** @typedef {import("../test/proof/worlds/hunt.js").FoundFault} FoundFault */

await runScript(async () => {
  const options = readOptions({
    provider: { type: "string" },
    seed: { type: "string" },
    worlds: { type: "string" },
    scripts: { type: "boolean" },
  });
  const seed = numberOption("seed", options.seed, randomSeed());
  const worlds = numberOption("worlds", options.worlds, 4000);
  if (options.provider === undefined) throw new Failure("--provider must name a Git reference");
  print(`worlds: --provider ${options.provider} --seed ${seed} --worlds ${worlds}`);
  const root = mkdtempSync(join(tmpdir(), "opsmanager-worlds-"));
  try {
    await checkOut(options.provider, root);
    const missing = await huntIn(root, { seed, worlds }, options.scripts === true);
    if (missing.length > 0)
      throw new Failure(`not found in ${grouped(worlds)} worlds:\n${missing.join("\n")}`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

/** The sources of the reference beside the tests of this commit. @param {string} reference @param {string} root */
async function checkOut(reference, root) {
  const archive = join(root, "provider.tar");
  const paths = ["provider", "cli", "projects", "package.json", "sdk"];
  await run("git", ["archive", "--output", archive, reference, ...paths], { cwd: inRepository() });
  await run("tar", ["-xf", archive, "-C", root]);
  for (const part of [join("test", "proof"), "sandbox"]) {
    cpSync(inRepository(part), join(root, part), { recursive: true });
  }
  symlinkSync(inRepository("node_modules"), join(root, "node_modules"));
}

/**
 * Ends as soon as each known fault is found.
 *
 * @param {string} root
 * @param {{ seed: number, worlds: number }} options
 * @param {boolean} withScripts
 * @returns {Promise<string[]>} known faults that were not found
 */
async function huntIn(root, options, withScripts) {
  /** @type {{ knownFaults: typeof import("../test/proof/worlds/known-faults.js").knownFaults }} */
  const { knownFaults } = loadTypeScript(inRepository("test", "proof", "worlds", "known-faults.ts"));
  const missing = new Set(knownFaults.map(({ name }) => name));
  /** @type {Set<string>} */
  const seen = new Set();
  /** @param {FoundFault} fault */
  const isLast = ({ name, isKnown, afterWorlds, script }) => {
    if (seen.has(name)) return false;
    seen.add(name);
    missing.delete(name);
    print(`${isKnown ? "known fault" : "other counterexample"} in world ${grouped(afterWorlds)}: ${name}`);
    if (withScripts) console.log(script);
    return missing.size === 0;
  };
  await inThreads({ module: "hunt.ts", function: "hunt", options, root }, isLast);
  return [...missing];
}
