/** What ends on which day, as the components of a stack have recorded it. */
import { z } from "zod";
import type { NamedEnd } from "../../projects/as-of";
import { sameName } from "../../provider/access/person";
import type { StateResource } from "./stack-export";

const recordedEnds = z.array(
  z.object({
    ...{ file: z.string(), place: z.string(), holder: z.string(), resource: z.string() },
    ...{ what: z.enum(["person", "team", "key"]), until: z.iso.date() },
  }),
);

/** @param resources those of a state; only components record ends */
export function recordedEndsOf(resources: readonly Pick<StateResource, "outputs">[]): NamedEnd[] {
  return resources.flatMap(({ outputs }) => recordedEnds.safeParse(outputs?.ends).data ?? []);
}

/**
 * The last day of an access that a resource declares.
 *
 * @param ends those of the resource
 * @param name of the person, if the resource declares a whole list of people
 */
export function untilOf(ends: readonly NamedEnd[], name: string | undefined): string | undefined {
  // The resource of one entry is named by the entry.
  const alone = ends.find(({ resource, holder }) => resource.endsWith(`/${holder}`));
  return (alone ?? ends.find(({ holder }) => sameName(holder, name)))?.until;
}
