/** Helpers for tests of the Project resource: programs to run, and the write requests that the service received. */
import type { RequestRecord, Sandbox } from "../../../sandbox";
import type { Diagnostic, Program, ProviderKind, ResourceOptions, Run } from "../../support";

type Properties = Readonly<Record<string, unknown>>;

export const bothProviders: readonly ProviderKind[] = ["plugin", "dynamic"];

/** A program with the one project `payments`; its outputs are the outputs of the resource. */
export function projectProgram(properties: Properties, options?: ResourceOptions): Program {
  return projectsProgram({ payments: options ? { properties, options } : { properties } });
}

export function projectsProgram(
  projects: Readonly<Record<string, { properties: Properties; options?: ResourceOptions }>>,
): Program {
  const entries = Object.entries(projects).map(([name, declaration]) => [
    name,
    { type: "Project", ...declaration },
  ]);
  return { resources: Object.fromEntries(entries) };
}

/** A program that declares nothing any more. */
export const emptyProgram: Program = { outputs: { nothing: "here" } };

interface Write {
  readonly method: string;
  /** Below `/api/public/v1.0`. */
  readonly path: string;
  readonly query?: string;
  readonly body?: unknown;
}

/** The requests that write, in order; without the first half of a Digest exchange. */
export function writes(sandbox: Sandbox): Write[] {
  return sandbox.requests
    .filter(({ method, authorized }) => method !== "GET" && authorized)
    .map(({ method, path, query, body }) => ({
      method,
      path: pathOf({ path }),
      ...(query === "" ? {} : { query }),
      ...(body === undefined ? {} : { body }),
    }));
}

export function pathOf({ path }: Pick<RequestRecord, "path">): string {
  return path.replace("/api/public/v1.0", "");
}

/** Projects of that name, in every organization. */
export function projectsNamed(sandbox: Sandbox, name: string) {
  return sandbox.state.projects.filter((project) => project.name === name);
}

/** The only project of that name. */
export function projectNamed(sandbox: Sandbox, name: string) {
  const [project, ...others] = projectsNamed(sandbox, name);
  if (project === undefined || others.length > 0)
    throw new Error(`Expected one project named ${name}, found ${project ? others.length + 1 : 0}.`);
  return project;
}

/** A project or an organization by its ID and its name: `test/unit/api-names` has the rule. */
const NAME_BESIDE_ID = /\b([Pp]roject|[Oo]rganization|[Tt]eam) ([0-9a-f]{24}) \("[^"]*"\)/g;

/**
 * All messages of a run to the user, with objects by their ID alone, beside the display of its steps. Messages of the dynamic provider arrive through the program's
 * stderr, so its severity is in the text: `warning: [runtime] ...`.
 */
export function messagesOf(run: Pick<Run, "diagnostics">, severity?: "info" | "warning" | "error"): string {
  const reported = run.diagnostics.filter((diagnostic) => diagnostic.severity !== "debug");
  return reported
    .filter((diagnostic) => severity === undefined || severityOf(diagnostic) === severity)
    .map(({ message }) => message.replace(NAME_BESIDE_ID, "$1 $2"))
    .join("\n");
}

/** The errors of a command that has to fail. */
export async function errorsOf(
  command: Promise<Pick<Run, "exitCode" | "output" | "diagnostics">>,
): Promise<string> {
  const run = await command;
  if (run.exitCode === 0) throw new Error(`The command succeeded:\n${run.output}`);
  return messagesOf(run, "error");
}

function severityOf({ severity, message }: Diagnostic): string {
  return /^(info|warning|error): \[runtime\]/.exec(message)?.[1] ?? severity.replace("#err", "");
}

/** How often a run printed a text; `pulumi` itself repeats an error in its summary, the event log does not. */
export function timesPrinted(run: Pick<Run, "diagnostics">, text: string): number {
  return messagesOf(run).split(text).length - 1;
}

/** `op` of each step that was counted, by the resource's name. */
export function operations(run: Pick<Run, "steps">): Record<string, string> {
  return Object.fromEntries(
    run.steps.filter(({ logical, refreshed }) => logical && !refreshed).map(({ name, op }) => [name, op]),
  );
}

/** The per-property changes of the last counted step of `payments`: `{ "tags[1]": "add" }`. */
export function changedPaths(run: Pick<Run, "steps">, name = "payments"): Record<string, string> {
  const step = run.steps.findLast((candidate) => candidate.name === name && candidate.logical);
  const entries = Object.entries(step?.detailedDiff ?? {}).map(([path, { diffKind }]) => [path, diffKind]);
  return Object.fromEntries(entries);
}
