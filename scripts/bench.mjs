/**
 * `npm run bench`: measures the numbers of docs/performance.md, and compares them with the targets.
 *
 *   npm run bench -- [--only NAME] [--quick] [--out FILE]
 *
 * A figure that misses its target is no failure: machines differ. Rows are files in `test/bench`.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { print } from "./lib/progress.mjs";
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
    skipped: /** @type {{ what: string, why: string }[]} */ ([]),
  };
  for (const { name, run } of chosen) {
    const conditions = {
      quick,
      print: (/** @type {string} */ line) => print(`bench: ${line}`),
      skipped: (/** @type {string} */ what, /** @type {string} */ why) => report.skipped.push({ what, why }),
    };
    report.rows.push({ name, figures: await run(conditions) });
  }
  console.log(tables(report.rows.flatMap(({ figures }) => figures)).join("\n\n"));
  for (const { what, why } of report.skipped) console.log(`\nskipped: ${what}: ${why}`);
  if (quick) console.log("\n--quick: these figures have no meaning.");
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
function tables(figures) {
  const alone = figures.filter(({ cell }) => cell === undefined);
  const names = new Set(figures.flatMap(({ cell }) => cell?.table ?? []));
  const grids = [...names].map((name) => grid(name, figures));
  return alone.length === 0
    ? grids
    : [...grids, table([["figure", "median", "compared", "to reach"], ...alone.map(cells)])];
}

/**
 * Figures of one kind side by side.
 *
 * @param {string} name @param {readonly Figure[]} figures
 */
function grid(name, figures) {
  /** @type {Map<string, Map<string, string>>} */
  const lines = new Map();
  const columns = new Set();
  for (const { cell, value, unit } of figures) {
    if (cell?.table !== name) continue;
    const line = lines.get(cell.line) ?? new Map();
    lines.set(
      cell.line,
      line.set(
        cell.column,
        unit === "ms" || unit === "us" ? `${rounded(value, unit)} ${unit}` : rounded(value, unit),
      ),
    );
    columns.add(cell.column);
  }
  return table([
    [name, ...columns],
    ...[...lines].map(([line, values]) => [line, ...[...columns].map((column) => values.get(column) ?? "")]),
  ]);
}

/** @param {readonly (readonly string[])[]} lines */
function table(lines) {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? "").length)),
  );
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
function cells({ what, value, unit, target, least, ratio }) {
  const compared = ratio === undefined ? "" : `${ratio.times.toFixed(1)} times ${ratio.to}`;
  return [what, `${rounded(value, unit)} ${unit}`, compared, reached(value, unit, target, least)];
}

/** @param {number} value @param {string} unit @param {number} [target] @param {number} [least] */
function reached(value, unit, target, least) {
  if (target !== undefined) return `${target} ${unit}: ${value <= target ? "reached" : "NOT REACHED"}`;
  return least === undefined
    ? ""
    : `at least ${least} ${unit}: ${value >= least ? "reached" : "NOT REACHED"}`;
}

/** @param {number} value @param {string} [unit] */
function rounded(value, unit) {
  if (unit === "times" || (unit === "ms" && value < 1)) return value.toFixed(2);
  if (Number.isInteger(value) || value >= 20) return value.toFixed(0);
  return value.toFixed(unit === "requests" ? 3 : 1);
}
