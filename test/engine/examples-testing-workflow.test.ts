/** The workflow of `examples/testing`, step by step as GitHub runs it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import type { State } from "../../sandbox";
import { describeIf, itIf, registryProblem } from "../support";
import { examples } from "./support/examples";
import { type InstalledExample, installExample } from "./support/installed-example";

const workflowFile = join(".github", "workflows", "test.yml");
const problem = registryProblem();

/** Ends what a step has left behind; a step that left nothing has no group any more. */
function endGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

describeIf(problem === "", problem)("the steps of the workflow of examples/testing", () => {
  let example: InstalledExample;
  beforeAll(async () => {
    example = await installExample("testing");
  });
  afterAll(() => example?.remove());

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
