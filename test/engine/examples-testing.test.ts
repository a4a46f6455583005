/**
 * `examples/testing`: a program with its own tests, run as a user runs them. The engine starts the plugin that `Pulumi.yaml` names.
 * examples-testing-workflow.test.ts has the other processes of a user: the command line, the language host and the compiler.
 * dynamic/module-systems.test.ts checks its types.
 */
import { readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeIf, engine, registryProblem } from "../support";
import { startProcess } from "../support/child-process";
import { residents } from "../support/resident";
import { PulumiOnPath, type PulumiRequest, type PulumiResponse } from "../support/resident/pulumi-on-path";
import { whyReal } from "../support/resident/why-real";
import { examples } from "./support/examples";
import { type InstalledExample, installExample, useResidentPackages } from "./support/installed-example";

const problem = registryProblem();

// Each test runs a test runner, which runs `pulumi` several times.
jest.setTimeout(600_000);

describeIf(problem === "", problem)("examples/testing, installed by npm", () => {
  let example: InstalledExample;
  let pulumi: PulumiOnPath;
  beforeAll(async () => {
    example = await installExample("testing");
    await useResidentPackages(example);
    pulumi = await PulumiOnPath.start(join(example.env.HOME ?? "", "pulumi.sock"), runCommand);
  });
  afterAll(async () => {
    await pulumi?.close();
    await example?.remove();
  });

  /** The commands of the example's tests and its program run in the resident processes. */
  async function runCommand({ args, environment, workingDirectory }: PulumiRequest): Promise<PulumiResponse> {
    const about = {
      args,
      env: {},
      requestsProcesses: false,
      isInterruptible: false,
      attachesNodeHosts: true,
    };
    const { commandLine } = residents();
    if (commandLine === undefined || whyReal(about, residents()) !== undefined)
      return { command: join(engine().bin, "pulumi") };
    return residents().oneAtATime(async () => {
      const hosts = await residents().nodeHosts(environment, workingDirectory);
      return commandLine.run(args, { cwd: workingDirectory, env: { ...environment, ...hosts } });
    });
  }

  const npmRun = (...args: string[]) =>
    startProcess("npm", ["run", "--silent", ...args], {
      cwd: example.path,
      env: pulumi.environment({ ...example.env, CI: "true", NO_COLOR: "1" }),
    }).finished;

  it("has the same tests for jest as for vitest", async () => {
    for (const file of readdirSync(join(examples, "testing", "jest"))) {
      const [jest, vitest] = ["jest", "vitest"].map((runner) => {
        const lines = readFileSync(join(examples, "testing", runner, file), "utf8").split("\n");
        return lines.filter((line) => !/ from "(@jest\/globals|vitest)";$/.test(line));
      });
      expect(jest).toEqual(vitest);
    }
  });

  // The tests are the same for both, so each of those that run `pulumi` runs with one of them.
  it("its tests pass with vitest, and leave no file of their stacks behind", async () => {
    const before = readdirSync(example.path);
    const { exitCode, output } = await npmRun(
      "test:vitest",
      "--",
      "-t",
      "mocks|its tags|creates the project|corrects",
    );
    expect([exitCode, output]).toEqual([0, expect.stringMatching(/Tests:? .*\b4 passed/)]);
    expect(readdirSync(example.path)).toEqual(before);
  });

  it("its tests pass with jest, except those that miss the tag which the program no longer declares", async () => {
    const program = join(example.path, "index.ts");
    const text = await readFile(program, "utf8");
    await writeFile(program, text.replace(', "TEAM_PAYMENTS"', ""));
    const { exitCode, output } = await npmRun("test:jest", "--", "-t", "mocks|its tags|creates one project");
    await writeFile(program, text);
    expect(exitCode).toBe(1);
    expect(output).toMatch(/- +"TEAM_PAYMENTS"/);
    expect(output).toMatch(/Tests: +1 failed, .*2 passed/);
  });
});
