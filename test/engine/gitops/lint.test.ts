/**
 * What others judge: actionlint with shellcheck all workflows and actions of this repository, of its examples and of its documents, and
 * GitLab's schema its template and pipelines.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { isUnreachable } from "../../../scripts/lib/sdk-generator.mts";
import { describeIf, repositoryRoot } from "../../support";
import { readPage } from "../../support/documents";
import { gitlabCiValidator, judgesProblem } from "../../support/formats";
import { examples } from "../support/examples";
import { type Linter, shellcheck } from "../support/linters";
import { readAction, templateInputs, templateJob, workflows } from "./support";

/** Go keeps what it builds of a module's tools in the user's cache: some seconds once. */
function actionlint(): Linter {
  try {
    const module = join(repositoryRoot, "test", "engine", "gitops", "actionlint");
    const path = execFileSync("go", ["tool", "-n", "actionlint"], {
      cwd: module,
      env: { ...process.env, GOWORK: "off" },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    return { path: path.trim(), missing: "" };
  } catch (error) {
    const without = (reason: string): Linter => ({ path: "", missing: `no actionlint: ${reason}` });
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return without("there is no go on PATH");
    const output = String((error as { stderr?: unknown }).stderr);
    if (isUnreachable(output)) return without("its modules cannot be had from the Go module proxy");
    if (/go\.mod requires go|toolchain not available|no such tool|flag provided/.test(output)) {
      return without("this Go is older than 1.25");
    }
    throw error;
  }
}

/** The code blocks of the pages about drift, except ignore rules. */
const documented = (language: string) =>
  ["docs/drift.md", "docs/drift-ci.md"]
    .flatMap((page) => readPage(page).blocks)
    .filter((block) => block.language === language && !block.text.startsWith("- resource:"))
    .map(({ text }) => text);

const linter = actionlint();
const shell = shellcheck();

describeIf(linter.missing === "", linter.missing)("a linter of workflows", () => {
  /** In the repository, whose local actions it reads. Without shellcheck, shell steps are not checked. */
  function lint(args: readonly string[], input = "") {
    const flags = ["-no-color", "-pyflakes=", `-shellcheck=${shell.path}`];
    const options = { encoding: "utf8", cwd: repositoryRoot, input } as const;
    const { status, stdout, stderr } = spawnSync(linter.path, [...flags, ...args], options);
    return { status, output: stdout + stderr };
  }

  /** It reads whole workflows only, so parts become jobs of a workflow with these inputs. */
  function lintJobs(parts: readonly object[], names: readonly string[]) {
    const declared = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const jobs = parts.map((part, index) => [`job${index}`, { "runs-on": "ubuntu-24.04", ...part }]);
    const on = { workflow_call: { inputs: declared } };
    return lint(["-"], stringify({ on, jobs: Object.fromEntries(jobs) }));
  }

  const commands = (scripts: readonly string[]) => ({ steps: scripts.map((run) => ({ shell: "sh", run })) });

  it("finds no fault in the workflow files", () => {
    expect(workflows.filter((file) => file.startsWith("examples")).length).toBeGreaterThan(7);
    expect(lint(workflows)).toEqual({ status: 0, output: "" });
  });

  it.each(["action.yml", ".github/actions/setup/action.yml"])("finds no fault in the steps of %s", (path) => {
    const { inputs: own, runs } = readAction(path);
    expect(lintJobs([{ steps: runs.steps }], Object.keys(own))).toEqual({ status: 0, output: "" });
  });

  it("finds no fault in the jobs and commands of the documents and in the template", () => {
    const jobs = documented("yaml").flatMap((text) => {
      const { include, ...job } = parse(text);
      return include === undefined ? [{ steps: [{ run: "true" }], ...job }] : [];
    });
    const scripts = documented("sh");
    expect([jobs.length, scripts.length]).toEqual([3, 8]);
    const template = templateJob().script.join("\n");
    const parts = [...jobs, commands([template, ...scripts])];
    expect(lintJobs(parts, [])).toEqual({ status: 0, output: "" });
  });

  it("finds an input and a condition that are none, and what a shell would not run", () => {
    const unknown = { steps: [{ run: "true", env: { A: "${{ inputs.unknown }}" } }] };
    const condition = { if: "github.event.a ==", steps: [{ run: "true" }] };
    const unquoted = { steps: [{ run: "cd $folder" }] };
    const { output } = lintJobs([unknown, condition, unquoted, commands(["echo $'a'"])], ["known"]);
    expect(output).toContain('property "unknown" is not defined');
    expect(output).toContain("unexpected end of input");
    if (shell.missing === "") for (const rule of ["SC2086", "SC3003"]) expect(output).toContain(rule);
  });
});

describeIf(judgesProblem() === "", judgesProblem())("the schema of GitLab's editor", () => {
  it("accepts the template and the pipelines of the examples and documents, which give inputs that the template has", async () => {
    const validate = await gitlabCiValidator();
    const faultsOf = (pipeline: unknown) => validate(JSON.stringify(pipeline));
    expect(await faultsOf({ drift: templateJob() })).toEqual([]);
    const pipelineOf = (name: string) => parse(readFileSync(join(examples, name, ".gitlab-ci.yml"), "utf8"));
    const [document = ""] = documented("yaml").filter((text) => text.startsWith("include:"));
    for (const pipeline of [pipelineOf("gitops"), pipelineOf("gitops-sharded"), parse(document)]) {
      expect(await faultsOf(pipeline)).toEqual([]);
      const [{ remote, inputs: given }] = pipeline.include;
      expect(remote).toMatch(/\/templates\/opsmanager-drift\.yml$/);
      expect(Object.keys(templateInputs())).toEqual(expect.arrayContaining(Object.keys(given)));
    }
    expect(await faultsOf({ up: { script: 1 } })).not.toEqual([]);
    expect(await faultsOf({ up: { script: "a", resource_groups: "a" } })).not.toEqual([]);
  });
});
