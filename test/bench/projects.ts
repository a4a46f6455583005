/**
 * Many projects through the plugin, beside the do-nothing provider on the same stack. The distant part is the same stack with a
 * service that takes 20 ms to respond, beside clients that send one and two requests per resource.
 */
import type { StackSetup } from "../engine/support/stack-setup";
import { tearDownStacks } from "../engine/support/stack-setup";
import {
  type Contestant,
  comparedFigures,
  latencyMs,
  onePerResource,
  plugin,
  projectsOf,
  twoPerResource,
  withContestants,
} from "./contestants";
import { startEmptyProvider } from "./empty-provider";
import { projectsProgram } from "./program";
import {
  doNothing,
  inTurns,
  type Operation,
  operations,
  requestsOf,
  runMeasured,
  type Samples,
  secondsOf,
  setUpMeasuredStack,
} from "./pulumi";
import { type Cell, type Conditions, type Figure, figure, median, type Row, ratios } from "./row";

/** Targets of the ratio to the do-nothing provider. */
const ratioTargets = { up: 1.12, others: 1.1, distant: 1.2 };
const requestTarget = 12;

const { up, preview, previewRefresh, refresh } = operations;

export interface Measured {
  readonly operation: Operation;
  readonly samples: Samples;
}

export const projects: Row = {
  name: "projects",
  async run(conditions) {
    const { quick } = conditions;
    const [few, many] = quick ? [2, 4] : [100, 1000];
    const small = await measureCount(conditions, few, async (compare) => [
      await compare(preview, quick ? 1 : 3),
      await compare(refresh, quick ? 1 : 3),
    ]);
    let distant: Figure[] = [];
    const large = await measureCount(conditions, many, async (compare, setup) => {
      const near = [await compare(previewRefresh, quick ? 1 : 2)];
      await withContestants(setup.sandbox, async (contestants) => {
        const [withPreview, withRefresh] = await measureDistant(conditions, setup, contestants, many);
        near.unshift(withPreview.near);
        near.push(withRefresh.near);
        distant = [...withPreview.distant, ...withRefresh.distant];
      });
      return near;
    });
    return [
      ...nearFigures(`${projectsOf(many)}, no latency`, large),
      ...distant,
      ...small.flatMap((measured) => growthFigures(few, measured)),
      ...large
        .filter(({ operation }) => operation !== previewRefresh)
        .flatMap((measured) => growthFigures(many, measured)),
      ...perProjectFigures([few, small], [many, large]),
    ];
  },
};

export type Compare = (operation: Operation, rounds: number) => Promise<Measured>;

/**
 * Creates the projects once with each provider. What follows runs on the stack that the plugin has created, by turns with the
 * do-nothing provider.
 */
export async function measureCount(
  { quick, print }: Conditions,
  count: number,
  others: (compare: Compare, setup: StackSetup) => Promise<Measured[]>,
  creation: Operation = up,
): Promise<Measured[]> {
  const empty = await startEmptyProvider();
  const contestants: Contestant[] = [
    { name: doNothing, env: empty.env },
    { name: plugin, env: {} },
  ];
  try {
    let setup: StackSetup | undefined;
    print(`${projectsOf(count)}, ${creation.what}`);
    const created = await inTurns(1, contestants, async ({ env }) => {
      setup = await setUpMeasuredStack("plugin", (sandbox) => projectsProgram(sandbox, count));
      return runMeasured(setup, creation, count, env);
    });
    const compare: Compare = async (operation, rounds) => {
      print(`${projectsOf(count)}, ${operation.what}, ${quick ? 1 : rounds} rounds`);
      const samples = await inTurns(rounds, contestants, ({ env }) =>
        runMeasured(last(setup), operation, count, env),
      );
      return { operation, samples };
    };
    return [{ operation: creation, samples: created }, ...(await others(compare, last(setup)))];
  } finally {
    await tearDownStacks();
    await empty.close();
  }
}

function last<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("No stack was set up.");
  return value;
}

/** In each round, the do-nothing provider, the plugin without and with latency, and the others with latency. */
async function measureDistant(
  { quick, print }: Conditions,
  setup: StackSetup,
  [nothing, ours, one, two]: readonly [Contestant, Contestant, Contestant, Contestant],
  count: number,
) {
  const far = `${plugin}, far`;
  const contestants = [
    { ...nothing, latency: 0 },
    { ...ours, latency: 0 },
    { ...ours, name: far, latency: latencyMs },
    { ...one, latency: latencyMs },
    { ...two, latency: latencyMs },
  ];
  const measure = async (operation: Operation, rounds: number) => {
    print(`${projectsOf(count)}, ${operation.what} without latency and at ${latencyMs} ms, ${rounds} rounds`);
    const samples = await inTurns(rounds, contestants, async ({ env, latency }) => {
      setup.sandbox.setSwitches({ latencyMs: latency });
      return runMeasured(setup, operation, count, env);
    });
    setup.sandbox.setSwitches({ latencyMs: 0 });
    const renamed = (names: Readonly<Record<string, string>>) =>
      new Map(Object.entries(names).map(([name, key]) => [name, samples.get(key) ?? []]));
    return {
      near: { operation, samples: renamed({ [doNothing]: doNothing, [plugin]: plugin }) },
      distant: comparedFigures(
        `${operation.what} of ${projectsOf(count)} at ${latencyMs} ms`,
        renamed({
          [doNothing]: doNothing,
          [plugin]: far,
          [onePerResource]: onePerResource,
          [twoPerResource]: twoPerResource,
        }),
        { ratio: ratioTargets.distant, requests: requestTarget },
      ),
    };
  };
  return [await measure(preview, quick ? 1 : 2), await measure(refresh, quick ? 1 : 3)] as const;
}

function nearFigures(table: string, measured: readonly Measured[]): Figure[] {
  return measured.flatMap(({ operation, samples }) => {
    const line = operation.what;
    const title = (column: string) => `${table}: ${line}, ${column}`;
    const cell = (column: string): { cell: Cell } => ({ cell: { table, line, column } });
    const [nothing, ours] = [secondsOf(samples, doNothing), secondsOf(samples, plugin)];
    const target = operation === up ? ratioTargets.up : ratioTargets.others;
    return [
      figure(title(doNothing), "s", nothing, cell(doNothing)),
      figure(title(plugin), "s", ours, cell(plugin)),
      figure(title("ratio"), "times", ratios(ours, nothing), { ...cell("ratio"), target }),
      figure(title("requests"), "requests", requestsOf(samples, plugin), cell("requests")),
    ];
  });
}

/** A part of one line of the growth table; the plot takes its points from these figures. */
export function growthFigures(count: number, { operation, samples }: Measured): Figure[] {
  return [doNothing, plugin].map((name) =>
    figure(`growth: ${operation.what} of ${projectsOf(count)}, ${name}`, "s", secondsOf(samples, name), {
      cell: { table: growthTable, line: projectsOf(count), column: `${operation.what}, ${name}` },
    }),
  );
}

export const growthTable = "growth";

/** Growth is linear if the time per project does not rise. The engine's own share is in both. */
export function perProjectFigures(
  [few, small]: readonly [number, readonly Measured[]],
  [many, large]: readonly [number, readonly Measured[]],
): Figure[] {
  const perProject = (measured: readonly Measured[], operation: Operation, count: number) => {
    const samples = measured.find((entry) => entry.operation === operation)?.samples;
    return samples === undefined ? Number.NaN : median(secondsOf(samples, plugin)) / count;
  };
  return [preview, refresh].map((operation) =>
    figure(
      `${operation.what}: time per project of ${projectsOf(many)}, compared with ${projectsOf(few)}`,
      "times",
      [perProject(large, operation, many) / perProject(small, operation, few)],
      { target: 1.1 },
    ),
  );
}
