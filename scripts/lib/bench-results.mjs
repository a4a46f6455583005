/** The saved runs of `npm run bench`: `bench/results/COMMIT.json`, one file for each commit. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "./repository.mjs";

/** @import { Figure } from "../../test/bench/row.js" */

/**
 * @typedef {{ name: string, date: string, seconds: number, figures: readonly Figure[] }} MeasuredRow
 * @typedef {{ node: string, engine: string, cpu: string, cores: number }} Machine
 * @typedef {{ commit: string, machine: Machine, rows: readonly MeasuredRow[] }} Result
 * @typedef {MeasuredRow & { commit: string, machine: Machine }} SavedRow
 */

export const resultFolder = inRepository("bench", "results");

/** @param {string} [folder] @returns {Result[]} */
export function readResults(folder = resultFolder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
}

/**
 * The last measurement of each row: a run may measure some rows only.
 *
 * @param {readonly Result[]} results
 * @returns {Map<string, SavedRow>} by the name of the row, in the order of their dates
 */
export function latestRows(results) {
  /** @type {Map<string, SavedRow>} */
  const latest = new Map();
  for (const { rows, ...run } of results) {
    for (const row of rows) {
      const other = latest.get(row.name);
      if (other === undefined || other.date < row.date) latest.set(row.name, { ...row, ...run });
    }
  }
  return new Map([...latest].sort(([, one], [, other]) => (one.date < other.date ? -1 : 1)));
}

/**
 * Adds the rows to the file of their commit. A row that is measured again replaces the one before.
 *
 * @param {Result} result
 * @param {string} [folder]
 * @returns {string} the path of the file
 */
export function saveResult({ commit, machine, rows }, folder = resultFolder) {
  const file = join(folder, `${commit}.json`);
  const names = new Set(rows.map(({ name }) => name));
  const earlier = readResults(folder).find((result) => result.commit === commit)?.rows ?? [];
  const all = [...earlier.filter(({ name }) => !names.has(name)), ...rows];
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, textOf({ commit, machine, rows: all }));
  return file;
}

/** JSON with one figure on a line. @param {Result} result */
function textOf({ rows, ...run }) {
  const head = JSON.stringify(run, undefined, 2).slice(0, -2);
  const texts = rows.map(({ figures, ...row }) => {
    const lines = figures.map((figure) => `      ${JSON.stringify(figure, shortened)}`);
    return `    ${JSON.stringify(row).slice(0, -1)},"figures":[\n${lines.join(",\n")}\n    ]}`;
  });
  return `${head},\n  "rows": [\n${texts.join(",\n")}\n  ]\n}\n`;
}

/** Five digits are more than any figure is worth. @param {string} _ @param {unknown} value */
function shortened(_, value) {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
}
