/** Figures of `npm run bench` as tables, for the terminal and for Markdown. */

/** @import { Figure } from "../../test/bench/row.js" */

/** @typedef {readonly (readonly string[])[]} Lines of cells; the first line is the head */

/**
 * Figures of one kind side by side: one table for each name in their cells.
 *
 * @param {readonly Figure[]} figures
 * @returns {Map<string, Lines>} by the name of the table
 */
export function grids(figures) {
  const names = new Set(figures.flatMap(({ cell }) => cell?.table ?? []));
  return new Map([...names].map((name) => [name, grid(name, figures)]));
}

/** @param {string} name @param {readonly Figure[]} figures @returns {Lines} */
function grid(name, figures) {
  /** @type {Map<string, Map<string, string>>} */
  const lines = new Map();
  const columns = new Set();
  for (const figure of figures) {
    const { cell } = figure;
    if (cell?.table !== name) continue;
    const line = lines.get(cell.line) ?? new Map();
    lines.set(cell.line, line.set(cell.column, measured(figure)));
    columns.add(cell.column);
  }
  return [
    [name, ...columns],
    ...[...lines].map(([line, values]) => [line, ...[...columns].map((column) => values.get(column) ?? "")]),
  ];
}

/**
 * Figures that have no place in a grid.
 *
 * @param {readonly Figure[]} figures
 * @returns {Lines}
 */
export function singles(figures) {
  const alone = figures.filter(({ cell }) => cell === undefined);
  const lines = alone.map((figure) => [figure.what, named(figure), compared(figure)]);
  return [["figure", "median", "compared"], ...lines];
}

/**
 * Each figure that has a target.
 *
 * @param {readonly Figure[]} figures
 * @returns {Lines}
 */
export function targets(figures) {
  const aimed = figures.filter(({ target, least }) => target !== undefined || least !== undefined);
  return [
    ["figure", "median", "target", "reached"],
    ...aimed.map((figure) => [
      figure.what,
      measured(figure),
      limit(figure),
      isReached(figure) ? "yes" : "NO",
    ]),
  ];
}

/** @param {Figure} figure */
export function isReached({ value, target, least }) {
  return (target === undefined || value <= target) && (least === undefined || value >= least);
}

/** @param {Figure} figure */
function limit({ unit, target, least }) {
  if (target !== undefined) return `at most ${withUnit(target, unit)}`;
  return least === undefined ? "" : `at least ${withUnit(least, unit)}`;
}

/** @param {Figure} figure */
function compared({ ratio }) {
  return ratio === undefined ? "" : `${ratio.times.toFixed(1)} times ${ratio.to}`;
}

/** @param {Pick<Figure, "value" | "unit">} figure */
export function measured({ value, unit }) {
  return withUnit(value, unit);
}

/** With the unit of a count, which a column of a grid has in its head. @param {Figure} figure */
function named(figure) {
  const isCount = figure.unit === "requests" || figure.unit === "calls";
  return isCount ? `${measured(figure)} ${figure.unit}` : measured(figure);
}

/** @param {number} value @param {Figure["unit"]} unit */
function withUnit(value, unit) {
  const text = rounded(value, unit);
  if (unit === "times" || unit === "requests" || unit === "calls" || unit === "calls/s") return text;
  return `${text} ${unit === "us" ? "µs" : unit}`;
}

/** @param {number} value @param {Figure["unit"]} unit */
function rounded(value, unit) {
  if (unit === "times" || (unit === "ms" && value < 1)) return value.toFixed(2);
  if (Number.isInteger(value) || value >= 20) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(unit === "requests" ? 3 : 1);
}

/** @param {Lines} lines @returns {string} columns of equal width */
export function plainTable(lines) {
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

/** @param {Lines} lines @returns {string} */
export function markdownTable([head = [], ...lines]) {
  const row = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [row(head), `|${"---|".repeat(head.length)}`, ...lines.map(row)].join("\n");
}
