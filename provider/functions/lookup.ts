/** The contract between the doors and a lookup: it reads, and writes nothing. */
import type { z } from "zod";
import { lowerId, withoutNulls } from "../resources/canonical";
import { shapeFailures } from "../resources/check";
import type { CheckFailure, Context } from "../resources/resource";
import type { Properties } from "../resources/values";

export interface LookupRequest {
  /** Checked arguments, nothing unknown: engine and SDKs skip a lookup whose arguments are not known yet. */
  readonly args: Properties;
  readonly context: Pick<Context, "session" | "signal">;
}

export interface Lookup {
  /** Last part of the token: `opsmanager:index:<name>`. */
  readonly name: string;
  readonly description: string;
  readonly inputs: z.ZodObject;
  readonly outputs: z.ZodObject;
  /** Faults that the shape alone does not show. */
  check?(args: Properties): CheckFailure[];
  invoke(request: LookupRequest): Promise<Properties>;
}

/** The one form in which lookups see their arguments: null and absent the same, ids in lower case, as the service writes them. */
export function canonicalArguments(args: Properties): Properties {
  const entries = Object.entries(withoutNulls(args)).map(([name, value]) => [
    name,
    name.endsWith("Id") ? lowerId(value) : value,
  ]);
  return Object.fromEntries(entries);
}

export function checkLookup(lookup: Lookup, args: Properties): CheckFailure[] {
  return [...shapeFailures(lookup.inputs, args), ...(lookup.check?.(args) ?? [])];
}
