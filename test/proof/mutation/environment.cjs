/**
 * The test environment of the mutation score: that of Stryker, and a record of the mutants that each test file reaches. Stryker passes
 * test names alone to Jest, and Jest would then load every test file for each mutant. `runner.cjs` reads the record.
 *
 * @import { Circus } from "@jest/types"
 *
 * @typedef {Required<Pick<import("@jest/environment").JestEnvironment, "handleTestEvent">>} TestEvents
 * @typedef {{ readonly file: string, readonly milliseconds: number, readonly mutants: readonly string[] }} Reached
 */
const { appendFileSync } = require("node:fs");
const { join } = require("node:path");
const TestEnvironment = /** @type {typeof import("jest-environment-node").TestEnvironment} */ (
  /** @type {unknown} */ (require("@stryker-mutator/jest-runner/jest-env/node"))
);

/** In Stryker's copy of the repository, so that it ends with it. */
const recordFile = join(__dirname, "reached-mutants.jsonl");

module.exports = class extends TestEnvironment {
  #started = performance.now();
  #hasFailed = false;
  /** @type {(string | undefined)[]} */
  #testNames = [];
  #file = "";
  /**
   * How often each mutant was reached while modules loaded, before this file.
   *
   * @type {Readonly<Record<string, number>>}
   */
  #loadedBefore = {};

  /** @param {ConstructorParameters<typeof TestEnvironment>} args */
  constructor(...args) {
    super(...args);
    this.#file = args[1].testPath;
    this.#loadedBefore = { ...this.#stryker?.mutantCoverage?.static };
    // Stryker's class adds the method.
    this.#watchTests(/** @type {TestEvents} */ (/** @type {unknown} */ (this)));
  }

  /** @param {TestEvents} environment */
  #watchTests(environment) {
    const handle = environment.handleTestEvent;
    environment.handleTestEvent = async (event, state) => {
      // The first failure of a file decides about a mutant.
      if (event.name === "test_start" && this.#hasFailed) event.test.mode = "skip";
      await handle(/** @type {Circus.SyncEvent} */ (event), state);
      if (event.name === "test_start") this.#testNames.push(this.#stryker?.currentTestId);
      if (event.name === "test_done" && event.test.errors.length > 0) this.#hasFailed = true;
    };
  }

  /** @returns {import("@stryker-mutator/api/core").InstrumenterContext | undefined} */
  get #stryker() {
    return /** @type {never} */ (Reflect.get(this.global, "__stryker__"));
  }

  /** @override */
  async teardown() {
    const reached = this.#stryker?.mutantCoverage;
    if (reached !== undefined && process.env.__STRYKER_ACTIVE_MUTANT__ === undefined) {
      const inTests = this.#testNames.flatMap((name) => Object.keys(reached.perTest[name ?? ""] ?? {}));
      const loaded = Object.keys(reached.static).filter(
        (mutant) => reached.static[mutant] !== this.#loadedBefore[mutant],
      );
      const mutants = [...new Set([...inTests, ...loaded])];
      /** @type {Reached} */
      const record = { file: this.#file, milliseconds: performance.now() - this.#started, mutants };
      appendFileSync(recordFile, `${JSON.stringify(record)}\n`);
    }
    await super.teardown();
  }
};
