/** What the tests of workflow files need: the files, and a shell whose commands are stand-ins. */
import { execFile, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { parse } from "yaml";
import { repositoryRoot } from "../../support";
import { exampleNames, examples } from "../support/examples";
import { isOnPath } from "../support/linters";

/** Paths of the workflows of this repository and of its examples, from the root. */
export const workflows: readonly string[] = [
  repositoryRoot,
  ...exampleNames.map((name) => join(examples, name)),
]
  .map((folder) => join(folder, ".github", "workflows"))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((file) => relative(repositoryRoot, join(folder, file))));

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
  readonly concurrency?: Concurrency;
  readonly jobs: Readonly<Record<string, WorkflowJob>>;
}

interface Concurrency {
  readonly group: string;
  readonly "cancel-in-progress": boolean;
}

export interface WorkflowJob {
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly strategy?: {
    readonly matrix: Readonly<Record<string, readonly string[]>>;
    readonly "max-parallel"?: number;
  };
  readonly concurrency?: Concurrency;
  readonly steps: readonly WorkflowStep[];
}

/** @param example the folder in `examples/` whose workflow it is, or `undefined` for a path from the root */
export function readWorkflow(file: string, example?: string): Workflow {
  const path = example === undefined ? file : join("examples", example, ".github", "workflows", file);
  return parse(readFileSync(join(repositoryRoot, path), "utf8")) as Workflow;
}

/** The steps of all jobs of a workflow. */
export function stepsOf(...of: Parameters<typeof readWorkflow>): readonly WorkflowStep[] {
  return Object.values(readWorkflow(...of).jobs).flatMap(({ steps }) => steps);
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly WorkflowStep[] };
}

/** An action of this repository, by its path. */
export function readAction(path = "action.yml"): Action {
  return parse(readFileSync(join(repositoryRoot, path), "utf8")) as Action;
}

interface TemplateJob {
  readonly script: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly artifacts: Readonly<Record<string, unknown>>;
  readonly cache: Readonly<Record<string, unknown>>;
}

const templateParts = () =>
  readFileSync(join(repositoryRoot, "templates", "opsmanager-drift.yml"), "utf8").split("\n---\n");

export function templateInputs(): Readonly<Record<string, { default: unknown }>> {
  return parse(templateParts()[0] ?? "").spec.inputs;
}

/** The one job of GitLab's template as it is written. */
export function readTemplate(): TemplateJob {
  const [job] = Object.values<TemplateJob>(parse(templateParts()[1] ?? ""));
  if (job === undefined) throw new Error("The template has no job.");
  return job;
}

/** The job of the template, as GitLab fills in the inputs. */
export function templateJob(inputs: Readonly<Record<string, string>> = {}): TemplateJob {
  const declared = templateInputs();
  const filled = (templateParts()[1] ?? "").replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name) => {
    expect(Object.keys(declared)).toContain(name);
    return inputs[name] ?? String(declared[name]?.default);
  });
  return parse(filled).drift;
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

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  /** All of both. */
  readonly output: string;
}

/** Runs a script of `action/` in a folder, which also has its reports. */
export function runScript(
  name: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  return new Promise((resolve) => {
    const home = join(folder, "pulumi-home");
    const own = { PATH: process.env.PATH, PULUMI_HOME: home, OPSMANAGER_DRIFT_REPORTS: folder, ...env };
    execFile(
      process.execPath,
      [join(repositoryRoot, "action", name)],
      { cwd: folder, env: own },
      (error, stdout, stderr) =>
        resolve({ status: Number(error?.code ?? 0), stdout, stderr, output: stdout + stderr }),
    );
  });
}
