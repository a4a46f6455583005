/** What the tests of the workflow files need: the files, and the linter of a Go module of its own. */
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { isUnreachable } from "../../../scripts/lib/sdk-generator.mjs";
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

/** A step of the one job of a workflow. */
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
  const { status, stdout, stderr } = spawnSync(linter.path, ["-no-color", "-pyflakes=", ...flags, ...files], {
    encoding: "utf8",
    cwd: repositoryRoot,
  });
  return { status, output: stdout + stderr };
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

/** The filter language of `gh api --jq`. */
export function hasJq(): boolean {
  return isOnPath("jq");
}
