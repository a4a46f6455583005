const { appendFileSync } = require("node:fs");

/**
 * Lists what was skipped and why, and ends the report with one line of the real counts:
 *
 *   skipped: a plugin folder is started from PulumiPlugin.yaml: needs a newer Node host
 *   Tests: 120 passed, 0 failed, 1 skipped
 *
 * If OPSMANAGER_TEST_COUNTS names a file, the counts are appended to it as one line of JSON and not
 * printed. `scripts/test.mjs` adds them up (`scripts/lib/test-counts.mjs`).
 */
class CountsReporter {
  /** @param {unknown} _contexts @param {import("@jest/test-result").AggregatedResult} results */
  onRunComplete(_contexts, results) {
    // Jest puts its own summary behind the reports of others; at the exit nothing follows.
    process.once("exit", () => process.stderr.write(report(results)));
  }
}

/** @param {import("@jest/test-result").AggregatedResult} results */
function report(results) {
  const tests = results.testResults.flatMap((file) => file.testResults);
  const skippedTests = tests.filter(isSkipped);
  // A file that does not even load has no tests to count, so it counts as one that failed.
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  const counts = { passed: results.numPassedTests, failed, skipped: skippedTests.length };
  const lines = skippedTests.map(({ fullName }) => `skipped: ${withReason(fullName)}`);
  const file = process.env.OPSMANAGER_TEST_COUNTS;
  if (file) appendFileSync(file, `${JSON.stringify(counts)}\n`);
  else lines.push(`Tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return lines.map((line) => `${line}\n`).join("");
}

/** `skip.ts` puts the reason into the title of the test, or of a group around it. @param {string} name */
function withReason(name) {
  const [mark, reason] = / \(skipped: (.+?)\)/.exec(name) ?? ["", "no reason is given"];
  return `${name.replace(mark, "")}: ${reason}`;
}

/** @param {import("@jest/test-result").AssertionResult} test */
function isSkipped(test) {
  return test.status === "pending" || test.status === "todo";
}

module.exports = CountsReporter;
