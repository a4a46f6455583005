import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { repositoryRoot } from "../../support/repository";

const reporter = join(repositoryRoot, "test", "support", "summary-reporter.mjs");

/** Lets Jest's reporter report one run, in a process of its own. */
function report(acceptedSkips: string) {
  const results = {
    numPassedTests: 3,
    numFailedTests: 1,
    numRuntimeErrorTestSuites: 1,
    testResults: [
      {
        testFilePath: join(repositoryRoot, "test", "a.test.ts"),
        perfStats: { start: 1000, end: 2500 },
        testResults: [{ status: "pending", fullName: "x (skipped: needs Go)" }],
      },
    ],
  };
  const program = `
    const { default: Reporter } = await import(${JSON.stringify(reporter)});
    new Reporter().onRunComplete(new Set(), ${JSON.stringify(results)});`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
    env: { ...process.env, OPSMANAGER_TEST_SKIPS: acceptedSkips },
  });
  return { status, lines: stderr.trimEnd().split("\n") };
}

it.each(["", "needs Go"])("the summary of a run names what was skipped, if %j is accepted", (accepted) => {
  const { status, lines } = report(accepted);
  expect(status).toBe(0); // Jest itself sets the exit code for failed tests.
  expect(lines).toEqual([
    "skipped: x: needs Go",
    "slowest files, of at most 30 s each:",
    `    1.5 s  ${join("test", "a.test.ts")}`,
    "Tests: 3 passed, 2 failed, 1 skipped",
  ]);
});

it("a skip counts as a failure if the machine must have the tool", () => {
  const { status, lines } = report("needs (Docker|Java)");
  expect(status).toBe(1);
  expect(lines[0]).toBe("failed: x: this machine must not skip it: needs Go");
  expect(lines.at(-1)).toBe("Tests: 3 passed, 3 failed, 0 skipped");
});
