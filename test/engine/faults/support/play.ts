/**
 * Plays one operation of the fault matrix with the real engine: one run in which every object gets a fault of its own, then the
 * next `up` without faults. What is seen of each object is one cell.
 */
import { driftReport } from "../../../../cli/drift/report/schema";
import type { FaultRule, RequestRecord, Sandbox } from "../../../../sandbox";
import { type Program, type ResourceDeclaration, type Run, type Stack, succeeded } from "../../../support";
import { opsmanager } from "../../support/opsmanager";
import { operations, writes } from "../../support/project-program";
import type { Life, Subject } from "./life";

/** The request that gets the fault: these fields of the rule find it, and count it. */
export type Meeting = Pick<FaultRule, "method" | "pathPattern" | "bodyPattern">;

/** How an operation is played and seen. */
export interface Play {
  readonly name: string;
  /** What the program declares from now on; left out: nothing, so that `up` deletes. */
  readonly declares?: (subject: Subject, sandbox: Sandbox) => ResourceDeclaration;
  readonly meets: (subject: Subject, sandbox: Sandbox) => Meeting;
  /** What the service holds of the subject. */
  readonly service: (subject: Subject, sandbox: Sandbox) => string;
  /** What its state holds. */
  readonly record: (outputs: Readonly<Record<string, unknown>>) => string;
}

/** What became of one object that met its fault. */
export interface Observed {
  /** One line of the matrix. */
  readonly cell: string;
  /** The error that the run printed for it. */
  readonly message: string;
}

interface Cell {
  readonly run: "done" | "failed";
  /** How often the request that gets the fault reached the service. */
  readonly requests: number;
  readonly service: string;
  readonly state: string;
  /** What the next `up` does. */
  readonly next: string;
  /** How often the next `up` sends the same request. */
  readonly again: number;
  /** What the service holds in the end. */
  readonly end: string;
}

export function cellText({ run, requests, service, state, next, again, end }: Cell): string {
  return `${run}, ${requests} sent | service: ${service} | state: ${state} | next up: ${next}, ${again} sent | service: ${end}`;
}

/** The cells by the names of their faults. */
export async function play(life: Life, operation: Play): Promise<Map<string, Observed>> {
  const { sandbox, stack } = life.setup;
  const { declares, service } = operation;
  const { subjects } = life;
  await stack.setProgram(programOf(life, (subject) => declares?.(subject, sandbox)));
  sandbox.clearRequests();
  const met = subjects.map((subject) => {
    const meeting = operation.meets(subject, sandbox);
    sandbox.addFault({ ...meeting, fault: subject.row.fault });
    return { subject, meeting };
  });
  const run = await stack.up({ continueOnError: true });
  // Every fault was met.
  expect(sandbox.faults).toEqual([]);
  const states = await statesOf(stack, operation);
  const before = met.map(({ subject, meeting }) => ({
    subject,
    meeting,
    message: errorsOf(run, subject.name),
    requests: countOf(sandbox.requests, meeting),
    service: service(subject, sandbox),
  }));
  expect(run.exitCode === 0).toBe(before.every(({ message }) => message === ""));

  const named = await namedByDrift(stack);
  const unfinished = subjects.filter(({ name }) => states.get(name)?.endsWith(unfinishedMark));
  if (unfinished.length > 0) {
    const alone = await namedByDrift(stack, "--state-only");
    expect(alone).toEqual(expect.arrayContaining(unfinished.map(({ name }) => name)));
  }

  sandbox.clearRequests();
  const next = operations(await succeeded(stack.up()));
  // What the failed run left undone was drift, and nothing else was.
  const changed = subjects.filter(({ name }) => !["same", undefined].includes(next[name]));
  expect(named).toEqual(changed.map(({ name }) => name).sort());
  const results = before.map(({ subject, meeting, message, ...observed }): [string, Observed] => {
    const cell = cellText({
      run: message === "" ? "done" : "failed",
      requests: observed.requests,
      service: observed.service,
      state: states.get(subject.name) ?? "none",
      next: next[subject.name] ?? "nothing",
      again: meeting.method === "GET" ? 0 : countOf(sandbox.requests, meeting),
      end: service(subject, sandbox),
    });
    return [subject.row.name, { cell, message }];
  });
  // Besides these nothing was written.
  const repeated = met.filter(({ meeting }) => meeting.method !== "GET");
  const counts = repeated.map(({ meeting }) => countOf(sandbox.requests, meeting));
  expect(writes(sandbox)).toHaveLength(counts.reduce((sum, count) => sum + count, 0));
  return new Map(results);
}

/** Everything waits for one resource that gets no fault, so that which object comes first is no chance. */
function programOf(
  { subjects, firstId }: Life,
  declares: (subject: Subject) => ResourceDeclaration | undefined,
): Program {
  const resources: Record<string, ResourceDeclaration> = {
    first: { type: "Project", properties: { projectId: firstId } },
  };
  for (const subject of subjects) {
    const declaration = declares(subject);
    if (!declaration) continue;
    resources[subject.name] = { ...declaration, options: { dependsOn: ["${first}"] } };
  }
  return { resources };
}

/** The resources that `opsmanager drift` names, as drift or as not determined. */
async function namedByDrift(stack: Stack, ...options: readonly string[]): Promise<string[]> {
  const argv = ["drift", "--stack", stack.name, "--format", "json", ...options];
  const { stdout, stderr } = await opsmanager(stack, argv);
  if (stdout === "") throw new Error(stderr);
  const { findings, unreadable } = driftReport.parse(JSON.parse(stdout));
  // Each project has owners from before, whom no resource declares.
  const different = findings.filter(({ kind }) => kind !== "undeclared");
  const urns = [...different.map(({ urn }) => urn), ...unreadable.map(({ what }) => what)];
  return [...new Set(urns.map((urn) => urn.split("::").at(-1) ?? ""))].sort();
}

function errorsOf(run: Run, name: string): string {
  return run.diagnostics
    .filter(({ severity, urn }) => severity === "error" && urn?.endsWith(`::${name}`))
    .map(({ message }) => message)
    .join("\n");
}

/** How often the request that gets the fault reached the service. */
function countOf(requests: readonly RequestRecord[], { method, pathPattern, bodyPattern }: Meeting): number {
  const [path, body] = [new RegExp(pathPattern ?? ""), new RegExp(bodyPattern ?? "")];
  return requests.filter(
    (request) =>
      request.authorized &&
      request.method === method &&
      path.test(request.query === "" ? request.path : `${request.path}?${request.query}`) &&
      body.test(JSON.stringify(request.body ?? "")),
  ).length;
}

const unfinishedMark = ", unfinished";

async function statesOf(stack: Stack, { record }: Play): Promise<Map<string, string>> {
  const { resources } = await stack.state();
  const entries = resources.map(({ urn, outputs = {}, initErrors = [] }): [string, string] => [
    urn.split("::").at(-1) ?? "",
    `${record(outputs)}${initErrors.length > 0 ? unfinishedMark : ""}`,
  ]);
  return new Map(entries);
}
