/** The stacks that are looked at, and what their states hold. */
import { readFile } from "node:fs/promises";
import { parseDocument } from "yaml";
import { CancelledError, RefusedError } from "../../errors";
import { kindOf } from "../own-resources";
import { findPulumiFile, type PulumiResult, pulumiMessage, runPulumi } from "../pulumi";
import { exportArguments, type PendingOperation, readStackExport, type StateResource } from "../stack-export";
import type { Terminal } from "../terminal";

type Surroundings = Pick<Terminal, "cwd" | "env" | "stop">;

export interface StackState {
  /** As it was named. */
  readonly stack: string;
  /** Pulumi project. */
  readonly project: string;
  /** Those of this provider that the stack owns. */
  readonly resources: readonly StateResource[];
  /** Those of this provider that a replacement has still to delete. */
  readonly replaced: readonly StateResource[];
  /** What a run that was cut off had begun to do with resources of this provider. */
  readonly pending: readonly PendingOperation[];
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
 * The file of the Pulumi project and the project's name.
 *
 * @throws RefusedError where there is none
 */
export async function readPulumiProject(cwd: string): Promise<{ file: string; name: string }> {
  const file = await findPulumiFile(cwd);
  if (file === undefined) {
    throw new RefusedError(
      `There is no Pulumi.yaml in ${cwd} nor above it. Go to the program's folder, or name it with --cwd.`,
    );
  }
  const document = parseDocument(await readFile(file, "utf8"), { logLevel: "silent" });
  const name: unknown = document.get("name");
  // A file that is not right is pulumi's to complain of.
  return { file, name: typeof name === "string" ? name : "" };
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
 * Each stack once, by the name that it was given first: `dev` and `organization/estate/dev` may be the same, and would be counted
 * twice. pulumi prints one name for both; one that it does not find is left to the look, which says why.
 */
export async function distinctStacks(terminal: Surroundings, named: readonly string[]): Promise<string[]> {
  const names = [...new Set(named)];
  if (names.length < 2) return names;
  const byOwnName = new Map<string, string>();
  for (const name of names) {
    const args = ["stack", "--show-name", "--stack", name];
    const { exitCode, stdout } = await runUnlessStopped(args, terminal);
    const ownName = exitCode === 0 ? stdout.trim() : name;
    if (!byOwnName.has(ownName)) byOwnName.set(ownName, name);
  }
  return [...byOwnName.values()];
}

/**
 * @throws RefusedError with pulumi's own message when the state cannot be had
 */
export async function readStack(terminal: Surroundings, stack: string, project: string): Promise<StackState> {
  const state = readStackExport(await runUnlessStopped(exportArguments(stack), terminal), stack);
  const managed = state.resources.filter(
    ({ type, custom }) => custom === true && !type.startsWith("pulumi:"),
  );
  const isOwn = ({ type }: StateResource) => kindOf(type) !== undefined;
  // The state has them in the order of the last run; a report is to be the same from one look to the next.
  const resources = managed.filter(isOwn).sort((one, other) => (one.urn < other.urn ? -1 : 1));
  const isShared = resources.length < managed.length;
  return {
    stack,
    project,
    resources,
    replaced: state.replaced.filter(isOwn),
    pending: state.pending.filter(({ resource }) => isOwn(resource)),
    isShared,
  };
}
