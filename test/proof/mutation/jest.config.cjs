/**
 * Jest for the mutation score: the tests that need no engine, in Stryker's own environment, which records which test reaches which
 * mutant.
 *
 * @type {import("jest").Config}
 */
module.exports = {
  ...require("../../../jest.config.cjs"),
  rootDir: "../../..",
  testEnvironment: "@stryker-mutator/jest-runner/jest-env/node",
  testMatch: [
    "<rootDir>/test/unit/!(scripts|support)/**/*.test.ts",
    "<rootDir>/test/unit/*.test.ts",
    "<rootDir>/test/integration/{client,faults,functions,people,project}/**/*.test.ts",
    "<rootDir>/test/integration/cli/unmanaged.test.ts",
  ],
  reporters: [],
};
