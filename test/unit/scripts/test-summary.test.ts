import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addRecords, summaryLines, type TestRecord } from "../../../scripts/lib/test-summary.mjs";
import shares from "../../shares.json";
import { repositoryRoot } from "../../support/repository";

const reporter = join(__dirname, "..", "..", "support", "summary-reporter.mjs");

const record = (seconds: number, files: TestRecord["files"] = []): TestRecord => ({
  passed: 3,
  failed: 1,
  skipped: 2,
  seconds,
  files,
});

describe("the summary of a run of the tests", () => {
  it("adds up several runs of Jest, and ends with the line of counts", () => {
    const sum = addRecords([record(50), record(70)]);
    expect(summaryLines(sum).slice(-2)).toEqual([
      "time of the tests: 2 min 0 s",
      "Tests: 6 passed, 2 failed, 4 skipped",
    ]);
  });

  it("lists the ten slowest files, the slowest first", () => {
    const files = Array.from({ length: 12 }, (_, index) => ({
      path: `file-${index}`,
      seconds: index + 0.25,
    }));
    const [title, ...lines] = summaryLines(record(1, files));
    expect(title).toBe("slowest files, of at most 30 s each:");
    expect(lines.slice(0, 10).map((line) => line.trim())).toEqual(
      [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((index) => `${index}.3 s  file-${index}`),
    );
    expect(lines[10]).toMatch(/^time/);
  });

  it("shows the seconds of each folder beside its share, and names what is above", () => {
    const files = [
      { path: "test/engine/project/a.test.ts", seconds: 20 },
      { path: "test/engine/projects/b.test.ts", seconds: 4 },
      { path: "test/engine/harness.test.ts", seconds: 31 },
      { path: "test/other/c.test.ts", seconds: 1 },
    ];
    const some = { "test/engine/": 40, "test/engine/project/": 10, "test/engine/projects/": 5 };
    const lines = summaryLines(record(1, files), { shares: some });
    expect(lines.slice(0, 6)).toEqual([
      "time of the workers, of the share in test/shares.json:",
      "     31 s of   40 s  test/engine/",
      "     20 s of   10 s  test/engine/project/  above",
      "      4 s of    5 s  test/engine/projects/",
      "      1 s of    0 s  no share  above",
      "     56 s of   55 s  together  above",
    ]);
    expect(lines).toContain("   31.0 s  test/engine/harness.test.ts  above");
  });

  it("of all shares together fits into ten minutes of two workers", () => {
    const sum = Object.values(shares).reduce((total, share) => total + share, 0);
    expect(sum).toBeLessThanOrEqual(2 * 600);
  });

  const budget = { what: "npm test", seconds: 600 };
  it.each([
    [750, true, false],
    [751, true, true],
    [751, false, false],
  ])(
    "of %d seconds with a budget of 600 on a quiet machine (%s) warns: %s",
    (seconds, machineIsQuiet, warns) => {
      const lines = summaryLines(record(seconds), { budget, machineIsQuiet });
      expect(lines).toContain(
        `time of the tests: 12 min ${seconds - 720} s; budget of npm test on two processors: 10 min 0 s`,
      );
      expect(lines.some((line) => line.startsWith("warning: this run took 25% more"))).toBe(warns);
    },
  );
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
    const { seconds, ...rest } = JSON.parse(readFileSync(file, "utf8")) as TestRecord;
    expect(seconds).toBeGreaterThan(0);
    expect(rest).toEqual({
      passed: 3,
      failed: 2,
      skipped: 1,
      files: [{ path: join("test", "a.test.ts"), seconds: 1.5 }],
    });
  });

  it("prints the summary itself if no file is named", () => {
    expect(report({ OPSMANAGER_TEST_RECORDS: "" })).toMatch(/^Tests: 3 passed, 2 failed, 1 skipped\n$/m);
  });

  it("counts a skip as a failure if the machine must have the tool", () => {
    const env = { OPSMANAGER_TEST_RECORDS: "", OPSMANAGER_TEST_SKIPS: "needs (Docker|Java)" };
    const printed = report(env);
    expect(printed).toContain("failed: x: this machine must not skip it: needs Go\n");
    expect(printed).toMatch(/^Tests: 3 passed, 3 failed, 0 skipped\n$/m);
    expect(report({ ...env, OPSMANAGER_TEST_SKIPS: "needs Go" })).toMatch(
      /^Tests: 3 passed, 2 failed, 1 skipped\n$/m,
    );
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
