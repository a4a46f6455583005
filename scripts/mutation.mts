/**
 * `npm run mutation`: the mutation score of the transport, of access, of the resources and of the comparison of `opsmanager drift`,
 * measured by Stryker on the tests that need no engine.
 *
 *   npm run mutation -- [--sample PERCENT] [--seed NUMBER] [--only GLOB]... [--stories]
 *
 * The result is recorded in `test/proof/mutation/result.json`, which is committed: `npm run proof` prints it. `--sample` takes so many
 * percent of the mutants, chosen by chance. `--only` takes a path, such as `provider/transport/retry.ts`. `--stories` leaves out the
 * tests of single functions. Neither of the two records the result.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { elapsed, print, step } from "./lib/progress.mjs";
import { counted, numberOption, randomSeed } from "./lib/proof.mts";
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
  /** Percentage of the mutants that were tried. */
  sample: number;
  mutants: number;
  /** Percentage of mutants that a test detects. */
  score: number;
}

/** As mutation-testing-report-schema has it. */
type Report = { files: Record<string, { mutants: Mutant[] }> };
type Mutant = {
  status: string;
  mutatorName: string;
  replacement?: string;
  location: { start: { line: number } };
};

/** The result of the last run, which may be that of a sample. */
export function recordedScore(): Score {
  if (!existsSync(resultFile)) throw new Failure("no mutation score is recorded. Run `npm run mutation`.");
  return JSON.parse(readFileSync(resultFile, "utf8"));
}

interface Options {
  only?: readonly string[] | undefined;
  sample?: number;
  seed?: number;
  stories?: boolean | undefined;
}

/** Runs Stryker and records the result, unless `only` or `stories` is given. */
export async function measureScore(options: Options = {}): Promise<Score> {
  const { only, sample = 100, seed = randomSeed(), stories = false } = options;
  const started = Date.now();
  const temporary = mkdtempSync(join(tmpdir(), "opsmanager-mutation-"));
  try {
    const commit = await currentCommit();
    const base = JSON.parse(readFileSync(join(folder, "stryker.config.json"), "utf8"));
    const mutate = only ?? base.mutate;
    const jsonReporter = { fileName: join(temporary, "report.json") };
    const config = join(temporary, "stryker.config.json");
    writeFileSync(
      config,
      JSON.stringify({ ...base, mutate, concurrency: availableParallelism(), jsonReporter }),
    );
    process.env.MUTATION_PART = String(sample / 100);
    process.env.MUTATION_SEED = String(seed);
    process.env.MUTATION_STORIES = stories ? "1" : "";
    await step(`mutation: running Stryker on ${sample} % of the mutants, seed ${seed}`, () =>
      runTool("stryker", ["run", config]),
    );
    const report: Report = JSON.parse(readFileSync(jsonReporter.fileName, "utf8"));
    const score = { date: new Date().toISOString().slice(0, 10), commit, sample, ...scoreOf(report) };
    print(
      `mutation: ${counted(score.mutants, "mutant")}, ${score.score.toFixed(1)} % detected, ${elapsed(started)}`,
    );
    if (only === undefined && !stories) writeFileSync(resultFile, `${JSON.stringify(score, null, 2)}\n`);
    return score;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function currentCommit() {
  const git = (...args: string[]) => run("git", args, { cwd: inRepository() });
  const changed = await git("status", "--porcelain", "--", "cli", "projects", "provider", "sandbox", "test");
  return `${(await git("rev-parse", "--short", "HEAD")).trim()}${changed === "" ? "" : " with changes"}`;
}

/** Prints each mutant that no test detects. */
function scoreOf({ files }: Report): Pick<Score, "mutants" | "score"> {
  let [detected, undetected] = [0, 0];
  for (const [file, { mutants }] of Object.entries(files)) {
    for (const { status, mutatorName, replacement, location } of mutants) {
      if (["Killed", "Timeout"].includes(status)) detected += 1;
      if (!["Survived", "NoCoverage"].includes(status)) continue;
      undetected += 1;
      console.log(`${status} ${file}:${location.start.line} ${mutatorName}: ${replacement}`);
    }
  }
  const mutants = detected + undetected;
  return { mutants, score: mutants === 0 ? 100 : Math.round((detected / mutants) * 1000) / 10 };
}

if (isStarted(import.meta.url)) {
  await runScript(async () => {
    const { only, ...options } = readOptions({
      only: { type: "string", multiple: true },
      sample: { type: "string" },
      seed: { type: "string" },
      stories: { type: "boolean" },
    });
    const sample = numberOption("sample", options.sample, 100);
    const seed = numberOption("seed", options.seed, randomSeed());
    const { score } = await measureScore({ only, sample, seed, stories: options.stories });
    if (only === undefined && !options.stories && score < leastScore) {
      throw new Failure(`the mutation score is ${score} %, below ${leastScore} %`);
    }
  });
}
