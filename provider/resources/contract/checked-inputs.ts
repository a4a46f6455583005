/** Check of a resource, without the warnings and claims that only its kind has. */
import type { z } from "zod";
import { withForms, withoutNulls } from "./canonical";
import { type CheckFailure, failuresOfProgram, locatedShapeFailures } from "./check";
import { organizationFailures, withOrganization } from "./organization";
import type { CheckRequest, CheckResult } from "./resource";
import type { Properties } from "./values";

/**
 * Validates inputs. If the schema has an `orgId`, it is required and may come from the setting.
 *
 * @param forms canonical forms by property
 * @param failuresIn failures other than those of shape, of the inputs as given: canonical sets are sorted, and
 * failures name positions
 * @returns the canonical inputs, or the inputs as given with all failures
 */
export function checkedInputs(
  schema: z.ZodObject,
  forms: Parameters<typeof withForms>[1],
  request: CheckRequest,
  failuresIn: (given: Properties) => readonly CheckFailure[] = () => [],
): CheckResult {
  const { inputs, oldInputs, context } = request;
  const hasOrganization = "orgId" in schema.shape;
  const present = withoutNulls(inputs);
  const given = hasOrganization ? withOrganization(present, context.session, oldInputs) : present;
  const canonical = withForms(given, forms);
  const failures = failuresOfProgram(
    [
      ...locatedShapeFailures(schema, given),
      ...(hasOrganization ? organizationFailures(given) : []),
      ...failuresIn(given),
    ],
    request,
  );
  return { inputs: failures.length > 0 ? given : canonical, failures };
}
