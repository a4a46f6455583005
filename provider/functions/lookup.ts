/** The contract between the doors and a lookup: it reads, and writes nothing. */
import type { z } from "zod";
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

export function checkLookup(lookup: Lookup, args: Properties): CheckFailure[] {
  return [...shapeFailures(lookup.inputs, args), ...(lookup.check?.(args) ?? [])];
}
