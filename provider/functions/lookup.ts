/** The interface between either provider and a lookup, which only reads. */
import type { z } from "zod";
import { lowerId, withoutNulls } from "../resources/canonical";
import { shapeFailures } from "../resources/check";
import type { CheckFailure, Context } from "../resources/resource";
import type { Properties } from "../resources/values";

export interface LookupRequest {
  /**
   * Checked arguments without unknowns: engine and SDKs skip a lookup whose arguments are still
   * unknown.
   */
  readonly args: Properties;
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

/**
 * Normalizes a lookup's arguments: null equals absent, ids are in lower case, as the service
 * writes them.
 */
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
