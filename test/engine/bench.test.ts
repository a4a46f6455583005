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
    expect(rows.map(({ name }) => name)).toEqual([
      "start",
      "idle memory",
      "projects",
      "members",
      "people",
      "dynamic",
      "adopt",
    ]);
    // The wire has a test of its own below; `large` is `projects` with other counts.
    const figures = rows.flatMap((row) => row.figures);
    for (const { what, value, unit, cell } of figures) {
      for (const text of cell ? [cell.table, cell.line, cell.column] : [what]) expect(stdout).toContain(text);
      if (unit === "requests") expect(value).toBeGreaterThanOrEqual(0);
      else expect(value).toBeGreaterThan(0);
    }
    const targets = figures.filter(({ target }) => target !== undefined);
    const fixed = targets.filter(({ cell }) => !cell?.line.endsWith(" people"));
    expect(new Set(fixed.map(({ target, unit }) => `${target} ${unit}`))).toEqual(
      new Set([
        ...["110 ms", "250 ms", "80 MB", "120 MB", "60 s", "12 requests", "60 requests"],
        ...["1.12 times", "1.1 times", "1.2 times", "1.25 times"],
      ]),
    );
    for (const { what, target = 0, value } of targets) {
      const line = stdout
        .split("\n")
        .filter((text) => text.startsWith(what))
        .at(-1);
      expect(line).toMatch(value <= target ? /at most \S+( \S+)? +yes$/ : /at most \S+( \S+)? +NO$/);
    }
    // 3 resources of a kind, 1 for the sign-in: the provider that shares no reads sends one or two for each.
    const requests = (line: string) =>
      figures.find(
        ({ cell }) =>
          cell?.line === line && cell.table.includes("ProjectMember in") && cell.column === "requests",
      )?.value;
    expect([requests("do-nothing provider"), requests("one request per resource")]).toEqual([0, 7]);
    expect(requests("two requests per resource")).toBe(12);
    expect(await readdir(folder)).toEqual(["report.json"]);
  }, 300_000);

  /** It is here because it compiles a Go client: with empty caches, that takes long beside the build of the engine. */
  it("lays the clients of the wire out side by side, and leaves nothing behind but its report", async () => {
    const out = join(folder, "report.json");
    const { stdout } = await bench("--quick", "--only", "wire", "--out", out);
    const report = JSON.parse(await readFile(out, "utf8")) as { rows: { figures: Figure[] }[] };
    const valuesOf = (column: string) =>
      report.rows
        .flatMap((row) => row.figures)
        .filter(({ cell }) => cell?.line === "pulumi-opsmanager" && cell.column === column)
        .map(({ cell, value }) => [cell?.table, value]);
    const tables = [
      "steady state",
      "each response takes 5 ms",
      "a nonce stale every 1000 requests",
      "every response names the next nonce",
    ].flatMap((what) => [1, 16, 64].map((atOnce) => `${what}, ${atOnce} at a time`));
    expect(valuesOf("requests per call")).toEqual(tables.map((table) => [table, 1]));
    expect(valuesOf("failed of 100")).toEqual(tables.map((table) => [table, 0]));
    for (const table of tables) expect(stdout).toContain(`${table}  `);
    expect(stdout).toMatch(/requests per call +calls per second +p50 +p99 +CPU per call +failed of 100/);
    expect(stdout).toMatch(/undici, without authentication.*at least 0.85 +(NO|yes)/);
    expect(await readdir(folder)).toEqual(["report.json"]);
  });

  it("saves no quick figures", async () => {
    await expect(bench("--quick", "--save")).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--save and --quick exclude each other"),
    });
  });

  it("names the rows that there are, where one is requested that is not", async () => {
    await expect(bench("--only", "speed")).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'no row is named "speed"; there are: start, idle memory, projects, members, people',
      ),
    });
  });
});
