/**
 * `opsmanager import`: records in a stack what the list of `adopt` names. Sends no request that
 * writes.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { checkedAs } from "../../provider/resources/contract/border";
import { messageOf, RefusedError } from "../../provider/text/errors";
import { type CliCommand, folderOption, stackOption } from "../lib/command";
import {
  DEFAULT_LIST,
  entriesIfWhole,
  type ImportEntry,
  type ListPlaces,
  partOfList,
  placesIn,
} from "../lib/import-list";
import { isOwnResource, isOwnStep } from "../lib/own-resources";
import { runPulumi, selectedStack } from "../lib/pulumi";
import { exportArguments, readStackExport } from "../lib/stack-export";
import { readPulumiProject } from "../lib/stacks";
import { inFolder, optionsText, printMessage, type Terminal } from "../lib/terminal";
import { recordProgram, runWithoutCheckpoints } from "./engine";
import { entriesThatFit } from "./fit";
import {
  failureOf,
  type ImportOutcome,
  isRecorded,
  nothingWaiting,
  outcomeOf,
  stoppedByOthers,
  together,
  waitingEntries,
} from "./outcome";
import { remarks, summary } from "./report";

const HELP = `
Checks that the program declares what the list has, and that nothing else of the stack does. Then runs pulumi import, and
pulumi refresh --run-program for the resources of this provider. Both write the state once, at their end, and nothing to
the service, so after an interruption you can simply run the command again. It skips what the stack already has, and names
what no longer exists at the end.

Exit codes: 0 the stack has everything of the list, 64 the command line is invalid, 1 otherwise.`;

interface ImportOptions {
  readonly file: string;
  readonly stack?: string;
  readonly cwd?: string;
}

export const importList: CliCommand = {
  name: "import",
  summary: "Imports the list that adopt wrote into a stack. Changes nothing in the service.",
  examples: ["", "--file shard-0.json --stack shard-0"],
  define(command) {
    command
      .option("--file <file>", "list that adopt wrote", DEFAULT_LIST)
      .addOption(stackOption("stack that receives the resources; default: the selected one"))
      .addOption(folderOption())
      .addHelpText("after", HELP);
  },
  async run(invocation) {
    const options = checkedAs<ImportOptions>(invocation.options);
    const terminal = inFolder(invocation.terminal, options.cwd);
    const { name } = await readPulumiProject(terminal.cwd);
    const list = await readList(options.file, terminal.cwd);
    const { entries, places } = list;
    const stack = options.stack ?? (await selectedStack(terminal));
    const state = readStackExport(await runPulumi(exportArguments(stack), terminal), stack);
    const waiting = waitingEntries(entries, places, state);
    const beginning = { ...list, stack, project: name, state };
    const fitting = await entriesThatFit(waiting, beginning, terminal);
    const undeclared = waiting.filter((entry) => !fitting.includes(entry));
    const outcome = { ...(await importAll(fitting, list.text, stack, terminal)), undeclared };
    const { imported, left } = outcome;
    const total = state.resources.filter(isOwnResource).length + imported.length;
    const isNeeded = left.length === 0 && (imported.length > 0 || !isRecorded(entries, places, state));
    const recorded = isNeeded ? await record({ stack, project: name, total }, terminal) : undefined;
    for (const remark of remarks(outcome, recorded?.failure, terminal)) printMessage(terminal, remark);
    terminal.stdout(
      summary({
        stack,
        imported: imported.length,
        before: entries.length - waiting.length,
        here: optionsText(options),
        seconds: recorded?.seconds,
      }),
    );
    return imported.length === waiting.length && recorded?.failure === undefined ? 0 : 1;
  },
};

interface ListFile {
  /** As the command line names it. */
  readonly file: string;
  readonly text: string;
  readonly entries: readonly ImportEntry[];
  readonly places: ListPlaces;
}

/** @throws RefusedError if there is no list, or another file has its name */
async function readList(file: string, cwd: string): Promise<ListFile> {
  const text = await readFile(resolve(cwd, file), "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw new RefusedError(
        `There is no ${file}. Run opsmanager adopt, which writes it if there is something to import.`,
      );
    throw new RefusedError(`${file} cannot be read: ${messageOf(error)}.`);
  });
  const entries = entriesIfWhole(text);
  if (entries !== undefined) return { file, text, entries, places: placesIn(text) };
  throw new RefusedError(`${file} is not a list that adopt wrote. Import it with pulumi import --file.`);
}

async function importAll(
  chosen: readonly ImportEntry[],
  text: string,
  stack: string,
  terminal: Terminal,
): Promise<ImportOutcome> {
  const folder = await mkdtemp(join(tmpdir(), "opsmanager-import-"));
  const importPart = async (part: readonly ImportEntry[]) => {
    const file = join(folder, DEFAULT_LIST);
    await writeFile(file, partOfList(text, part));
    return importFrom(file, part, stack, terminal);
  };
  try {
    const first = await importPart(chosen);
    const left = stoppedByOthers(first);
    return left.length === 0 ? first : together(first, await importPart(left));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The engine goes on after an entry that fails. */
async function importFrom(
  file: string,
  waiting: readonly ImportEntry[],
  stack: string,
  terminal: Terminal,
): Promise<ImportOutcome> {
  if (waiting.length === 0) return nothingWaiting;
  const run = await runWithoutCheckpoints(
    {
      args: ["import", "--file", file, "--protect=false", "--generate-code=false"],
      stack,
      what: "resources imported",
      total: waiting.length,
      isCounted: (step) => step.op === "import" && isOwnStep(step),
    },
    terminal,
  );
  return outcomeOf(waiting, run);
}

interface Recorded {
  readonly seconds: number;
  readonly failure: string | undefined;
}

/**
 * Records what only the program knows: the parent of each person, the provider, and what is deleted
 * together. The engine imports each resource without them (`importResources` in its deploy/import.go),
 * so the first `up` would write the whole state after each resource (`mustWrite` in its backend/snapshot.go).
 */
async function record(
  { stack, project, total }: { readonly stack: string; readonly project: string; readonly total: number },
  terminal: Terminal,
): Promise<Recorded> {
  const begun = performance.now();
  const run = await recordProgram(
    {
      stack,
      project,
      what: "resources read",
      after: "all resources imported",
      total,
      isCounted: (step) => step.isRefresh && isOwnStep(step),
    },
    terminal,
  );
  const error = failureOf(run);
  return {
    seconds: (performance.now() - begun) / 1000,
    failure:
      error &&
      `The resources are imported, but the program did not run: ${error} Until it does, do not delete files of projects.`,
  };
}
