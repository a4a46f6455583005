/** `examples/testing`: a program with its own tests, run as a user runs them. */
import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeIf, registryProblem } from "../support";
import { startProcess } from "../support/child-process";
import { type InstalledExample, installExample } from "./support/installed-example";

const problem = registryProblem();

describeIf(problem === "", problem)("examples/testing, installed by npm", () => {
  let example: InstalledExample;
  beforeAll(async () => {
    example = await installExample("testing");
  }, 600_000);
  afterAll(() => example?.remove());

  const npmRun = (...args: string[]) =>
    startProcess("npm", ["run", "--silent", ...args], {
      cwd: example.path,
      env: { ...example.env, CI: "true", NO_COLOR: "1" },
    }).finished;

  it.each(["jest", "vitest"])(
    "its tests pass with %s, and leave no file of their stacks behind",
    async (runner) => {
      const before = readdirSync(example.path);
      const { exitCode, output } = await npmRun(`test:${runner}`);
      expect([exitCode, output]).toEqual([0, expect.stringMatching(/Tests:? +3 passed/)]);
      expect(readdirSync(example.path)).toEqual(before);
    },
  );

  it("its tests fail if the program no longer declares a tag", async () => {
    const program = join(example.path, "index.ts");
    await writeFile(program, (await readFile(program, "utf8")).replace(', "TEAM_PAYMENTS"', ""));
    const { exitCode, output } = await npmRun("test:vitest", "--", "-t", "creates the project");
    expect([exitCode, output]).toEqual([1, expect.stringContaining("TEAM_PAYMENTS")]);
  });
});
