/** The provider plugin and those that it is compared with, on one stack: only the environment of the commands differs. */
import type { Sandbox } from "../../sandbox";
import { startEmptyProvider } from "./empty-provider";
import { doNothing, type Environment, requestsOf, type Samples, secondsOf } from "./pulumi";
import { type Figure, figure, grouped, ratios } from "./row";

export interface Contestant {
  readonly name: string;
  readonly env: Environment;
}

export const plugin = "provider plugin";
export const onePerResource = "one request per resource";
export const twoPerResource = "two requests per resource";

/** Latency of the sandbox where it is not zero. */
export const latencyMs = 20;

/**
 * Runs the work with the do-nothing provider, the plugin, and the do-nothing provider that reads each resource by itself.
 */
export async function withContestants<Result>(
  { baseUrl, publicKey, privateKey }: Sandbox,
  work: (contestants: readonly [Contestant, Contestant, Contestant, Contestant]) => Promise<Result>,
): Promise<Result> {
  const connection = { baseUrl, publicKey, privateKey };
  const empty = await Promise.all([
    startEmptyProvider(),
    startEmptyProvider({ ...connection, requestsPerRead: 1 }),
    startEmptyProvider({ ...connection, requestsPerRead: 2 }),
  ]);
  const [nothing, one, two] = empty;
  try {
    return await work([
      { name: doNothing, env: nothing.env },
      { name: plugin, env: {} },
      { name: onePerResource, env: one.env },
      { name: twoPerResource, env: two.env },
    ]);
  } finally {
    for (const provider of empty) await provider.close();
  }
}

/** One line for each contestant: time, ratio to the do-nothing provider, requests. The targets are the plugin's. */
export function comparedFigures(
  table: string,
  samples: Samples,
  targets: { readonly ratio: number; readonly requests: number },
): Figure[] {
  const nothing = secondsOf(samples, doNothing);
  return [...samples.keys()].flatMap((line) => {
    const title = (column: string) => `${table}: ${line}, ${column}`;
    const [ratio, requests] =
      line === plugin ? [{ target: targets.ratio }, { target: targets.requests }] : [];
    const seconds = secondsOf(samples, line);
    const cell = (column: string) => ({ cell: { table, line, column } });
    return [
      figure(title("time"), "s", seconds, cell("time")),
      ...(line === doNothing
        ? []
        : [
            figure(title(`ratio to the ${doNothing}`), "times", ratios(seconds, nothing), {
              ...cell("ratio"),
              ...ratio,
            }),
          ]),
      figure(title("requests"), "requests", requestsOf(samples, line), { ...cell("requests"), ...requests }),
    ];
  });
}

/** `1,000 projects` */
export function projectsOf(count: number): string {
  return `${grouped(count)} projects`;
}
