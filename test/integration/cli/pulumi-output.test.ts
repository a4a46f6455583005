/** How the output of `pulumi` is taken; a script is in for it. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { runPulumi } from "../../../cli/lib/pulumi";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "opsmanager-pulumi-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function pulumi(script: string, onOutput?: (text: string) => void) {
  await writeFile(join(folder, "pulumi"), `#!${process.execPath}\n${script}`);
  await chmod(join(folder, "pulumi"), 0o755);
  const env = { PATH: [folder, process.env.PATH].join(delimiter) };
  return runPulumi(["preview"], { cwd: folder, env, stop: new AbortController().signal }, onOutput);
}

it("keeps no output that the caller takes piece by piece, and only the last whole lines of a long stderr", async () => {
  const script = `
    for (let line = 0; line < 20000; line += 1) console.log("event " + line);
    for (let line = 0; line < 20000; line += 1) console.error("noise " + line);
    console.error("error: the last line");
  `;
  let length = 0;
  const result = await pulumi(script, (text) => {
    length += text.length;
  });
  expect(length).toBeGreaterThan(200_000);
  expect(result).toMatchObject({ exitCode: 0, stdout: "" });
  expect(result.stderr.length).toBeLessThanOrEqual(65_536);
  expect(result.stderr).toMatch(/^noise \d+\n(.*\n)*error: the last line\n$/);
});

it("returns what the caller does not take", async () => {
  expect(await pulumi('console.log("prod")')).toEqual({ exitCode: 0, stdout: "prod\n", stderr: "" });
});
