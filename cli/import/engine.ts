/**
 * Runs the engine without checkpoints. It then writes the state once, at its end, and not after each
 * step, so the time grows with the number of resources and not with its square
 * (`backend/snapshot.go`, `unsafeServiceLoop`; the variable needs PULUMI_EXPERIMENTAL). Only runs that
 * send nothing that writes may do so: if they end early, they are repeated and nothing is lost.
 */
import { CanceledError, RefusedError } from "../../provider/text/errors";
import { type EngineRun, EventReader, type Step } from "../lib/engine-events";
import { withProgress } from "../lib/progress";
import { type PulumiResult, pulumiMessage, runPulumi } from "../lib/pulumi";
import { shellWord, type Terminal } from "../lib/terminal";
import { errorsOf } from "./outcome";

const WITHOUT_CHECKPOINTS = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" } as const;

interface Work {
  readonly args: readonly string[];
  readonly stack: string;
  /** What is counted: `resources imported`. */
  readonly what: string;
  readonly total: number;
  readonly isCounted: (step: Step) => boolean;
}

/**
 * @throws CanceledError after Ctrl-C
 * @throws RefusedError if `pulumi` did not begin, or ended without its summary
 */
export async function runWithoutCheckpoints(
  { args, stack, what, total, isCounted }: Work,
  terminal: Terminal,
): Promise<EngineRun> {
  return withProgress(terminal, what, async (report) => {
    let done = 0;
    report(done, total);
    const events = new EventReader((step) => {
      if (!isCounted(step)) return;
      done += 1;
      report(done, total);
    });
    const result = await runPulumi(
      [...args, "--stack", stack, "--yes", "--skip-preview", "--json"],
      { ...terminal, env: { ...terminal.env, ...WITHOUT_CHECKPOINTS } },
      events.take,
    );
    const run = events.end();
    if (terminal.stop.aborted) {
      throw new CanceledError(
        `Stopped: ${done} of ${total} ${what}. Nothing was sent that writes. Run the same command again for the rest. ${unlock(stack)}`,
      );
    }
    if (result.exitCode !== 0 && run.summary === undefined) throw notRun(result, run, stack);
    return run;
  });
}

function notRun(result: PulumiResult, run: EngineRun, stack: string): RefusedError {
  const [message = pulumiMessage(result)] = errorsOf(run);
  return new RefusedError(
    `pulumi ended before it wrote the state of stack ${stack}: ${message} Nothing was changed. ${unlock(stack)}`,
  );
}

function unlock(stack: string): string {
  return `If the stack is locked although no other run is in progress, unlock it with: pulumi cancel --yes --stack ${shellWord(stack)}`;
}
