/**
 * `npm run mutation`: the mutation score of the transport, the resources and the comparison of `opsmanager drift`, measured by Stryker on
 * the tests that need no engine.
 *
 *   npm run mutation -- [--sample PERCENT] [--seed NUMBER] [--only GLOB]... [--concurrency NUMBER] [--reuse]
 *
 * The result is recorded in `test/proof/mutation/result.json`, which is committed: `npm run proof` prints it. `--sample` mutates so many
 * percent of the lines, chosen by chance. `--only` takes a path, such as `provider/transport/retry.ts`, and records nothing. `--reuse`
 * keeps the results of earlier runs with `--reuse` for mutants whose line and tests have not changed since. Stryker does not see other
 * changes.
 */
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { elapsed, print, step } from "./lib/progress.mjs";
import { counted, numberOption, randomNumbers, randomSeed } from "./lib/proof.mts";
import { inRepository } from "./lib/repository.mjs";
import { run, runTool } from "./lib/run.mjs";
import { Failure, isStarted, readOptions, runScript } from "./lib/script.mjs";

/** In percent. */
export const leastScore = 80;

const folder = inRepository("test", "proof", "mutation");
const resultFile = join(folder, "result.json");

interface Score {
  /** `2026-11-22` */
  date: string;
  /** The one that was measured. */
  commit: string;
  /** Percentage of the lines that were mutated. */
  sample: number;
  /** Those that compile. */
  mutants: number;
  /** Percentage of mutants that a test detects. */
  score: number;
}

/** As mutation-testing-report-schema has it. */
type Report = { files: Record<string, { mutants: Mutant[] }> };
type Mutant = { status: string; mutatorName: string; replacement?: string; location: Location };
type Location = { start: { line: number } };

/** The result of the last run, which may be that of a sample. */
export function recordedScore(): Score {
  if (!existsSync(resultFile)) throw new Failure("no mutation score is recorded. Run `npm run mutation`.");
  return JSON.parse(readFileSync(resultFile, "utf8"));
}

interface Options {
  only?: readonly string[] | undefined;
  sample?: number;
  seed?: number;
  concurrency?: number;
  reuse?: boolean | undefined;
}

/** Runs Stryker and records the result, unless `only` is given. */
export async function measureScore(options: Options = {}): Promise<Score> {
  const { only, sample = 100, concurrency = availableParallelism() } = options;
  const started = Date.now();
  const temporary = mkdtempSync(join(tmpdir(), "opsmanager-mutation-"));
  try {
    const measured = await commit();
    const { report, config } = settings(temporary, { ...options, sample, concurrency });
    print(
      `mutation: ${sample} % of ${only?.join(", ") ?? "all"}, ${counted(concurrency, "process", "processes")}`,
    );
    await step("mutation: running Stryker", () => runTool("stryker", ["run", config]));
    const { files } = JSON.parse(readFileSync(report, "utf8"));
    const date = new Date().toISOString().slice(0, 10);
    const score = { date, commit: measured, sample, ...scoreOf(files) };
    print(
      `mutation: ${counted(score.mutants, "mutant")}, ${score.score.toFixed(1)} % detected, ${elapsed(started)}`,
    );
    printSurvivors(files);
    if (only !== undefined) return score;
    writeFileSync(resultFile, `${JSON.stringify(score, null, 2)}\n`);
    return score;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function settings(
  temporary: string,
  { only, sample, seed = randomSeed(), concurrency, reuse = false }: Options & { sample: number },
) {
  const report = join(temporary, "report.json");
  const config = join(temporary, "stryker.config.json");
  const base = JSON.parse(readFileSync(join(folder, "stryker.config.json"), "utf8"));
  const patterns = only ?? base.mutate;
  const mutate = sample === 100 ? patterns : linesOf(patterns, sample / 100, seed);
  const all = { ...base, mutate, concurrency, jsonReporter: { fileName: report }, incremental: reuse };
  writeFileSync(config, JSON.stringify(all));
  return { report, config };
}

/**
 * A part of the lines, as Stryker takes them: `file.ts:3-3`. Mutants of several lines are left out. Most of these empty a block, and
 * nearly every test detects that, so the score of a sample is rather too low than too high.
 */
function linesOf(patterns: readonly string[], part: number, seed: number) {
  const next = randomNumbers(seed);
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: inRepository() })).sort();
  return files.flatMap((file) => {
    const lines = readFileSync(inRepository(file), "utf8").trimEnd().split("\n");
    return lines.flatMap((_, index) => (next() < part ? [`${file}:${index + 1}-${index + 1}`] : []));
  });
}

async function commit() {
  const git = (...args: string[]) => run("git", args, { cwd: inRepository() });
  const isChanged =
    (await git("status", "--porcelain", "--", "cli", "projects", "provider", "sandbox", "test")) !== "";
  return `${(await git("rev-parse", "--short", "HEAD")).trim()}${isChanged ? " with changes" : ""}`;
}

const detected = new Set(["Killed", "Timeout"]);
const undetected = new Set(["Survived", "NoCoverage"]);

function scoreOf(files: Report["files"]): Pick<Score, "mutants" | "score"> {
  const all = Object.values(files).flatMap(({ mutants }) => mutants);
  return { mutants: all.filter(isValid).length, score: percentage(all) };
}

function isValid({ status }: Mutant) {
  return detected.has(status) || undetected.has(status);
}

function percentage(mutants: readonly Mutant[]) {
  const valid = mutants.filter(isValid);
  if (valid.length === 0) return 100;
  const part = valid.filter(({ status }) => detected.has(status)).length / valid.length;
  return Math.round(part * 1000) / 10;
}

function printSurvivors(files: Report["files"]) {
  for (const [file, { mutants }] of Object.entries(files)) {
    for (const { status, mutatorName, replacement, location } of mutants) {
      if (!undetected.has(status)) continue;
      console.log(`${status} ${file}:${location.start.line} ${mutatorName}: ${replacement}`);
    }
  }
}

if (isStarted(import.meta.url)) {
  await runScript(async () => {
    const options = readOptions({
      only: { type: "string", multiple: true },
      sample: { type: "string" },
      seed: { type: "string" },
      concurrency: { type: "string" },
      reuse: { type: "boolean" },
    });
    const { score } = await measureScore({
      only: options.only,
      sample: numberOption("sample", options.sample, 100),
      seed: numberOption("seed", options.seed, randomSeed()),
      concurrency: numberOption("concurrency", options.concurrency, availableParallelism()),
      reuse: options.reuse,
    });
    if (options.only === undefined && score < leastScore) {
      throw new Failure(`the mutation score is ${score} %, below ${leastScore} %`);
    }
  });
}
