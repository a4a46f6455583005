/** One program through the plugin and through the dynamic provider. */
import { type StackSetup, tearDownStacks } from "../engine/support/stack-setup";
import type { ProviderKind } from "../support";
import { plugin, projectsOf } from "./contestants";
import { projectsProgram } from "./program";
import { inTurns, operations, requestsOf, runMeasured, secondsOf, setUpMeasuredStack } from "./pulumi";
import { type Figure, figure, type Row, ratios } from "./row";

const previewTarget = 1.25;
const { up, preview, refresh } = operations;
const dynamicProvider = "dynamic provider";

const contestants: readonly { readonly name: string; readonly kind: ProviderKind }[] = [
  { name: plugin, kind: "plugin" },
  { name: dynamicProvider, kind: "dynamic" },
];

export const dynamic: Row = {
  name: "dynamic",
  async run({ quick, print }) {
    const count = quick ? 3 : 300;
    const table = `${projectsOf(count)}, no latency, both providers`;
    const setups = new Map<ProviderKind, StackSetup>();
    const figures: Figure[] = [];
    try {
      for (const { kind } of contestants)
        setups.set(kind, await setUpMeasuredStack(kind, (sandbox) => projectsProgram(sandbox, count)));
      for (const operation of [up, preview, refresh]) {
        const rounds = operation === up || quick ? 1 : 3;
        print(`${projectsOf(count)}, both providers, ${operation.what}, ${rounds} rounds`);
        const samples = await inTurns(rounds, contestants, async ({ kind }) => {
          const setup = setups.get(kind);
          if (setup === undefined) throw new Error(`There is no stack of the ${kind} provider.`);
          return runMeasured(setup, operation, count);
        });
        const [ours, theirs] = [secondsOf(samples, plugin), secondsOf(samples, dynamicProvider)];
        const line = operation.what;
        const title = (column: string) => `${table}: ${line}, ${column}`;
        const cell = (column: string) => ({ cell: { table, line, column } });
        figures.push(
          figure(title(plugin), "s", ours, cell(plugin)),
          figure(title(dynamicProvider), "s", theirs, cell(dynamicProvider)),
          figure(title("ratio"), "times", ratios(theirs, ours), {
            ...cell("ratio"),
            ...(operation === preview && { target: previewTarget }),
          }),
          figure(
            title("requests, plugin"),
            "requests",
            requestsOf(samples, plugin),
            cell("requests, plugin"),
          ),
          figure(
            title("requests, dynamic"),
            "requests",
            requestsOf(samples, dynamicProvider),
            cell("requests, dynamic"),
          ),
        );
      }
      return figures;
    } finally {
      await tearDownStacks();
    }
  },
};
