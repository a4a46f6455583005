/** `pulumi` commands as a user starts them: real processes, a program in Node.js, no event log. */
import type { Sandbox } from "../../sandbox";
import { setUpNodeStack } from "../engine/support/either-provider";
import type { StackSetup } from "../engine/support/stack-setup";
import { engine, type Program, type Stack } from "../support";
import { startProcess } from "../support/child-process";
import { timed } from "./row";

/** What is run, and what its last lines must contain. */
export interface Operation {
  readonly what: string;
  readonly args: readonly string[];
  /** The word of the summary that counts the resources: `1001 unchanged`. */
  readonly outcome: "created" | "unchanged";
  readonly env?: Environment;
}

export const operations = {
  up: { what: "`pulumi up`, all new", args: ["up", "--yes", "--skip-preview"], outcome: "created" },
  preview: { what: "`pulumi preview`", args: ["preview"], outcome: "unchanged" },
  refresh: { what: "`pulumi refresh`", args: ["refresh", "--yes", "--skip-preview"], outcome: "unchanged" },
} as const satisfies Record<string, Operation>;

export type Environment = Readonly<Record<string, string>>;

export interface Sample {
  readonly seconds: number;
  /** That the sandbox received. */
  readonly requests: number;
}

/** Samples of several contestants, in rounds. */
export type Samples = ReadonlyMap<string, readonly Sample[]>;

export const doNothing = "do-nothing provider";
export const plugin = "provider plugin";

/** A stack whose program is Node.js and whose commands run as on a user's machine. */
export function setUpMeasuredStack(program: (sandbox: Sandbox) => Program): Promise<StackSetup> {
  return setUpNodeStack("plugin", { program, processes: "real" }, { pluginLines: true });
}

/**
 * Runs a command and measures it.
 *
 * @param count of resources that the command must report, without the stack itself, which no command updates
 * @param onStart gets the id of the process of `pulumi`
 * @throws if the command fails or reports another number
 */
export async function runMeasured(
  { sandbox, stack }: StackSetup,
  { args, outcome, env: ownEnv }: Operation,
  count: number,
  env: Environment = {},
  onStart?: (pid: number) => void,
): Promise<Sample> {
  sandbox.clearRequests();
  let output = "";
  const milliseconds = await timed(async () => {
    output = await runPulumi(stack, args, { ...ownEnv, ...env }, onStart);
  });
  const reported = new RegExp(`(\\d+) ${outcome}`).exec(output.slice(output.lastIndexOf("Resources:")))?.[1];
  const expected = count + 1;
  if (Number(reported) !== expected)
    throw new Error(
      `pulumi ${args.join(" ")} did not report ${expected} ${outcome}:\n${output.slice(-2000)}`,
    );
  return { seconds: milliseconds / 1000, requests: sandbox.requests.length };
}

async function runPulumi(
  stack: Stack,
  args: readonly string[],
  env: Environment,
  onStart?: (pid: number) => void,
): Promise<string> {
  // The plugin caches compiled code below the stack's own home, and the program none. The harness
  // shares a cache of both between its stacks.
  const { NODE_COMPILE_CACHE: _, ...environment } = { ...stack.environment(), ...env };
  const flags = ["--non-interactive", "--color", "never"];
  const child = startProcess(`${engine().bin}/pulumi`, [...args, ...flags], {
    cwd: stack.paths.program,
    env: environment,
  });
  const end = () => process.kill(child.pid, "SIGTERM");
  process.once("exit", end);
  try {
    onStart?.(child.pid);
    const { exitCode, output } = await child.finished;
    if (exitCode === 0) return output;
    throw new Error(`pulumi ${args.join(" ")} ended with exit code ${exitCode}:\n${output.slice(-4000)}`);
  } finally {
    process.off("exit", end);
  }
}

/** Measures each contestant once in each round: A B A B. */
export async function inTurns<Contestant extends { readonly name: string }>(
  rounds: number,
  contestants: readonly Contestant[],
  measure: (contestant: Contestant, round: number) => Promise<Sample>,
): Promise<Samples> {
  const samples = new Map<string, Sample[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const contestant of contestants)
      samples.get(contestant.name)?.push(await measure(contestant, round));
  }
  return samples;
}

export function secondsOf(samples: Samples, name: string): number[] {
  return (samples.get(name) ?? []).map(({ seconds }) => seconds);
}

export function requestsOf(samples: Samples, name: string): number[] {
  return (samples.get(name) ?? []).map(({ requests }) => requests);
}
