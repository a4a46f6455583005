import { relative } from "node:path";
import { repositoryRoot } from "../../scripts/lib/repository.mjs";

/** @import { AggregatedResult, AssertionResult } from "@jest/test-result" */

const shownFiles = 10;
/** A longer file would run alone at the end, while the other processor has nothing to do. */
const mostSecondsOfFile = 30;

/**
 * Lists what was skipped and why, and ends the report with the slowest files and one line of counts:
 *
 *   skipped: a plugin folder is started from PulumiPlugin.yaml: needs a newer Node host
 *   Tests: 120 passed, 0 failed, 1 skipped
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
  if (refused.length > 0) process.exitCode = 1;
  // A file that does not even load has no tests to count, so it counts as one that failed.
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites + refused.length;
  const lines = [
    ...skipped.map(({ title, reason }) => `skipped: ${title}: ${reason}`),
    ...refused.map(({ title, reason }) => `failed: ${title}: this machine must not skip it: ${reason}`),
    `slowest files, of at most ${mostSecondsOfFile} s each:`,
    ...slowestFiles(results),
    `Tests: ${results.numPassedTests} passed, ${failed} failed, ${skipped.length} skipped`,
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** @param {AggregatedResult} results */
function slowestFiles({ testResults }) {
  return testResults
    .map(({ testFilePath, perfStats: { start, end } }) => ({
      path: relative(repositoryRoot, testFilePath),
      seconds: (end - start) / 1000,
    }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, shownFiles)
    .map(
      ({ path, seconds }) =>
        `${seconds.toFixed(1).padStart(7)} s  ${path}${seconds > mostSecondsOfFile ? "  above" : ""}`,
    );
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
