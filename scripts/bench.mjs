/**
 * `npm run bench`: measures the numbers of docs/performance.md, and compares them with the targets.
 *
 *   npm run bench -- [--only NAME] [--all] [--save] [--quick] [--out FILE]
 *
 * --only   measures one row
 * --all    also measures the rows that take minutes of their own: wire and large
 * --save   adds the figures to bench/results/COMMIT.json, and writes the tables and plots of docs/performance.md
 *
 * A figure that misses its target is no failure: machines differ. Rows are files in `test/bench`.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { writeDocs } from "./docs.mjs";
import { saveResult } from "./lib/bench-results.mjs";
import { grids, plainTable, singles, targets } from "./lib/bench-tables.mjs";
import { elapsed, print } from "./lib/progress.mjs";
import { inRepository, repositoryRoot } from "./lib/repository.mjs";
import { run } from "./lib/run.mjs";
import { Failure, readOptions, runScript } from "./lib/script.mjs";
import { loadTypeScript } from "./lib/typescript.mjs";

/** @import { Figure, Row } from "../test/bench/row.js" */
/** @import { MeasuredRow } from "./lib/bench-results.mjs" */

await runScript(async () => {
  const { quick = false, save = false, all = false, only, out } = options();
  /** @type {{ rows: readonly Row[] }} */
  const { rows } = loadTypeScript(inRepository("test", "bench", "index.ts"));
  /** @type {typeof import("../test/support/index.js")} */
  const { disposeStacks, engine } = loadTypeScript(inRepository("test", "support", "index.ts"));
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => disposeStacks().finally(() => process.exit(130)));
  }
  const chosen = rows.filter(({ name, isSeparate }) =>
    only === undefined ? all || !isSeparate : name === only,
  );
  if (chosen.length === 0)
    throw new Failure(`no row is named "${only}"; there are: ${rows.map(({ name }) => name).join(", ")}`);
  if (quick && save)
    throw new Failure("--save and --quick exclude each other: quick figures have no meaning");
  const commit = save ? await cleanCommit() : "";
  const started = Date.now();
  const report = {
    machine: {
      node: process.versions.node,
      engine: engine().version,
      cpu: cpus()[0]?.model ?? "unknown",
      cores: availableParallelism(),
    },
    quick,
    rows: /** @type {MeasuredRow[]} */ ([]),
    skipped: /** @type {{ what: string, why: string }[]} */ ([]),
  };
  for (const { name, run: measure } of chosen) {
    const conditions = {
      quick,
      print: (/** @type {string} */ line) => print(`bench: ${line}`),
      skipped: (/** @type {string} */ what, /** @type {string} */ why) => report.skipped.push({ what, why }),
    };
    const date = new Date();
    const figures = await measure(conditions);
    const seconds = Math.round((Date.now() - date.getTime()) / 1000);
    report.rows.push({ name, date: date.toISOString(), seconds, figures });
    // After each row: an interruption loses only the row that is being measured.
    if (save) saveResult({ commit, machine: report.machine, rows: report.rows });
  }
  console.log(tables(report.rows.flatMap(({ figures }) => figures)).join("\n\n"));
  for (const { what, why } of report.skipped) console.log(`\nskipped: ${what}: ${why}`);
  if (quick) console.log("\n--quick: these figures have no meaning.");
  print(`bench: done in ${elapsed(started)}`);
  if (out !== undefined) writeFileSync(out, `${JSON.stringify(report, null, 2)}\n`);
  if (!save) return;
  await writeDocs();
  print(`bench: saved in bench/results/${commit}.json; docs/performance.md and its plots are written`);
});

function options() {
  return readOptions({
    quick: { type: "boolean" },
    save: { type: "boolean" },
    all: { type: "boolean" },
    only: { type: "string" },
    out: { type: "string" },
  });
}

/** The commit that the figures belong to. */
async function cleanCommit() {
  const sources = ["cli", "projects", "provider", "sandbox", "sdk", "test", "scripts", "package-lock.json"];
  const changed = await run("git", ["status", "--porcelain", "--", ...sources], { cwd: repositoryRoot });
  if (changed.trim() !== "")
    throw new Failure(`--save needs committed sources, or the figures belong to no commit:\n${changed}`);
  return (await run("git", ["rev-parse", "--short=12", "HEAD"], { cwd: repositoryRoot })).trim();
}

/** @param {readonly Figure[]} figures */
function tables(figures) {
  const [alone, aimed] = [singles(figures), targets(figures)];
  return [...grids(figures).values(), alone, aimed].filter((lines) => lines.length > 1).map(plainTable);
}
