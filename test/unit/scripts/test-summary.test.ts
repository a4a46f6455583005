import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import shares from "../../shares.json";
import { repositoryRoot } from "../../support/repository";

const reporter = join(__dirname, "..", "..", "support", "summary-reporter.mjs");

it("the shares of all folders together fit into ten minutes of three workers", () => {
  const sum = Object.values(shares).reduce((total, share) => total + share, 0);
  expect(sum).toBeLessThanOrEqual(3 * 600);
});

describe("the reporter of Jest", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "opsmanager-summary-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("prints what was skipped and appends a record to the file that is named", () => {
    const file = join(folder, "records.jsonl");
    expect(report({ OPSMANAGER_TEST_RECORDS: file })).toBe("skipped: x: needs Go\n");
    const record = {
      passed: 3,
      failed: 2,
      skipped: 1,
      files: [{ path: join("test", "a.test.ts"), seconds: 1.5 }],
    };
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject(record);
  });

  it("prints the summary itself if no file is named, and counts a skip as a failure if the machine must have the tool", () => {
    const env = { OPSMANAGER_TEST_RECORDS: "" };
    expect(report({ ...env, OPSMANAGER_TEST_SKIPS: "needs Go" })).toMatch(
      /^Tests: 3 passed, 2 failed, 1 skipped\n$/m,
    );
    const printed = report({ ...env, OPSMANAGER_TEST_SKIPS: "needs (Docker|Java)" });
    expect(printed).toContain("failed: x: this machine must not skip it: needs Go\n");
    expect(printed).toMatch(/^Tests: 3 passed, 3 failed, 0 skipped\n$/m);
  });

  /** Lets the reporter report one run, in a process of its own; returns what it printed. */
  function report(env: Record<string, string>): string {
    const results = {
      startTime: 0,
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
      process.stderr.write = process.stdout.write.bind(process.stdout);
      const { default: Reporter } = await import(${JSON.stringify(reporter)});
      new Reporter().onRunComplete(new Set(), ${JSON.stringify(results)});`;
    return execFileSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
      env: { ...process.env, OPSMANAGER_TEST_SKIPS: "", ...env },
    });
  }
});
