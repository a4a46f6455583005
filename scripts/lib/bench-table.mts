/** The figures of `npm run bench` as one table: in the terminal, and in docs/performance.md. */
import type { Figure } from "../../test/bench/row.ts";
import { Failure } from "./script.mjs";

export interface MeasuredRow {
  readonly name: string;
  readonly date: string;
  readonly seconds: number;
  readonly figures: readonly Figure[];
  /** What this machine could not measure, and why. */
  readonly skipped: readonly string[];
}

export interface Run {
  readonly commit: string;
  readonly node: string;
  readonly engine: string;
  readonly cpu: string;
  readonly cores: number;
}

type Line = readonly [measured: string, median: string, target: string, reached: string];

const TABLE_HEAD = "| measured | median | target | reached |\n|---|---|---|---|";

/** Of the many tables of the row `wire`, the page shows the one that is most like Ops Manager. */
const WIRE_ON_PAGE = "each response takes 5 ms, 16 at a time";

export function terminalTable(figures: readonly Figure[]): string {
  return [TABLE_HEAD, ...linesOf(figures).map(markdownLine)].join("\n");
}

/** The page with these rows in its table, in place of their earlier figures. */
export function withRows(page: string, rows: readonly MeasuredRow[], run: Run): string {
  const head = `${TABLE_HEAD}\n`;
  const start = page.indexOf(head) + head.length;
  if (start < head.length) throw new Failure(`docs/performance.md has no table with the head ${head}`);
  const end = page.indexOf("\n\n", start - 1);
  const earlier = page.slice(start, end).split(/\n(?=\| \*\*)/);
  const blocks = new Map(earlier.filter(Boolean).map((block) => [/\*\*(.+?)\*\*/.exec(block)?.[1], block]));
  for (const row of rows) blocks.set(row.name, blockOf(row, run));
  return page.slice(0, start) + [...blocks.values()].join("\n") + page.slice(end);
}

function blockOf({ name, date, figures }: MeasuredRow, { commit, node, engine, cpu, cores }: Run): string {
  const conditions = `${date.slice(0, 10)}, commit \`${commit}\`, ${cores} × ${cpu}, Node.js ${node}, engine ${engine}`;
  const shown = name === "wire" ? figures.filter(({ what }) => what.includes(WIRE_ON_PAGE)) : figures;
  const lines: Line[] = [[`**${name}**`, conditions, "", ""], ...linesOf(shown)];
  return lines.map(markdownLine).join("\n");
}

function markdownLine(cells: Line): string {
  return `|${cells.map((cell) => (cell === "" ? " " : ` ${cell.replaceAll("|", "\\|")} `)).join("|")}|`;
}

/** Figures of one kind share a line. */
function linesOf(figures: readonly Figure[]): Line[] {
  const byLine = Map.groupBy(figures, ({ what, cell }) => (cell ? `${cell.table}: ${cell.line}` : what));
  return [...byLine].map(([what, same]) => {
    const aimed = same.filter(({ target, least }) => target !== undefined || least !== undefined);
    const reached = aimed.length === 0 ? "" : aimed.every(isReached) ? "yes" : "NO";
    return [what, same.map(median).join("; "), aimed.map(limit).join("; "), reached];
  });
}

function isReached({ value, target, least }: Figure): boolean {
  return (target === undefined || value <= target) && (least === undefined || value >= least);
}

function median({ value, unit, cell, ratio }: Figure): string {
  if (cell !== undefined) return `${cell.column}: ${withUnit(value, unit)}`;
  const isCount = unit === "requests" || unit === "calls";
  const text = isCount ? `${withUnit(value, unit)} ${unit}` : withUnit(value, unit);
  return ratio === undefined ? text : `${text}, ${ratio.times.toFixed(1)} times ${ratio.to}`;
}

function limit({ unit, target, least, cell }: Figure): string {
  const text =
    target === undefined ? `at least ${withUnit(least ?? 0, unit)}` : `at most ${withUnit(target, unit)}`;
  return cell === undefined ? text : `${cell.column} ${text}`;
}

function withUnit(value: number, unit: Figure["unit"]): string {
  const text = rounded(value, unit);
  if (unit === "times" || unit === "requests" || unit === "calls" || unit === "calls/s") return text;
  return `${text} ${unit === "us" ? "µs" : unit}`;
}

function rounded(value: number, unit: Figure["unit"]): string {
  if (unit === "times" || (unit === "ms" && value < 1)) return value.toFixed(2);
  if (Number.isInteger(value) || value >= 20) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(unit === "requests" ? 3 : 1);
}
