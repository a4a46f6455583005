/** The figures of `npm run bench` as one table: in the terminal, and in docs/performance.md. */
import type { Figure } from "../../test/bench/row.ts";
import { Failure } from "./script.mjs";

export interface MeasuredRow {
  readonly name: string;
  readonly date: string;
  readonly seconds: number;
  readonly figures: readonly Figure[];
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
  const lines: Line[] = [[`**${name}**`, conditions, "", ""], ...linesOf(figures)];
  return lines.map(markdownLine).join("\n");
}

function markdownLine(cells: Line): string {
  return `|${cells.map((cell) => (cell === "" ? " " : ` ${cell.replaceAll("|", "\\|")} `)).join("|")}|`;
}

/** Figures of one kind share a line. */
function linesOf(figures: readonly Figure[]): Line[] {
  const byLine = Map.groupBy(figures, ({ what, cell }) => (cell ? `${cell.table}: ${cell.line}` : what));
  return [...byLine].map(([what, same]) => {
    const aimed = same.filter(({ target }) => target !== undefined);
    const isReached = aimed.every(({ value, target = 0 }) => value <= target);
    const reached = aimed.length === 0 ? "" : isReached ? "yes" : "NO";
    return [what, same.map(median).join("; "), aimed.map(limit).join("; "), reached];
  });
}

function median({ value, unit, cell, ratio }: Figure): string {
  if (cell !== undefined) return `${cell.column}: ${withUnit(value, unit)}`;
  const text = unit === "requests" ? `${withUnit(value, unit)} ${unit}` : withUnit(value, unit);
  return ratio === undefined ? text : `${text}, ${ratio.times.toFixed(1)} times ${ratio.to}`;
}

function limit({ unit, target = 0, cell }: Figure): string {
  const text = `at most ${withUnit(target, unit)}`;
  return cell === undefined ? text : `${cell.column} ${text}`;
}

function withUnit(value: number, unit: Figure["unit"]): string {
  const text = rounded(value, unit);
  return unit === "times" || unit === "requests" ? text : `${text} ${unit}`;
}

function rounded(value: number, unit: Figure["unit"]): string {
  if (unit === "times") return value.toFixed(2);
  if (Number.isInteger(value) || value >= 20) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(1);
}
