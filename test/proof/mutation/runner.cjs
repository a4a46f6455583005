/**
 * The runner of Jest for the mutation score. With an active mutant, it runs the test files that
 * reach the mutant, the fastest first. It ends with the first file that fails, because Jest's own
 * `bail` does not work inside Stryker.
 */
const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { default: TestRunner } = require("jest-runner");

/** @typedef {Parameters<InstanceType<typeof TestRunner>["runTests"]>} RunArguments */

/** `environment.cjs` writes it during the run without a mutant. */
const recordFile = join(__dirname, "reached-mutants.jsonl");

module.exports = class extends TestRunner {
  /** @override @param {RunArguments} args */
  async runTests(...[tests, watcher, options]) {
    let hasFailed = false;
    this.on("test-file-success", ([, result]) => {
      hasFailed ||= result.numFailingTests > 0 || result.testExecError !== undefined;
    });
    this.on("test-file-failure", () => {
      hasFailed = true;
    });
    for (const test of testsFor(process.env.__STRYKER_ACTIVE_MUTANT__, tests)) {
      await super.runTests([test], watcher, options);
      if (hasFailed) return;
    }
  }
};

/**
 * The files that reach the mutant in a test or while their modules load; all files if there is no mutant.
 *
 * @param {string | undefined} mutant
 * @param {RunArguments[0]} tests
 */
function testsFor(mutant, tests) {
  if (mutant === undefined || !existsSync(recordFile)) return tests;
  const lines = readFileSync(recordFile, "utf8").trimEnd().split("\n");
  /** @type {import("./environment.cjs").Reached[]} */
  const records = lines.map((line) => JSON.parse(line));
  const reaching = records
    .filter(({ mutants }) => mutants.includes(mutant))
    .sort((one, other) => one.milliseconds - other.milliseconds);
  if (reaching.length === 0) return tests;
  return reaching.flatMap(({ file }) => tests.filter(({ path }) => path === file));
}
