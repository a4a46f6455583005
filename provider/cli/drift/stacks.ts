/** The stacks that are looked at, and what their states hold. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { CancelledError, RefusedError } from "../../errors";
import { findPulumiProject, type PulumiResult, runPulumi } from "../pulumi";
import type { Terminal } from "../terminal";
import { kindOf } from "./own-resources";

type Surroundings = Pick<Terminal, "cwd" | "env" | "stop">;

const values = z.record(z.string(), z.unknown());

const stateResource = z.object({
  urn: z.string(),
  type: z.string(),
  /** Managed by a provider, and no component. */
  custom: z.boolean().optional(),
  id: z.string().optional(),
  inputs: values.optional(),
  outputs: values.optional(),
  /** Read by `get` only: somebody else's object. */
  external: z.boolean().optional(),
  /** What a replacement has still to delete. */
  delete: z.boolean().optional(),
});

const exported = z.object({
  deployment: z.object({ resources: z.array(stateResource).nullish() }).nullish(),
});

/** A resource of this provider, as the state records it: secrets are encrypted. */
export type OwnResource = z.output<typeof stateResource>;

export interface StackState {
  /** As it was named. */
  readonly stack: string;
  /** Pulumi project. */
  readonly project: string;
  /** Those of this provider that the stack owns. */
  readonly resources: readonly OwnResource[];
  /** Other providers manage something in it, too. */
  readonly isShared: boolean;
}

/**
 * `pulumi`, unless Ctrl-C came before or while it ran.
 *
 * @throws CancelledError
 */
export async function runUnlessStopped(
  args: readonly string[],
  terminal: Surroundings,
  onOutput?: (text: string) => void,
): Promise<PulumiResult> {
  const stopped = () => new CancelledError("Stopped; no report was written.");
  if (terminal.stop.aborted) throw stopped();
  const result = await runPulumi(args, terminal, onOutput);
  if (terminal.stop.aborted) throw stopped();
  return result;
}

/**
 * The folder of the Pulumi project and its name.
 *
 * @throws RefusedError where there is none
 */
export async function readPulumiProject(cwd: string): Promise<{ folder: string; name: string }> {
  const folder = await findPulumiProject(cwd);
  if (folder === undefined) {
    throw new RefusedError(
      `There is no Pulumi.yaml in ${cwd} nor above it. Go to the program's folder, or name it with --cwd.`,
    );
  }
  for (const file of ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"]) {
    const text = await readFile(join(folder, file), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const { name } = z.object({ name: z.string() }).catch({ name: "" }).parse(parse(text));
    return { folder, name };
  }
  return { folder, name: "" };
}

/** The stack that is selected. */
export async function selectedStack(terminal: Surroundings): Promise<string> {
  const result = await runUnlessStopped(["stack", "--show-name"], terminal);
  if (result.exitCode === 0) return result.stdout.trim();
  throw new RefusedError(
    `Which stack is selected cannot be found out: ${pulumiMessage(result)} --stack names one.`,
  );
}

/**
 * @throws RefusedError with pulumi's own message when the state cannot be had
 */
export async function readStack(terminal: Surroundings, stack: string, project: string): Promise<StackState> {
  const result = await runUnlessStopped(["stack", "export", "--stack", stack], terminal);
  if (result.exitCode !== 0) throw new RefusedError(`Its state cannot be read: ${pulumiMessage(result)}`);
  const { deployment } = exported.parse(JSON.parse(result.stdout));
  const managed = (deployment?.resources ?? []).filter(
    ({ type, custom, external, delete: isLeaving }) =>
      custom === true && !type.startsWith("pulumi:") && !external && !isLeaving,
  );
  // The state has them in the order of the last run; a report is to be the same from one look to the next.
  const resources = managed
    .filter(({ type }) => kindOf(type) !== undefined)
    .sort((one, other) => (one.urn < other.urn ? -1 : 1));
  return { stack, project, resources, isShared: resources.length < managed.length };
}

/** What `pulumi` said of its failure, in one line that ends with a full stop. */
export function pulumiMessage({ exitCode, stdout, stderr }: PulumiResult): string {
  const said = stderr.trim() || stdout.trim();
  const line = said
    .split("\n")
    .map((text) => text.trim().replace(/^error: /, ""))
    .filter((text) => text !== "")
    .join(" ");
  const text = line === "" ? `pulumi ended with exit code ${exitCode} and no word` : line;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
