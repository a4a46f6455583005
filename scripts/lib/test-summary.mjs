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

/** Seconds of each folder, or of the files whose path begins so. @typedef {Readonly<Record<string, number>>} Shares */

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
/** A longer file would run alone at the end, while the other processor has nothing to do. */
const mostOfFile = 30;

/**
 * @param {TestRecord} record
 * @param {{ budget?: Budget | undefined, machineIsQuiet?: boolean, shares?: Shares | undefined }} [options]
 * `machineIsQuiet`: nothing else kept it busy at the start; `shares`: of a run of all tests
 * @returns {string[]} lines, of which the last holds the counts
 */
export function summaryLines(
  { passed, failed, skipped, seconds, files },
  { budget, machineIsQuiet, shares } = {},
) {
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, shownFiles);
  const lines = [
    ...(shares === undefined ? [] : shareLines(files, shares)),
    `slowest files, of at most ${mostOfFile} s each:`,
    ...slowest.map(
      (file) =>
        `${file.seconds.toFixed(1).padStart(7)} s  ${file.path}${file.seconds > mostOfFile ? "  above" : ""}`,
    ),
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

/**
 * The seconds of each folder beside its share, so a folder that grows is named in the run that makes it
 * grow.
 *
 * @param {TestRecord["files"]} files
 * @param {Shares} shares
 */
function shareLines(files, shares) {
  const starts = Object.keys(shares).toSorted((one, other) => other.length - one.length);
  /** @type {Map<string, number>} */
  const used = new Map(Object.keys(shares).map((start) => [start, 0]));
  for (const { path, seconds } of files) {
    const start = starts.find((each) => path.replaceAll("\\", "/").startsWith(each)) ?? "no share";
    used.set(start, (used.get(start) ?? 0) + seconds);
  }
  const sum = [...used.values()].reduce((total, seconds) => total + seconds, 0);
  const whole = Object.values(shares).reduce((total, share) => total + share, 0);
  /** @type {(seconds: number, share: number, name: string) => string} */
  const line = (seconds, share, name) =>
    `${Math.round(seconds).toString().padStart(7)} s of ${share.toString().padStart(4)} s  ${name}${seconds > share ? "  above" : ""}`;
  return [
    "time of the workers, of the share in test/shares.json:",
    ...[...used].map(([start, seconds]) => line(seconds, shares[start] ?? 0, start)),
    line(sum, whole, "together"),
  ];
}

/** @param {number} seconds */
function duration(seconds) {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
