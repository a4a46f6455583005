/**
 * `npm run worlds`: random worlds with this version and an earlier one.
 *
 *   npm run worlds -- --compare REF [--seed NUMBER] [--worlds NUMBER]
 *
 * Takes `provider/`, `cli/` and `projects/` from the Git reference, and the worlds, the sandbox and the engine model from
 * this commit. Whether this version does the same as the other one, for a change that must not change behavior: the same writes in
 * the same order, no further reads between them, and the same results and states, and messages with the same facts. The first
 * difference is printed as a short world, with exit code 1. Fewer reads are counted. Then the same for the stories of the tests, the
 * fault matrix among them.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandRecord } from "../test/proof/transcript.ts";
import type { ComparedWorlds } from "../test/proof/worlds/compare.ts";
import { print } from "./lib/progress.mjs";
import { grouped, numberOption, randomSeed } from "./lib/proof.mts";
import { inRepository } from "./lib/repository.mjs";
import { run } from "./lib/run.mjs";
import { Failure, readOptions, runScript } from "./lib/script.mjs";
import { loadTypeScript } from "./lib/typescript.mts";
import { inThreads } from "./lib/worlds.mts";

const MOST_DIFFERENCES = 3;

await runScript(async () => {
  const options = readOptions({
    compare: { type: "string" },
    seed: { type: "string" },
    worlds: { type: "string" },
  });
  const seed = numberOption("seed", options.seed, randomSeed());
  const worlds = numberOption("worlds", options.worlds, 500);
  const { compare: reference } = options;
  if (reference === undefined) throw new Failure("--compare must name a Git reference.");
  print(`worlds: --compare ${reference} --seed ${seed} --worlds ${worlds}`);
  const root = mkdtempSync(join(tmpdir(), "opsmanager-worlds-"));
  try {
    await checkOut(reference, root);
    const differences = [...(await compareWorlds(root, { seed, worlds })), ...(await compareStories(root))];
    if (differences.length > 0) throw new Failure(differences.join("\n\n"));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

/** @returns the first difference */
async function compareWorlds(root: string, options: { seed: number; worlds: number }): Promise<string[]> {
  const results: ComparedWorlds[] = await inThreads({
    module: "compare.ts",
    function: "compare",
    options: { ...options, reference: root },
  });
  const total = (count: "worlds" | "commands" | "fewerReads" | "open") =>
    grouped(results.reduce((sum, result) => sum + result[count], 0));
  print(
    `compared: ${total("worlds")} worlds, ${total("commands")} commands; ${total("fewerReads")} reads fewer; ${total("open")} worlds until a disturbance met other requests`,
  );
  const [first] = results
    .flatMap(({ difference }) => difference ?? [])
    .sort((one, other) => one.afterWorlds - other.afterWorlds);
  return first === undefined ? [] : [`different in world ${first.afterWorlds}: ${first.text}`];
}

/**
 * The stories that the engine's model tells, the fault matrix among them.
 *
 * @returns the first differences
 */
async function compareStories(root: string): Promise<string[]> {
  for (const part of ["test", "scripts", "config"])
    cpSync(inRepository(part), join(root, part), { recursive: true });
  const files = storyFiles(inRepository("test"));
  const [before, now] = [recordStories(root, files), recordStories(inRepository(), files)];
  const { compareRecords }: typeof import("../test/proof/transcript.ts") = loadTypeScript(
    inRepository("test", "proof", "transcript.ts"),
  );
  const differences: string[] = [];
  let [fewerReads, compared] = [0, 0];
  for (const [test, records] of now) {
    const earlier = before.get(test);
    if (earlier === undefined) continue;
    compared += 1;
    const comparison = compareRecords(earlier, records);
    fewerReads += comparison.fewerReads;
    const { what, reference, now: present } = comparison.deviation ?? {};
    if (what) differences.push(`different in ${test}\n${what}\nreference: ${reference}\nnow: ${present}`);
  }
  print(
    `compared: ${grouped(compared)} stories of ${grouped(now.size)}; ${grouped(fewerReads)} reads fewer; ${differences.length} different`,
  );
  return differences.slice(0, MOST_DIFFERENCES);
}

/** The tests that tell stories with the engine's model, relative to the repository. */
function storyFiles(folder: string) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .filter((file) => readFileSync(join(folder, file), "utf8").includes("/model-stack"))
    .map((file) => join("test", file));
}

/** @returns by test */
function recordStories(root: string, files: readonly string[]): Map<string, CommandRecord[]> {
  const folder = mkdtempSync(join(tmpdir(), "opsmanager-stories-"));
  try {
    const jest = join(root, "node_modules", "jest", "bin", "jest.js");
    // A test of the reference may fail: what it did is compared nevertheless.
    spawnSync(process.execPath, [jest, "--config", join("config", "jest.config.cjs"), ...files], {
      cwd: root,
      env: { ...process.env, OPSMANAGER_STORY_RECORDS: folder },
      stdio: "ignore",
    });
    const lines = readdirSync(folder).flatMap((file) =>
      readFileSync(join(folder, file), "utf8").trimEnd().split("\n"),
    );
    const records: { test: string; record: CommandRecord }[] = lines.map((line) => JSON.parse(line));
    return new Map(
      [...Map.groupBy(records, ({ test }) => test)].map(([test, same]) => [
        test,
        same.map(({ record }) => record),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The sources of the reference beside the tests of this commit. */
async function checkOut(reference: string, root: string) {
  const archive = join(root, "provider.tar");
  const paths = ["provider", "cli", "projects", "package.json", "sdk"];
  await run("git", ["archive", "--output", archive, reference, ...paths], { cwd: inRepository() });
  await run("tar", ["-xf", archive, "-C", root]);
  for (const part of [join("test", "proof"), "sandbox"]) {
    cpSync(inRepository(part), join(root, part), { recursive: true });
  }
  symlinkSync(inRepository("node_modules"), join(root, "node_modules"));
}
