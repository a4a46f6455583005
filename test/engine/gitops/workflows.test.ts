/**
 * All workflow files: careful with rights and secrets. Those of `examples/gitops` and `examples/gitops-sharded`: their groups, and their
 * shell steps tried with every outcome.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { repositoryRoot } from "../../support";
import { examples } from "../support/examples";
import { readWorkflow, runShell, standIn, stepsOf, type WorkflowStep, workflows } from "./support";

/**
 * What a job may do beside reading the repository, by its file, or by its path where examples differ. docs/release.md has the reasons for
 * `release.yml`.
 */
const rights: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "ci.yml status": {},
  "weekly.yml status": {},
  "release.yml tested": { actions: "read" },
  "release.yml sign": { attestations: "write", "id-token": "write" },
  "release.yml draft": { contents: "write" },
  "release.yml npm": { "id-token": "write" },
  "release.yml pypi": { "id-token": "write" },
  "release.yml publish": { contents: "write" },
  "preview.yml preview": { contents: "read", "pull-requests": "write" },
  "up.yml up": { contents: "read", issues: "write" },
  "drift.yml drift": { contents: "read", issues: "write", "security-events": "write" },
};

describe.each(workflows)("%s", (path) => {
  const { on, permissions, jobs } = readWorkflow(path);
  const steps = stepsOf(path);
  const hasSecrets = (part: unknown) => JSON.stringify(part ?? {}).includes("secrets.");

  it("runs no stranger's code with secrets, and has no right that its job does not need", () => {
    expect(Object.keys(on)).not.toContain("pull_request_target");
    expect(permissions).toEqual({});
    for (const [name, job] of Object.entries(jobs)) {
      const needed = rights[`${path} ${name}`] ?? rights[`${basename(path)} ${name}`];
      expect([name, job.permissions]).toEqual([name, needed ?? { contents: "read" }]);
    }
  });

  it("hands secrets over in the environment of the one step that needs them, and leaves no token in the checkout", () => {
    const secretSteps = steps.filter(({ env }) => hasSecrets(env));
    expect(secretSteps).toHaveLength(/[\\/]gitops/.test(path) ? 1 : 0);
    expect(Object.values(jobs).some(({ env }) => hasSecrets(env))).toBe(false);
    for (const { run = "", uses = "", with: inputs } of steps) {
      expect(run).not.toContain("$" + "{{");
      expect(hasSecrets(inputs)).toBe(false);
      if (uses.startsWith("actions/checkout@")) expect(inputs).toEqual({ "persist-credentials": false });
    }
  });
});

/**
 * A newly queued run cancels the waiting run of its group. So a job that only reads must not be
 * in the group of updates.
 */
it.each([
  { example: "gitops", stack: "prod" },
  { example: "gitops-sharded", stack: "$" + "{{ matrix.stack }}" },
])("no workflow of $example shares its group with another one, and only a preview cancels", (row) => {
  const groups = ["preview.yml", "up.yml", "drift.yml"].map((file) => {
    const { concurrency, jobs } = readWorkflow(file, row.example);
    const own = concurrency ?? jobs[file.replace(/\.yml$/, "")]?.concurrency;
    expect(own?.["cancel-in-progress"]).toBe(file === "preview.yml");
    return own?.group;
  });
  const isShared = row.example === "gitops-sharded";
  const request = "$" + "{{ github.event.pull_request.number }}";
  expect(groups).toEqual([
    isShared ? `preview-${row.stack}-${request}` : `preview-${request}`,
    `access-${row.stack}`,
    isShared ? "drift" : "drift-prod",
  ]);
});

it("every night, drift is reported before `up` sets it back", () => {
  const [report, correction] = ["drift.yml", "up.yml"].map((file) => {
    const { schedule } = readWorkflow(file, "gitops").on as { schedule: [{ cron: string }] };
    const [, minute = "", hour = ""] = /^(\d+) (\d+) \* \* \*$/.exec(schedule[0].cron) ?? [];
    return Number(hour) * 60 + Number(minute);
  });
  expect(report).toBeLessThan(correction ?? Number.NaN);
  for (const name of ["gitops", "gitops-sharded"]) {
    const pipeline = parse(readFileSync(join(examples, name, ".gitlab-ci.yml"), "utf8"));
    expect(pipeline.stages).toEqual(["preview", "drift", "up", "review"]);
    expect(pipeline.up.rules.at(-1)).toMatchObject({
      if: expect.stringContaining('$CI_PIPELINE_SOURCE == "schedule"'),
      when: "always",
    });
  }
});

it("every week, everyone who has access is listed, also where something could not be read", () => {
  for (const name of ["gitops", "gitops-sharded"]) {
    const command = `npx --no-install opsmanager access --stack "$STACK" --format csv=access.csv >access.txt`;
    expect(readWorkflow("review.yml", name).on).toMatchObject({
      schedule: [{ cron: expect.stringMatching(/^\d+ \d+ \* \* 1$/) }],
    });
    const [review, keep] = stepsOf("review.yml", name).slice(-2);
    expect(review?.run).toBe(command);
    expect([keep?.if, keep?.with?.path]).toEqual([expect.stringContaining("!cancelled()"), "access.*"]);
    const { review: job, validate } = parse(readFileSync(join(examples, name, ".gitlab-ci.yml"), "utf8"));
    expect([job.script.at(-1), job.artifacts.when]).toEqual([command, "always"]);
    expect(validate.script.at(-1)).toBe("npx --no-install opsmanager validate");
  }
});

it("every image of GitLab names the Node.js that the package needs", () => {
  const { engines } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
  const [, needed] = /(\d+)/.exec(engines.node) ?? [];
  const files = ["gitops", "gitops-sharded"].map((name) => join(examples, name, ".gitlab-ci.yml"));
  for (const file of [...files, join(repositoryRoot, "templates", "opsmanager-drift.yml")]) {
    const [, named] = /pulumi-nodejs-(\d+):/.exec(readFileSync(file, "utf8")) ?? [];
    expect([file, named]).toEqual([file, needed]);
  }
});

it("every workflow, pipeline and manifest of the examples has the same version of Pulumi", () => {
  const files = readdirSync(examples, { recursive: true, encoding: "utf8" }).filter((file) =>
    /^[^/\\]+[/\\](\.github[/\\]workflows|\.gitlab-ci|kubernetes).*\.ya?ml$/.test(file),
  );
  const named = /(?:pulumi-version: |image: pulumi\/pulumi[\w-]*:)(\S+?)(?:-nonroot)?$/gm;
  const versions = files.flatMap((file) =>
    [...readFileSync(join(examples, file), "utf8").matchAll(named)].map(([, version]) => version),
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

  const up = "up --yes --skip-preview --continue-on-error";
  it.each([
    { example: "gitops", stack: "prod", file: "preview.yml", run: "preview", artifact: "plan" },
    { example: "gitops", stack: "prod", file: "up.yml", run: up, artifact: "changes" },
    { example: "gitops-sharded", stack: "bank", file: "preview.yml", run: "preview", artifact: "plan" },
    { example: "gitops-sharded", stack: "bank", file: "up.yml", run: up, artifact: "changes" },
  ])(
    "$file of $example summarizes its stack, keeps the whole as an artifact, and publishes the summary",
    ({ example, stack, file, run, artifact }) => {
      standIn(folder, "npx", "exit 1");
      standIn(folder, "node");
      const [summarize, keep, publish] = stepsOf(file, example).slice(-3) as WorkflowStep[];
      const ended = runShell(folder, summarize?.run ?? "", { STACK: stack });
      expect(ended.status).toBe(1);
      expect(ended.calls).toEqual([
        `npx --no-install opsmanager summarize --stack ${stack} --format markdown=summary.md --format text=plan.txt ${run}`,
      ]);
      // Each stack of several has names of its own.
      const isShared = example === "gitops-sharded";
      const suffix = isShared ? "-$" + "{{ matrix.stack }}" : "";
      expect(keep?.with).toEqual({ name: `${artifact}${suffix}`, path: "plan.txt" });
      expect(String(publish?.env?.OPSMANAGER_SUMMARY_ID).includes("matrix.stack")).toBe(isShared);
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
