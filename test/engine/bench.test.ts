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
  run(process.execPath, [join(repositoryRoot, "scripts", "bench.mts"), ...args], {
    env: { ...process.env, TMPDIR: folder },
  });

describe("npm run bench", () => {
  it("measures a row, reports which targets are reached, and leaves nothing behind but its report", async () => {
    const out = join(folder, "report.json");
    const { stdout } = await bench("--quick", "--only", "start", "--out", out);
    const { quick, rows } = JSON.parse(await readFile(out, "utf8")) as {
      quick: boolean;
      rows: { name: string; figures: Figure[] }[];
    };
    expect([quick, rows.map(({ name }) => name)]).toEqual([true, ["start"]]);
    const targets = rows.flatMap((row) => row.figures).filter(({ target }) => target !== undefined);
    expect(targets).not.toEqual([]);
    for (const { what, target = 0, value } of targets) {
      const line = stdout.split("\n").findLast((text) => text.startsWith(`| ${what} |`));
      expect(line).toMatch(
        value <= target ? /at most \S+( \S+)? \| yes \|$/ : /at most \S+( \S+)? \| NO \|$/,
      );
    }
    expect(await readdir(folder)).toEqual(["report.json"]);
  });

  // The other rows take minutes, also with few objects.
  it.each(["adopt", "import"])("measures the row %s", async (only) => {
    const { stdout } = await bench("--quick", "--only", only);
    expect(stdout).toMatch(/^\| (from )?adopt/m);
  });

  it("saves no quick figures, and names the rows that there are, where one is requested that is not", async () => {
    const failure = (text: string) => ({ code: 1, stderr: expect.stringContaining(text) });
    await expect(bench("--quick", "--save")).rejects.toMatchObject(
      failure("--save and --quick exclude each other"),
    );
    await expect(bench("--only", "speed")).rejects.toMatchObject(
      failure('no row is named "speed"; there are: start, idle memory, projects, adopt, import, large'),
    );
  });
});
