/**
 * Many projects through the plugin, beside the do-nothing provider on the same stack. Once they are created, the service takes
 * 20 ms to respond.
 */
import { type StackSetup, tearDownStacks } from "../engine/support/stack-setup";
import type { Program } from "../support";
import { startEmptyProvider } from "./empty-provider";
import {
  doNothing,
  inTurns,
  type Operation,
  operations,
  plugin,
  requestsOf,
  runMeasured,
  type Samples,
  secondsOf,
  setUpMeasuredStack,
} from "./pulumi";
import { type Conditions, type Figure, figure, grouped, median, type Row, ratios } from "./row";

const latencyMs = 20;
/** Targets of the ratio to the do-nothing provider. */
const ratioTargets = { creation: 1.12, others: 1.2 };
const requestTarget = 12;

const { up, preview, refresh } = operations;

export interface Measured {
  readonly operation: Operation;
  readonly samples: Samples;
}

export const projects: Row = {
  name: "projects",
  async run(conditions) {
    const [few, many] = conditions.quick ? [2, 4] : [100, 1000];
    const small = await measureCount(conditions, few, { creation: up, rounds: 3 });
    const large = await measureCount(conditions, many, { creation: up, rounds: 3 });
    return [
      ...comparedFigures(many, large),
      ...growthFigures(few, small),
      ...growthFigures(many, large),
      ...perProjectFigures([few, small], [many, large]),
    ];
  },
};

/**
 * Creates the projects once with each provider. What follows runs on the stack that the plugin has created, by turns with the
 * do-nothing provider.
 *
 * @param finish runs on that stack at the end
 */
export async function measureCount(
  { quick, print }: Conditions,
  count: number,
  { creation, rounds }: { creation: Operation; rounds: number },
  finish?: (setup: StackSetup) => Promise<void>,
): Promise<Measured[]> {
  const empty = await startEmptyProvider();
  const contestants = [
    { name: doNothing, env: empty.env },
    { name: plugin, env: {} },
  ];
  try {
    let setup: StackSetup | undefined;
    print(`${projectsOf(count)}, ${creation.what}`);
    const created = await inTurns(1, contestants, async ({ env }) => {
      setup = await setUpMeasuredStack((sandbox) => projectsProgram(sandbox.orgId, count));
      return runMeasured(setup, creation, count, env);
    });
    const measured: Measured[] = [{ operation: creation, samples: created }];
    if (setup === undefined) return measured;
    const ours = setup;
    ours.sandbox.setSwitches({ latencyMs });
    for (const operation of [preview, refresh]) {
      print(`${projectsOf(count)}, ${operation.what}, ${quick ? 1 : rounds} rounds`);
      const samples = await inTurns(quick ? 1 : rounds, contestants, ({ env }) =>
        runMeasured(ours, operation, count, env),
      );
      measured.push({ operation, samples });
    }
    await finish?.(ours);
    return measured;
  } finally {
    await tearDownStacks();
    empty.close();
  }
}

/** Projects with two tags each. */
function projectsProgram(orgId: string, count: number): Program {
  const names = Array.from({ length: count }, (_, index) => `payments-${index + 1}`);
  const declaration = (name: string) => ({
    type: "Project",
    properties: { orgId, name, tags: ["PROD", "TEAM_PAYMENTS"] },
  });
  return { resources: Object.fromEntries(names.map((name) => [name, declaration(name)])) };
}

function comparedFigures(count: number, measured: readonly Measured[]): Figure[] {
  return measured.flatMap(({ operation, samples }) => {
    const isCreation = operation === up;
    const table = isCreation ? projectsOf(count) : `${projectsOf(count)} at ${latencyMs} ms`;
    const line = operation.what;
    const title = (column: string) => `${table}: ${line}, ${column}`;
    const cell = (column: string) => ({ cell: { table, line, column } });
    const [nothing, ours] = [secondsOf(samples, doNothing), secondsOf(samples, plugin)];
    const ratio = { target: isCreation ? ratioTargets.creation : ratioTargets.others };
    return [
      figure(title(doNothing), "s", nothing, cell(doNothing)),
      figure(title(plugin), "s", ours, cell(plugin)),
      figure(title("ratio"), "times", ratios(ours, nothing), { ...cell("ratio"), ...ratio }),
      figure(title("requests"), "requests", requestsOf(samples, plugin), {
        ...cell("requests"),
        ...(!isCreation && { target: requestTarget }),
      }),
    ];
  });
}

/** One line of the growth table. */
export function growthFigures(count: number, measured: readonly Measured[]): Figure[] {
  return measured.flatMap(({ operation, samples }) =>
    [doNothing, plugin].map((name) =>
      figure(`growth: ${operation.what} of ${projectsOf(count)}, ${name}`, "s", secondsOf(samples, name), {
        cell: { table: "growth", line: projectsOf(count), column: `${operation.what}, ${name}` },
      }),
    ),
  );
}

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

/** `1,000 projects` */
function projectsOf(count: number): string {
  return `${grouped(count)} projects`;
}
