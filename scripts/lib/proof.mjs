/** The table of `npm run proof`, and what its commands share. */
import { randomInt } from "node:crypto";
import { Failure } from "./script.mjs";

/**
 * @param {string} name
 * @param {string | undefined} text
 * @param {number} otherwise
 */
export function numberOption(name, text, otherwise) {
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

/**
 * Numbers of at least 0 and less than 1, the same for the same seed (mulberry32).
 *
 * @param {number} seed
 * @returns {() => number}
 */
export function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * One line of the table.
 *
 * @typedef {object} Row
 * @property {string} what
 * @property {string} count
 * @property {string} result
 */

/** @param {readonly Row[]} rows @returns {string} a table in Markdown */
export function proofTable(rows) {
  return [
    "| what | count | result |",
    "|---|---|---|",
    ...rows.map(({ what, count, result }) => `| ${what} | ${count} | ${result} |`),
  ].join("\n");
}

/**
 * A run that the time has ended proves less than was requested. One that a counterexample has ended fails anyway.
 *
 * @param {readonly { readonly worlds: number, readonly counterexamples: readonly unknown[] }[]} results of each thread
 * @param {{ readonly worlds: number, readonly minutes: number }} requested
 * @returns {string[]} failures
 */
export function tooFewWorlds(results, { worlds, minutes }) {
  const played = results.reduce((sum, result) => sum + result.worlds, 0);
  const hasFailed = results.some(({ counterexamples }) => counterexamples.length > 0);
  if (hasFailed || played >= worlds) return [];
  return [
    `${grouped(played)} of ${counted(worlds, "world")} were played in ${counted(minutes, "minute")}. Give more --minutes or fewer --worlds.`,
  ];
}

/** `12,345` @param {number} number */
export function grouped(number) {
  return number.toLocaleString("en-US");
}

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
