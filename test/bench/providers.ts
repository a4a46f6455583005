/**
 * The same projects with both providers: seconds as a person waits, requests as the service counts them. The floor is the
 * engine with a provider that does nothing: what no provider can be faster than. All run one Node.js program, as the dynamic
 * provider has no other: its language host and its start are no difference between them.
 */

import type { Sandbox } from "../../sandbox";
import { setUpNodeStack } from "../engine/support/either-provider";
import { tearDownStacks } from "../engine/support/stack-setup";
import { type Program, type ProviderKind, type Run, type Stack, succeeded } from "../support";
import { startEmptyProvider } from "./empty-provider";
import { type Figure, figure, type Row, timed } from "./row";

type Route = ProviderKind | "floor";

/** In this order: the others are compared with those before them. */
const routes: readonly Route[] = ["floor", "plugin", "dynamic"];

const names: Readonly<Record<Route, string>> = {
  floor: "a provider that does nothing",
  plugin: "provider plugin",
  dynamic: "dynamic provider",
};

const operations: readonly { readonly what: string; run(stack: Stack): Promise<Run> }[] = [
  { what: "up, all new", run: (stack) => stack.up() },
  { what: "preview, nothing to do", run: (stack) => stack.preview() },
  { what: "refresh, nothing to do", run: (stack) => stack.refresh() },
];

interface Sample {
  readonly seconds: number;
  readonly requests: number;
}

export const providers: Row = {
  name: "providers",
  async run({ quick, print }) {
    const count = quick ? 3 : 300;
    const samples = new Map<string, Sample[]>();
    for (let round = 1; round <= (quick ? 1 : 3); round++) {
      for (const route of routes) {
        print(`${count} projects, ${names[route]}, round ${round}`);
        for (const [what, sample] of await measure(route, count)) {
          const key = `${route} ${what}`;
          samples.set(key, [...(samples.get(key) ?? []), sample]);
        }
      }
    }
    const samplesOf = (route: Route, what: string) => samples.get(`${route} ${what}`) ?? [];
    const secondsOf = (route: Route, what: string) => samplesOf(route, what).map(({ seconds }) => seconds);
    return operations.flatMap(({ what }) =>
      routes.flatMap((route): Figure[] => {
        const title = `${count} projects, ${what}: ${names[route]}`;
        const other = route === "dynamic" ? "plugin" : "floor";
        const ratioTo = { name: names[other], samples: secondsOf(other, what) };
        if (route === "floor") return [figure(title, "s", secondsOf(route, what))];
        const requests = samplesOf(route, what).map((sample) => sample.requests);
        return [figure(title, "s", secondsOf(route, what), { ratioTo }), figure(title, "requests", requests)];
      }),
    );
  },
};

async function measure(route: Route, count: number): Promise<[string, Sample][]> {
  const empty = route === "floor" ? await startEmptyProvider() : undefined;
  try {
    const provider = route === "dynamic" ? "dynamic" : "plugin";
    const program = (sandbox: Sandbox) => programOf(sandbox, count);
    const { sandbox, stack } = await setUpNodeStack(
      provider,
      { program },
      { pluginLines: provider === "plugin" },
    );
    // Without a compile cache, as by default; the harness shares a cache between its stacks.
    stack.setEnv({ NODE_DISABLE_COMPILE_CACHE: "1", ...empty?.env });
    const samples: [string, Sample][] = [];
    for (const { what, run } of operations) {
      sandbox.clearRequests();
      const milliseconds = await timed(() => succeeded(run(stack)));
      samples.push([what, { seconds: milliseconds / 1000, requests: sandbox.requests.length }]);
    }
    return samples;
  } finally {
    await tearDownStacks();
    await empty?.close();
  }
}

function programOf({ orgId }: Sandbox, count: number): Program {
  const projects = Array.from({ length: count }, (_, index) => `payments-${index + 1}`);
  const declaration = (name: string) => ({
    type: "Project",
    properties: { orgId, name, tags: ["PROD", "TEAM_PAYMENTS"] },
  });
  return { resources: Object.fromEntries(projects.map((name) => [name, declaration(name)])) };
}
