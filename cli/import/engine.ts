/**
 * Runs the engine without checkpoints. It then writes the state once, at its end, and not after each
 * step, so the time grows with the number of resources and not with its square
 * (`backend/snapshot.go`, `unsafeServiceLoop`; the variable needs PULUMI_EXPERIMENTAL). Only runs that
 * send nothing that writes may do so: if they end early, they are repeated and nothing is lost.
 */
import { CanceledError, RefusedError } from "../../provider/text/errors";
import { type EngineRun, EventReader, STREAMING, type Step } from "../lib/engine-events";
import { startProgress, withProgress } from "../lib/progress";
import { type PulumiResult, pulumiMessage, runPulumi } from "../lib/pulumi";
import { shellWord, type Terminal } from "../lib/terminal";
import { failureOf } from "./outcome";

const WITHOUT_CHECKPOINTS = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" } as const;

interface Work {
  readonly args: readonly string[];
  readonly stack: string;
  /** What is counted: `resources imported`. */
  readonly what: string;
  readonly total: number;
  readonly isCounted: (step: Step) => boolean;
  /** What was done before, for whoever stops it: `all resources imported`. */
  readonly after?: string;
}

/** The work of a run that has the program. */
interface ProgramWork extends Omit<Work, "args"> {
  /** The Pulumi project. */
  readonly project: string;
}

/**
 * Runs the program without a request, a lock or a change: the only target is the root, so that the engine creates nothing of
 * what the stack lacks and reads nothing of what it has. Each resource of the program is a step. A preview has steps for what
 * only the stack has, too, and a refresh needs a stack that has something.
 */
export function runProgram(
  { project, isEmpty, ...work }: ProgramWork & { readonly isEmpty: boolean },
  terminal: Terminal,
): Promise<EngineRun> {
  const root = `${urnsOf(work.stack, project)}pulumi:pulumi:Stack::**`;
  const command = isEmpty ? ["preview"] : ["refresh", "--run-program", "--preview-only"];
  return runEngine({ ...work, args: [...command, "--target", root] }, STREAMING, terminal);
}

/** Records what only the program knows of this provider's resources. Those of other providers are not read. */
export function recordProgram({ project, ...work }: ProgramWork, terminal: Terminal): Promise<EngineRun> {
  const own = `${urnsOf(work.stack, project)}**opsmanager:**`;
  return runWithoutCheckpoints({ ...work, args: ["refresh", "--run-program", "--target", own] }, terminal);
}

export function runWithoutCheckpoints({ args, ...work }: Work, terminal: Terminal): Promise<EngineRun> {
  const withoutQuestions = [...args, "--yes", "--skip-preview"];
  return runEngine({ ...work, args: withoutQuestions }, WITHOUT_CHECKPOINTS, terminal);
}

/** How the URNs of a stack begin. */
function urnsOf(stack: string, project: string): string {
  return `urn:pulumi:${stack.split("/").at(-1)}::${project}::`;
}

/**
 * @throws CanceledError after Ctrl-C
 * @throws RefusedError if `pulumi` did not begin, or ended without its summary
 */
async function runEngine(
  { args, stack, what, total, isCounted, after }: Work,
  variables: Readonly<Record<string, string>>,
  terminal: Terminal,
): Promise<EngineRun> {
  const stopped = (done: number) =>
    new CanceledError(
      `Stopped${after === undefined ? "" : `, with ${after}`}: ${done} of ${total} ${what}. Nothing was sent that writes. Run the same command again for the rest. ${unlock(stack)}`,
    );
  if (terminal.stop.aborted) throw stopped(0);
  const endWaiting = startWaiting(terminal);
  return withProgress(terminal, what, async (report) => {
    let done = 0;
    const events = new EventReader((step) => {
      if (!isCounted(step)) return;
      endWaiting();
      done += 1;
      report(done, total);
    });
    const result = await runPulumi(
      [...args, "--stack", stack, "--json"],
      { ...terminal, env: { ...terminal.env, ...variables } },
      events.take,
    ).finally(endWaiting);
    const run = events.end();
    if (terminal.stop.aborted) throw stopped(done);
    if (result.exitCode !== 0 && run.summary === undefined) throw notRun(result, run, stack);
    return run;
  });
}

/** Seconds until there is something to count: of a large folder, the program declares everything before anything is read. */
function startWaiting(terminal: Terminal): () => void {
  const progress = startProgress(terminal, "s waiting for pulumi");
  let seconds = 0;
  const tick = () => progress.report(seconds++);
  tick();
  const timer = setInterval(tick, 1000);
  return () => {
    clearInterval(timer);
    progress.end();
  };
}

function notRun(result: PulumiResult, run: EngineRun, stack: string): RefusedError {
  const message = failureOf(run) ?? pulumiMessage(result);
  return new RefusedError(
    `pulumi ended before it wrote the state of stack ${stack}: ${message} Nothing was changed. ${unlock(stack)}`,
  );
}

function unlock(stack: string): string {
  return `If the stack is locked although no other run is in progress, unlock it with: pulumi cancel --yes --stack ${shellWord(stack)}`;
}
