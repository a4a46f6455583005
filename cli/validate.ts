/** `opsmanager validate`: checks a folder of project files without Pulumi, keys and network. */

import { resolve } from "node:path";
import { type Fault, locationText, ProjectFilesError } from "../projects/faults";
import { loadProjectFiles } from "../projects/load";
import { visibleText } from "../provider/text/visible-text";
import { type CliCommand, folderOption } from "./lib/command";
import { pathInRepository, writeWhole } from "./lib/report-files";
import { fingerprintOf, physicalLocation, sarifLog, sarifRule, withoutLinks } from "./lib/sarif";
import { counted, inFolder } from "./lib/terminal";

const HELP = `
Reads the files as ProjectFolder does, and prints every fault of every file with line and column. It runs no program and
reads no state, key or service, so it also checks pull requests from forks.

Exit codes: 0 no fault, 64 the command line is invalid, 1 otherwise.`;

interface ValidateOptions {
  readonly cwd?: string;
  readonly sarif?: string;
}

export const validate: CliCommand = {
  name: "validate",
  summary: "Checks a folder of project files. Needs no stack, no key and no connection.",
  examples: ["", "teams/projects --sarif faults.sarif"],
  define(command) {
    command
      .argument("[folder]", "folder of the project files", "projects")
      .addOption(folderOption("folder at which relative paths of the files begin"))
      .option("--sarif <file>", "also write the faults as SARIF 2.1.0, for code scanning")
      .addHelpText("after", HELP);
  },
  async run({ options, args, terminal: outer }) {
    const { cwd, sarif }: ValidateOptions = options;
    const terminal = inFolder(outer, cwd);
    const [folder = "projects"] = args;
    const { count, faults } = checkFolder(folder, terminal.cwd);
    const lines = faults.map(({ location, reason }) => visibleText(`${locationText(location)}: ${reason}`));
    const files = new Set(faults.map(({ location }) => location.file)).size;
    const verdict =
      faults.length === 0
        ? `${counted(count, "project")} in ${folder}: no fault.`
        : `${counted(faults.length, "fault")} in ${counted(files, "file")}.`;
    terminal.stdout(`${[...lines, visibleText(verdict)].join("\n")}\n`);
    if (sarif !== undefined) await writeWhole(resolve(outer.cwd, sarif), asSarif(faults, terminal.cwd));
    return faults.length === 0 ? 0 : 1;
  },
};

function checkFolder(folder: string, cwd: string): { count: number; faults: readonly Fault[] } {
  try {
    return { count: loadProjectFiles(folder, cwd).length, faults: [] };
  } catch (error) {
    if (!(error instanceof ProjectFilesError)) throw error;
    return { count: 0, faults: error.faults };
  }
}

const RULE = sarifRule(
  "project-file",
  "error",
  {
    name: "ProjectFileFault",
    short: "A project file cannot be declared as it is.",
    help: "A fault in one file ends the program before anything is declared. The message names the value and what to do.",
  },
  "project-files",
);

function asSarif(faults: readonly Fault[], cwd: string): string {
  const results = faults.map(({ location, reason }) => {
    const { file, line, column } = location;
    const fingerprint = fingerprintOf([file, reason]);
    const region = line === undefined ? undefined : { startLine: line, startColumn: column };
    return {
      ruleId: RULE.id,
      ruleIndex: 0,
      level: "error",
      message: { text: withoutLinks(visibleText(reason)) },
      locations: [{ physicalLocation: physicalLocation(pathInRepository(resolve(cwd, file)), region) }],
      partialFingerprints: { primaryLocationLineHash: fingerprint, "opsmanagerValidate/v1": fingerprint },
    };
  });
  const invocation = { executionSuccessful: true };
  return sarifLog({ command: "opsmanager validate", rules: [RULE], results, invocation });
}
