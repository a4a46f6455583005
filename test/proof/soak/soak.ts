/**
 * The soak: one plugin process serves many `pulumi` commands, with changes of the program, changes outside Pulumi and faults between
 * them. Its memory, file descriptors and sockets must not grow, and the service must hold what the program declares after each cycle.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox";
import { preload, startPlugin } from "../../engine/support/plugin-process";
import { type StackSetup, setUpStack } from "../../engine/support/stack-setup";
import { type Run, succeeded } from "../../support";
import { openMemoryProbe, type Sample } from "./memory";
import { Random } from "./random";
import { leftOver, sandboxOptions, World } from "./world";

export interface SoakOptions {
  readonly minutes: number;
  readonly seed: number;
  /** One line about each minute. */
  readonly report?: (line: string) => void;
}

/** Medians of the middle third and the last third of a run. The first third warms the process up. */
export interface Trend {
  readonly earlier: number;
  readonly later: number;
}

export interface SoakResult {
  readonly seconds: number;
  readonly cycles: number;
  readonly commands: number;
  readonly faults: number;
  readonly changesOutside: number;
  readonly heap: Trend;
  readonly resident: Trend;
  readonly sockets: Trend;
  readonly descriptors?: Trend;
  /** What was lost, what is there twice, what grew. */
  readonly failures: readonly string[];
}

/** How much larger the median of the last third may be than that of the middle third. */
const largestGrowth = { heap: 1.1, resident: 1.15, sockets: 1.1, descriptors: 1.1 };

const samplesOfRun = 60;

export async function soak({ minutes, seed, report = () => {} }: SoakOptions): Promise<SoakResult> {
  const random = new Random(seed);
  const world = new World(random);
  const probe = await openMemoryProbe();
  const setup = await setUpStack({
    sandbox: sandboxOptions,
    program: () => world.program,
    plugin: "started", // by this module: see below
    config: { "opsmanager:maxRetries": 2, "opsmanager:requestTimeoutSeconds": 30 },
  });
  const { sandbox, stack } = setup;
  const plugin = await startPlugin([], await preload(stack.paths.root, probe.code));
  stack.setEnv({ PULUMI_DEBUG_PROVIDERS: `opsmanager:${plugin.port}` });
  const started = Date.now();
  const milliseconds = minutes * 60_000;
  const samples: Sample[] = [];
  const failures: string[] = [];
  const counts = { cycles: 0, commands: 0, faults: 0, changesOutside: 0 };
  let reportedMinutes = 0;
  try {
    while (Date.now() - started < milliseconds) {
      await cycle(setup, world, random, counts);
      const elapsed = Date.now() - started;
      if (elapsed >= (samples.length * milliseconds) / samplesOfRun) {
        samples.push(await probe.measure());
        await removeHistory(setup);
      }
      if (elapsed >= (reportedMinutes + 1) * 60_000) {
        reportedMinutes += 1;
        report(`${reportedMinutes} min: ${counts.commands} commands, ${textOf(samples.at(-1))}`);
      }
    }
    await succeeded(stack.destroy());
    failures.push(...leftOver(sandbox).map((name) => `still there after destroy: ${name}`));
    const { code, signal } =
      plugin.child.exitCode === null ? { code: null, signal: null } : await plugin.ended;
    if (code !== null || signal !== null) failures.push(`the plugin ended: ${plugin.stderr()}`);
  } catch (error) {
    failures.push(error instanceof Error ? error.message : String(error));
  } finally {
    plugin.child.kill();
    await plugin.ended;
    probe.close();
    await stack.dispose();
    await sandbox.close();
  }
  const descriptors = samples.flatMap((sample) => sample.descriptors ?? []);
  const trends = {
    heap: trendOf(samples.map(({ heap }) => heap)),
    resident: trendOf(samples.map(({ resident }) => resident)),
    sockets: trendOf(samples.map(({ sockets }) => sockets)),
    ...(descriptors.length > 0 && { descriptors: trendOf(descriptors) }),
  };
  // A run that ended early has too few samples.
  if (failures.length === 0) failures.push(...growthOf(trends));
  return { seconds: Math.round((Date.now() - started) / 1000), ...counts, ...trends, failures };
}

/** One change of everything, an `up`, after a fault an `up` that must succeed, and a refresh that must find nothing. */
async function cycle(
  { sandbox, stack }: StackSetup,
  world: World,
  random: Random,
  counts: { cycles: number; commands: number; faults: number; changesOutside: number },
): Promise<void> {
  const run = (command: Promise<Run>): Promise<Run> => {
    counts.commands += 1;
    return command;
  };
  counts.cycles += 1;
  world.changeProgram();
  await stack.setProgram(world.program);
  counts.changesOutside += world.changeService(sandbox);
  sandbox.clearRequests();
  const fault = random.chance(0.6) ? world.fault() : undefined;
  if (fault !== undefined) sandbox.addFault(fault);
  const first = await run(stack.up({ continueOnError: true }));
  if (fault !== undefined && sandbox.faults.length === 0) counts.faults += 1;
  sandbox.clearFaults();
  const outputs = [first.output];
  try {
    if (fault === undefined && first.exitCode !== 0) throw new Error("an up without a fault failed");
    // Also if it succeeded: what a 403 keeps it from reading stays as recorded, with a warning.
    if (fault !== undefined) outputs.push((await succeeded(run(stack.up()))).output);
    await succeeded(run(stack.refresh({ expectNoChanges: true })));
    const differences = world.differences(sandbox);
    if (differences.length > 0) throw new Error(differences.join("\n"));
  } catch (error) {
    const story = [`cycle ${counts.cycles}, fault ${JSON.stringify(fault)}`, ...outputs, ...logOf(sandbox)];
    throw new Error(`${error instanceof Error ? error.message : error}\n${story.join("\n")}`, {
      cause: error,
    });
  }
}

/** The requests of the cycle, one line each. */
function logOf({ requests }: Sandbox): string[] {
  return requests.map(
    ({ method, path, status, body, fault }) =>
      `${method} ${path} ${status ?? "cut"}${body === undefined ? "" : ` ${JSON.stringify(body)}`}${fault === undefined ? "" : ` (${fault})`}`,
  );
}

/** What the engine and the harness keep of each command would fill the disk in an hour. */
async function removeHistory({ stack }: StackSetup): Promise<void> {
  for (const folder of ["history", "backups"]) {
    await rm(join(stack.paths.state, ".pulumi", folder), { recursive: true, force: true });
  }
}

export function trendOf(values: readonly number[]): Trend {
  const third = Math.floor(values.length / 3);
  return { earlier: median(values.slice(third, 2 * third)), later: median(values.slice(2 * third)) };
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function growthOf(trends: Partial<Record<keyof typeof largestGrowth, Trend>>): string[] {
  return Object.entries(largestGrowth).flatMap(([name, largest]) => {
    const { earlier, later } = trends[name as keyof typeof largestGrowth] ?? { earlier: 0, later: 0 };
    return later > earlier * largest ? [`${name} grew from ${earlier} to ${later}`] : [];
  });
}

function textOf(sample: Sample | undefined): string {
  if (sample === undefined) return "not measured yet";
  const { heap, resident, sockets, descriptors } = sample;
  const [heapText, residentText] = [heap, resident].map((bytes) => `${(bytes / 1e6).toFixed(1)} MB`);
  return `heap ${heapText}, resident ${residentText}, ${sockets} sockets, ${descriptors ?? "?"} descriptors`;
}
