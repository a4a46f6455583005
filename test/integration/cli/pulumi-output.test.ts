/** How the output of `pulumi` is taken; a script is in for it. */
import { runPulumi } from "../../../cli/lib/pulumi";
import { commandFolder } from "./command-folder";

const folder = commandFolder();

function pulumi(script: string, onOutput?: (text: string) => void) {
  folder.withPulumi(`#!${process.execPath}\n${script}`);
  return runPulumi(["preview"], folder.terminal(), onOutput);
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
