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
 *
 * If OPSMANAGER_TEST_SKIPS is a regular expression, a test that is skipped for any other reason counts as failed: a
 * machine that should have every tool lacks one.
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
  const skips = tests.filter(isSkipped).map(({ fullName }) => withReason(fullName));
  const accepted = process.env.OPSMANAGER_TEST_SKIPS;
  /** @param {{ reason: string }} skip */
  const isAccepted = ({ reason }) => !accepted || new RegExp(accepted).test(reason);
  const skipped = skips.filter(isAccepted);
  const refused = skips.filter((skip) => !isAccepted(skip));
  const record = {
    passed: results.numPassedTests,
    // A file that does not even load has no tests to count, so it counts as one that failed.
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites + refused.length,
    skipped: skipped.length,
    seconds: (Date.now() - results.startTime) / 1000,
    files: results.testResults.map(({ testFilePath, perfStats }) => ({
      path: relative(repositoryRoot, testFilePath),
      seconds: (perfStats.end - perfStats.start) / 1000,
    })),
  };
  const lines = [
    ...skipped.map(({ title, reason }) => `skipped: ${title}: ${reason}`),
    ...refused.map(({ title, reason }) => `failed: ${title}: this machine must not skip it: ${reason}`),
  ];
  const file = process.env.OPSMANAGER_TEST_RECORDS;
  if (file) appendFileSync(file, `${JSON.stringify(record)}\n`);
  else lines.push(...summaryLines(record));
  return lines.map((line) => `${line}\n`).join("");
}

/** `skip.ts` puts the reason into the title of the test, or of a group around it. @param {string} name */
function withReason(name) {
  const [mark = "", reason = ""] = / \(skipped: (.+?)\)/.exec(name) ?? ["", "no reason is given"];
  return { title: name.replace(mark, ""), reason };
}

/** @param {AssertionResult} test */
function isSkipped(test) {
  return test.status === "pending" || test.status === "todo";
}
