/**
 * Runs the engine over a stack once, and interprets its report on each of the stack's resources.
 */

import { ROLE_TO_SEE_TAGS } from "../../api/hints";
import { hasCode, messageOf, OpsManagerError } from "../../errors";
import { type ParsedNotice, parseNotice } from "../../notices";
import { createRedact } from "../../transport";
import { kindOf, treatmentOf, typeOf } from "../own-resources";
import { startProgress } from "../progress";
import { pulumiMessage } from "../pulumi";
import type { StateResource } from "../stack-export";
import type { Terminal } from "../terminal";
import { type Diagnostic, EventReader, type Run, STREAMING, type Step } from "./engine-events";
import { findingsOfProgram, findingsOfRefresh, isDeleted, propertiesNotProven } from "./findings";
import type { Finding, UnreadableThing } from "./report";
import { readStack, runUnlessStopped, type StackState } from "./stacks";

interface StackDrift {
  readonly findings: readonly Finding[];
  readonly unreadable: readonly UnreadableThing[];
}

/** Masks addresses with a password, such as that of a database which holds the state. */
const redact = createRedact([]);

type Surroundings = Pick<Terminal, "cwd" | "env" | "stop">;

/** @param onResource called after each resource of this provider with how many are done */
type CompareStack = (
  terminal: Surroundings,
  state: StackState,
  onResource: (done: number) => void,
) => Promise<StackDrift>;

/** The result of a refresh of a stack without resources of this provider. */
const NOTHING_RUN: Run = { steps: [], diagnostics: [], summary: {} };

/** Compares the state with the live objects, without the program. Writes nothing. */
const compareState: CompareStack = async (terminal, state, onResource) => {
  if (state.resources.length === 0) return readRefresh(state, NOTHING_RUN, undefined);
  // Resources of other providers are not read: that takes time and credentials, and might fail.
  const targets = state.isShared ? state.resources.flatMap(({ urn }) => ["--target", urn]) : [];
  const args = ["refresh", "--preview-only", "--json", "--stack", state.stack, ...targets];
  const { run, failure } = await runEngine(terminal, args, onResource);
  return readRefresh(state, run, failure);
};

/** Compares the program with the live objects. Writes nothing. */
const compareProgram: CompareStack = async (terminal, state, onResource) => {
  const args = ["preview", "--refresh", "--json", "--stack", state.stack];
  const { run, failure } = await runEngine(terminal, args, onResource);
  return readPreview(state, run, failure);
};

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

/** @param failure pulumi's message if it failed */
export function readRefresh(state: StackState, run: Run, failure: string | undefined): StackDrift {
  const { stack } = state;
  const steps = run.steps.filter(({ isRefresh }) => isRefresh);
  const refreshed = refreshesOf(steps);
  const findings: Finding[] = [];
  const open = new Undetermined(state);
  const unread = unreadReasons(run, state);
  for (const resource of neverBegan(run, failure) ? [] : state.resources) {
    const { urn } = resource;
    const step = refreshed.get(urn);
    const found = step && findingsOfRefresh(step, stack, isUnfinished(resource));
    findings.push(...(found ?? []));
    const reason =
      step === undefined
        ? whyMissing(urn, run, failure)
        : (unread.get(urn) ??
          whyUndetermined(step, found) ??
          whyUnfinished(resource) ??
          whyNotProven(step, resource));
    if (reason !== undefined) open.add(urn, reason);
  }
  for (const reason of undeterminedOfRun(run, steps, failure, open.things.length > 0)) {
    open.add(`stack ${stack}`, reason);
  }
  return { findings, unreadable: [...open.things, ...pendingThings(state)] };
}

/** @param failure pulumi's message if it failed */
export function readPreview(state: StackState, run: Run, failure: string | undefined): StackDrift {
  const { stack } = state;
  const refreshed = refreshesOf(run.steps.filter(({ isRefresh }) => isRefresh));
  const all = run.steps.filter(({ isRefresh, logical }) => !isRefresh && logical !== false);
  const planned = all.filter(({ type }) => kindOf(type) !== undefined);
  const resources = new Map(state.resources.map((resource) => [resource.urn, resource]));
  const findings: Finding[] = [];
  const open = new Undetermined(state);
  for (const step of planned) {
    const resource = resources.get(formerUrn(step)) ?? resources.get(step.urn);
    const refresh = resource && refreshed.get(resource.urn);
    const found = findingsOfProgram(step, stack, {
      refresh,
      isUnfinished: resource !== undefined && isUnfinished(resource),
    });
    if (found === undefined) open.add(step.urn, DIFFERS_SOMEWHERE);
    findings.push(...(found ?? []));
  }
  for (const [urn, { message }] of refusals(run)) open.add(urn, plain(message));
  const compared = new Set(planned.flatMap((step) => [step.urn, formerUrn(step)]));
  const named = new Set(findings.map(({ urn }) => urn));
  const unread = unreadReasons(run, state);
  for (const resource of neverBegan(run, failure) ? [] : state.resources) {
    const { urn } = resource;
    const refresh = refreshed.get(urn);
    const isCompared = compared.has(urn) || (refresh !== undefined && isDeleted(refresh));
    // Without the program, the live object is compared with the state's declaration.
    const found = refresh && !isCompared ? findingsOfRefresh(refresh, stack, isUnfinished(resource)) : [];
    findings.push(...(found ?? []));
    const reason =
      refresh === undefined
        ? whyMissing(urn, run, failure)
        : (unread.get(urn) ??
          whyUndetermined(refresh, found) ??
          (named.has(urn) ? undefined : whyUnfinished(resource)) ??
          (isCompared || failure !== undefined ? undefined : "Pulumi did not compare it with the program."));
    if (reason !== undefined && !open.has(urn)) open.add(urn, reason);
  }
  for (const reason of undeterminedOfRun(run, all, failure, refusals(run).size > 0))
    open.add(`program of stack ${stack}`, reason);
  return { findings, unreadable: [...open.things, ...pendingThings(state)] };
}

/** What could not be determined, in the order of addition. */
class Undetermined {
  readonly things: UnreadableThing[] = [];

  constructor(private readonly state: StackState) {}

  add(what: string, reason: string): void {
    this.things.push({ what, reason, stack: this.state.stack });
  }

  has(what: string): boolean {
    return this.things.some((thing) => thing.what === what);
  }
}

/**
 * The refresh steps by URN. A resource that a replacement still has to delete shares the URN of
 * its successor and is left out.
 */
function refreshesOf(steps: readonly Step[]): ReadonlyMap<string, Step> {
  return new Map(steps.filter(({ old }) => old?.delete !== true).map((step) => [step.urn, step]));
}

/** The URN in the state, which an alias may have changed. */
function formerUrn({ urn, old }: Step): string {
  return old?.urn ?? urn;
}

function unreadReasons(run: Run, state: StackState): ReadonlyMap<string, string> {
  return new Map(unreadResources(run.diagnostics, state.resources).map(({ urn, reason }) => [urn, reason]));
}

function refusals({ diagnostics }: Run): ReadonlyMap<string, Diagnostic> {
  return new Map(diagnostics.filter(isOfResource).map((error) => [error.urn ?? "", error]));
}

/**
 * Whether Pulumi failed before it read the first resource: then one reason applies to the whole
 * stack.
 */
function neverBegan(run: Run, failure: string | undefined): boolean {
  return failure !== undefined && !run.steps.some(({ isRefresh }) => isRefresh) && refusals(run).size === 0;
}

const PENDING: Readonly<Record<string, string>> = {
  creating: "created",
  updating: "updated",
  deleting: "deleted",
  importing: "imported",
};

/**
 * Unfinished operations of earlier runs, which no step of the engine shows. A resource that was
 * being created has no id, so no refresh reads it.
 */
function pendingThings({ stack, pending, replaced }: StackState): UnreadableThing[] {
  const left = replaced.map(({ urn }) => ({
    what: urn,
    reason: "A replacement has not deleted the former object yet. Run `pulumi up`.",
    stack,
  }));
  const cutOff = pending.map(({ type, resource: { urn } }) => ({
    what: urn,
    reason: `A run was cut off while it ${PENDING[type] ?? "changed"} this, or still runs, so the outcome is not recorded. If no run is under way, run \`pulumi refresh\` at a terminal${type === "creating" ? "" : ", and then `pulumi up`"}.`,
    stack,
  }));
  return [...left, ...cutOff];
}

function isUnfinished({ initErrors }: StateResource): boolean {
  return (initErrors?.length ?? 0) > 0;
}

/**
 * The reason why an unfinished resource is undetermined. The live object may be as declared, but
 * the state does not prove that all of it was declared.
 */
function whyUnfinished({ initErrors }: StateResource): string | undefined {
  if (!initErrors?.length) return undefined;
  return `The last create or update did not finish: ${shortened(initErrors.join(" "))} Run \`pulumi up\`.`;
}

/**
 * The reason if the state holds live values instead of declared ones, so no difference can be
 * detected.
 */
function whyNotProven(step: Step, { ignoreChanges }: StateResource): string | undefined {
  const names = propertiesNotProven(step, ignoreChanges ?? []);
  if (names.length === 0) return undefined;
  return `A refresh has replaced the declared values of ${names.join(", ")} in the state by live ones, and no update has followed. Compare with the program, or run \`pulumi up\`.`;
}

const DIFFERS_SOMEWHERE = "Pulumi reports a difference but not which property.";

/**
 * The reason for a missing step. The engine ends a refresh at the first failures, so a resource
 * may have none of its own.
 */
function whyMissing(urn: string, { diagnostics }: Run, failure: string | undefined): string {
  const own = diagnostics.find((diagnostic) => diagnostic.urn === urn && isError(diagnostic));
  if (own) return plain(own.message);
  return failure === undefined ? "Pulumi did not check it." : `Pulumi stopped before checking it: ${failure}`;
}

/** The reason why an answer is incomplete. */
function whyUndetermined(
  { old, new: live }: Step,
  found: readonly Finding[] | undefined,
): string | undefined {
  if (found === undefined) return DIFFERS_SOMEWHERE;
  if (live?.outputs?.status === "unverified") {
    return "The service offers no operation that shows whether the person is in the project.";
  }
  // The provider then records declared tags as declared, whatever the live ones are.
  const hidesTags = live?.outputs?.tagsVisible === false && old?.inputs?.tags !== undefined;
  return hidesTags
    ? `The API key may not see tags, so it cannot be determined whether they are as declared. Seeing tags needs ${ROLE_TO_SEE_TAGS}.`
    : undefined;
}

/**
 * What the whole run leaves undetermined. Its failure is included only if no resource reports it
 * already.
 */
function undeterminedOfRun(
  { summary }: Run,
  steps: readonly Step[],
  failure: string | undefined,
  isReported: boolean,
): string[] {
  if (failure !== undefined) return isReported ? [] : [failure];
  if (summary === undefined) {
    return ["Pulumi ended without a summary of what it checked. The command needs Pulumi 3.227 or newer."];
  }
  return Object.entries(summary).flatMap(([op, count]) => {
    const found = steps.filter((step) => step.op === op).length;
    if (op === "same" || count <= found) return [];
    return [`Pulumi counts ${count} to ${op}, but its steps show ${found}.`];
  });
}

/**
 * The most informative error: of a resource, another one, or what a program wrote on its stderr
 * before it ended.
 */
function generalError({ diagnostics }: Run): string | undefined {
  const errors = diagnostics.filter(isError);
  const chosen = errors.find(isOfResource) ?? errors[0];
  if (chosen) return plain(chosen.message);
  const written = diagnostics.filter(({ severity }) => severity === "info#err").map(({ message }) => message);
  return written.length === 0 ? undefined : shortened(written.join(" "));
}

/** A program can print any amount of text, and a report has more readers than its log. */
const LONGEST = 400;

function shortened(text: string): string {
  const line = redact(text).replace(/\s+/g, " ");
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}...`;
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function isOfResource(diagnostic: Diagnostic): boolean {
  return isError(diagnostic) && diagnostic.urn !== undefined && kindOf(typeOf(diagnostic.urn)) !== undefined;
}

/** The message without the prefix of the CLI. */
function plain(message: string): string {
  return redact(message)
    .replace(/^error: /, "")
    .replace(/^Preview failed: /, "")
    .trim();
}

// The result of one stack.

export interface CheckedStack extends StackDrift {
  /** `undefined` if the state could not be read. */
  readonly state: StackState | undefined;
}

interface CheckStackOptions {
  /** Pulumi project. */
  readonly project: string;
  /** Compare the state, not the program, with the live objects. */
  readonly stateOnly: boolean;
}

/** Checks one stack. A stack that cannot be read is reported, and the others are still read. */
export async function checkStack(
  terminal: Terminal,
  stack: string,
  { project, stateOnly }: CheckStackOptions,
): Promise<CheckedStack> {
  const state = await readStack(terminal, stack, project).catch((error: unknown) => {
    if (!(error instanceof OpsManagerError) || hasCode(error, "OPSMANAGER_CANCELLED")) throw error;
    return messageOf(error);
  });
  if (typeof state === "string") {
    return { state: undefined, findings: [], unreadable: [{ what: `stack ${stack}`, reason: state, stack }] };
  }
  return { state, ...(await withProgress(terminal, state, stateOnly ? compareState : compareProgram)) };
}

async function withProgress(
  terminal: Terminal,
  state: StackState,
  compare: CompareStack,
): Promise<StackDrift> {
  const progress = startProgress(terminal, `resources refreshed (${state.stack})`);
  const report = (done: number) => progress.report(done, state.resources.length);
  try {
    report(0);
    return await compare(terminal, state, report);
  } finally {
    progress.end();
  }
}

// A resource that the provider could not read. The provider retains its last known state, which
// the engine reports as unchanged.

interface UnreadResource {
  readonly urn: string;
  readonly reason: string;
}

/**
 * All resources that a notice concerns. The provider logs one notice for each project, even if
 * several resources share its people. A notice of the dynamic provider has no URN. The project
 * therefore decides.
 */
function unreadResources(
  diagnostics: readonly Diagnostic[],
  resources: readonly StateResource[],
): UnreadResource[] {
  const found = new Map<string, UnreadResource>();
  for (const { message, urn } of diagnostics) {
    const notice = parseNotice(message);
    if (notice === undefined) continue;
    const meant = new Set([...urnsOf(notice, resources), ...(urn ? [urn] : [])]);
    for (const each of meant) found.set(each, { urn: each, reason: notice.sentence });
  }
  return [...found.values()];
}

function urnsOf(notice: ParsedNotice, resources: readonly StateResource[]): string[] {
  const { subject, projectId, invitationId } = notice;
  const inProject = resources.filter(
    (resource) =>
      treatmentOf(resource.type)?.subjects.includes(subject) &&
      (projectId === undefined || projectIdOf(resource) === projectId),
  );
  const invited = inProject.filter((resource) => isInvitation(resource, invitationId));
  return (invited.length > 0 ? invited : inProject).map(({ urn }) => urn);
}

/**
 * Whether a resource is an invitation. A secret id is an object in an exported state, so it
 * matches nothing.
 */
function isInvitation({ id = "", outputs }: StateResource, invitationId: string | undefined): boolean {
  if (invitationId === undefined) return false;
  return outputs?.invitationId === invitationId || id.split("/")[1] === invitationId;
}

function projectIdOf({ id = "" }: StateResource): string | undefined {
  return id.split("/")[0];
}
