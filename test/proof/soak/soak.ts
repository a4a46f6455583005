/**
 * The soak: one plugin process serves random worlds through the real engine, one after the other. Each world holds every invariant, and
 * the memory, file descriptors and sockets of the process must not grow. Each command that nothing disturbs is compared with the model of
 * the engine (`real-engine.ts`).
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { preload, startPlugin } from "../../engine/support/plugin-process";
import { type Counts, noCounts } from "../worlds/play";
import { realEngineWith } from "../worlds/real-engine";
import { counterexampleOf, worldsOf } from "../worlds/search";
import { openMemoryProbe, type Sample } from "./memory";

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

export interface SoakResult extends Pick<Counts, "commands" | "faults" | "interruptions" | "predictions"> {
  readonly worlds: number;
  /** By what is measured. */
  readonly trends: Readonly<Partial<Record<Measured, Trend>>>;
  /** What did not hold, and what grew. */
  readonly failures: readonly string[];
}

type Measured = keyof typeof largestGrowth;

/** How much larger the median of the last third may be than that of the middle third. */
const largestGrowth = { heap: 1.1, resident: 1.15, sockets: 1.1, descriptors: 1.1 };

export async function soak({ minutes, seed, report = () => {} }: SoakOptions): Promise<SoakResult> {
  const folder = await mkdtemp(join(tmpdir(), "opsmanager-soak-"));
  const probe = await openMemoryProbe();
  const plugin = await startPlugin([], await preload(folder, probe.code));
  const startEngine = realEngineWith({ PULUMI_DEBUG_PROVIDERS: `opsmanager:${plugin.port}` });
  const counts = noCounts();
  const samples: Sample[] = [];
  const failures: string[] = [];
  const started = Date.now();
  const elapsed = () => (Date.now() - started) / 60_000;
  let reported = 0;
  try {
    for (const { world } of worldsOf({ worlds: Number.POSITIVE_INFINITY, seed }, [5, 12])) {
      if (elapsed() >= minutes || failures.length > 0) break;
      const found = await counterexampleOf(world, counts, { startEngine });
      if (found !== undefined) failures.push(found.message);
      if (plugin.child.exitCode !== null) failures.push(`the plugin ended: ${plugin.stderr()}`);
      else samples.push(await probe.measure());
      if (elapsed() < reported + 1) continue;
      reported += 1;
      report(`${reported} min: ${counts.commands} commands, ${textOf(samples.at(-1))}`);
    }
  } finally {
    plugin.child.kill();
    await plugin.ended;
    probe.close();
    await rm(folder, { recursive: true, force: true });
  }
  const trends = trendsOf(samples);
  // A run that ended early has too few samples.
  if (failures.length === 0) failures.push(...growthOf(trends));
  const { commands, faults, interruptions, predictions } = counts;
  return { worlds: samples.length, commands, faults, interruptions, predictions, trends, failures };
}

function trendsOf(samples: readonly Sample[]): SoakResult["trends"] {
  const measured = Object.keys(largestGrowth) as Measured[];
  const trends = measured.flatMap((name) => {
    const values = samples.flatMap((sample) => sample[name] ?? []);
    const third = Math.floor(values.length / 3);
    const trend = { earlier: median(values.slice(third, 2 * third)), later: median(values.slice(2 * third)) };
    return values.length === 0 ? [] : [[name, trend]];
  });
  return Object.fromEntries(trends);
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function growthOf(trends: SoakResult["trends"]): string[] {
  return Object.entries(trends).flatMap(([name, { earlier, later }]) =>
    later > earlier * largestGrowth[name as Measured] ? [`${name} grew from ${earlier} to ${later}`] : [],
  );
}

function textOf(sample: Sample | undefined): string {
  if (sample === undefined) return "not measured yet";
  const { heap, resident, sockets, descriptors } = sample;
  const [heapText, residentText] = [heap, resident].map((bytes) => `${(bytes / 1e6).toFixed(1)} MB`);
  return `heap ${heapText}, resident ${residentText}, ${sockets} sockets, ${descriptors ?? "?"} descriptors`;
}
