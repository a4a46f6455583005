/**
 * 10,000 projects through the real engine: the last point of the growth. `up` writes the state once at its end
 * (`PULUMI_SKIP_CHECKPOINTS`), because the engine otherwise writes the complete state file after each step.
 */
import { peakOfPlugins } from "./plugin-memory";
import { growthFigures, measureCount, perProjectFigures } from "./projects";
import { type Operation, operations, runMeasured } from "./pulumi";
import { figure, grouped, type Row } from "./row";

const { up, preview, refresh } = operations;
const upWithoutCheckpoints: Operation = {
  what: "`pulumi up` without checkpoints",
  args: up.args,
  outcome: up.outcome,
  env: { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" },
};
/** Megabytes. */
const memoryTarget = 200;

export const large: Row = {
  name: "large",
  isSeparate: true,
  async run(conditions) {
    const { quick, print } = conditions;
    const [few, many] = quick ? [2, 4] : [1_000, 10_000];
    let peak: number | undefined;
    const [small, big] = [
      await measureCount(
        conditions,
        few,
        async (compare) => [await compare(preview, 1), await compare(refresh, 1)],
        upWithoutCheckpoints,
      ),
      await measureCount(
        conditions,
        many,
        async (compare, setup) => {
          const measured = [await compare(preview, 1), await compare(refresh, 1)];
          print(`${grouped(many)} projects, memory of the plugin`);
          let watch: Promise<number | undefined> | undefined;
          await runMeasured(setup, refresh, many, {}, (pid) => {
            watch = peakOfPlugins(pid);
          });
          peak = await watch;
          return measured;
        },
        upWithoutCheckpoints,
      ),
    ];
    return [
      ...small
        .filter(({ operation }) => operation === upWithoutCheckpoints)
        .flatMap((measured) => growthFigures(few, measured)),
      ...big.flatMap((measured) => growthFigures(many, measured)),
      ...perProjectFigures([few, small], [many, big]),
      ...(peak === undefined
        ? []
        : [
            figure(
              `plugin: peak of resident memory in a refresh of ${grouped(many)} projects`,
              "MB",
              [peak],
              {
                target: memoryTarget,
              },
            ),
          ]),
    ];
  },
};
