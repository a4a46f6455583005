/** What the state of a stack holds, as `pulumi stack export` tells it: secrets stay encrypted. */
import { z } from "zod";
import { RefusedError } from "../errors";
import { type PulumiResult, pulumiMessage } from "./pulumi";

const values = z.record(z.string(), z.unknown());

const resource = z.object({
  urn: z.string(),
  type: z.string(),
  /** Managed by a provider, and no component. */
  custom: z.boolean().optional(),
  id: z.string().optional(),
  parent: z.string().optional(),
  inputs: values.optional(),
  outputs: values.optional(),
  /** Why the last create or update has failed halfway. */
  initErrors: z.array(z.string()).nullish(),
  /** The resource option, where the engine records it. */
  ignoreChanges: z.array(z.string()).nullish(),
  /** Read by `get` only: another stack or a user owns the object. */
  external: z.boolean().optional(),
  /** What a replacement has still to delete. */
  delete: z.boolean().optional(),
});

const exported = z.object({
  /** None of a stack that was never updated. */
  deployment: z
    .object({
      resources: z.array(resource).nullish(),
      pending_operations: z.array(z.object({ resource, type: z.string() })).nullish(),
    })
    .nullish(),
});

export type StateResource = z.output<typeof resource>;

export interface StackExport {
  /** Those that the stack owns. */
  readonly resources: readonly StateResource[];
  /** What a replacement has still to delete. */
  readonly replaced: readonly StateResource[];
  /** What a run that was cut off, or that still runs, had begun to do. Its outcome is not recorded. */
  readonly pending: readonly PendingOperation[];
}

export interface PendingOperation {
  /** `creating`, `updating`, `deleting`, `reading` or `importing`. */
  readonly type: string;
  readonly resource: StateResource;
}

export function exportArguments(stack: string): readonly string[] {
  return ["stack", "export", "--stack", stack];
}

/**
 * @param result of `pulumi` with `exportArguments`
 * @throws RefusedError with pulumi's own message when the state cannot be had
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
    // A read changes nothing, so its outcome leaves nothing open.
    pending: (deployment?.pending_operations ?? []).filter(({ type }) => type !== "reading"),
  };
}
