/**
 * `npm run bench`: measures the figures of docs/performance.md and compares them with their targets.
 *
 *   npm run bench -- [--only NAME] [--all] [--save] [--quick] [--out FILE]
 *
 * --only   measures one row
 * --all    also measures the row large, which takes minutes of its own
 * --save   writes the figures into the table of docs/performance.md
 * --out    writes them as JSON, with every sample
 *
 * A figure that misses its target is no failure, because machines differ. Rows are files in `test/bench`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import type { Row } from "../test/bench/row.ts";
import { type MeasuredRow, type Run, terminalTable, withRows } from "./lib/bench-table.mts";
import { elapsed, print } from "./lib/progress.mjs";
import { inRepository, repositoryRoot } from "./lib/repository.mjs";
import { run } from "./lib/run.mjs";
import { Failure, readOptions, runScript } from "./lib/script.mjs";
import { loadTypeScript } from "./lib/typescript.mts";

type Support = typeof import("../test/support/index.ts");

const page = inRepository("docs", "performance.md");

await runScript(async () => {
  const options = readOptions({
    quick: { type: "boolean" },
    save: { type: "boolean" },
    all: { type: "boolean" },
    only: { type: "string" },
    out: { type: "string" },
  });
  const { quick = false, save = false, out } = options;
  const chosen = chosenRows(options);
  if (quick && save)
    throw new Failure("--save and --quick exclude each other: quick figures have no meaning");
  const { disposeStacks, engine }: Support = loadTypeScript(inRepository("test", "support", "index.ts"));
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => disposeStacks().finally(() => process.exit(130)));
  }
  const conditions: Run = {
    commit: save ? await cleanCommit() : "",
    node: process.versions.node,
    engine: engine().version,
    cpu: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
  };
  const started = Date.now();
  const rows: MeasuredRow[] = [];
  for (const row of chosen) {
    const measured = await measure(row, quick);
    rows.push(measured);
    // After each row, so that an interruption loses only the row that is being measured.
    if (save) writeFileSync(page, withRows(readFileSync(page, "utf8"), [measured], conditions));
  }
  console.log(terminalTable(rows.flatMap(({ figures }) => figures)));
  if (quick) console.log("\n--quick: these figures have no meaning.");
  print(`bench: done in ${elapsed(started)}`);
  if (out !== undefined) {
    writeFileSync(out, `${JSON.stringify({ machine: conditions, quick, rows }, null, 2)}\n`);
  }
});

function chosenRows({ only, all = false }: { only?: string | undefined; all?: boolean | undefined }) {
  const { rows }: { rows: readonly Row[] } = loadTypeScript(inRepository("test", "bench", "index.ts"));
  const chosen = rows.filter(({ name, isSeparate }) =>
    only === undefined ? all || !isSeparate : name === only,
  );
  if (chosen.length > 0) return chosen;
  throw new Failure(`no row is named "${only}"; there are: ${rows.map(({ name }) => name).join(", ")}`);
}

async function measure(row: Row, quick: boolean): Promise<MeasuredRow> {
  const date = new Date();
  const figures = await row.run({ quick, print: (line) => print(`bench: ${line}`) });
  const seconds = Math.round((Date.now() - date.getTime()) / 1000);
  return { name: row.name, date: date.toISOString(), seconds, figures };
}

/** The commit that the figures belong to. */
async function cleanCommit(): Promise<string> {
  const sources = ["cli", "projects", "provider", "sandbox", "sdk", "test", "scripts", "package-lock.json"];
  const changed = await run("git", ["status", "--porcelain", "--", ...sources], { cwd: repositoryRoot });
  if (changed.trim() !== "")
    throw new Failure(`--save needs committed sources, or the figures belong to no commit:\n${changed}`);
  return (await run("git", ["rev-parse", "--short=12", "HEAD"], { cwd: repositoryRoot })).trim();
}
