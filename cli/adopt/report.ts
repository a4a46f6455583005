/** The output of `adopt`: what was left out, and what was written. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { attempt } from "../../provider/attempt";
import { isRecord } from "../../provider/resources/contract/values";
import { visibleText } from "../../provider/text/visible-text";
import { findPulumiFile } from "../lib/pulumi";
import { counted, listed } from "../lib/terminal";
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
    ...unreadable.map(
      ({ what, projectName, reason }) =>
        `The ${what} of project "${projectName}" could not be read, so its file has no ${FILE_PROPERTIES[what]}: ${reason} To add them, delete the file and run the command again.`,
    ),
  ];
}

export function nothingNew({ plan, chosen, unfit }: Found, out: string): string {
  const { there, elsewhere, namesakes, inOtherShards } = plan;
  if (chosen === 0) return "No project of the organization matches. Nothing was written.\n";
  const others = elsewhere.length + namesakes.length + unfit.length + inOtherShards;
  const rest = others > 0 ? `, and ${others} of ${chosen} are left out` : "";
  return `Nothing new: ${counted(there, "project")} of ${chosen} ${there === 1 ? "has a file" : "have files"} in ${out}${rest}. Nothing was written.\n`;
}

/** `2 project files written to projects, with 3 memberships (1 invited) and 1 team.` */
function filesText(
  { adoptions }: Found,
  { out, members, teams, keys }: AdoptOptions,
  written: string,
): string {
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

function listText({ entries, earlier }: Found, { importFile }: AdoptOptions, lists: string): string {
  return `${importFile} ${lists} ${counted(entries, "resource")} to import${earlier > 0 ? `, ${earlier} of them from an earlier run` : ""}.`;
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
    "",
    "Nothing was written. To print the content of each file, add --print.",
    "",
  ].join("\n");
}

/** @returns what was written, and the next commands */
export function summary(found: Found, options: AdoptOptions, programFolder: string): string {
  const { importFile, stack, cwd, component, out } = options;
  const here = Object.entries({ cwd, stack })
    .map(([flag, value]) => (value === undefined ? "" : ` --${flag} ${shellWord(value)}`))
    .join("");
  return [
    filesText(found, options, "written to"),
    listText(found, options, "lists"),
    "",
    "The program must declare the folder:",
    `  ${declarations[languageOf(programFolder)](JSON.stringify(component), JSON.stringify(out))}`,
    "",
    "Review the files, then:",
    `  pulumi import --file ${shellWord(importFile)} --protect=false --generate-code=false${here}`,
    `  pulumi preview${here}   # shows no change of a resource, unless a person was added since then`,
    `${" ".repeat(`  pulumi preview${here}   `.length)}# if it shows a deletion, do not run up: see --shard in the documentation of adopt`,
    `  pulumi up${here}        # sends no request that writes; records which people belong to which project`,
    "",
  ].join("\n");
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

function shellWord(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
