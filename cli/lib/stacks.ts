/** Reads the checked stacks and the resources in their states. */
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseDocument } from "yaml";
import { z } from "zod";
import { ACCESS_FOLDER_TYPE } from "../../provider/component";
import { CanceledError, RefusedError } from "../../provider/text/errors";
import { kindOf } from "./own-resources";
import {
  findPulumiFile,
  noPulumiProject,
  type PulumiEnvironment,
  type PulumiResult,
  runPulumi,
  SHOW_NAME,
} from "./pulumi";
import { sideBySide } from "./side-by-side";
import { exportArguments, type PendingOperation, readStackExport, type StateResource } from "./stack-export";

export interface StackState {
  /** The stack's name on the command line. */
  readonly stack: string;
  /** Pulumi project. */
  readonly project: string;
  /** Resources of this provider that the stack owns. */
  readonly resources: readonly StateResource[];
  /** Resources of this provider that a replacement still has to delete. */
  readonly replaced: readonly StateResource[];
  /** Operations on resources of this provider that an interrupted run had begun. */
  readonly pending: readonly PendingOperation[];
  /** The stack also has resources of other providers. */
  readonly isShared: boolean;
  /** Components of this provider. */
  readonly components: readonly StateResource[];
}

/**
 * Runs `pulumi`, unless Ctrl-C comes before or while it runs.
 *
 * @throws CanceledError
 */
export async function runUnlessStopped(
  args: readonly string[],
  terminal: PulumiEnvironment,
  onOutput?: (text: string) => void,
): Promise<PulumiResult> {
  const stopped = () => new CanceledError("Stopped; no report was written.");
  if (terminal.stop.aborted) throw stopped();
  const result = await runPulumi(args, terminal, onOutput);
  if (terminal.stop.aborted) throw stopped();
  return result;
}

/**
 * The file of the Pulumi project, the project's name, and the folder in which the program runs.
 *
 * @throws RefusedError if there is none
 */
export async function readPulumiProject(
  cwd: string,
): Promise<{ readonly file: string; readonly name: string; readonly programFolder: string }> {
  const file = findPulumiFile(cwd);
  if (file === undefined) {
    throw new RefusedError(noPulumiProject(cwd));
  }
  const document = parseDocument(await readFile(file, "utf8"), { logLevel: "silent" });
  const name: unknown = document.get("name");
  // pulumi itself reports faults of the file.
  const main: unknown = document.get("main");
  const program = join(dirname(file), typeof main === "string" ? main : ".");
  const isFolder = statSync(program, { throwIfNoEntry: false })?.isDirectory() === true;
  const programFolder = isFolder ? program : dirname(program);
  return { file, name: typeof name === "string" ? name : "", programFolder };
}

/**
 * Each stack once, by its first given name: `dev` and `organization/shop/dev` may be the same, and
 * would be counted twice. pulumi prints one name for both. The result includes a stack that
 * pulumi does not find, and the later read reports the reason.
 *
 * @param parallel how many stacks are read at a time
 */
export async function distinctStacks(
  terminal: PulumiEnvironment,
  named: readonly string[],
  parallel: number,
): Promise<string[]> {
  const names = [...new Set(named)];
  if (names.length < 2) return names;
  const ownNames = await sideBySide(names, parallel, async (name) => {
    const { exitCode, stdout } = await runUnlessStopped([...SHOW_NAME, "--stack", name], terminal);
    return exitCode === 0 ? stdout.trim() : name;
  });
  return names.filter((_, index) => ownNames.indexOf(ownNames[index] ?? "") === index);
}

/** @throws RefusedError with pulumi's own message if the state cannot be read */
export async function readStack(
  terminal: PulumiEnvironment,
  stack: string,
  project: string,
): Promise<StackState> {
  const state = readStackExport(await runUnlessStopped(exportArguments(stack), terminal), stack);
  const managed = state.resources.filter(
    ({ type, custom }) => custom === true && !type.startsWith("pulumi:"),
  );
  const isOwn = ({ type }: StateResource) => kindOf(type) !== undefined;
  // The state lists resources in the order of the last run. The report sorts them, so it is the
  // same for each run.
  const resources = managed.filter(isOwn).sort((one, other) => (one.urn < other.urn ? -1 : 1));
  const isShared = resources.length < managed.length;
  return {
    stack,
    project,
    resources,
    replaced: state.replaced.filter(isOwn),
    pending: state.pending.filter(({ resource }) => isOwn(resource)),
    isShared,
    components: state.resources.filter(({ type, custom }) => custom !== true && kindOf(type) !== undefined),
  };
}

/** The folders of files that components of the stack declare, as the program names them. */
export function foldersOf({ components }: StackState): string[] {
  return components.flatMap(({ type, outputs: { folder } = {} }) =>
    type === ACCESS_FOLDER_TYPE && typeof folder === "string" ? [folder] : [],
  );
}

const stackHistory = z.array(z.object({ kind: z.string(), startTime: z.iso.datetime({ offset: true }) }));

/** An update before so many refreshes is not found; then the events of a fixed number of days count. */
const LAST_RUNS = 100;

/** The kinds of runs that write to the service, or take over what is there. */
const UPDATES = new Set(["update", "resource-import"]);

/**
 * The beginning of the last update of a stack before a time, successful or not; `undefined` if none is recorded.
 */
export async function timeOfLastUpdate(
  terminal: PulumiEnvironment,
  stack: string,
  before: Date,
): Promise<Date | undefined> {
  const args = ["stack", "history", "--json", "--page-size", String(LAST_RUNS), "--stack", stack];
  const { exitCode, stdout } = await runUnlessStopped(args, terminal);
  if (exitCode !== 0) return undefined;
  // The newest run is the first.
  const last = stackHistory
    .parse(JSON.parse(stdout))
    .find(({ kind, startTime }) => UPDATES.has(kind) && Date.parse(startTime) <= before.getTime());
  return last && new Date(last.startTime);
}
