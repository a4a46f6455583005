/** The table of `npm run proof`, and what its commands share. */
import { randomInt } from "node:crypto";
import { Failure } from "./script.mjs";

export function numberOption(name: string, text: string | undefined, otherwise: number) {
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number) || number < 0) {
    throw new Failure(`--${name} must be a number, 0 or more, and is "${text}"`);
  }
  return number;
}

/** A seed for a run that gave none. It is printed, so that the run can be repeated. */
export function randomSeed() {
  return randomInt(2 ** 31);
}

/** Numbers of at least 0 and less than 1, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One line of the table. */
export interface Row {
  what: string;
  count: string;
  result: string;
}

/** @returns a table in Markdown */
export function proofTable(rows: readonly Row[]): string {
  return [
    "| what | count | result |",
    "|---|---|---|",
    ...rows.map(({ what, count, result }) => `| ${what} | ${count} | ${result} |`),
  ].join("\n");
}

/**
 * A run that the time has ended proves less than was requested. One that a counterexample has ended fails anyway.
 *
 * @param results of each thread
 * @returns failures
 */
export function tooFewWorlds(
  results: readonly { readonly worlds: number; readonly counterexamples: readonly unknown[] }[],
  { worlds, minutes }: { readonly worlds: number; readonly minutes: number },
): string[] {
  const played = results.reduce((sum, result) => sum + result.worlds, 0);
  const hasFailed = results.some(({ counterexamples }) => counterexamples.length > 0);
  if (hasFailed || played >= worlds) return [];
  return [
    `${grouped(played)} of ${counted(worlds, "world")} were played in ${counted(minutes, "minute")}. Give more --minutes or fewer --worlds.`,
  ];
}

/** `12,345` */
export function grouped(number: number) {
  return number.toLocaleString("en-US");
}

export function counted(count: number, one: string, many: string = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
