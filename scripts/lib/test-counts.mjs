/**
 * The counts of a Jest run. The reporter appends them to the file that OPSMANAGER_TEST_COUNTS names,
 * as one line of JSON.
 *
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed includes test files that could not be loaded
 * @property {number} skipped
 */

/**
 * Adds up the counts of several runs.
 *
 * @param {string} text one line of JSON for each run
 * @returns {Counts}
 */
export function addCounts(text) {
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const line of text.split("\n")) {
    if (line === "") continue;
    /** @type {Counts} */
    const { passed, failed, skipped } = JSON.parse(line);
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  return sum;
}

/** The line that `.ci/run` reads. @param {Counts} counts */
export function countsLine({ passed, failed, skipped }) {
  return `Tests: ${passed} passed, ${failed} failed, ${skipped} skipped`;
}
