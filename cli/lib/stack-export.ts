/** Reads the state of a stack from `pulumi stack export`: secrets stay encrypted. */
import { z } from "zod";
import { RefusedError } from "../../provider/text/errors";
import { type PulumiResult, pulumiMessage } from "./pulumi";

/** Properties of a resource. */
export const propertyValues = z.record(z.string(), z.unknown());

const resource = z.object({
  urn: z.string(),
  type: z.string(),
  /** `true` for a resource of a provider, `false` for a component. */
  custom: z.boolean().optional(),
  id: z.string().optional(),
  parent: z.string().optional(),
  inputs: propertyValues.optional(),
  outputs: propertyValues.optional(),
  /** Why the last create or update failed halfway. */
  initErrors: z.array(z.string()).nullish(),
  /** The resource option, if the engine records it. */
  ignoreChanges: z.array(z.string()).nullish(),
  /** Read by `get` only: another stack or a user owns the object. */
  external: z.boolean().optional(),
  /** Marks a resource that a replacement still has to delete. */
  delete: z.boolean().optional(),
  /** A resource option, likewise `retainOnDelete` and `deletedWith`, the URN of another resource. */
  protect: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
  deletedWith: z.string().optional(),
});

const pendingOperation = z.object({
  resource,
  /** `creating`, `updating`, `deleting`, `reading` or `importing`. */
  type: z.string(),
});

const exported = z.object({
  /** Absent for a stack that was never updated. */
  deployment: z
    .object({
      resources: z.array(resource).nullish(),
      pending_operations: z.array(pendingOperation).nullish(),
    })
    .nullish(),
});

export type StateResource = z.output<typeof resource>;

export interface StackExport {
  /** Resources that the stack owns. */
  readonly resources: readonly StateResource[];
  /** Resources that a replacement still has to delete. */
  readonly replaced: readonly StateResource[];
  /** Operations that a running or interrupted run had begun. Their outcome is not recorded. */
  readonly pending: readonly PendingOperation[];
}

export type PendingOperation = z.output<typeof pendingOperation>;

/** @param stack `undefined` for the selected one */
export function exportArguments(stack: string | undefined): readonly string[] {
  return ["stack", "export", ...(stack === undefined ? [] : ["--stack", stack])];
}

/**
 * @param result of `pulumi` with `exportArguments`
 * @throws RefusedError with pulumi's own message if the state cannot be read
 */
export function readStackExport(result: PulumiResult, stack: string): StackExport {
  if (result.exitCode !== 0) {
    throw new RefusedError(`The state of stack ${stack} cannot be read: ${pulumiMessage(result)}`);
  }
  return parseStackExport(JSON.parse(result.stdout));
}

export function parseStackExport(state: unknown): StackExport {
  const { deployment } = exported.parse(state);
  const owned = (deployment?.resources ?? []).filter(({ external }) => !external);
  return {
    resources: owned.filter((each) => !each.delete),
    replaced: owned.filter((each) => each.delete),
    // A read changes nothing, so its unknown outcome does not matter.
    pending: (deployment?.pending_operations ?? []).filter(({ type }) => type !== "reading"),
  };
}
