/** The measured parts of docs/performance.md and its plots, from the saved runs. */
import { writeFileSync } from "node:fs";
import { barPlot, linePlot } from "./bench-plots.mjs";
import { latestRows, readResults } from "./bench-results.mjs";
import { grids, markdownTable, measured, singles, targets } from "./bench-tables.mjs";
import { inRepository } from "./repository.mjs";
import { Failure } from "./script.mjs";

/** @import { Figure } from "../../test/bench/row.js" */
/** @import { SavedRow } from "./bench-results.mjs" */

/** @typedef {ReadonlyMap<string, SavedRow>} Rows the last measurement of each row */

/** The one table of the wire that the page shows. */
const wireTable = "each answer takes 5 ms, 16 at a time";
const growthTable = "growth";
const doNothing = "do-nothing provider";

/**
 * The text between `<!-- bench: NAME -->` and `<!-- end -->`.
 *
 * @param {string} name
 * @param {Rows} [rows]
 */
export function benchPart(name, rows = latestRows(readResults())) {
  const part = parts[name];
  if (part === undefined)
    throw new Failure(`docs/performance.md names the part ${name}, which does not exist`);
  return part(rows);
}

/** @type {Record<string, (rows: Rows) => string>} */
const parts = {
  conditions,
  targets: (rows) => markdownTable(targets(figuresOf(rows, ...rows.keys())).map(boldMisses)),
  start: (rows) => markdownTable(singles(figuresOf(rows, "start", "idle memory"))),
  projects: (rows) => gridsOf(figuresOf(rows, "projects").filter(({ cell }) => cell?.table !== growthTable)),
  members: (rows) => gridsOf(figuresOf(rows, "members")),
  people: (rows) => gridsOf(figuresOf(rows, "people")),
  dynamic: (rows) => gridsOf(figuresOf(rows, "dynamic")),
  growth: (rows) => gridsOf(growthFigures(rows)),
  wire: (rows) => gridsOf(figuresOf(rows, "wire").filter(({ cell }) => cell?.table === wireTable)),
  adopt: (rows) => markdownTable(singles(figuresOf(rows, "adopt"))),
};

/** Which runs the page shows. @param {Rows} rows */
function conditions(rows) {
  /** @type {Map<string, string[]>} */
  const runs = new Map();
  for (const { name, date, commit, machine } of rows.values()) {
    const { cpu, cores, node, engine } = machine;
    const run = [date.slice(0, 10), `\`${commit}\``, `${cores} × ${cpu}`, node, engine].join(" | ");
    runs.set(run, [...(runs.get(run) ?? []), name]);
  }
  const lines = [...runs].map(([run, names]) => [...run.split(" | "), names.join(", ")]);
  return markdownTable([["date", "commit", "processors", "Node.js", "engine", "rows"], ...lines]);
}

/** @param {readonly string[]} cells */
function boldMisses(cells) {
  return cells.map((cell) => (cell === "NO" ? "**no**" : cell));
}

/** @param {Rows} rows @param {string[]} names @returns {Figure[]} */
function figuresOf(rows, ...names) {
  return names.flatMap((name) => rows.get(name)?.figures ?? []);
}

/** @param {readonly Figure[]} figures */
function gridsOf(figures) {
  return [...grids(figures).values()].map(markdownTable).join("\n\n");
}

/** @param {Rows} rows */
function growthFigures(rows) {
  return figuresOf(rows, "projects", "large").filter(({ cell }) => cell?.table === growthTable);
}

/**
 * The plots by their file below docs/images.
 *
 * @param {Rows} [rows]
 * @returns {Map<string, string>}
 */
export function benchImages(rows = latestRows(readResults())) {
  const compared = figuresOf(rows, "projects", "members");
  return new Map([
    [
      "performance-near.svg",
      bars("Seconds without latency", compared, (table) => table.endsWith("no latency"), "column"),
    ],
    [
      "performance-distant.svg",
      bars("Seconds with a distant service", compared, (table) => / at \d+ ms$/.test(table), "line"),
    ],
    ["performance-growth.svg", growth(growthFigures(rows))],
  ]);
}

export function writeBenchImages() {
  for (const [name, svg] of benchImages()) writeFileSync(inRepository("docs", "images", name), svg);
}

/**
 * One bar for each time. A table is either a group of lines, or each of its lines is a group of columns.
 *
 * @param {string} title @param {readonly Figure[]} figures @param {(table: string) => boolean} isShown
 * @param {"line" | "column"} seriesKey which part of the cell names the provider
 */
function bars(title, figures, isShown, seriesKey) {
  /** @type {Map<string, { series: string, value: number, label: string }[]>} */
  const groups = new Map();
  for (const { cell, value, unit } of figures) {
    if (cell === undefined || unit !== "s" || !isShown(cell.table)) continue;
    const group = seriesKey === "line" ? cell.table : `${cell.line} (${cell.table.split(",").slice(0, -1)})`;
    const series = cell[seriesKey];
    const isSame = (/** @type {Figure} */ other) =>
      other.unit === "requests" &&
      other.cell?.table === cell.table &&
      other.cell.line === cell.line &&
      (seriesKey === "line" || series !== doNothing);
    const requests = figures.find(isSame);
    const note = requests === undefined ? "" : `, ${measured(requests)} requests`;
    groups.set(group, [
      ...(groups.get(group) ?? []),
      { series, value, label: measured({ value, unit }) + note },
    ]);
  }
  return barPlot(
    title,
    [...groups].map(([name, entries]) => ({ name: name.replaceAll("`", ""), bars: entries })),
  );
}

/** @param {readonly Figure[]} figures of the growth table */
function growth(figures) {
  /** @type {Map<string, { x: number, y: number }[]>} */
  const lines = new Map();
  for (const { cell, value } of figures) {
    if (cell === undefined) continue;
    const x = Number(cell.line.replaceAll(",", "").split(" ")[0]);
    lines.set(cell.column, [...(lines.get(cell.column) ?? []), { x, y: value }]);
  }
  const series = [...lines].map(([column, points]) => {
    const isFloor = column.endsWith(`, ${doNothing}`);
    const name = column.replaceAll("`", "").replace(/,[^,]*$/, "");
    return { name, isDashed: isFloor, points: points.sort((one, other) => one.x - other.x) };
  });
  return linePlot(
    "Seconds by number of projects",
    { x: "projects", y: "seconds", solid: "provider plugin", dashed: doNothing },
    series,
  );
}
