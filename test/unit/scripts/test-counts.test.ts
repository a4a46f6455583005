import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addCounts, countsLine } from "../../../scripts/lib/test-counts.mjs";

const reporter = join(__dirname, "..", "..", "support", "counts-reporter.cjs");

describe("the counts of several Jest runs", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "opsmanager-counts-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("are added up from the file that the reporter appends to", () => {
    const file = join(folder, "counts.jsonl");
    report({ passed: 3, failed: 1 }, { OPSMANAGER_TEST_COUNTS: file });
    report({ passed: 4, failed: 0 }, { OPSMANAGER_TEST_COUNTS: file });
    expect(countsLine(addCounts(readFileSync(file, "utf8")))).toBe("Tests: 7 passed, 1 failed, 2 skipped");
  });

  it("are printed by the reporter if no file is named", () => {
    expect(report({ passed: 3, failed: 1 }, { OPSMANAGER_TEST_COUNTS: "" })).toContain(
      "Tests: 3 passed, 1 failed, 1 skipped\n",
    );
  });

  /** Lets the reporter report a run with one skipped test, in a process of its own; returns what it printed. */
  function report(
    { passed, failed }: { passed: number; failed: number },
    env: Record<string, string>,
  ): string {
    const results = {
      numPassedTests: passed,
      numFailedTests: failed,
      numRuntimeErrorTestSuites: 0,
      testResults: [{ testResults: [{ status: "pending", fullName: "x" }] }],
    };
    const program = `
      process.stderr.write = process.stdout.write.bind(process.stdout);
      const Reporter = require(${JSON.stringify(reporter)});
      new Reporter().onRunComplete(new Set(), ${JSON.stringify(results)});`;
    return execFileSync(process.execPath, ["-e", program], {
      encoding: "utf8",
      env: { ...process.env, ...env },
    });
  }
});
