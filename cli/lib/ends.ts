/** What ends on which day, as the components of a stack have recorded it. */
import { z } from "zod";
import type { NamedEnd } from "../../projects/as-of";
import type { StateResource } from "./stack-export";

const recordedEnds = z.array(
  z.object({
    ...{ place: z.string(), holder: z.string(), what: z.enum(["person", "team", "key"]) },
    until: z.iso.date(),
  }),
);

/** @param resources those of a state; only components record ends */
export function recordedEndsOf(resources: readonly Pick<StateResource, "outputs">[]): NamedEnd[] {
  return resources.flatMap(({ outputs }) => recordedEnds.safeParse(outputs?.ends).data ?? []);
}
