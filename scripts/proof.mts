/**
 * `npm run proof`: random worlds, some of them through the real engine and one plugin process, some of files, the kill matrix and the recorded mutation
 * score, and one table of them all.
 *
 *   npm run proof -- [--seed NUMBER] [--minutes NUMBER] [--worlds NUMBER] [--only worlds|engine|files|kills|mutation]... [--mutation]
 *
 * `--minutes` is the longest time for the worlds. If it ends before all worlds were played, that is a failure. `--mutation` measures the
 * mutation score again, which takes much longer than everything else. Ends with exit code 1 if anything failed.
 */
import { print } from "./lib/progress.mjs";
import type { Row } from "./lib/proof.mts";
import { counted, grouped, numberOption, proofTable, randomSeed, tooFewWorlds } from "./lib/proof.mts";
import { inRepository } from "./lib/repository.mjs";
import { Failure, messageOf, readOptions, runScript } from "./lib/script.mjs";
import { loadTypeScript } from "./lib/typescript.mts";
import { inThreads } from "./lib/worlds.mts";
import { leastScore, measureScore, recordedScore } from "./mutation.mts";

/** What one part came to. */
interface Outcome {
  rows: readonly Row[];
  failures: readonly string[];
}

interface WorldsResult {
  worlds: number;
  steps: number;
  faults: number;
  interruptions: number;
  /** Texts in which a secret was searched for, for each secret. */
  secretsSearched: number;
  invariants: number;
  /** `script` is a test that fails. */
  counterexamples: readonly { invariant: string; detail: string; script: string }[];
}

const engineMinutes = 5;
const filesMinutes = 5;

await runScript(async () => {
  const options = readOptions({
    seed: { type: "string" },
    minutes: { type: "string" },
    worlds: { type: "string" },
    only: { type: "string", multiple: true },
    mutation: { type: "boolean" },
  });
  const seed = numberOption("seed", options.seed, randomSeed());
  const minutes = numberOption("minutes", options.minutes, 20);
  const worlds = numberOption("worlds", options.worlds, 10_000);
  const parts: Record<string, () => Promise<Outcome>> = {
    worlds: () => proveWorlds({ worlds, seed, minutes }),
    engine: () => proveEngine(seed),
    files: () => proveFiles(seed),
    kills: proveKills,
    mutation: () => proveMutation(options.mutation === true),
  };
  const chosen = options.only ?? Object.keys(parts);
  const unknown = chosen.filter((name) => !(name in parts));
  if (unknown.length > 0) throw new Failure(`--only takes ${Object.keys(parts).join(", ")}, not ${unknown}`);
  print(`proof: --seed ${seed}`);
  const rows: Row[] = [];
  const failures: string[] = [];
  for (const name of chosen) {
    try {
      const outcome = await parts[name]?.();
      rows.push(...(outcome?.rows ?? []));
      failures.push(...(outcome?.failures ?? []).map((failure) => `${name}: ${failure}`));
    } catch (error) {
      rows.push({ what: name, count: "0", result: "NOT COMPLETED" });
      failures.push(`${name}: ${messageOf(error)}`);
    }
  }
  const lost = failures.length === 0 ? "yes" : `NO: ${counted(failures.length, "failure")}`;
  console.log(proofTable([...rows, { what: "nothing lost", count: "", result: lost }]));
  if (failures.length > 0) throw new Failure(`npm run proof -- --seed ${seed}\n${failures.join("\n")}`);
});
process.exit(); // The resident processes of the tests would keep it alive.

async function proveWorlds(options: { worlds: number; seed: number; minutes: number }): Promise<Outcome> {
  print(`proof: ${grouped(options.worlds)} worlds, at most ${options.minutes} minutes`);
  const results: WorldsResult[] = await inThreads({ module: "run.ts", function: "runWorlds", options });
  const counterexamples = results.flatMap((result) => result.counterexamples);
  const total = (count: Exclude<keyof WorldsResult, "counterexamples">) =>
    grouped(results.reduce((sum, result) => sum + result[count], 0));
  return {
    rows: [
      {
        what: "random worlds",
        count: total("worlds"),
        result: counted(counterexamples.length, "counterexample"),
      },
      { what: "steps in them", count: total("steps"), result: "" },
      { what: "faults injected", count: total("faults"), result: "" },
      { what: "operations interrupted", count: total("interruptions"), result: "" },
      { what: "checks of invariants", count: total("invariants"), result: "" },
      { what: "searches for a secret", count: total("secretsSearched"), result: "" },
    ],
    failures: [...results.flatMap(failuresOf), ...tooFewWorlds(results, options)],
  };
}

/** Real `pulumi` commands, compared with the model on which the other worlds rely, and the memory of the plugin that serves them. */
async function proveEngine(seed: number): Promise<Outcome> {
  print(`proof: worlds through the real engine for ${engineMinutes} minutes`);
  const { soak }: typeof import("../test/proof/soak/soak.ts") = loadTypeScript(
    inRepository("test", "proof", "soak", "soak.ts"),
  );
  const report = (line: string) => print(`proof: engine ${line}`);
  const { worlds, commands, predictions, trends, failures } = await soak({
    minutes: engineMinutes,
    seed,
    report,
  });
  const growth = ({ earlier, later } = { earlier: 1, later: 1 }) =>
    `${Math.round((later / earlier - 1) * 100)} %`;
  return {
    rows: [
      { what: "random worlds through the real engine", count: grouped(worlds), result: "" },
      {
        what: "`pulumi` commands in them, served by one plugin process",
        count: grouped(commands),
        result: `heap ${growth(trends.heap)}, resident memory ${growth(trends.resident)}`,
      },
      {
        what: "of which a model of the engine predicted the outcome",
        count: grouped(predictions),
        result: "",
      },
    ],
    failures,
  };
}

/** Folders with last days, through the real engine. */
async function proveFiles(seed: number): Promise<Outcome> {
  print(`proof: worlds of files for ${filesMinutes} minutes`);
  const { runFilesWorlds }: typeof import("../test/proof/worlds/files.ts") = loadTypeScript(
    inRepository("test", "proof", "worlds", "files.ts"),
  );
  const result = await runFilesWorlds({ worlds: 1000, seed, minutes: filesMinutes });
  const found = counted(result.counterexamples.length, "counterexample");
  return {
    rows: [{ what: "random worlds of files with last days", count: grouped(result.worlds), result: found }],
    failures: failuresOf(result),
  };
}

function failuresOf({ counterexamples }: Pick<WorldsResult, "counterexamples">) {
  return counterexamples.map(({ invariant, detail, script }) => `${invariant}: ${detail}\n${script}`);
}

async function proveKills(): Promise<Outcome> {
  print("proof: the plugin and the engine are killed at each request");
  const { runKills }: typeof import("../test/proof/kills/kills.ts") = loadTypeScript(
    inRepository("test", "proof", "kills", "kills.ts"),
  );
  const { kills, failures } = await runKills({ report: (line) => print(`proof: ${line}`) });
  const recovered = `${grouped(kills - failures.length)} recovered`;
  return { rows: [{ what: "processes killed", count: grouped(kills), result: recovered }], failures };
}

/** @param isMeasured now, and not taken from the last run */
async function proveMutation(isMeasured: boolean): Promise<Outcome> {
  const { score, mutants, date, commit, sample } = isMeasured ? await measureScore() : recordedScore();
  const percent = `${score.toFixed(1)} %`;
  const of = sample === 100 ? "" : `, a sample of ${sample} %`;
  const when = isMeasured ? "" : ` (recorded ${date} at commit ${commit}${of})`;
  const failures = score < leastScore ? [`the mutation score is ${percent}, below ${leastScore} %`] : [];
  return {
    rows: [{ what: "mutants of the source", count: grouped(mutants), result: `${percent} detected${when}` }],
    failures,
  };
}
