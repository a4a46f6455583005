/** The output of `adopt`: what was left out, and what was written. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { attempt } from "../../provider/attempt";
import { isRecord } from "../../provider/resources/contract/values";
import { visibleText } from "../../provider/text/visible-text";
import { invocation } from "../lib/command";
import { DEFAULT_LIST, entryName } from "../lib/import-list";
import { findPulumiFile } from "../lib/pulumi";
import { counted, listed, optionsText, shellWord, type Terminal } from "../lib/terminal";
import type { Found } from "./gather";
import type { AdoptOptions } from "./options";

/** The property of a project file that a list fills. */
const FILE_PROPERTIES = { people: "members", teams: "teams", "API keys": "apiKeys" } as const;

/** One line for each thing that was left out. */
export function remarks({ plan, unreadable, unfit, partial }: Found): string[] {
  return [
    ...plan.elsewhere.map(
      ({ project, urn }) =>
        `Project "${project.name}" is left out, because this stack declares it as ${urn}.`,
    ),
    ...plan.namesakes.map(
      ({ name, projectId }) =>
        `Project "${name}" (${projectId}) is left out, because another project of its organization has the same name. A project file identifies a project by its name. Rename one of them and run the command again.`,
    ),
    ...unfit.map(
      ({ adoption: { project }, reasons }) =>
        `Project ${JSON.stringify(project.name)} (${project.projectId}) is left out, because a project file cannot declare it: ${reasons.join(" ")} Change that in the service and run the command again.`,
    ),
    ...partial.flatMap(({ adoption: { project }, omitted }) =>
      omitted.map(
        ({ property, reasons }) =>
          `The file of project ${JSON.stringify(project.name)} (${project.projectId}) has no ${property}, because a project file cannot declare them: ${reasons.join(" ")} To add them, change that in the service, delete the file and run the command again.`,
      ),
    ),
    ...unreadable.map(({ what, projectName, reason, isNew }) =>
      isNew
        ? `The ${what} of project "${projectName}" could not be read, so its file has no ${FILE_PROPERTIES[what]}: ${reason} To add them, delete the file and run the command again.`
        : `The ${what} of project "${projectName}" could not be read, so the import list has none of them: ${reason} To list them, run the command again.`,
    ),
  ];
}

export function nothingNew(found: Found, options: AdoptOptions): string {
  if (found.chosen === 0) return "No project of the organization matches. Nothing was written.\n";
  const list = found.entries > 0 ? `${listText(found, options, "lists")}\n` : "";
  return `${allThere(found, options)} Nothing was written.\n${list}`;
}

/** `Nothing new: 3 projects of 3 have files in projects.` */
function allThere({ plan, chosen, unfit }: Found, { out }: AdoptOptions): string {
  const { there, elsewhere, namesakes, inOtherShards } = plan;
  const others = elsewhere.length + namesakes.length + unfit.length + inOtherShards;
  const rest = others > 0 ? `, and ${others} of ${chosen} are left out` : "";
  return `Nothing new: ${counted(there, "project")} of ${chosen} ${there === 1 ? "has a file" : "have files"} in ${out}${rest}.`;
}

/** `2 project files written to projects, with 3 memberships (1 invited) and 1 team.` */
function filesText(found: Found, options: AdoptOptions, written: string): string {
  const { adoptions } = found;
  const { out, members, teams, keys } = options;
  if (adoptions.length === 0) return allThere(found, options);
  const people = adoptions.flatMap((adoption) => adoption.people);
  const pending = people.filter(({ status }) => status === "pending").length;
  const invited = pending > 0 ? ` (${pending} invited)` : "";
  const teamCount = adoptions.flatMap((adoption) => adoption.teams).length;
  const contents = [
    ...(members ? [`${counted(people.length, "membership")}${invited}`] : []),
    ...(teams ? [counted(teamCount, "team")] : []),
    ...(keys ? [counted(adoptions.flatMap((adoption) => adoption.keys).length, "API key")] : []),
  ];
  return `${counted(adoptions.length, "project file")} ${written} ${out}${contents.length > 0 ? `, with ${listed(contents)}` : ""}.`;
}

function defaultsText({ defaults }: Found, has: string): string[] {
  return defaults === undefined ? [] : [`${defaults.path} ${has} the organization of the new files.`];
}

function listText({ entries, earlier, ended }: Found, { importFile }: AdoptOptions, lists: string): string {
  const ofFiles = earlier > 0 && earlier < entries ? `, ${earlier} of them of existing files` : "";
  const list =
    entries === 0
      ? `${importFile} ${lists} nothing: the stack has what the files declare.`
      : `${importFile} ${lists} ${counted(entries, "resource")} to import${ofFiles}.`;
  if (ended.length === 0) return list;
  const names = ended.slice(0, MOST_NAMES).map((entry) => visibleText(entryName(entry)));
  const left = ended.length - names.length;
  const all = listed([...names, ...(left > 0 ? [`${left} more`] : [])]);
  return `${list} Left out, because no file declares it or it no longer exists: ${all}.`;
}

/** More names would not be read. */
const MOST_NAMES = 10;

/** What a run without `--dry-run` would write: counts, and the names of some files. */
export function dryRunSummary(found: Found, options: AdoptOptions): string {
  const names = found.files.slice(0, MOST_NAMES).map(({ path }) => `  ${visibleText(path)}`);
  const left = found.files.length - names.length;
  return [
    filesText(found, options, "would be written to"),
    ...names,
    ...(left > 0 ? [`  and ${left} more`] : []),
    listText(found, options, "would list"),
    ...defaultsText(found, "would have"),
    "",
    "Nothing was written. To print the content of each file, add --print.",
    "",
  ].join("\n");
}

/** @returns what was written, and the next commands */
export function summary(
  found: Found,
  options: AdoptOptions,
  terminal: Pick<Terminal, "cwd" | "env">,
): string {
  return [
    filesText(found, options, "written to"),
    ...(found.entries > 0 || found.list.replaces !== undefined ? [listText(found, options, "lists")] : []),
    ...defaultsText(found, "has"),
    ...(found.entries > 0 ? nextSteps(options, terminal) : []),
    "",
  ].join("\n");
}

function nextSteps(options: AdoptOptions, terminal: Pick<Terminal, "cwd" | "env">): string[] {
  const { importFile, component, out } = options;
  const here = optionsText(options);
  const file = importFile === DEFAULT_LIST ? "" : ` --file ${shellWord(importFile)}`;
  const steps = [
    `  ${invocation(terminal)} import${file}${here}`,
    `  pulumi preview --diff${here}`,
    `  pulumi up${here}`,
  ];
  const width = Math.max(...steps.map(({ length }) => length));
  const [toImport, preview, up] = steps.map((step) => step.padEnd(width));
  return [
    "",
    "The program must declare the folder:",
    `  ${declarations[languageOf(terminal.cwd)](JSON.stringify(component), JSON.stringify(out))}`,
    "",
    "Review the files, then:",
    `${toImport}   # records what exists in the stack; sends no request that writes`,
    `${preview}   # shows no change of a resource, unless a person was added since then`,
    `${" ".repeat(width)}   # if it shows a deletion, do not run up: see --shard in the documentation of adopt`,
    `${up}   # sends no request that writes`,
  ];
}

/** A component in each language of Pulumi programs, by the name of its runtime. */
const declarations = {
  nodejs: (name: string, folder: string) => `new opsmanager.ProjectFolder(${name}, { folder: ${folder} });`,
  python: (name: string, folder: string) => `opsmanager.ProjectFolder(${name}, folder=${folder})`,
  go: (name: string, folder: string) =>
    `opsmanager.NewProjectFolder(ctx, ${name}, &opsmanager.ProjectFolderArgs{Folder: ${folder}})`,
  dotnet: (name: string, folder: string) =>
    `new OpsManager.ProjectFolder(${name}, new() { Folder = ${folder} });`,
  java: (name: string, folder: string) =>
    `new ProjectFolder(${name}, ProjectFolderArgs.builder().folder(${folder}).build());`,
  yaml: (name: string, folder: string) =>
    `${name}: { type: opsmanager:ProjectFolder, properties: { folder: ${folder} } }`,
};

/** The language of the program in a folder; YAML, which every reader understands, for one that is not known. */
function languageOf(folder: string): keyof typeof declarations {
  const file = findPulumiFile(folder);
  const settings: unknown = file === undefined ? undefined : attempt(() => parse(readFileSync(file, "utf8")));
  const runtime = isRecord(settings) ? settings.runtime : undefined;
  const name = isRecord(runtime) ? runtime.name : runtime;
  return (
    Object.keys(declarations).find((known): known is keyof typeof declarations => known === name) ?? "yaml"
  );
}
