/**
 * `opsmanager summarize`: runs `pulumi preview` or `pulumi up` and writes what it changes for people: what the program
 * changes, what is changed back, and who came undeclared.
 */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CliCommand, folderOption, stackOption } from "../lib/command";
import { type EngineRun, EventReader } from "../lib/engine-events";
import { checkWritable, formatOption, readOutputs, writeOutputs } from "../lib/outputs";
import { pulumiMessage, runPulumi } from "../lib/pulumi";
import { wholeReportLocations } from "../lib/report-files";
import { exportArguments, parseStackExport } from "../lib/stack-export";
import { inFolder, type Terminal } from "../lib/terminal";
import { UsageError } from "../lib/usage-error";
import { summaryOf } from "./changes";
import { findEvents } from "./events";
import { formats } from "./formats";
import { readOrganizations } from "./organizations";
import { NO_ORGANIZATIONS, type StateOptions } from "./places";

const HELP = `
Runs pulumi with the arguments that follow the command, prints what pulumi prints, and then writes the summary. It tells
apart what the program changes, what is changed back because somebody changed it outside Pulumi, with the last event that
fits, and who came undeclared. Deletions that will fail and new owners come first. The Markdown fits into a comment on
GitHub: what does not fit is counted. A secret is never shown.

Exit codes: 0 pulumi has succeeded, 1 it has failed, 64 the command line is invalid.`;

interface SummarizeOptions {
  readonly stack?: string;
  readonly cwd?: string;
  readonly format?: readonly string[];
}

export const summarize: CliCommand = {
  name: "summarize",
  summary: "Runs pulumi preview or pulumi up, and writes a summary of what changes in each project.",
  examples: [
    "--format markdown=summary.md --format text=plan.txt preview --stack prod",
    "--format markdown=summary.md up --yes --stack prod",
  ],
  define(command) {
    command
      .argument("<command>", "preview or up")
      .argument("[arguments...]", "arguments of pulumi, such as --yes")
      .passThroughOptions()
      .allowUnknownOption()
      .addOption(stackOption("stack of the run; default: the selected one"))
      .addOption(folderOption())
      .addOption(formatOption(formats))
      .addHelpText("after", HELP);
  },
  async run({ options, args, terminal: outer }) {
    const { stack, cwd, format = [] }: SummarizeOptions = options;
    const [command, ...others] = args;
    if (command !== "preview" && command !== "up") {
      throw new UsageError([`There is no command ${JSON.stringify(command)}: use preview or up.`]);
    }
    const outputs = readOutputs(format, outer.cwd, formats);
    await checkWritable(outputs);
    const terminal = inFolder(outer, cwd);
    const named = stack === undefined ? [] : ["--stack", stack];
    const ofRun = optionIn(others, "-s", "--stack") ?? stack;
    const recorded = await stateBefore(terminal, ofRun);
    const startedAt = new Date();
    const { run, failure } = await runWithEvents(terminal, [command, ...named, ...others]);
    const isPartial = others.some((argument) => PARTIAL.test(argument));
    const facts = { command, stack, failure, options: recorded, isPartial, startedAt } as const;
    const bare = summaryOf(run, facts);
    const ofSummary = ofRun ?? bare.stack;
    const organizations = await readOrganizations(terminal, bare, ofSummary);
    const summary = organizations === NO_ORGANIZATIONS ? bare : summaryOf(run, { ...facts, organizations });
    const events = await findEvents(terminal, summary, { stack: ofSummary, startedAt });
    const whole = outputs.find((output) => output.format === formats.text)?.file;
    const wholeReport = wholeReportLocations(whole, outer);
    outer.stdout("\n");
    await writeOutputs<(typeof formats)[keyof typeof formats]>(outputs, outer, (write) =>
      write(summary, { wholeReport, events }),
    );
    return failure === undefined ? 0 : 1;
  },
};

/** Options of `pulumi` that leave resources out of a run. */
const PARTIAL = /^(-t.*|--(target|target-replace|exclude|replace-targets)(=.*)?)$/;

/** The value of an option of `pulumi`, if its command line has it. */
function optionIn(args: readonly string[], short: string, long: string): string | undefined {
  const index = args.findIndex((argument) => argument === short || argument === long);
  if (index !== -1) return args[index + 1];
  return args.find((argument) => argument.startsWith(`${long}=`))?.slice(long.length + 1);
}

/** The events do not show `deletedWith`, nor what failed halfway, and a run removes both from the state. */
async function stateBefore(
  terminal: Terminal,
  stack: string | undefined,
): Promise<ReadonlyMap<string, StateOptions>> {
  const result = await runPulumi(exportArguments(stack), terminal);
  if (result.exitCode !== 0) return new Map();
  const { resources, replaced } = parseStackExport(JSON.parse(result.stdout));
  return new Map([...replaced, ...resources].map((resource) => [resource.urn, resource]));
}

interface RunWithEvents {
  readonly run: EngineRun;
  /** Pulumi's message if it failed. */
  readonly failure: string | undefined;
}

/** Runs `pulumi` with its own output, and reads the events that the engine has written meanwhile. */
async function runWithEvents(terminal: Terminal, args: readonly string[]): Promise<RunWithEvents> {
  const folder = await mkdtemp(join(tmpdir(), "opsmanager-summarize-"));
  const log = join(folder, "events.jsonl");
  try {
    const env = { ...terminal.env, ...EVENT_LOG };
    const lines = new WholeLines(terminal.stdout);
    const result = await runPulumi([...args, "--event-log", log], { ...terminal, env }, lines.take);
    lines.end();
    if (result.stderr !== "") terminal.stderr(result.stderr);
    const reader = new EventReader();
    // A run that fails early writes no log.
    reader.take(await readFile(log, "utf8").catch(() => ""));
    const run = reader.end();
    return { run, failure: result.exitCode === 0 ? undefined : pulumiMessage({ ...result, stdout: "" }) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes the option `--event-log` of the engine known. */
const EVENT_LOG = { PULUMI_DEBUG_COMMANDS: "true" } as const;

/**
 * Passes output on in whole lines. A log command of a CI service is recognized only if its line is
 * in one piece.
 */
class WholeLines {
  #rest = "";

  constructor(private readonly write: (text: string) => void) {}

  readonly take = (text: string): void => {
    const all = this.#rest + text;
    const end = all.lastIndexOf("\n") + 1;
    this.#rest = all.slice(end);
    if (end > 0) this.write(all.slice(0, end));
  };

  end(): void {
    if (this.#rest !== "") this.write(`${this.#rest}\n`);
    this.#rest = "";
  }
}
