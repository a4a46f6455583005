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
  /** Read by `get` only: somebody else's object. */
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
  /** What a run that was cut off had begun to make, and of which nobody knows whether it is there. */
  readonly halfMade: readonly StateResource[];
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
  const pending = deployment?.pending_operations ?? [];
  return {
    resources: (deployment?.resources ?? []).filter((each) => !each.delete && !each.external),
    halfMade: pending.filter(({ type }) => type === "creating").map((operation) => operation.resource),
  };
}
