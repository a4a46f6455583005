/** The workflow files of examples/gitops: linted, careful with rights and secrets, and their shell steps tried with every outcome. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { repositoryRoot } from "../../support";
import {
  lintWorkflows,
  readWorkflow,
  runShell,
  standIn,
  stepsOf,
  workflowFiles,
  workflowFolder,
} from "./support";

lintWorkflows(workflowFiles.map((file) => join(workflowFolder, file)));

describe.each(workflowFiles)("%s", (file) => {
  const { on, permissions, concurrency, jobs } = readWorkflow(file);
  const steps = stepsOf(file);

  it("runs no stranger's code with secrets, and has no right that its job does not name", () => {
    expect(Object.keys(on)).not.toContain("pull_request_target");
    expect(permissions).toEqual({});
    const rights: Record<string, object> = {
      "preview.yml": { contents: "read", "pull-requests": "write" },
      "up.yml": { contents: "read", issues: "write" },
      "drift.yml": { contents: "read", issues: "write", "security-events": "write" },
    };
    for (const [name, job] of Object.entries(jobs)) {
      expect(job.permissions).toEqual(name === "validate" ? { contents: "read" } : rights[file]);
    }
  });

  it("leaves no token in the checkout", () => {
    const checkout = steps.find(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkout?.with).toEqual({ "persist-credentials": false });
  });

  it("hands secrets over in the environment of the one step that needs them", () => {
    for (const { run = "", with: inputs = {} } of steps) {
      expect(run).not.toContain("$" + "{{");
      expect(JSON.stringify(inputs)).not.toContain("secrets.");
    }
    const jobEnvironments = JSON.stringify(Object.values(jobs).map(({ env }) => env));
    expect(jobEnvironments).not.toContain("secrets.");
    expect(steps.filter(({ env }) => JSON.stringify(env ?? {}).includes("secrets."))).toHaveLength(1);
  });

  /**
   * A newly queued run cancels the waiting run of its group. So a job that only reads must not be
   * in the group of updates.
   */
  it("shares its concurrency group with no other workflow, and cancels only a preview", () => {
    const groups: Record<string, RegExp> = {
      "preview.yml": /^preview-/,
      "up.yml": /^projects-prod$/,
      "drift.yml": /^drift-prod$/,
    };
    expect(concurrency["cancel-in-progress"]).toBe(file === "preview.yml");
    expect(concurrency.group).toMatch(groups[file] as RegExp);
  });
});

it("every night, drift is reported before `up` sets it back", () => {
  const [report, correction] = ["drift.yml", "up.yml"].map((file) => {
    const { schedule } = readWorkflow(file).on as { schedule: [{ cron: string }] };
    const [, minute = "", hour = ""] = /^(\d+) (\d+) \* \* \*$/.exec(schedule[0].cron) ?? [];
    return Number(hour) * 60 + Number(minute);
  });
  expect(report).toBeLessThan(correction ?? Number.NaN);
  for (const name of ["gitops", "gitops-sharded"]) {
    const pipeline = parse(readFileSync(join(repositoryRoot, "examples", name, ".gitlab-ci.yml"), "utf8"));
    expect(pipeline.stages).toEqual(["preview", "drift", "up"]);
    expect(pipeline.up.rules.at(-1)).toMatchObject({
      if: expect.stringContaining('$CI_PIPELINE_SOURCE == "schedule"'),
      when: "always",
    });
  }
});

it("every workflow, pipeline and manifest of the examples has the same version of Pulumi", () => {
  const folder = join(repositoryRoot, "examples");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    /^[^/\\]+[/\\](\.github[/\\]workflows|\.gitlab-ci|kubernetes).*\.ya?ml$/.test(file),
  );
  const named = /(?:pulumi-version: |image: pulumi\/pulumi[\w-]*:)(\S+?)(?:-nonroot)?$/gm;
  const versions = files.flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(named)].map(([, version]) => version),
  );
  expect(versions.length).toBeGreaterThan(8);
  expect(new Set(versions)).toEqual(new Set(["3.259.0"]));
});

describe("the shell steps, with what the runner's commands print", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "opsmanager-workflow-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ["preview.yml", "preview", "plan"],
    ["up.yml", "up --yes --continue-on-error", "changes"],
  ])(
    "%s summarizes the stack, keeps the whole as an artifact, and publishes the summary",
    (file, run, artifact) => {
      standIn(folder, "npx", "exit 1");
      standIn(folder, "node");
      const steps = stepsOf(file);
      const [summarize, keep, publish] = steps.slice(-3);
      const ended = runShell(folder, summarize?.run ?? "", { STACK: "prod" });
      expect(ended.status).toBe(1);
      expect(ended.calls).toEqual([
        `npx --no-install opsmanager summarize --stack prod --format markdown=summary.md --format text=plan.txt ${run}`,
      ]);
      expect(keep?.with).toEqual({ name: artifact, path: "plan.txt" });
      rmSync(join(folder, "calls"));
      const { status, calls } = runShell(folder, publish?.run ?? "", {});
      expect([status, calls]).toEqual([
        0,
        ["node node_modules/pulumi-opsmanager/action/publish-summary.mjs"],
      ]);
      expect(publish?.env).toMatchObject({ OPSMANAGER_SUMMARY_OUTCOME: `$${"{{ steps.pulumi.outcome }}"}` });
      // After a failed run too, but not if an earlier step failed: then there is nothing to publish.
      for (const step of [keep, publish])
        expect(step?.if).toMatch(/\(\) && steps\.pulumi\.outcome != 'skipped'/);
    },
  );
});
