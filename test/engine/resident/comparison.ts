/**
 * The same commands through real and through resident processes, and what a test can observe of both: exit codes, printed
 * text, events, state, and the requests to the service.
 *
 * Two differences are known, so no story has them. The language host itself prints faults in the
 * types of a YAML program. From a separate process, they arrive as diagnostics. From within the
 * command line, they go to stderr. An attached plugin does not have keys that changed since the
 * last run, because the engine passes them in the environment of a process that it starts. Tests of
 * such keys request `plugin: "started"`.
 */
import type { Sandbox } from "../../../sandbox";
import type { Program, ProviderKind, Run } from "../../support";
import type { EngineEvent } from "../../support/engine-events";
import { itHasResidents } from "../support/residents";
import { type StackSetup, setUpStack, tearDownStacks } from "../support/stack-setup";

export interface Story {
  readonly provider: ProviderKind;
  readonly program: (sandbox: Sandbox) => Program;
  readonly steps: readonly Step[];
}

/** A command of the engine, or one that starts the engine and does not pass on its events. */
type CommandRun = Pick<Run, "exitCode" | "stdout" | "stderr"> & Partial<Pick<Run, "events">>;

export interface Step {
  readonly title: string;
  /** What happens before the command: to the program, or at the service. */
  readonly before?: (setup: StackSetup) => unknown;
  readonly command: (setup: StackSetup) => Promise<CommandRun>;
}

/** What a step left behind, in the order of the steps. */
export interface Outcome {
  readonly title: string;
  readonly exitCode: number | null;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  readonly events: readonly string[];
  readonly state: string;
  readonly requests: readonly string[];
}

export function testComparison(story: Story): void {
  afterEach(tearDownStacks);

  itHasResidents(
    `runs the same through the ${story.provider} in resident and in real processes`,
    async () => {
      const real = await runCommands(story, "real");
      expect(await runCommands(story, undefined)).toEqual(real);
    },
  );
}

async function runCommands(story: Story, processes: "real" | undefined): Promise<Outcome[]> {
  const { provider, program } = story;
  const setup = await setUpStack({
    provider,
    program,
    plugin: processes === "real" ? "started" : "attached",
    ...(processes && { processes }),
  });
  const outcomes: Outcome[] = [];
  for (const step of story.steps) {
    setup.sandbox.advanceClock(60); // Two moments never look the same by chance: the service writes whole seconds.
    await step.before?.(setup);
    setup.sandbox.clearRequests();
    const run = await step.command(setup);
    outcomes.push(await outcomeOf(step.title, run, setup));
  }
  return outcomes;
}

async function outcomeOf(title: string, run: CommandRun, { sandbox, stack }: StackSetup): Promise<Outcome> {
  const names = namesOf(sandbox);
  const plain = (text: string) => withoutChance(text, stack.paths.root, names);
  return {
    title,
    exitCode: run.exitCode,
    stdout: sortedLines(plain(run.stdout)),
    stderr: sortedLines(plain(run.stderr)),
    events: (run.events ?? [])
      .filter((event) => !aboutTypeScript.test(event.diagnosticEvent?.message ?? ""))
      .filter((event) => run.exitCode === 0 || !isByChanceAfterFailure(event))
      .map((event) => plain(JSON.stringify({ ...event, sequence: 0 })))
      .sort(),
    state: plain(JSON.stringify(await stack.state(), null, 1)),
    requests: sandbox.requests
      .filter(({ authorized }) => authorized)
      .map(({ method, path, body }) => plain(`${method} ${path} ${JSON.stringify(body ?? null)}`))
      .sort(),
  };
}

/**
 * The engine prints what happens side by side in the order in which it happens, and a resource's row again each time it draws it. The
 * events show how often something happened.
 */
function sortedLines(text: string): string[] {
  return [...new Set(text.split("\n"))].sort();
}

/** What each identifier of the service stands for. */
function namesOf({ state }: Sandbox): Map<string, string> {
  return new Map([
    ...state.keys.map(({ publicKey }, index) => [publicKey, `<key ${index}>`] as const),
    ...state.orgs.map(({ id }, index) => [id, `<organization ${index}>`] as const),
    ...state.projects.map(({ id, name }) => [id, `<project ${name}>`] as const),
    ...state.users.map(({ id, username }) => [id, `<user ${username}>`] as const),
    ...state.invitations.map(({ id, username }) => [id, `<invitation of ${username}>`] as const),
  ]);
}

/** Debug lines about TypeScript, of a Node.js language host that is too old to see the program's own `typescript: false`. */
const aboutTypeScript = /Found typescript version|Using vendored ts-node|loadCompilerOptions/;

/**
 * If a resource fails, the engine ends the program, and how far it got is chance: its debug lines, and whether it had registered
 * the outputs of the stack, which the engine reports at the end (pkg v3.259.0, deploy/deployment_executor.go).
 */
function isByChanceAfterFailure({ diagnosticEvent, resOutputsEvent }: EngineEvent): boolean {
  if (/^RegisterResource(Outputs)? RPC /.test(diagnosticEvent?.message ?? "")) return true;
  return resOutputsEvent?.metadata.type === "pulumi:pulumi:Stack";
}

/** Each pattern names something that also two runs of one kind never have in common. */
const chance: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "<uuid>"],
  [/\b\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, "<time>"],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "<time>"],
  [/127\.0\.0\.1:\d+/g, "<address>"],
  [/\bv1:[\w+/=]+:[\w+/=]+/g, "<encrypted>"],
  [/\(\d+(\.\d+)?s\)/g, "(<duration>)"],
  [/Duration: \d+(ms|s)/g, "Duration: <duration>"],
  [/"(timestamp|durationSeconds)":\d+/g, '"$1":0'],
  [/\bin \d+ ms\b/g, "in <duration>"],
  [/^@ .*\.{3,}$\n/gm, ""], // One more dot for each second.
  [/^ +pulumi:pulumi:Stack setup-test( running)?\n/gm, ""], // The row of the stack while it waits.
  // The row of an error names the stack as running, unless the engine draws it after the end of the stack's step.
  [/^( +pulumi:pulumi:Stack \S+) (running)? error:/gm, "$1 error:"],
  [/LAST UPDATE +|(\d+ seconds? ago|now) +/g, "<ago> "],
  [/ +$/gm, ""],
];

function withoutChance(text: string, root: string, names: ReadonlyMap<string, string>): string {
  const known = text
    .replaceAll(root, "<stack>")
    .replace(/\b([0-9a-f]{24}|[a-z]{8})\b/gi, (word) => names.get(word.toLowerCase()) ?? word)
    .replace(/\b[0-9a-f]{24}\b/gi, "<id>");
  return chance.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), known);
}
