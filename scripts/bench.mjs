/**
 * `npm run bench`: measures what the README promises, and says what is reached.
 *
 *   npm run bench -- [--only NAME] [--quick] [--out FILE]
 *
 * A figure that misses its target is no failure: machines differ. Rows are files in `test/bench`.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { say } from "./lib/progress.mjs";
import { inRepository } from "./lib/repository.mjs";
import { Failure, readOptions, runScript } from "./lib/script.mjs";
import { loadTypeScript } from "./lib/typescript.mjs";

/** @import { Figure, Row } from "../test/bench/row.js" */

await runScript(async () => {
  const { quick, only, out } = options();
  /** @type {{ rows: readonly Row[] }} */
  const { rows } = loadTypeScript(inRepository("test", "bench", "index.ts"));
  /** @type {typeof import("../test/support/index.js")} */
  const { disposeStacks } = loadTypeScript(inRepository("test", "support", "index.ts"));
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => disposeStacks().finally(() => process.exit(130)));
  }
  const chosen = rows.filter(({ name }) => only === undefined || name === only);
  if (chosen.length === 0)
    throw new Failure(`no row is named "${only}"; there are: ${rows.map(({ name }) => name).join(", ")}`);
  const report = {
    machine: { node: process.versions.node, cpu: cpus()[0]?.model, cores: availableParallelism() },
    quick,
    rows: /** @type {{ name: string, figures: readonly Figure[] }[]} */ ([]),
  };
  for (const { name, run } of chosen) {
    report.rows.push({ name, figures: await run({ quick, say: (line) => say(`bench: ${line}`) }) });
  }
  console.log(table(report.rows.flatMap(({ figures }) => figures)));
  if (quick) console.log("\n--quick: these figures say nothing.");
  if (out !== undefined) writeFileSync(out, `${JSON.stringify(report, null, 2)}\n`);
});

function options() {
  const {
    quick = false,
    only,
    out,
  } = readOptions({
    quick: { type: "boolean" },
    only: { type: "string" },
    out: { type: "string" },
  });
  return { quick, only, out };
}

/** @param {readonly Figure[]} figures */
function table(figures) {
  const lines = [["figure", "median", "compared", "to reach"], ...figures.map(cells)];
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** @param {Figure} figure */
function cells({ what, value, unit, target, ratio }) {
  const compared = ratio === undefined ? "" : `${ratio.times.toFixed(1)} times ${ratio.to}`;
  const reached =
    target === undefined ? "" : `${target} ${unit}: ${value <= target ? "reached" : "NOT REACHED"}`;
  return [what, `${rounded(value)} ${unit}`, compared, reached];
}

/** @param {number} value */
function rounded(value) {
  return Number.isInteger(value) || value >= 20 ? value.toFixed(0) : value.toFixed(1);
}
