/** What the tests of workflow files need: the files, their linter, and a shell whose commands are stand-ins. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parse, stringify } from "yaml";
import { isUnreachable } from "../../../scripts/lib/sdk-generator.mts";
import { describeIf, itIf, repositoryRoot } from "../../support";
import { isOnPath, type Linter, shellcheck } from "../support/linters";

export const workflowFolder = join(repositoryRoot, "examples", "gitops", ".github", "workflows");

export interface WorkflowStep {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly concurrency: { readonly group: string; readonly "cancel-in-progress": boolean };
  readonly jobs: Readonly<Record<string, WorkflowJob>>;
}

export interface WorkflowJob {
  readonly permissions: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly WorkflowStep[];
}

export const workflowFiles: readonly string[] = readdirSync(workflowFolder).sort();

export function readWorkflow(file: string): Workflow {
  return parse(readFileSync(join(workflowFolder, file), "utf8")) as Workflow;
}

/** The steps of all jobs of a workflow. */
export function stepsOf(file: string): readonly WorkflowStep[] {
  return Object.values(readWorkflow(file).jobs).flatMap(({ steps }) => steps);
}

/** Go keeps what it builds of a module's tools in the user's cache: some seconds once. */
export function actionlint(): Linter {
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

/** Runs actionlint, in the repository whose local actions it reads. */
export function lint(linter: Linter, files: readonly string[], ...flags: string[]) {
  return runLinter(linter, [...flags, ...files]);
}

function runLinter(linter: Linter, args: readonly string[], input?: string) {
  const { status, stdout, stderr } = spawnSync(linter.path, ["-no-color", "-pyflakes=", ...args], {
    encoding: "utf8",
    cwd: repositoryRoot,
    ...(input === undefined ? {} : { input }),
  });
  return { status, output: stdout + stderr };
}

/**
 * Runs actionlint on a part of a workflow. It reads whole workflows only, so the part becomes a job
 * of a workflow with these inputs.
 * @param part steps, and other properties of the job
 * @param shell path of shellcheck; without it, shell steps are not checked
 */
export function lintJob(linter: Linter, part: object, inputs: readonly string[] = [], shell = "") {
  const declared = Object.fromEntries(inputs.map((name) => [name, { type: "string" }]));
  const job = { "runs-on": "ubuntu-24.04", ...part };
  const workflow = { on: { workflow_call: { inputs: declared } }, jobs: { job } };
  return runLinter(linter, [`-shellcheck=${shell}`, "-"], stringify(workflow));
}

/** Tests that actionlint finds no fault in workflow files nor, with shellcheck, in their shell steps. */
export function lintWorkflows(files: readonly string[]): void {
  const linter = actionlint();
  describeIf(linter.missing === "", linter.missing)("a linter", () => {
    it("finds no fault in the workflow files", () => {
      expect(lint(linter, files, "-shellcheck=")).toEqual({ status: 0, output: "" });
    });

    const shell = shellcheck();
    itIf(shell.missing === "", shell.missing)("finds no fault in their shell steps", () => {
      expect(lint(linter, files, `-shellcheck=${shell.path}`)).toEqual({ status: 0, output: "" });
    });
  });
}

/** Makes a command on PATH that notes how it was called, and then does as the lines specify. */
export function standIn(folder: string, name: string, ...lines: string[]): void {
  const path = join(folder, name);
  writeFileSync(path, ["#!/bin/sh", `echo "${name} $*" >>"$CALLS"`, ...lines, ""].join("\n"));
  chmodSync(path, 0o755);
}

/** Runs a script in the folder as a runner does, from a file with `-e`, and with the stand-ins on PATH. */
export function runShell(
  folder: string,
  script: string,
  env: Readonly<Record<string, string>>,
  shell: "bash" | "sh" = "bash",
) {
  const at = (name: string) => join(folder, name);
  writeFileSync(at("step.sh"), script);
  const { status, stdout, stderr } = spawnSync(shell, ["-e", at("step.sh")], {
    cwd: folder,
    encoding: "utf8",
    env: {
      PATH: [folder, process.env.PATH].join(delimiter),
      CALLS: at("calls"),
      GITHUB_ENV: at("env"),
      GITHUB_OUTPUT: at("output"),
      GITHUB_STEP_SUMMARY: at("summary"),
      ...env,
    },
  });
  const read = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), "utf8") : "");
  return { status, stdout, stderr, calls: read("calls").split("\n").filter(Boolean), read };
}

/** The filter language of `gh api --jq`. */
export function hasJq(): boolean {
  return isOnPath("jq");
}
