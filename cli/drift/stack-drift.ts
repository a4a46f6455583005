/**
 * Runs the engine over a stack once, and interprets its report on each of the stack's resources.
 */
import { kindOf, logicalName } from "../own-resources";
import { withProgress } from "../progress";
import { type PulumiEnvironment, pulumiMessage } from "../pulumi";
import type { Terminal } from "../terminal";
import { type EngineRun, EventReader, STREAMING, type Step } from "./engine-events";
import { findingsOfProgram, findingsOfRefresh, isDeleted } from "./findings";
import type { OwnedResource } from "./ownership";
import type { Finding, Undetermined } from "./report";
import { readStack, runUnlessStopped, type StackState } from "./stacks";
import {
  DIFFERS_SOMEWHERE,
  generalError,
  isUnfinished,
  neverBegan,
  resourceErrors,
  undeterminedOfRun,
  undeterminedPending,
  unreadReasons,
  whyMissing,
  whyNotProven,
  whyUndetermined,
  whyUnfinished,
  withUndeclaredPeople,
} from "./undetermined";

interface StackDrift {
  readonly findings: readonly Finding[];
  readonly unreadable: readonly Undetermined[];
}

export interface CheckedStack extends StackDrift {
  /** `undefined` if the state could not be read. */
  readonly state: StackState | undefined;
  /** The resources with what the program declares and what the run has read. */
  readonly declaring?: DeclaringResources;
}

export interface StackCheck {
  /** Pulumi project. */
  readonly project: string;
  /** Compare the state, not the program, with the live objects. */
  readonly stateOnly: boolean;
}

/**
 * Checks one stack.
 *
 * @throws OpsManagerError if its state cannot be read, or if the run was stopped
 */
export async function checkStack(
  terminal: Terminal,
  stack: string,
  { project, stateOnly }: StackCheck,
): Promise<CheckedStack> {
  const state = await readStack(terminal, stack, project);
  return withProgress(terminal, `resources refreshed (${stack})`, async (report) => {
    const onResource = (done: number) => report(done, state.resources.length);
    onResource(0);
    // A stack without resources of this provider needs no refresh.
    const isEmpty = stateOnly && state.resources.length === 0;
    const args = stateOnly ? argumentsOfRefresh(state) : argumentsOfPreview(state);
    const { run, failure } = isEmpty ? NOTHING_RUN : await runEngine(terminal, args, onResource);
    const read = stateOnly ? readRefresh : readPreview;
    return { state, ...read(state, run, failure), declaring: declaringResources(state, run) };
  });
}

interface EngineResult {
  readonly run: EngineRun;
  /** Pulumi's message if it failed. */
  readonly failure: string | undefined;
}

const NOTHING_RUN: EngineResult = { run: { steps: [], diagnostics: [], summary: {} }, failure: undefined };

/** Compares the state with the live objects, without the program. Writes nothing. */
function argumentsOfRefresh({ stack, resources, isShared }: StackState): string[] {
  // Resources of other providers are not read: that takes time and credentials, and might fail.
  const targets = isShared ? resources.flatMap(({ urn }) => ["--target", urn]) : [];
  return ["refresh", "--preview-only", "--json", "--stack", stack, ...targets];
}

/** Compares the program with the live objects. Writes nothing. */
function argumentsOfPreview({ stack }: StackState): string[] {
  return ["preview", "--refresh", "--json", "--stack", stack];
}

/** @param onResource called after each resource of this provider with how many are done */
async function runEngine(
  terminal: PulumiEnvironment,
  args: readonly string[],
  onResource: (done: number) => void,
): Promise<EngineResult> {
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
export function readRefresh(state: StackState, run: EngineRun, failure: string | undefined): StackDrift {
  const { stack } = state;
  const steps = run.steps.filter(({ isRefresh }) => isRefresh);
  const refreshed = refreshesOf(steps);
  const findings: Finding[] = [];
  const unreadable: Undetermined[] = [];
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
    if (reason !== undefined) unreadable.push({ what: urn, reason, stack });
  }
  for (const reason of undeterminedOfRun(run, steps, failure, unreadable.length > 0)) {
    unreadable.push({ what: `stack ${stack}`, reason, stack });
  }
  return { findings, unreadable: [...unreadable, ...undeterminedPending(state)] };
}

/** @param failure pulumi's message if it failed */
export function readPreview(state: StackState, run: EngineRun, failure: string | undefined): StackDrift {
  const { stack } = state;
  const refreshed = refreshesOf(run.steps.filter(({ isRefresh }) => isRefresh));
  const all = run.steps.filter(({ isRefresh, logical }) => !isRefresh && logical !== false);
  const planned = all.filter(({ type }) => kindOf(type) !== undefined);
  const resources = new Map(state.resources.map((resource) => [resource.urn, resource]));
  const refused = resourceErrors(run);
  const findings: Finding[] = [];
  const unreadable: Undetermined[] = [];
  for (const step of planned) {
    const resource = resources.get(formerUrn(step)) ?? resources.get(step.urn);
    const found = findingsOfProgram(step, stack, {
      refresh: resource && refreshed.get(resource.urn),
      isUnfinished: resource !== undefined && isUnfinished(resource),
    });
    if (found === undefined) unreadable.push({ what: step.urn, reason: DIFFERS_SOMEWHERE, stack });
    findings.push(...(found ?? []));
  }
  for (const [urn, reason] of refused) unreadable.push({ what: urn, reason, stack });
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
    const isReported = unreadable.some(({ what }) => what === urn);
    if (reason !== undefined && !isReported) unreadable.push({ what: urn, reason, stack });
  }
  const what = `program of stack ${stack}`;
  for (const reason of undeterminedOfRun(run, all, failure, refused.size > 0)) {
    unreadable.push({ what, reason, stack });
  }
  // A rule that ignores the refused resource must not cover what Pulumi did not compare after it.
  if (failure !== undefined && refused.size > 0) {
    const reason = `Pulumi stopped at an error of ${[...refused.keys()].map(logicalName).join(", ")}, so it did not compare the whole program.`;
    unreadable.push({ what, reason, stack });
  }
  return { findings, unreadable: [...unreadable, ...undeterminedPending(state)] };
}

/** The resources that declare objects. */
export interface DeclaringResources {
  readonly inStack: readonly OwnedResource[];
  /** Those that only the program has. */
  readonly planned: readonly OwnedResource[];
}

/** What the program declares, or else the state, with the outputs of the refresh. */
export function declaringResources(state: StackState, run: EngineRun): DeclaringResources {
  const { stack } = state;
  const refreshed = refreshesOf(run.steps.filter(({ isRefresh }) => isRefresh));
  const steps = run.steps.filter(({ isRefresh, type }) => !isRefresh && kindOf(type) !== undefined);
  const changes = new Map(steps.filter(isUpdate).map((step) => [formerUrn(step), step]));
  const unchanged = new Set(steps.filter(({ op }) => op === "same").map(formerUrn));
  const unread = unreadReasons(run, state);
  const noticed = withUndeclaredPeople(run, state);
  const urns = new Set(state.resources.map(({ urn }) => urn));
  return {
    inStack: state.resources.map((resource) => {
      const { urn } = resource;
      const refresh = refreshed.get(urn);
      const inputs = changes.get(urn)?.new?.inputs;
      // With removeUnlisted, the update removes everyone who is not declared, so it shows them.
      const isCompared = unchanged.has(urn) || inputs?.removeUnlisted === true;
      return {
        ...resource,
        stack,
        inputs: inputs ?? resource.inputs,
        outputs: { ...resource.outputs, ...refresh?.new?.outputs },
        // An update may have unknown inputs, which the provider does not compare.
        hasUndeclared: noticed.has(urn) || (isCompared ? false : undefined),
        isRead: refresh !== undefined && !isDeleted(refresh) && !unread.has(urn),
      };
    }),
    planned: steps
      .filter((step) => (step.op === "create" || step.op === "import") && !urns.has(formerUrn(step)))
      .map(({ urn, type, new: created }) => {
        const { projectId, orgId, username, teamId, teamName, name } = created?.inputs ?? {};
        const parts = [projectId ?? orgId, username ?? teamId ?? teamName ?? name];
        const id = parts.filter((part) => typeof part === "string").join("/");
        return { urn, type, stack, id, inputs: created?.inputs ?? {}, outputs: {} };
      }),
  };
}

/** The step with the inputs of the program; a replacement has several steps. */
function isUpdate({ op, new: planned }: Step): boolean {
  return (op === "update" || op === "replace") && planned?.inputs !== undefined;
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
