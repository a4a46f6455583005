/**
 * Runs the engine over a stack once, and interprets its report on each of the stack's resources.
 */

import { shortList } from "../../provider/text/list";
import type { OwnedResource } from "../lib/access/declared";
import { formerUrn, isDeleted, refreshesOf } from "../lib/causes";
import { type EngineRun, EventReader, STREAMING, type Step } from "../lib/engine-events";
import { expiredIn, expiryOf } from "../lib/expired-invitations";
import { isOwnStep, kindOf, logicalName, plannedIdOf } from "../lib/own-resources";
import { withProgress } from "../lib/progress";
import { type PulumiEnvironment, pulumiMessage } from "../lib/pulumi";
import type { StateResource } from "../lib/stack-export";
import { readStack, runUnlessStopped, type StackState } from "../lib/stacks";
import type { Terminal } from "../lib/terminal";
import { belowUnconfigured } from "../lib/unconfigured";
import { findingsOfProgram, findingsOfRefresh } from "./findings";
import type { Finding, Undetermined } from "./report/model";
import { type CompleteOrganization, completeOrganizations } from "./undeclared";
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
  withNotice,
} from "./undetermined";

/** The greatest number of resources that one reason names. */
const MAX_NAMES = 5;

interface StackDrift {
  readonly findings: readonly Finding[];
  readonly undetermined: readonly Undetermined[];
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
    // A refresh may show more resources than the state has of this provider.
    const onResource = (done: number) => report(done, Math.max(done, state.resources.length));
    onResource(0);
    // A stack without resources of this provider needs no refresh.
    const isEmpty = stateOnly && state.resources.length === 0;
    const args = stateOnly ? argumentsOfRefresh(state) : argumentsOfPreview(state);
    const { run, failure } = isEmpty ? NOTHING_RUN : await runEngine(terminal, args, onResource);
    const drift = driftOf(state, run, failure, stateOnly ? stateSource : programSource);
    return { state, ...drift, declaring: declaringResources(state, run) };
  });
}

interface EngineResult {
  readonly run: EngineRun;
  /** Pulumi's message if it failed. */
  readonly failure: string | undefined;
}

const NOTHING_RUN: EngineResult = {
  run: { ...new EventReader().end(), summary: {} },
  failure: undefined,
};

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
  const reader = new EventReader((step) => {
    if (step.isRefresh && isOwnStep(step)) onResource(++done);
  });
  const streaming = { ...terminal, env: { ...terminal.env, ...STREAMING } };
  const result = await runUnlessStopped(args, streaming, reader.take);
  const run = reader.end();
  if (result.exitCode === 0) return { run, failure: undefined };
  const failure = result.stderr.trim() === "" ? generalError(run) : undefined;
  return { run, failure: failure ?? pulumiMessage({ ...result, stdout: "" }) };
}

const NOT_COMPARED = "Pulumi did not compare it with the program.";
const NOT_ASKED =
  "Its provider has settings that are known only during an update, so Pulumi could not compare it with the program. Run `pulumi up`, or use --state-only.";

/** What the run shows of a resource, of a step or of the stack. */
interface Outcome {
  /** A URN, or what else is concerned. */
  readonly what: string;
  readonly findings?: readonly Finding[] | undefined;
  /** Why it is not known whether it differs. */
  readonly reason?: string | undefined;
}

/** With what a run compares the live objects. */
interface Source {
  /** What the program would do; of the state, nothing. */
  readonly steps: readonly Outcome[];
  /** Whether a step of the source has compared the resource. */
  isCompared(urn: string, refresh: Step): boolean;
  /** Why a resource that was read without a difference is undetermined nevertheless. */
  whyUndetermined(resource: StateResource, refresh: Step): string | undefined;
  /** @param isReported whether a resource has a reason already */
  ofRun(isReported: boolean): readonly Outcome[];
}

type SourceOf = (state: StackState, run: EngineRun, failure: string | undefined) => Source;

/** The state is compared with the live objects. */
export const stateSource: SourceOf = ({ stack }, run, failure) => ({
  steps: [],
  isCompared: () => false,
  whyUndetermined: (resource, refresh) => whyUnfinished(resource) ?? whyNotProven(refresh, resource),
  ofRun: (isReported) =>
    undeterminedOfRun(run, run.steps.filter(isRefreshStep), failure, isReported).map((reason) => ({
      what: `stack ${stack}`,
      reason,
    })),
});

/** The program is compared with the live objects. */
export const programSource: SourceOf = ({ stack, resources }, run, failure) => {
  const refreshed = refreshesOf(run.steps);
  const recorded = new Map(resources.map((resource) => [resource.urn, resource]));
  const all = run.steps.filter((step) => !isRefreshStep(step) && step.logical !== false);
  const planned = all.filter(isOwnComparison(run));
  const steps = planned.map((step): Outcome => {
    const resource = recorded.get(formerUrn(step)) ?? recorded.get(step.urn);
    const findings = findingsOfProgram(step, stack, {
      refresh: resource && refreshed.get(resource.urn),
      isUnfinished: resource !== undefined && isUnfinished(resource),
    });
    return { what: step.urn, findings, reason: findings === undefined ? DIFFERS_SOMEWHERE : undefined };
  });
  const refused = resourceErrors(run);
  const compared = new Set(planned.flatMap((step) => [step.urn, formerUrn(step)]));
  const different = new Set(steps.flatMap(({ findings = [] }) => findings.map(({ urn }) => urn)));
  const isCompared = (urn: string, refresh: Step) => compared.has(urn) || isDeleted(refresh);
  return {
    steps: [...steps, ...[...refused].map(([what, reason]) => ({ what, reason }))],
    isCompared,
    whyUndetermined: (resource, refresh) => {
      const { urn } = resource;
      if (!different.has(urn) && isUnfinished(resource)) return whyUnfinished(resource);
      const isExpected = isCompared(urn, refresh) || failure !== undefined;
      if (isExpected) return undefined;
      return run.unconfigured.size === 0 ? NOT_COMPARED : NOT_ASKED;
    },
    ofRun: () => {
      const what = `program of stack ${stack}`;
      const outcomes = undeterminedOfRun(run, all, failure, refused.size > 0).map((reason) => ({
        what,
        reason,
      }));
      if (failure === undefined || refused.size === 0) return outcomes;
      // A rule that ignores the refused resource must not cover what Pulumi did not compare after it.
      const names = shortList([...refused.keys()].map(logicalName), MAX_NAMES);
      const reason = `Pulumi stopped at an error of ${names}, so it did not compare the whole program.`;
      return [...outcomes, { what, reason }];
    },
  };
};

/**
 * Joins what the source shows with what the refresh shows of each resource in the state.
 *
 * @param failure pulumi's message if it failed
 */
export function driftOf(
  state: StackState,
  run: EngineRun,
  failure: string | undefined,
  sourceOf: SourceOf,
): StackDrift {
  const { stack } = state;
  const source = sourceOf(state, run, failure);
  const refreshed = refreshesOf(run.steps);
  const unread = unreadReasons(run, state);
  const decided = new Set(source.steps.flatMap(({ what, reason }) => (reason === undefined ? [] : [what])));
  const resources = neverBegan(run, failure) ? [] : state.resources;
  const outcomes = resources.map((resource): Outcome => {
    const { urn } = resource;
    const refresh = refreshed.get(urn);
    if (refresh === undefined) return { what: urn, reason: whyMissing(urn, run, failure) };
    const isCompared = source.isCompared(urn, refresh);
    const findings = isCompared ? [] : findingsOfRefresh(refresh, stack, isUnfinished(resource));
    const reason =
      unread.get(urn) ?? whyUndetermined(refresh, findings) ?? source.whyUndetermined(resource, refresh);
    return { what: urn, findings, reason };
  });
  const all = [
    ...source.steps,
    // The engine's error about a resource is the better reason.
    ...outcomes.map((outcome) => (decided.has(outcome.what) ? { ...outcome, reason: undefined } : outcome)),
    ...source.ofRun(outcomes.some(({ reason }) => reason !== undefined)),
  ];
  return {
    findings: all.flatMap(({ findings = [] }) => findings).map(withExpiry(state, run)),
    undetermined: [
      ...all.flatMap(({ what, reason }) => (reason === undefined ? [] : [{ what, reason, stack }])),
      ...undeterminedPending(state),
    ],
  };
}

/** With the cause of those who are no longer invited, because their invitation has expired. */
function withExpiry({ resources }: StackState, { diagnostics }: EngineRun): (finding: Finding) => Finding {
  const expired = expiredIn(diagnostics);
  const recorded = new Map(resources.map(({ urn, outputs = {} }) => [urn, outputs]));
  return (finding) => {
    const expiredAt = expiryOf(finding, recorded.get(finding.urn) ?? {}, expired);
    if (finding.cause !== "outside" || expiredAt === undefined) return finding;
    return { ...finding, cause: "expired", expiredAt };
  };
}

/** The resources that declare objects. */
export interface DeclaringResources {
  readonly inStack: readonly OwnedResource[];
  /** Those that only the program has. */
  readonly planned: readonly OwnedResource[];
  /** The organizations whose owners a file lists completely. */
  readonly complete: readonly CompleteOrganization[];
}

/** What the program declares, or else the state, with the outputs of the refresh. */
export function declaringResources(state: StackState, run: EngineRun): DeclaringResources {
  const { stack } = state;
  const refreshed = refreshesOf(run.steps);
  const isOwn = isOwnComparison(run);
  const steps = run.steps.filter((step) => !isRefreshStep(step) && isOwn(step));
  const changes = new Map(steps.filter(isUpdate).map((step) => [formerUrn(step), step]));
  const unchanged = new Set(steps.filter(({ op }) => op === "same").map(formerUrn));
  const unread = unreadReasons(run, state);
  const noticed = withNotice("undeclared", run, state);
  const inDoubt = withNotice("in doubt", run, state);
  const urns = new Set(state.resources.map(({ urn }) => urn));
  return {
    inStack: state.resources.map((resource) => {
      const { urn } = resource;
      const refresh = refreshed.get(urn);
      const inputs = changes.get(urn)?.new?.inputs;
      const isGone = refresh !== undefined && isDeleted(refresh);
      const isThere = refresh !== undefined && !isGone;
      // With removeUnlisted, the update removes everyone who is not declared, so it shows them.
      const isCompared = unchanged.has(urn) || inputs?.removeUnlisted === true;
      return {
        ...resource,
        stack,
        inputs: inputs ?? resource.inputs,
        outputs: { ...resource.outputs, ...refresh?.new?.outputs },
        recorded: resource.outputs,
        // An update may have unknown inputs, which the provider does not compare.
        hasUndeclared: noticed.has(urn) || (isCompared ? false : undefined),
        isInDoubt: inDoubt.has(urn),
        isRead: isThere && !unread.has(urn),
        isUnread: isThere && unread.has(urn),
        isGone,
      };
    }),
    planned: steps
      .filter((step) => (step.op === "create" || step.op === "import") && !urns.has(formerUrn(step)))
      .map(({ urn, type, new: created }) => {
        const inputs = created?.inputs ?? {};
        return { urn, type, stack, id: plannedIdOf(type, inputs), inputs, outputs: {} };
      }),
    complete: completeOrganizations(state),
  };
}

/** Which steps are about this provider's resources and no guesses. What the program creates is in no state. */
function isOwnComparison(run: EngineRun): (step: Step) => boolean {
  const isGuess = belowUnconfigured(run);
  return (step) => kindOf(step.type) !== undefined && (step.op === "create" || !isGuess(step));
}

/** The step with the inputs of the program; a replacement has several steps. */
function isUpdate({ op, new: planned }: Step): boolean {
  return (op === "update" || op === "replace") && planned?.inputs !== undefined;
}

function isRefreshStep({ isRefresh }: Step): boolean {
  return isRefresh;
}
