/**
 * Lists what was skipped and why, and ends the report with one line of the real counts:
 *
 *   skipped: a plugin folder is started from PulumiPlugin.yaml: needs a newer Node host
 *   Tests: 120 passed, 0 failed, 1 skipped
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
  const skipped = tests.filter(isSkipped);
  // A file that does not even load has no tests to count, so it counts as one that failed.
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
  const counts = `Tests: ${results.numPassedTests} passed, ${failed} failed, ${skipped.length} skipped`;
  return [...skipped.map(({ fullName }) => `skipped: ${withReason(fullName)}`), counts, ""].join("\n");
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
