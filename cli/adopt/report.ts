/** The output of `adopt`: what was left out, and what was written. */

import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { attempt } from "../../provider/attempt";
import { pathText } from "../../provider/resources/contract/property-path";
import { isRecord } from "../../provider/resources/contract/values";
import { capitalized } from "../../provider/text/capitalized";
import { visibleText } from "../../provider/text/visible-text";
import { invocation } from "../lib/command";
import { DEFAULT_LIST, entryName } from "../lib/import-list";
import { findPulumiFile } from "../lib/pulumi";
import { counted, listed, optionsText, shellWord, type Terminal } from "../lib/terminal";
import type { Draft, Named, Omission } from "./draft";
import type { Found } from "./gather";
import type { AdoptOptions } from "./options";
import type { Unread } from "./read";

/** One line for each thing that was left out. */
export function remarks(found: Found): string[] {
  const { kinds, unread, unfit, partial, elsewhere, incomplete, adopted } = found;
  return [
    ...kinds.flatMap(plannedRemarks),
    ...elsewhere.map(
      ({ what, urn }) =>
        `The organization file has no ${visibleText(what)}, because this stack declares it as ${urn}.`,
    ),
    ...unfit.map(
      (draft) =>
        `${capitalized(draft.noun)} ${objectText(draft)} is left out, because ${articled(draft.noun)} file cannot declare it: ${draft.reasons.join(" ")} Change that in the service and run the command again.`,
    ),
    ...partial.flatMap((draft) => draft.omitted.map((omission) => omissionText(draft, omission))),
    ...adopted.flatMap((draft) => draft.offers.map((offer) => offerText(draft, offer))),
    ...incomplete.slice(0, 1).map((reason) => `The organization file is not called complete: ${reason}`),
    ...unread.map(unreadText),
  ];
}

function plannedRemarks({ noun, plan, gone }: Found["kinds"][number]): string[] {
  const kind = capitalized(noun);
  return [
    ...gone.map(
      ({ file }) =>
        `${visibleText(file)} declares ${articled(noun)} that the organization does not show, so pulumi up would create it. If it was deleted, delete the file.`,
    ),
    ...plan.elsewhere.map(
      ({ object, urn }) => `${kind} "${object.name}" is left out, because this stack declares it as ${urn}.`,
    ),
    ...plan.namesakes.map(
      ({ name, id }) =>
        `${kind} "${name}" (${id}) is left out, because another ${noun} of its organization has the same name. A ${noun} file identifies a ${noun} by its name. Rename one of them and run the command again.`,
    ),
  ];
}

function omissionText(draft: Draft, { part, reasons }: Omission): string {
  const [property] = part.properties;
  const what = part.names?.map((name) => visibleText(pathText([property, name]))).join(", ") ?? property;
  const omitted = `The file of ${draft.noun} ${objectText(draft)} omits ${what}: ${reasons.join(" ")} To add them, change that in the service`;
  return part.names === undefined
    ? `${omitted}, delete the file and run the command again.`
    : `${omitted} and write them into the file.`;
}

function offerText(draft: Draft, { username, roles }: Draft["offers"][number]): string {
  return `A pending invitation offers ${visibleText(username)} roles that the file of ${draft.noun} ${objectText(draft)} lacks: ${listed(roles.map(visibleText))}. Revoke the invitation, or add these roles to the file.`;
}

function unreadText({ what, reason, without }: Unread): string {
  const failed = `The ${what} could not be read, so`;
  if (without === "entries")
    return `${failed} the import list has none of them: ${reason} To list them, run the command again.`;
  if (without === "new files")
    return `${failed} none of them has a new file: ${reason} Run the command again.`;
  if (without === "its file") return `${failed} it has no file: ${reason} Run the command again.`;
  return `${failed} its file has no ${without.property}: ${reason} To add them, delete the file and run the command again.`;
}

/** `"payments" (5f…)` */
function objectText({ of: { object } }: Draft): string {
  return `${JSON.stringify(object.name)} (${object.id})`;
}

function articled(noun: string): string {
  return `${noun === "organization" ? "an" : "a"} ${noun}`;
}

export function nothingNew(found: Found, options: AdoptOptions): string {
  if (found.kinds.every(({ chosen }) => chosen === 0)) {
    return "No project of the organization matches. Nothing was written.\n";
  }
  const list = found.entries > 0 ? `${listText(found, options, "lists")}\n` : "";
  return `${allThere(found, options)} Nothing was written.\n${list}`;
}

/** `Nothing new: 3 projects of 3 have files in projects.` */
function allThere({ kinds }: Found, { out }: AdoptOptions): string {
  const shown = kinds.filter(({ chosen }) => chosen > 0);
  const counts = shown.map(({ noun, plan, chosen }) => `${counted(plan.there, noun)} of ${chosen}`);
  const have = shown.length === 1 && shown[0]?.plan.there === 1 ? "has a file" : "have files";
  const all = sum(shown.map(({ chosen }) => chosen));
  const others = all - sum(shown.map(({ plan }) => plan.there));
  const rest = others > 0 ? `, and ${others} of ${all} are left out` : "";
  return `Nothing new: ${listed(counts)} ${have} in ${folderText(out)}${rest}.`;
}

/** `2 project files written to access, with 3 people (1 invited) and 1 team.` */
function filesText(found: Found, options: AdoptOptions, written: string): string {
  const { adopted, kinds } = found;
  const { out, members, teams, keys } = options;
  if (adopted.length === 0) return allThere(found, options);
  const files = kinds.flatMap(({ noun, drafts }) => {
    const count = drafts.filter((draft) => adopted.includes(draft)).length;
    return count > 0 ? [counted(count, `${noun} file`)] : [];
  });
  const count = (what: keyof Named) => new Set(adopted.flatMap(({ named }) => named[what])).size;
  const invited = count("invited");
  const contents = [
    ...(members
      ? [`${counted(count("people"), "person", "people")}${invited > 0 ? ` (${invited} invited)` : ""}`]
      : []),
    ...(teams ? [counted(count("teams"), "team")] : []),
    ...(keys ? [counted(count("keys"), "API key")] : []),
  ];
  return `${listed(files)} ${written} ${folderText(out)}${contents.length > 0 ? `, with ${listed(contents)}` : ""}.`;
}

function folderText(out: string): string {
  return out === "." ? "this folder" : out;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, one) => all + one, 0);
}

function defaultsText({ defaults }: Found, has: string): string[] {
  return defaults === undefined ? [] : [`${defaults.path} ${has} the organization of the new files.`];
}

function listText(
  { entries, earlier, ended, kinds }: Found,
  { importFile }: AdoptOptions,
  lists: string,
): string {
  const ofFiles = earlier > 0 && earlier < entries ? `, ${earlier} of them of existing files` : "";
  const list =
    entries === 0
      ? `${importFile} ${lists} nothing: ${
          kinds.some(({ gone }) => gone.length > 0)
            ? "what the files declare is in the stack, or does not exist"
            : "the stack has what the files declare"
        }.`
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
    ...(found.entries > 0 ? nextSteps(found, options, terminal) : []),
    "",
  ].join("\n");
}

function nextSteps(
  { kinds }: Found,
  options: AdoptOptions,
  terminal: Pick<Terminal, "cwd" | "env">,
): string[] {
  const { importFile, out } = options;
  const here = optionsText(options);
  const file = importFile === DEFAULT_LIST ? "" : ` --file ${shellWord(importFile)}`;
  const steps = [
    `  ${invocation(terminal)} import${file}${here}`,
    `  pulumi preview --diff${here}`,
    `  pulumi up${here}`,
  ];
  const width = Math.max(...steps.map(({ length }) => length));
  const [toImport, preview, up] = steps.map((step) => step.padEnd(width));
  const hasOlder = kinds.some(({ plan }) => plan.there > 0);
  return [
    "",
    "The program must declare the folder:",
    `  ${declarations[languageOf(terminal.cwd)](JSON.stringify(options.component), JSON.stringify(out))}`,
    "",
    "Review the files, then:",
    `${toImport}   # records what exists in the stack; sends no request that writes`,
    `${preview}   # shows no change of a resource, unless a person was added since then${hasOlder ? ", or an older file differs" : ""}`,
    `${" ".repeat(width)}   # if it shows a deletion, do not run up: the program lacks something that the stack has`,
    `${up}   # sends no request that writes${hasOlder ? ", unless an older file differs" : ""}`,
  ];
}

/** The component in each language of Pulumi programs, by the name of its runtime. */
const declarations = {
  nodejs: (name: string, folder: string) => `new opsmanager.AccessFolder(${name}, { folder: ${folder} });`,
  python: (name: string, folder: string) => `opsmanager.AccessFolder(${name}, folder=${folder})`,
  go: (name: string, folder: string) =>
    `opsmanager.NewAccessFolder(ctx, ${name}, &opsmanager.AccessFolderArgs{Folder: ${folder}})`,
  dotnet: (name: string, folder: string) =>
    `new OpsManager.AccessFolder(${name}, new() { Folder = ${folder} });`,
  java: (name: string, folder: string) =>
    `new AccessFolder(${name}, AccessFolderArgs.builder().folder(${folder}).build());`,
  yaml: (name: string, folder: string) =>
    `${name}: { type: opsmanager:AccessFolder, properties: { folder: ${folder} } }`,
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
