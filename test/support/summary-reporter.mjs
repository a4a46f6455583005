import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { repositoryRoot } from "../../scripts/lib/repository.mjs";
import { summaryLines } from "../../scripts/lib/test-summary.mjs";

/** @import { AggregatedResult, AssertionResult } from "@jest/test-result" */

/**
 * Lists what was skipped and why, and ends the report with the slowest files and one line of counts:
 *
 *   skipped: a plugin folder is started from PulumiPlugin.yaml: needs a newer Node host
 *   Tests: 120 passed, 0 failed, 1 skipped
 *
 * If OPSMANAGER_TEST_RECORDS names a file, what the run came to is appended to it as one line of JSON instead, and
 * `scripts/test.mjs` prints it.
 */
export default class SummaryReporter {
  /** @param {unknown} _contexts @param {AggregatedResult} results */
  onRunComplete(_contexts, results) {
    // Jest puts its own summary behind the reports of others; at the exit nothing follows.
    process.once("exit", () => process.stderr.write(report(results)));
  }
}

/** @param {AggregatedResult} results */
function report(results) {
  const tests = results.testResults.flatMap((file) => file.testResults);
  const skipped = tests.filter(isSkipped);
  const record = {
    passed: results.numPassedTests,
    // A file that does not even load has no tests to count, so it counts as one that failed.
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    skipped: skipped.length,
    seconds: (Date.now() - results.startTime) / 1000,
    files: results.testResults.map(({ testFilePath, perfStats }) => ({
      path: relative(repositoryRoot, testFilePath),
      seconds: (perfStats.end - perfStats.start) / 1000,
    })),
  };
  const lines = skipped.map(({ fullName }) => `skipped: ${withReason(fullName)}`);
  const file = process.env.OPSMANAGER_TEST_RECORDS;
  if (file) appendFileSync(file, `${JSON.stringify(record)}\n`);
  else lines.push(...summaryLines(record));
  return lines.map((line) => `${line}\n`).join("");
}

/** `skip.ts` puts the reason into the title of the test, or of a group around it. @param {string} name */
function withReason(name) {
  const [mark, reason] = / \(skipped: (.+?)\)/.exec(name) ?? ["", "no reason is given"];
  return `${name.replace(mark, "")}: ${reason}`;
}

/** @param {AssertionResult} test */
function isSkipped(test) {
  return test.status === "pending" || test.status === "todo";
}
