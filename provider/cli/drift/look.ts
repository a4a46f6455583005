/** One run of the engine over a stack, and what it says of each of the stack's resources. */
import { CancelledError } from "../../errors";
import { runPulumi } from "../pulumi";
import type { Terminal } from "../terminal";
import { type Diagnostic, EventReader, type Run, STREAMING, type Step } from "./engine-events";
import { findingsOfProgram, findingsOfRefresh } from "./findings";
import { kindOf } from "./own-resources";
import type { Finding, UnreadableThing } from "./report";
import { pulumiMessage, type StackState } from "./stacks";
import { unreadResources } from "./unread-warnings";

export interface Look {
  readonly findings: readonly Finding[];
  readonly unreadable: readonly UnreadableThing[];
}

type Surroundings = Pick<Terminal, "cwd" | "env" | "stop">;

/**
 * State against service. Nothing is written, to neither.
 *
 * @param onResource called after each resource of this provider with how many are done
 */
export async function lookAtService(
  terminal: Surroundings,
  state: StackState,
  onResource: (done: number) => void,
): Promise<Look> {
  const { run, failure } = await runEngine(
    terminal,
    ["refresh", "--preview-only", "--json", "--stack", state.stack],
    onResource,
  );
  return readRefresh(state, run, failure);
}

/** Program against service, after a refresh. Nothing is written, to neither. */
export async function lookAtProgram(
  terminal: Surroundings,
  state: StackState,
  onResource: (done: number) => void,
): Promise<Look> {
  const { run, failure } = await runEngine(
    terminal,
    ["preview", "--refresh", "--json", "--stack", state.stack],
    onResource,
  );
  return readPreview(state, run, failure);
}

async function runEngine(
  terminal: Surroundings,
  args: readonly string[],
  onResource: (done: number) => void,
): Promise<{ run: Run; failure: string | undefined }> {
  let done = 0;
  const reader = new EventReader(({ type, isRefresh }) => {
    if (isRefresh && kindOf(type) !== undefined) onResource(++done);
  });
  const result = await runPulumi(args, { ...terminal, env: { ...terminal.env, ...STREAMING } }, reader.take);
  if (terminal.stop.aborted) throw new CancelledError("Stopped; no report was written.");
  const run = reader.end();
  if (result.exitCode === 0) return { run, failure: undefined };
  const { stderr } = result;
  const failure = stderr.trim() === "" ? generalError(run) : undefined;
  return { run, failure: failure ?? pulumiMessage({ ...result, stdout: "" }) };
}

/** @param failure pulumi's message where it did not end well */
export function readRefresh(state: StackState, run: Run, failure: string | undefined): Look {
  const { stack } = state;
  const steps = run.steps.filter(({ isRefresh }) => isRefresh);
  const own = stepsOf(state, steps);
  const findings: Finding[] = [];
  const unreadable: UnreadableThing[] = [];
  const miss = (what: string, reason: string) => unreadable.push({ what, reason, stack });
  const unread = new Map(
    unreadResources(run.diagnostics, state.resources).map(({ urn, reason }) => [urn, reason]),
  );
  for (const { urn } of state.resources) {
    const step = own.get(urn);
    const found = step && findingsOfRefresh(step, stack);
    const reason = step
      ? unread.get(urn)
      : (errorOf(urn, run.diagnostics) ?? failure ?? "pulumi refresh did not come to it.");
    if (reason !== undefined) miss(urn, reason);
    else if (found === undefined) miss(urn, "pulumi refresh says that it differs, and not in what.");
    if (step && hidesTags(step))
      miss(
        urn,
        "The API key may not see the tags of this project, so drift of the declared ones cannot be seen. Give it a global role.",
      );
    findings.push(...(found ?? []));
  }
  missing(run, steps, failure, unreadable, (reason) => miss(`stack ${stack}`, reason));
  return { findings, unreadable };
}

/** @param failure pulumi's message where it did not end well */
export function readPreview(state: StackState, run: Run, failure: string | undefined): Look {
  const { stack } = state;
  const planned = run.steps.filter(({ isRefresh, logical }) => !isRefresh && logical !== false);
  const findings: Finding[] = [];
  const unreadable: UnreadableThing[] = [];
  const miss = (what: string, reason: string) => unreadable.push({ what, reason, stack });
  for (const step of planned) {
    if (kindOf(step.type) === undefined) continue;
    const found = findingsOfProgram(step, stack);
    if (found === undefined) miss(step.urn, "pulumi preview says that it differs, and not in what.");
    findings.push(...(found ?? []));
  }
  missing(run, planned, failure, unreadable, (reason) => miss(`program of stack ${stack}`, reason));
  return { findings, unreadable };
}

function stepsOf({ resources }: StackState, steps: readonly Step[]): Map<string, Step> {
  const own = new Set(resources.map(({ urn }) => urn));
  return new Map(steps.flatMap((step) => (own.has(step.urn) ? [[step.urn, step] as const] : [])));
}

/** What the run as a whole leaves open. */
function missing(
  { summary, diagnostics }: Run,
  steps: readonly Step[],
  failure: string | undefined,
  known: readonly UnreadableThing[],
  say: (reason: string) => void,
): void {
  // One reason for many resources is said with each of them, and with the stack only where none is known.
  if (failure !== undefined && known.length === 0) {
    const errors = diagnostics.filter(({ severity, urn }) => severity === "error" && urn !== undefined);
    say(errors.length > 0 ? errors.map(({ message }) => plain(message)).join(" ") : failure);
  } else if (failure === undefined && summary === undefined) {
    say(
      "pulumi ended without a summary, so nobody knows whether it looked at everything. Is it 3.227 or newer?",
    );
  }
  for (const [op, count] of Object.entries(summary ?? {})) {
    const seen = steps.filter((step) => step.op === op).length;
    if (op !== "same" && count > seen) {
      say(`pulumi counts ${count} resources to ${op}, and its steps show ${seen}.`);
    }
  }
}

function generalError({ diagnostics }: Run): string | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const own = errors.find(({ urn }) => urn !== undefined) ?? errors[0];
  return own && plain(own.message);
}

function errorOf(urn: string, diagnostics: readonly Diagnostic[]): string | undefined {
  const error = diagnostics.find((said) => said.urn === urn && said.severity === "error");
  return error && plain(error.message);
}

function plain(message: string): string {
  return message
    .replace(/^error: /, "")
    .replace(/^Preview failed: /, "")
    .trim();
}

/** Declared tags are then recorded as declared, whatever they are (Project, `tagsVisible`). */
function hidesTags({ new: live, old }: Step): boolean {
  return live?.outputs?.tagsVisible === false && old?.inputs?.tags !== undefined;
}
