/** The interface between either provider and a lookup, which only reads. */
import type { z } from "zod";
import { checkedAs, type KnownOf, toProperties } from "../resources/contract/border";
import { lowerId, withForms, withoutNulls } from "../resources/contract/canonical";
import type { CheckFailure } from "../resources/contract/check";
import { shapeFailures } from "../resources/contract/check";
import { withOrganization } from "../resources/contract/organization";
import type { Context } from "../resources/contract/resource";
import type { Session } from "../resources/contract/session";
import type { Properties } from "../resources/contract/values";

export interface LookupRequest<Args = Properties> {
  /**
   * Checked arguments, nothing unknown: engine and SDKs skip a lookup whose arguments are not known
   * yet.
   */
  readonly args: Args;
  readonly context: Pick<Context, "session" | "signal">;
}

export interface Lookup {
  /** Last part of the token: `opsmanager:index:<name>`. */
  readonly name: string;
  readonly description: string;
  readonly inputs: z.ZodObject;
  readonly outputs: z.ZodObject;
  /** Reports faults that are not in the shape. */
  check?(args: Properties): CheckFailure[];
  invoke(request: LookupRequest): Promise<Properties>;
}

interface LookupDefinition<Inputs extends z.ZodObject, Outputs extends z.ZodObject>
  extends Omit<Lookup, "invoke"> {
  readonly inputs: Inputs;
  readonly outputs: Outputs;
  invoke(request: LookupRequest<KnownOf<Inputs>>): Promise<KnownOf<Outputs>>;
}

/** A lookup whose arguments and result have the types of its zod objects. */
export function defineLookup<Inputs extends z.ZodObject, Outputs extends z.ZodObject>(
  definition: LookupDefinition<Inputs, Outputs>,
): Lookup {
  const invoke = async ({ args, context }: LookupRequest) =>
    toProperties(await definition.invoke({ args: checkedAs<KnownOf<Inputs>>(args), context }));
  return { ...definition, invoke };
}

/**
 * The one form in which lookups see their arguments: null and absent the same, ids in lower case,
 * as the service writes them, and the organization of the setting if they name none.
 */
export function canonicalArguments(
  { inputs }: Pick<Lookup, "inputs">,
  args: Properties,
  session: Pick<Session, "settings">,
): Properties {
  const whole = "orgId" in inputs.shape ? withOrganization(args, session) : args;
  const ids = Object.keys(whole).filter((name) => name.endsWith("Id"));
  return withForms(withoutNulls(whole), Object.fromEntries(ids.map((name) => [name, lowerId])));
}

export function checkLookup(lookup: Lookup, args: Properties): CheckFailure[] {
  return [...shapeFailures(lookup.inputs, args), ...(lookup.check?.(args) ?? [])];
}
