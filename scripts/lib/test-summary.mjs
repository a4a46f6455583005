/** What is printed at the end of a run of the tests, from the records that Jest's reporter makes. */

/**
 * What one run of Jest came to.
 *
 * @typedef {object} TestRecord
 * @property {number} passed
 * @property {number} failed includes test files that could not be loaded
 * @property {number} skipped
 * @property {number} seconds from start to end
 * @property {{ path: string, seconds: number }[]} files
 *
 * How long a run may take on two processors.
 *
 * @typedef {{ what: string, seconds: number }} Budget
 */

/** Adds up what several runs came to. @param {readonly TestRecord[]} records @returns {TestRecord} */
export function addRecords(records) {
  /** @param {(record: TestRecord) => number} count */
  const sum = (count) => records.reduce((total, record) => total + count(record), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    seconds: sum(({ seconds }) => seconds),
    files: records.flatMap(({ files }) => files),
  };
}

const shownFiles = 10;
/** Runs vary by some percent, so a run is reported as too slow only from here on. */
const tolerance = 1.25;

/**
 * @param {TestRecord} record
 * @param {{ budget?: Budget | undefined, machineIsQuiet?: boolean }} [options] `machineIsQuiet`: nothing else kept it busy at the start
 * @returns {string[]} lines, of which the last holds the counts
 */
export function summaryLines({ passed, failed, skipped, seconds, files }, { budget, machineIsQuiet } = {}) {
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, shownFiles);
  const lines = [
    "slowest files:",
    ...slowest.map((file) => `${file.seconds.toFixed(1).padStart(7)} s  ${file.path}`),
  ];
  const most =
    budget === undefined ? "" : `; budget of ${budget.what} on two processors: ${duration(budget.seconds)}`;
  lines.push(`time of the tests: ${duration(seconds)}${most}`);
  if (budget !== undefined && machineIsQuiet && seconds > budget.seconds * tolerance) {
    const excess = Math.round((seconds / budget.seconds - 1) * 100);
    lines.push(`warning: this run took ${excess}% more than its budget. Look at the slowest files.`);
  }
  return [...lines, `Tests: ${passed} passed, ${failed} failed, ${skipped} skipped`];
}

/** @param {number} seconds */
function duration(seconds) {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
