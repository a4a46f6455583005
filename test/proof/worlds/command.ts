/** One command of a world: how it is disturbed, and what it came to. */
import type { RequestRecord, Sandbox } from "../../../sandbox";
import type { Declaration, ImportTarget, Json, Operation, OperationResult, Recorded } from "../engine-model";
import type { CommandResult } from "./engine";
import { faultKinds, requestKinds, type WorldFault } from "./names";
import type { Entry, Identities } from "./oracle";
import type { ServiceView } from "./service-view";
import type { World } from "./world";

/** Counts an invariant, and throws if it does not hold. */
export type Holds = (invariant: string, holds: boolean, detail: () => string) => void;

export interface CommandOutcome {
  readonly operation: Operation;
  readonly result: CommandResult;
  readonly before: ServiceView;
  readonly after: ServiceView;
  readonly stateBefore: readonly Recorded[];
  /** For whom the names stood before the command. */
  readonly identitiesBefore: Identities;
  /** Nothing disturbed the command. */
  readonly undisturbed: boolean;
  readonly isInterrupted: boolean;
  readonly requests: readonly RequestRecord[];
  readonly texts: readonly string[];
}

/** An end whose day was recorded before it passed. */
export interface PlannedEnd {
  readonly resource: string;
  /** The name, in a list. */
  readonly person?: string | undefined;
  /** Default: all. */
  readonly placeId?: Json | undefined;
  /** Whose access it may be, by id. */
  readonly holders: readonly (Json | undefined)[];
}

/** A command, and what the program declares. */
export interface Situation extends CommandOutcome {
  readonly world: World;
  readonly program: readonly Declaration[];
  /** The program with what is over. */
  readonly whole: readonly Declaration[];
  /** The people whom the program declares in projects. */
  readonly entries: readonly Entry[];
  readonly identities: Identities;
  /** No limit counts them. */
  readonly plannedEnds: readonly PlannedEnd[];
  /** The project of a declaration; `undefined` if it does not exist yet. */
  projectIdOf(declaration: Declaration): string | undefined;
}

export interface Disturbance {
  readonly fault?: WorldFault | undefined;
  /** The user interrupts when this many requests are answered. */
  readonly interruptAfter?: number | undefined;
}

export interface Run extends Disturbance {
  readonly target?: ImportTarget | undefined;
}

/** @returns what has to get each line of the log of requests */
export function disturb(
  { fault, interruptAfter }: Disturbance,
  sandbox: Sandbox,
  interrupt: () => void,
): (line: string) => void {
  const pattern = fault && requestKinds[fault.meets];
  const addFault = () => {
    if (fault === undefined || pattern === undefined) return;
    const { method, path } = pattern;
    const methods = method === undefined ? [undefined] : method.replace(/[()]/g, "").split("|");
    for (const one of methods) {
      sandbox.addFault({
        method: one,
        pathPattern: path,
        times: fault.times,
        fault: faultKinds[fault.kind],
      });
    }
  };
  if (fault?.after === 0) addFault();
  let [answered, passed] = [0, 0];
  return (line) => {
    answered += 1;
    const [, , method = "", target = ""] = line.split(" ");
    const meets =
      pattern !== undefined &&
      new RegExp(`^${pattern.method ?? ".*"}$`).test(method) &&
      new RegExp(pattern.path).test(target);
    if (meets) {
      passed += 1;
      if (passed === fault?.after) addFault();
    }
    if (answered === interruptAfter) interrupt();
  };
}

/** The line of a story about the command. */
export function storyOf(
  { operation, result, requests, isInterrupted }: CommandOutcome,
  { fault, interruptAfter }: Disturbance,
): string {
  const met = requests.filter(({ fault: name }) => name !== undefined);
  const paths = met.map(({ method, path }) => `${method} ${path.replace(/^.*v1.0/, "")}`);
  const disturbance = isInterrupted
    ? `, interrupted after ${interruptAfter} requests`
    : met.length > 0
      ? `, with "${fault?.kind}" on ${paths.join(" and ")}`
      : "";
  return `pulumi ${operation}${disturbance}: ${summaryOf(result)}`;
}

function summaryOf({ steps, failures, ok }: OperationResult): string {
  const done = steps.filter(({ kind }) => kind !== "read" && kind !== "same");
  const texts = [
    ...done.map(({ kind, name }) => `${kind} ${name}`),
    ...failures.map(({ name, during, code, message }) => `${during} of ${name} failed: ${code} ${message}`),
  ];
  return texts.join("; ") || (ok ? "no changes" : "interrupted");
}

export function isOutcomeUnknown({ failures }: OperationResult): boolean {
  return failures.some(({ code, message }) => code === "ABORTED" || /not known whether/.test(message));
}
