import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Figure } from "../bench/row";
import { repositoryRoot } from "../support/repository";

const run = promisify(execFile);
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "opsmanager-bench-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** With a temporary folder of its own, so that what it leaves behind can be seen. */
const bench = (...args: string[]) =>
  run(process.execPath, [join(repositoryRoot, "scripts", "bench.mjs"), ...args], {
    env: { ...process.env, TMPDIR: folder },
  });

describe("npm run bench", () => {
  it("measures every row, reports which targets are reached, and leaves nothing behind but its report", async () => {
    const out = join(folder, "report.json");
    const { stdout } = await bench("--quick", "--out", out);
    const { quick, rows } = JSON.parse(await readFile(out, "utf8")) as {
      quick: boolean;
      rows: { name: string; figures: Figure[] }[];
    };
    expect(quick).toBe(true);
    expect(rows.map(({ name }) => name)).toEqual(["start", "idle memory", "providers", "wire", "adopt"]);
    // The wire's own test is test/integration/bench/wire.test.ts.
    const figures = rows.filter(({ name }) => name !== "wire").flatMap((row) => row.figures);
    for (const { what, value } of figures) {
      expect(stdout).toContain(what);
      expect(value).toBeGreaterThan(0);
    }
    const targets = figures.filter(({ target }) => target !== undefined);
    expect(targets.map(({ target, unit }) => `${target} ${unit}`)).toEqual(["150 ms", "90 MB", "60 s"]);
    for (const { target = 0, unit, value } of targets)
      expect(stdout).toContain(`${target} ${unit}: ${value <= target ? "reached" : "NOT REACHED"}`);
    expect(await readdir(folder)).toEqual(["report.json"]);
  });

  it("names the rows that there are, where one is requested that is not", async () => {
    await expect(bench("--only", "speed")).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'no row is named "speed"; there are: start, idle memory, providers, wire',
      ),
    });
  });
});
