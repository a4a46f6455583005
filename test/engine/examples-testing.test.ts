/** `examples/testing`: a program with its own tests, run as a user runs them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import type { State } from "../../sandbox";
import { describeIf, engine, itIf, registryProblem } from "../support";
import { startProcess } from "../support/child-process";
import { residents } from "../support/resident";
import { PulumiOnPath, type PulumiRequest, type PulumiResponse } from "../support/resident/pulumi-on-path";
import { whyReal } from "../support/resident/why-real";
import { examples } from "./support/examples";
import { type InstalledExample, installExample } from "./support/installed-example";
import { checkTypes } from "./support/installed-package";

const workflowFile = join(".github", "workflows", "test.yml");
const problem = registryProblem();

// Each test runs a test runner, which runs `pulumi` several times.
jest.setTimeout(600_000);

/** Ends what a step has left behind; a step that left nothing has no group any more. */
function endGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

describeIf(problem === "", problem)("examples/testing, installed by npm", () => {
  let example: InstalledExample;
  let pulumi: PulumiOnPath;
  beforeAll(async () => {
    example = await installExample("testing");
    pulumi = await PulumiOnPath.start(join(example.env.HOME ?? "", "pulumi.sock"), runCommand);
  });
  afterAll(async () => {
    await pulumi?.close();
    await example?.remove();
  });

  /** The commands of the example's tests run in the resident command line. The engine starts the program and the plugin. */
  async function runCommand({ args, environment, workingDirectory }: PulumiRequest): Promise<PulumiResponse> {
    const about = {
      args,
      env: {},
      requestsProcesses: false,
      isInterruptible: false,
      attachesNodeHosts: false,
    };
    const { commandLine } = residents();
    if (commandLine === undefined || whyReal(about, residents()) !== undefined)
      return { command: join(engine().bin, "pulumi") };
    return residents().oneAtATime(() => commandLine.run(args, { cwd: workingDirectory, env: environment }));
  }

  const npmRun = (...args: string[]) =>
    startProcess("npm", ["run", "--silent", ...args], {
      cwd: example.path,
      env: pulumi.environment({ ...example.env, CI: "true", NO_COLOR: "1" }),
    }).finished;

  it("has no fault in its types", () => checkTypes(example.path));

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

  describe("the steps of its workflow", () => {
    const workflow = parse(readFileSync(join(examples, "testing", workflowFile), "utf8"));
    const { env, steps } = workflow.jobs.test as {
      env: Record<string, string>;
      steps: { id?: string; run?: string }[];
    };
    let groups: number[] = [];
    afterEach(() => {
      for (const group of groups) endGroup(group);
      groups = [];
    });

    /** As GitHub runs it: `bash -e`, and what it starts in the background stays. */
    async function runStep(run: string, added: Readonly<Record<string, string>>): Promise<unknown> {
      const child = spawn("bash", ["-e", "-c", run], {
        cwd: example.path,
        env: {
          ...example.env,
          ...env,
          PULUMI_NODEJS_TRANSPILE_ONLY: "true",
          PULUMI_BACKEND_URL: `file://${example.env.HOME}`,
          ...added,
        },
        stdio: "ignore",
        detached: true,
      });
      if (child.pid !== undefined) groups.push(child.pid);
      const [code] = await once(child, "exit");
      return code;
    }

    itIf(process.platform === "linux", "the workflow runs on Linux")(
      "start the service, and run the program against it",
      async () => {
        const file = join(example.path, "github-env"); // The step adds to it.
        await rm(file, { force: true });
        const start = steps.find(({ id }) => id === "service")?.run ?? "";
        expect(await runStep(start, { GITHUB_ENV: file })).toBe(0);
        const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
        const added = Object.fromEntries(lines.map((line) => line.split("=", 2)));
        expect(Object.keys(added)).toEqual([
          "OPSMANAGER_BASE_URL",
          "OPSMANAGER_PUBLIC_KEY",
          "OPSMANAGER_PRIVATE_KEY",
          "ORG_ID",
        ]);
        const up = steps.find(({ run }) => run?.includes("pulumi up"))?.run ?? "";
        expect(await runStep(up, added)).toBe(0);
        const { controlUrl } = JSON.parse(await readFile(join(example.path, "service.json"), "utf8"));
        const { projects } = (await (await fetch(`${controlUrl}/state`)).json()) as State;
        expect(projects).toMatchObject([{ name: "payments", orgId: added.ORG_ID }]);
        expect(await readFile(join(example.path, "service.log"), "utf8")).toContain(
          "POST /api/public/v1.0/groups 201",
        );
      },
    );

    itIf(process.platform === "linux", "the workflow runs on Linux")(
      "fail with the message of the service if it cannot start",
      async () => {
        const start = steps.find(({ id }) => id === "service")?.run ?? "";
        const wrong = start.replace("sandbox --log", "sandbox --colour").replace("timeout 30", "timeout 0.5");
        expect(await runStep(wrong, { GITHUB_ENV: join(example.path, "other-env") })).not.toBe(0);
      },
    );
  });
});
