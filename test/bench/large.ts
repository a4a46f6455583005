/**
 * 10,000 projects through the real engine: the last point of the growth. `up` writes the state once at its end
 * (`PULUMI_SKIP_CHECKPOINTS`), because the engine otherwise writes the complete state file after each step.
 */

import { growthFigures, measureCount, perProjectFigures } from "./projects";
import { operations } from "./pulumi";
import type { Row } from "./row";

const { preview, refresh } = operations;
const withoutCheckpoints = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

export const large: Row = {
  name: "large",
  isSeparate: true,
  async run(conditions) {
    const [few, many] = conditions.quick ? [2, 4] : [1_000, 10_000];
    const measure = (count: number) =>
      measureCount(
        conditions,
        count,
        async (compare) => [await compare(preview, 1), await compare(refresh, 1)],
        withoutCheckpoints,
      );
    const small = await measure(few);
    const large = await measure(many);
    return [...growthFigures(many, large), ...perProjectFigures([few, small], [many, large])];
  },
};
