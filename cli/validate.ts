/** `opsmanager validate`: checks a folder of files without Pulumi, keys and network. */

import { resolve } from "node:path";
import { type AccessFiles, allOf, FOLDERS, fileKinds } from "../projects/access-files";
import { endSentences, endsIn } from "../projects/as-of";
import { type Fault, locationText, ProjectFilesError } from "../projects/faults";
import { leftBehind } from "../projects/left-behind";
import { type ReadFolder, readFolder } from "../projects/load";
import { ownAsExternal } from "../projects/names";
import { nearNames } from "../projects/near-names";
import { shortList } from "../provider/text/list";
import { visibleText } from "../provider/text/visible-text";
import { type CliCommand, FOLDER_ARGUMENT, folderOption } from "./lib/command";
import { pathInRepository, writeWhole } from "./lib/report-files";
import { fingerprintOf, physicalLocation, sarifLog, sarifRule, withoutLinks } from "./lib/sarif";
import { counted, inFolder } from "./lib/terminal";

const HELP = `
Reads the files as AccessFolder does, and prints every fault with its line and column. It needs no program, state, key or
connection, so it can check pull requests from forks.

Exit codes: 0 no fault, 64 the command line is invalid, 1 otherwise.`;

interface ValidateOptions {
  readonly cwd?: string;
  readonly sarif?: string;
}

export const validate: CliCommand = {
  name: "validate",
  summary: "Checks the files of projects, teams and organizations, without a stack or a key.",
  examples: ["", "access --sarif faults.sarif"],
  define(command) {
    command
      .argument(...FOLDER_ARGUMENT)
      .addOption(folderOption("folder that relative paths start from"))
      .option("--sarif <file>", "also write the faults as SARIF 2.1.0, for code scanning")
      .addHelpText("after", HELP);
  },
  async run({ options, args, terminal: outer }) {
    const { cwd, sarif }: ValidateOptions = options;
    const terminal = inFolder(outer, cwd);
    const folder = args[0] ?? ".";
    const { read, faults } = checkFolder(folder, terminal.cwd);
    const files = read?.files;
    const lines = faults.map(({ location, reason }) => `${locationText(location)}: ${reason}`);
    const said = read ? [...settingNotes(read.files), ...nameNotes(read), ...endNotes(read.files)] : [];
    const notes = said.map((note) => `note: ${note}`);
    const faulty = new Set(faults.map(({ location }) => location.file)).size;
    const verdict = files
      ? `${contentOf(files)} in ${folder}: no fault.`
      : `${counted(faults.length, "fault")} in ${counted(faulty, "file")}.`;
    terminal.stdout(`${[...lines, ...notes, verdict].map((line) => visibleText(line)).join("\n")}\n`);
    if (sarif !== undefined) await writeWhole(resolve(outer.cwd, sarif), asSarif(faults, terminal.cwd));
    return faults.length === 0 ? 0 : 1;
  },
};

/** There are no files if there are faults. */
function checkFolder(folder: string, cwd: string): { read?: ReadFolder; faults: readonly Fault[] } {
  try {
    return { read: readFolder(folder, cwd), faults: [] };
  } catch (error) {
    if (!(error instanceof ProjectFilesError)) throw error;
    return { faults: error.faults };
  }
}

/** How many files of each kind there are; the folder has at least one. */
function contentOf(files: AccessFiles): string {
  return FOLDERS.filter((kind) => files[kind].length > 0)
    .map((kind) => counted(files[kind].length, fileKinds[kind].noun))
    .join(", ");
}

const MOST_FILES_NAMED = 5;

/** This command knows no setting, so it cannot tell whether the stack has the one that these files need. */
function settingNotes(files: AccessFiles): string[] {
  const unnamed = allOf(files).filter(({ orgId }) => orgId === undefined);
  if (unnamed.length === 0) return [];
  const names = shortList(
    unnamed.map(({ file }) => file),
    MOST_FILES_NAMED,
  );
  return [`files without orgId belong to the organization of the setting opsmanager:orgId: ${names}.`];
}

function nameNotes({ files, locate }: ReadFolder): string[] {
  const near = nearNames(files, locate).map(
    ({ name, location, meant }) =>
      `${locationText(location)}: ${name} is nearly ${meant}, whom other files name. Check the name.`,
  );
  const external = [...ownAsExternal(files)].flatMap(([property, entries]) =>
    entries.length === 0
      ? []
      : [`the folder declares these, so move them to ${property}: ${shortList(entries, MOST_FILES_NAMED)}.`],
  );
  return [...near, ...external];
}

/** What ends, by its day. The calendar makes nothing a fault. */
function endNotes(files: AccessFiles): string[] {
  const notes = [...endSentences(endsIn(files), new Date()), ...leftBehind(files)];
  const members = files.organizations.flatMap(({ ends = [] }) =>
    ends.flatMap(({ property, name }) => (property === "members" ? [name] : [])),
  );
  if (members.length === 0) return notes;
  const [who, stay] = [shortList(members, MOST_MEMBERS_NAMED), members.length === 1 ? "stays" : "stay"];
  return [
    ...notes,
    `only Cloud Manager documents the removal of people from an organization: if the service does not offer it, ${who} ${stay} in the organization, and the run says so.`,
  ];
}

const MOST_MEMBERS_NAMED = 5;

const RULE = sarifRule(
  "project-file",
  "error",
  {
    name: "ProjectFileFault",
    short: "A file cannot be declared as it is.",
    help: "A fault in one file ends the program before anything is declared. The message names the value and what to do.",
  },
  "files",
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
