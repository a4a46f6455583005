/**
 * The kill matrix. It kills the plugin process and, in turn, the engine's process with SIGKILL. The
 * kill is at every request of create, update, end and delete of each resource, before and after the
 * service handles the request. Then the stack is recovered as docs/troubleshooting.md describes.
 */
import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { RequestRecord } from "../../../sandbox";
import { isAlive, type PluginWatch, watchPlugins } from "../../engine/support/plugin-process";
import { messagesOf, writes } from "../../engine/support/project-program";
import { attachment, type StackSetup, setUpStack } from "../../engine/support/stack-setup";
import { type Run, type Stack, succeeded } from "../../support";
import { treeOf } from "../../support/child-process";
import { type Boundary, type Gate, type Moment, openGate } from "./gate";
import { type Scenario, scenarios } from "./scenarios";

export type Target = "plugin" | "engine";

export interface KillsOptions {
  /** One line for each scenario. */
  readonly report?: (line: string) => void;
  /** Default: create, update, end and delete of each resource. */
  readonly scenarios?: readonly Scenario[];
  /** Which kills of these scenarios are carried out; all, if absent. */
  readonly selects?: (kill: Kill) => boolean;
  /** How many kills are under way at once; default 1. */
  readonly concurrency?: number;
}

export interface Kill {
  readonly scenario: Scenario;
  readonly boundary: Boundary;
  /** The request of the boundary, such as `POST /groups`. */
  readonly request: string;
  readonly target: Target;
}

export interface KillsResult {
  readonly kills: number;
  /** One line for each kill after which something was wrong. */
  readonly failures: readonly string[];
  /** How often each way of recovery was needed, such as `up, cancel, up`. */
  readonly recoveries: Readonly<Record<string, number>>;
}

const moments: readonly Moment[] = ["before it is handled", "after it is handled"];
const targets: readonly Target[] = ["plugin", "engine"];

/** Longer than a plugin process needs to notice that its engine no longer exists, on a busy machine too. */
const orphanMilliseconds = 30_000;

const up = ["up", "--yes", "--skip-preview"];

export async function runKills(options: KillsOptions = {}): Promise<KillsResult> {
  const { report = () => {}, selects = () => true, concurrency = 1 } = options;
  const recoveries: Record<string, number> = {};
  const failures: string[] = [];
  let kills = 0;
  for (const scenario of options.scenarios ?? scenarios) {
    const queue = (await killsOf(scenario)).filter(selects);
    kills += queue.length;
    let done = 0;
    const work = async (): Promise<void> => {
      for (let kill = queue.shift(); kill !== undefined; kill = queue.shift()) {
        try {
          const recovery = await carryOut(kill);
          recoveries[recovery] = (recoveries[recovery] ?? 0) + 1;
        } catch (error) {
          failures.push(`${titleOf(kill)}: ${error instanceof Error ? error.message : String(error)}`);
        }
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    if (done > 0) report(`${scenario.name}: ${done} kills`);
  }
  return { kills, failures, recoveries };
}

export function titleOf({ scenario, boundary, request, target }: Kill): string {
  return `${scenario.name}, ${target} killed at request ${boundary.request} (${request}) ${boundary.moment}`;
}

/** Every kill of one scenario. Its requests are counted in a run that nothing interrupts. */
async function killsOf(scenario: Scenario): Promise<Kill[]> {
  const requests = await onStage(scenario, async ({ stack }, gate) => {
    await succeeded(stack.start(up).finished);
    return gate.requests.map((request) => request.replaceAll(/[0-9a-f]{24}/g, "…").replace(/\?.*/, ""));
  });
  return requests.flatMap((request, index) =>
    moments.flatMap((moment) =>
      targets.map((target) => ({ scenario, request, target, boundary: { request: index + 1, moment } })),
    ),
  );
}

/** Sets up what the scenario needs: the stack holds `before`, and the next command runs `program` with processes of its own. */
async function onStage<T>(
  scenario: Scenario,
  play: (setup: StackSetup, gate: Gate, plugins: PluginWatch) => Promise<T>,
): Promise<T> {
  const gate = await openGate();
  const setup = await setUpStack({
    sandbox: scenario.sandbox,
    program: () => scenario.before ?? { outputs: { nothing: "here" } },
    config: { "opsmanager:baseUrl": gate.baseUrl },
  });
  const { sandbox, stack } = setup;
  const plugins = await watchPlugins(stack.paths.root);
  try {
    gate.service = sandbox.baseUrl;
    if (scenario.before) await succeeded(stack.up());
    await stack.setProgram(scenario.program);
    sandbox.clearRequests();
    gate.startCounting();
    stack.setEnv(plugins.env);
    return await play(setup, gate, plugins);
  } finally {
    await stack.dispose();
    plugins.close();
    await gate.close();
    await sandbox.close();
  }
}

/** Returns how the stack was recovered; throws if something is wrong afterwards. */
function carryOut({ scenario, boundary, target }: Kill): Promise<string> {
  return onStage(scenario, async (setup, gate, plugins) => {
    await killAt(boundary, target, setup.stack, gate, plugins);
    gate.open();
    setup.stack.setEnv(await attachment());
    const recovery = await recover(setup, scenario);
    await check(setup, scenario);
    return recovery;
  });
}

async function killAt(
  boundary: Boundary,
  target: Target,
  stack: Stack,
  gate: Gate,
  plugins: PluginWatch,
): Promise<void> {
  const reached = gate.stopAt(boundary);
  const running = stack.start(up);
  const first = await Promise.race([reached.then(() => undefined), running.finished]);
  if (first !== undefined) throw new Error(`the run ended before it was killed:\n${first.output}`);
  const processes = await treeOf(running.pid);
  if (plugins.running().length === 0) throw new Error("no plugin process was running");
  if (target === "plugin") {
    for (const pid of plugins.running()) process.kill(pid, "SIGKILL");
    const run = await running.finished;
    if (run.exitCode === 0) throw new Error(`the run succeeded without its plugin:\n${run.output}`);
    await untilEnded(processes);
  } else {
    // Pulumi's own language host outlives the engine for a while.
    const endOthers = await running.killAlone();
    await untilEnded(plugins.running());
    endOthers();
    await running.finished;
  }
}

async function untilEnded(pids: readonly number[]): Promise<void> {
  const deadline = Date.now() + orphanMilliseconds;
  while (pids.some(isAlive)) {
    if (Date.now() > deadline) throw new Error(`processes ${pids.filter(isAlive).join()} were left behind`);
    await wait(20);
  }
}

const isLocked = /the stack is currently locked by/;
const hasPending = /pending operations from previous deployment/;
const isTaken =
  /already has a (?:project|team) named "[^"]*": [0-9a-f]{24}\. Nothing was written\..*pulumi import opsmanager:index:(\w+) \S+ (\S+)\.$/ms;
const isLeft =
  /([0-9a-f]{24})(?: \("[^"]*"\))? has other (?:agent )?API keys with the description "[^"]*": ([0-9a-f]{24})\. /;

/** The table of docs/troubleshooting.md for a killed run. Each step is taken only if the output of the step before requires it. */
async function recover({ sandbox, stack }: StackSetup, scenario: Scenario): Promise<string> {
  const steps: string[] = [];
  let messages = "";
  const step = async (name: string, running: Promise<Run>): Promise<Run> => {
    steps.push(name);
    const run = await running;
    messages += `${messagesOf(run)}\n`;
    return run;
  };
  let run = await step("up", stack.up());
  if (isLocked.test(run.output)) {
    await succeeded(step("cancel", stack.run("cancel", "--yes")));
    run = await step("up", stack.up());
  }
  if (hasPending.test(run.output)) {
    await succeeded(step("refresh", stack.refresh({ clearPendingCreates: true })));
    run = await step("up", stack.up());
  }
  const [, kind, id] = isTaken.exec(messagesOf(run, "error")) ?? [];
  if (kind !== undefined && id !== undefined) {
    await succeeded(step("import", stack.import(`opsmanager:index:${kind}`, nameIn(scenario), id)));
    run = await step("up", stack.up());
  }
  if (run.exitCode !== 0) throw new Error(`the next up failed:\n${run.output}`);
  const [, owner = "", keyId] = isLeft.exec(messages) ?? [];
  if (keyId !== undefined) {
    steps.push("delete the key");
    const key = sandbox.state.keys.find(({ id }) => id === keyId);
    if (key === undefined) sandbox.removeAgentKey(owner, keyId);
    else sandbox.removeKey(key.publicKey);
  }
  return steps.join(", ");
}

function nameIn({ program }: Scenario): string {
  return Object.keys(program.resources ?? {})[0] ?? "";
}

/** Everything is as declared, nothing exists twice, nothing is pending, and one more `up` writes nothing. */
async function check({ sandbox, stack }: StackSetup, scenario: Scenario): Promise<void> {
  const service = scenario.service(sandbox);
  if (!isDeepStrictEqual(service, scenario.expected)) {
    throw new Error(
      `the service holds ${JSON.stringify(service)} and not ${JSON.stringify(scenario.expected)}`,
    );
  }
  const twice = creationsSentTwice(sandbox.requests);
  if (twice.length > 0) throw new Error(`sent twice: ${twice.join(", ")}`);
  const state = await stack.state();
  const pending = state.pending_operations ?? [];
  if (pending.length > 0) throw new Error(`still pending: ${JSON.stringify(pending)}`);
  const unfinished = state.resources.filter(({ initErrors = [] }) => initErrors.length > 0);
  if (unfinished.length > 0) throw new Error(`unfinished: ${unfinished.map(({ urn }) => urn).join()}`);
  sandbox.clearRequests();
  const again: Run = await succeeded(stack.up({ expectNoChanges: true }));
  if (writes(sandbox).length > 0) throw new Error(`one more up wrote ${JSON.stringify(writes(sandbox))}`);
  if (Object.keys(again.changes).some((op) => op !== "same"))
    throw new Error("one more up changed the state");
}

/**
 * Objects that were created by more than one request. Keys are left out: the service shows a key once, so another one is
 * needed if the process that received it no longer exists.
 */
function creationsSentTwice(requests: readonly RequestRecord[]): string[] {
  const created = requests
    .filter(
      ({ method, status, path }) =>
        method === "POST" &&
        status !== undefined &&
        status < 300 &&
        !/\/(users|agentapikeys|apiKeys)$/.test(path),
    )
    .map(({ path, body }) => `POST ${path} ${JSON.stringify(body)}`);
  return created.filter((request, index) => created.indexOf(request) !== index);
}
