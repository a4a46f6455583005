/**
 * 10,000 projects through the real engine: the last point of the growth. `up` writes the state once at its end
 * (`PULUMI_SKIP_CHECKPOINTS`), because the engine otherwise writes the complete state file after each step.
 */
import { peakOfPlugins } from "./plugin-memory";
import { growthFigures, measureCount, perProjectFigures } from "./projects";
import { type Operation, operations, runMeasured } from "./pulumi";
import { figure, grouped, type Row } from "./row";

const upWithoutCheckpoints: Operation = {
  ...operations.up,
  what: "`pulumi up` without checkpoints",
  env: { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" },
};
/** Megabytes. */
const memoryTarget = 200;

export const large: Row = {
  name: "large",
  isSeparate: true,
  async run(conditions) {
    const [few, many] = conditions.quick ? [2, 4] : [1_000, 10_000];
    const how = { creation: upWithoutCheckpoints, rounds: 1 };
    let peak: number | undefined;
    const small = await measureCount(conditions, few, how);
    const big = await measureCount(conditions, many, how, async (setup) => {
      conditions.print(`${grouped(many)} projects, memory of the plugin`);
      let watch: Promise<number | undefined> | undefined;
      await runMeasured(setup, operations.refresh, many, {}, (pid) => {
        watch = peakOfPlugins(pid);
      });
      peak = await watch;
    });
    const what = `plugin: peak of resident memory in a refresh of ${grouped(many)} projects`;
    return [
      ...growthFigures(few, small),
      ...growthFigures(many, big),
      ...perProjectFigures([few, small], [many, big]),
      ...(peak === undefined ? [] : [figure(what, "MB", [peak], { target: memoryTarget })]),
    ];
  },
};
