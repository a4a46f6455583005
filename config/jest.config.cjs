const { availableParallelism } = require("node:os");

/** @type {import("jest").Config} */
module.exports = {
  rootDir: "..",
  testEnvironment: "<rootDir>/test/support/resident/jest-environment.ts",
  runtime: "<rootDir>/test/support/resident/jest-runtime.cjs",
  // Named, so that Jest does not see the package.json of the SDK, which has the same name as ours.
  roots: ["cli", "projects", "provider", "sandbox", "scripts", "test"].map((folder) => `<rootDir>/${folder}`),
  globalSetup: "<rootDir>/test/support/run-folder.ts",
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  transform: {
    "^.+\\.(ts|mts|mjs)$": [
      "@swc/jest",
      { jsc: { target: "es2022", parser: { syntax: "typescript" } }, module: { type: "commonjs" } },
    ],
  },
  // A stack of the real engine takes seconds, and many more on a busy machine; no test measures time by this.
  testTimeout: 120_000,
  // The work is done by child processes, and a worker waits for them: one worker for each core leaves a quarter of the cores idle.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  reporters: ["default", "<rootDir>/test/support/summary-reporter.mjs"],
};
