// The environment of Stryker has its own globals, with which packages have to be evaluated.
const all = require("../../../config/jest.config.cjs");
const { runtime: _, ...config } = all;

const unitTests = [
  "<rootDir>/test/unit/{access,api,dynamic,functions,plugin,resources,transport}/**/*.test.ts",
  "<rootDir>/test/unit/cli/drift/*.test.ts",
];

/**
 * Jest for the mutation score: the tests that need no engine, in Stryker's own environment, which records which test reaches which
 * mutant. With `MUTATION_STORIES`, the tests of single functions are left out.
 *
 * @type {import("jest").Config}
 */
module.exports = {
  ...config,
  rootDir: "../../..",
  testEnvironment: require.resolve("./environment.cjs"),
  runner: "<rootDir>/test/proof/mutation/runner.cjs",
  // A mutant may leave a promise pending forever. The slowest world takes some seconds with the mutants in the sources.
  testTimeout: 30_000,
  testMatch: [
    ...(process.env.MUTATION_STORIES ? [] : unitTests),
    "<rootDir>/test/integration/*.test.ts",
    "<rootDir>/test/integration/{cli,client,faults,functions,grants,keys,lists,members,people,project,resources}/**/*.test.ts",
    "<rootDir>/test/proof/regressions/worlds.test.ts",
    "<rootDir>/test/proof/mutation/worlds.ts",
  ],
  reporters: [],
};
