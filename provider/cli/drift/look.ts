/** One run of the engine over a stack, and what it says of each of the stack's resources. */
import { createRedact } from "../../transport";
import { kindOf, typeOf } from "../own-resources";
import { pulumiMessage } from "../pulumi";
import type { Terminal } from "../terminal";
import { type Diagnostic, EventReader, type Run, STREAMING, type Step } from "./engine-events";
import { findingsOfProgram, findingsOfRefresh } from "./findings";
import type { Finding, UnreadableThing } from "./report";
import { runUnlessStopped, type StackState } from "./stacks";
import { unreadResources } from "./unread-warnings";

export interface Look {
  readonly findings: readonly Finding[];
  readonly unreadable: readonly UnreadableThing[];
}

/** Addresses with a password in them, such as that of a database which holds the state. */
const redact = createRedact([]);

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
  if (state.resources.length === 0) return { findings: [], unreadable: halfMadeThings(state) };
  // What other providers manage is not asked for: that takes their time and their credentials, and might fail.
  const targets = state.isShared ? state.resources.flatMap(({ urn }) => ["--target", urn]) : [];
  const args = ["refresh", "--preview-only", "--json", "--stack", state.stack, ...targets];
  const { run, failure } = await runEngine(terminal, args, onResource);
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
  const streaming = { ...terminal, env: { ...terminal.env, ...STREAMING } };
  const result = await runUnlessStopped(args, streaming, reader.take);
  const run = reader.end();
  if (result.exitCode === 0) return { run, failure: undefined };
  const failure = result.stderr.trim() === "" ? generalError(run) : undefined;
  return { run, failure: failure ?? pulumiMessage({ ...result, stdout: "" }) };
}

/** @param failure pulumi's message where it did not end well */
export function readRefresh(state: StackState, run: Run, failure: string | undefined): Look {
  const { stack } = state;
  const steps = run.steps.filter(({ isRefresh }) => isRefresh);
  const own = new Map(steps.filter(({ old }) => old?.delete !== true).map((step) => [step.urn, step]));
  const unread = new Map(
    unreadResources(run.diagnostics, state.resources).map(({ urn, reason }) => [urn, reason]),
  );
  const findings: Finding[] = [];
  const unreadable: UnreadableThing[] = [];
  const miss = (what: string, reason: string) => unreadable.push({ what, reason, stack });
  const neverBegan = failure !== undefined && steps.length === 0 && !run.diagnostics.some(isOfResource);
  for (const { urn } of neverBegan ? [] : state.resources) {
    const step = own.get(urn);
    const found = step && findingsOfRefresh(step, stack);
    const reason =
      step === undefined ? whyMissing(urn, run, failure) : (unread.get(urn) ?? whyOpen(step, found));
    if (reason !== undefined) miss(urn, reason);
    findings.push(...(found ?? []));
  }
  for (const reason of openEnds(run, steps, failure, unreadable.length > 0)) {
    miss(`stack ${stack}`, reason);
  }
  unreadable.push(...halfMadeThings(state));
  return { findings, unreadable };
}

/** @param failure pulumi's message where it did not end well */
export function readPreview(state: StackState, run: Run, failure: string | undefined): Look {
  const { stack } = state;
  const planned = run.steps.filter(({ isRefresh, logical }) => !isRefresh && logical !== false);
  const findings: Finding[] = [];
  const unreadable: UnreadableThing[] = [];
  for (const step of planned) {
    if (kindOf(step.type) === undefined) continue;
    const found = findingsOfProgram(step, stack);
    if (found === undefined) unreadable.push({ what: step.urn, reason: DIFFERS_SOMEWHERE, stack });
    findings.push(...(found ?? []));
  }
  const refused = new Map(run.diagnostics.filter(isOfResource).map((error) => [error.urn ?? "", error]));
  for (const [urn, { message }] of refused) unreadable.push({ what: urn, reason: plain(message), stack });
  for (const reason of openEnds(run, planned, failure, refused.size > 0)) {
    unreadable.push({ what: `program of stack ${stack}`, reason, stack });
  }
  return { findings, unreadable };
}

/** A refresh looks at what has an id, and these have none. */
function halfMadeThings({ stack, halfMade }: StackState): UnreadableThing[] {
  const reason =
    "A run was cut off while it made this, or is still at it, so nobody knows whether it is there. Where no run is under way, `pulumi refresh` at a terminal asks about it.";
  return halfMade.map(({ urn }) => ({ what: urn, reason, stack }));
}

const DIFFERS_SOMEWHERE = "pulumi says that it differs, and not in what.";

/** The engine ends a refresh at the first failures, so a resource may have none of its own. */
function whyMissing(urn: string, { diagnostics }: Run, failure: string | undefined): string {
  const own = diagnostics.find((said) => said.urn === urn && isError(said));
  if (own) return plain(own.message);
  return failure === undefined ? "pulumi did not look at it." : `pulumi did not come to it: ${failure}`;
}

/** What an answer leaves open. */
function whyOpen({ old, new: live }: Step, found: readonly Finding[] | undefined): string | undefined {
  if (found === undefined) return DIFFERS_SOMEWHERE;
  // Declared tags are then recorded as declared, whatever they are.
  const hidesTags = live?.outputs?.tagsVisible === false && old?.inputs?.tags !== undefined;
  return hidesTags
    ? "The API key may not see tags, so nobody can tell whether they are as declared. Give the key a global role."
    : undefined;
}

/** What the run as a whole leaves open; its failure only where that is not said of resources already. */
function openEnds(
  { summary }: Run,
  steps: readonly Step[],
  failure: string | undefined,
  isSaid: boolean,
): string[] {
  if (failure !== undefined) return isSaid ? [] : [failure];
  if (summary === undefined) {
    return ["pulumi ended without its summary, so nobody knows what it looked at. Is it 3.227 or newer?"];
  }
  return Object.entries(summary).flatMap(([op, count]) => {
    const seen = steps.filter((step) => step.op === op).length;
    if (op === "same" || count <= seen) return [];
    return [`pulumi counts ${count} to ${op}, and its steps show ${seen}.`];
  });
}

/** What says most: an error of a resource, another error, or what a program wrote on its stderr before it ended. */
function generalError({ diagnostics }: Run): string | undefined {
  const errors = diagnostics.filter(isError);
  const told = errors.find(isOfResource) ?? errors[0];
  if (told) return plain(told.message);
  const written = diagnostics.filter(({ severity }) => severity === "info#err").map(({ message }) => message);
  return written.length === 0 ? undefined : shortened(written.join(" "));
}

/** A program can write as much as it likes, and a report is read by more people than its log. */
const LONGEST = 400;

function shortened(text: string): string {
  const line = redact(text).replace(/\s+/g, " ");
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}...`;
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function isOfResource(said: Diagnostic): boolean {
  return isError(said) && said.urn !== undefined && kindOf(typeOf(said.urn)) !== undefined;
}

/** Without the words that the CLI puts before it. */
function plain(message: string): string {
  return redact(message)
    .replace(/^error: /, "")
    .replace(/^Preview failed: /, "")
    .trim();
}
