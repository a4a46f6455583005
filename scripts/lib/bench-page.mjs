/** The measured parts of docs/performance.md and its plots, from the saved runs. */
import { writeFileSync } from "node:fs";
import { barPlot, linePlot } from "./bench-plots.mjs";
import { latestRows, readResults } from "./bench-results.mjs";
import { grids, isReached, markdownTable, measured, singles, targets } from "./bench-tables.mjs";
import { inRepository } from "./repository.mjs";
import { Failure } from "./script.mjs";

/** @import { Figure } from "../../test/bench/row.js" */
/** @import { SavedRow } from "./bench-results.mjs" */

/** @typedef {ReadonlyMap<string, SavedRow>} Rows the last measurement of each row */

/** The one table of the wire that the page shows. */
const wireTable = "each response takes 5 ms, 16 at a time";
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
  targets: (rows) => missedTargets(figuresOf(rows, ...rows.keys())),
  start: (rows) => markdownTable(singles(figuresOf(rows, "start", "idle memory"))),
  near: (rows) => gridsOf(rows, isNear) + imageOf(rows, "performance-near.svg"),
  distant: (rows) => gridsOf(rows, isDistant) + imageOf(rows, "performance-distant.svg"),
  people: (rows) => gridsOf(rows, (_, row) => row === "people"),
  dynamic: (rows) => gridsOf(rows, (_, row) => row === "dynamic"),
  growth: (rows) => gridsOf(rows, isGrowth) + imageOf(rows, "performance-growth.svg"),
  wire: (rows) => gridsOf(rows, (table) => table === wireTable),
  adopt: (rows) => markdownTable(singles(figuresOf(rows, "adopt"))),
  import: (rows) => gridsOf(rows, (_, row) => row === "import"),
};

const isNear = (/** @type {string} */ table) => table.endsWith(", no latency");
const isDistant = (/** @type {string} */ table) => / at \d+ ms$/.test(table);
const isGrowth = (/** @type {string} */ table) => table === growthTable;

/** Which runs the page shows. @param {Rows} rows */
function conditions(rows) {
  /** @type {Map<string, string[]>} */
  const runs = new Map();
  for (const { name, date, commit, machine } of rows.values()) {
    const { cpu, cores, node, engine } = machine;
    const run = JSON.stringify([date.slice(0, 10), `\`${commit}\``, `${cores} × ${cpu}`, node, engine]);
    runs.set(run, [...(runs.get(run) ?? []), name]);
  }
  const lines = [...runs].map(([run, names]) => [...JSON.parse(run), names.join(", ")]);
  return markdownTable([["date", "commit", "processors", "Node.js", "engine", "rows"], ...lines]);
}

/** How many targets are reached, and the figures that miss theirs. @param {readonly Figure[]} figures */
function missedTargets(figures) {
  const count = targets(figures).length - 1;
  const missed = targets(figures.filter((figure) => !isReached(figure))).map((cells) => cells.slice(0, -1));
  const reached = `${count - (missed.length - 1)} of ${count} targets are reached.`;
  return missed.length === 1 ? reached : `${reached} These figures miss theirs:\n\n${markdownTable(missed)}`;
}

/** @param {Rows} rows @param {string[]} names @returns {Figure[]} */
function figuresOf(rows, ...names) {
  return names.flatMap((name) => rows.get(name)?.figures ?? []);
}

/** @typedef {(table: string, row: string) => boolean} Selection of tables */

/** @param {Rows} rows @param {Selection} isShown @returns {Figure[]} */
function selected(rows, isShown) {
  return [...rows].flatMap(([row, { figures }]) =>
    figures.filter(({ cell }) => cell !== undefined && isShown(cell.table, row)),
  );
}

/** @param {Rows} rows @param {Selection} isShown */
function gridsOf(rows, isShown) {
  const tables = [...grids(selected(rows, isShown)).values()];
  return tables.length === 0 ? "Not measured yet." : tables.map(markdownTable).join("\n\n");
}

/** @param {Rows} rows @param {string} name */
function imageOf(rows, name) {
  return benchImages(rows).has(name) ? `\n\n![${titles[name]}](images/${name})` : "";
}

/** @type {Record<string, string>} */
const titles = {
  "performance-near.svg": "Seconds without latency",
  "performance-distant.svg": "Seconds if the service takes 20 ms to respond",
  "performance-growth.svg": "Seconds by number of projects",
};

/**
 * The plots by their file below docs/images. A plot without figures is left out.
 *
 * @param {Rows} [rows]
 * @returns {Map<string, string>}
 */
function benchImages(rows = latestRows(readResults())) {
  /** @type {[string, Selection, (title: string, figures: readonly Figure[]) => string][]} */
  const plots = [
    ["performance-near.svg", isNear, (title, figures) => bars(title, figures, "column")],
    ["performance-distant.svg", isDistant, (title, figures) => bars(title, figures, "line")],
    ["performance-growth.svg", isGrowth, growth],
  ];
  return new Map(
    plots.flatMap(([name, isShown, plot]) => {
      const figures = selected(rows, isShown);
      return figures.length === 0 ? [] : [[name, plot(titles[name] ?? "", figures)]];
    }),
  );
}

export function writeBenchImages() {
  for (const [name, svg] of benchImages()) writeFileSync(inRepository("docs", "images", name), svg);
}

/**
 * One bar for each time. A group is either a table or a line of it.
 *
 * @param {string} title @param {readonly Figure[]} figures
 * @param {"line" | "column"} seriesKey which part of the cell names the provider
 */
function bars(title, figures, seriesKey) {
  /** @type {Map<string, { series: string, value: number, label: string }[]>} */
  const groups = new Map();
  for (const { cell, value, unit } of figures) {
    if (cell === undefined || unit !== "s") continue;
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

/** @param {string} title @param {readonly Figure[]} figures of the growth table */
function growth(title, figures) {
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
    title,
    { x: "projects", y: "seconds", solid: "provider plugin", dashed: doNothing },
    series,
  );
}
