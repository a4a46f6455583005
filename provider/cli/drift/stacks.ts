/** The stacks that are looked at, and what their states hold. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { RefusedError } from "../../errors";
import { findPulumiProject, type PulumiResult, runPulumi } from "../pulumi";
import type { Terminal } from "../terminal";
import { kindOf } from "./own-resources";

type Surroundings = Pick<Terminal, "cwd" | "env" | "stop">;

const values = z.record(z.string(), z.unknown());

const stateResource = z.object({
  urn: z.string(),
  type: z.string(),
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
  const result = await runPulumi(["stack", "--show-name"], terminal);
  if (result.exitCode === 0) return result.stdout.trim();
  throw new RefusedError(
    `Which stack is selected cannot be found out: ${pulumiMessage(result)} --stack names one.`,
  );
}

/**
 * @throws RefusedError with pulumi's own message when the state cannot be had
 */
export async function readStack(terminal: Surroundings, stack: string, project: string): Promise<StackState> {
  const result = await runPulumi(["stack", "export", "--stack", stack], terminal);
  if (result.exitCode !== 0) throw new RefusedError(`Its state cannot be read: ${pulumiMessage(result)}`);
  const { deployment } = exported.parse(JSON.parse(result.stdout));
  const own = (deployment?.resources ?? []).filter(
    ({ type, external, delete: isLeaving }) => kindOf(type) !== undefined && !external && !isLeaving,
  );
  return { stack, project, resources: own };
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
