/** Gathers everything that a run reads, and plans the files from it; nothing is written. */

import { existsSync } from "node:fs";
import { extname, join, relative, resolve, sep } from "node:path";
import { EXTENSIONS, loadProjectFiles } from "../../projects/load";
import { checkProjectFile } from "../../projects/project-file";
import { isInShard, type Shard } from "../../projects/select";
import { parseSource } from "../../projects/source";
import type { ApiClient } from "../../provider/api/client";
import { RefusedError } from "../../provider/text/errors";
import {
  completeProjects,
  ofExistingOrganizations,
  type ProjectOutput,
  readKeys,
  readPeople,
  readProjects,
  readTeams,
  withoutDoubtful,
} from "../lib/organization";
import { withProgress } from "../lib/progress";
import { runPulumi } from "../lib/pulumi";
import { exportArguments, readStackExport } from "../lib/stack-export";
import type { Terminal } from "../lib/terminal";
import { namesBelow, readIfThere, unfinishedPath } from "./files";
import {
  entriesIfWhole,
  type ImportEntry,
  importEntriesOf,
  importListText,
  parseImportList,
  projectKeys,
} from "./import-list";
import { type AdoptOptions, shardIn } from "./options";
import { adoptionOf, holdingsOf, noHoldings, planFiles, stillToImport } from "./plan";
import { type Adoption, isOmissible, projectFileText, without } from "./project-yaml";
import { chosen, ofOneOrganization } from "./selection";

export interface FileText {
  /** The path as given on the command line. */
  readonly path: string;
  readonly text: string;
}

export type Found = Awaited<ReturnType<typeof gather>>;

export async function gather(
  client: ApiClient,
  options: AdoptOptions,
  stack: string | undefined,
  terminal: Terminal,
) {
  const orgId = options.org?.toLowerCase();
  const { stop: signal } = terminal;
  const existing = await readExisting(options, stack, terminal);
  const listed = await readProjects(client, { orgId, signal });
  const visible = orgId === undefined ? await ofExistingOrganizations(client, listed, signal) : listed;
  const projects = ofOneOrganization(visible, orgId);
  const complete = completeProjects(client, { orgId, signal });
  const selected = await chosen(projects, options, complete);
  const shard = shardIn(options);
  refuseOtherShards(existing.earlier, shard, options);
  const plan = planFiles(selected, projects, existing, shard);
  // Only the projects that get a file are read again.
  const completed = await complete(plan.files.map(({ project }) => project));
  const files = plan.files.map((file, index) => ({ ...file, project: completed[index] ?? file.project }));
  const { people, teams, keys, unreadable } = await readAccess(client, completed, options, terminal);
  const drafts = files.map((file) => {
    const { projectId } = file.project;
    const access = {
      people: people?.get(projectId),
      teams: teams?.get(projectId),
      keys: keys?.get(projectId)?.filter(({ publicKey }) => publicKey !== client.publicKey),
    };
    return draftOf(adoptionOf(file, access), options, terminal);
  });
  const fit = drafts.filter(({ reasons }) => reasons.length === 0);
  const adoptions = fit.map(({ adoption }) => adoption);
  const earlier = stillToImport(plan, existing);
  const entries = [...earlier, ...adoptions.flatMap(importEntriesOf)];
  return {
    plan,
    /** How many projects the patterns chose. */
    chosen: selected.length,
    unreadable,
    /** Projects that a project file cannot declare. */
    unfit: drafts.filter(({ reasons }) => reasons.length > 0),
    /** Projects whose file lacks properties that it cannot declare. */
    partial: fit.filter(({ omitted }) => omitted.length > 0),
    adoptions,
    /** Number of entries in the import list, without the folder itself. */
    entries: entries.length,
    /** How many of them an earlier list had. */
    earlier: earlier.length,
    list: {
      path: options.importFile,
      text: importListText(options.component, entries),
      /** Text of the existing list. */
      replaces: existing.listThere,
    },
    files: fit.map(({ file }) => file),
    /** An interrupted run wrote files, but its list was not moved to its path. */
    isUnfinished: existing.isUnfinished && earlier.length > 0,
  };
}

/**
 * Drafts and checks one file before it is written. One file that the program rejects would stop
 * it, and the next `adopt`, for all files. Anyone who may invite someone can put a name into a project that no file can
 * declare. So a property with such a name is left out as a whole: a part of a list would look like all of it.
 *
 * @returns also the errors that the program would print: those of the properties that are left out, and those that no
 * file of the project would be without
 */
function draftOf(adoption: Adoption, { out }: AdoptOptions, { cwd }: Pick<Terminal, "cwd">) {
  const schema = schemaFrom(out, cwd);
  const drafted = (draft: Adoption) => {
    const file = { path: join(out, draft.file), text: projectFileText(draft, schema) };
    return { adoption: draft, file, faults: faultsOfDraft(file, draft.key) };
  };
  const whole = drafted(adoption);
  const omitted = [...Map.groupBy(whole.faults, ({ property }) => property)].flatMap(([property, faults]) =>
    isOmissible(property) ? [{ property, reasons: reasonsOf(faults) }] : [],
  );
  const { faults, ...rest } =
    omitted.length === 0
      ? whole
      : drafted(omitted.reduce((left, { property }) => without(left, property), adoption));
  return { ...rest, omitted, reasons: faults.length === 0 ? [] : reasonsOf(whole.faults) };
}

function reasonsOf(faults: readonly { readonly reason: string }[]): string[] {
  return [...new Set(faults.map(({ reason }) => reason))];
}

/** The faults of a file as `adopt` writes it: each property begins in a line of its own, with those below it. */
function faultsOfDraft({ path, text }: FileText, key: string) {
  const { content, faults } = parseSource(path, Buffer.from(text));
  if (content === undefined) return faults.map((fault) => ({ ...fault, property: undefined }));
  const draft = { file: path, defaultKey: key, content, isComplete: true };
  const properties = [...content.entries].reverse();
  return [...faults, ...checkProjectFile(draft).faults].map((fault) => {
    const { line = 0 } = fault.location;
    const [property] = properties.find(([, { keyLocation }]) => (keyLocation.line ?? 0) <= line) ?? [];
    return { ...fault, property };
  });
}

/**
 * Path of the JSON Schema of project files for editors, in the package that the program has
 * installed; `undefined` for a program without npm packages.
 */
function schemaFrom(out: string, cwd: string): string | undefined {
  if (!existsSync(join(cwd, "package.json"))) return undefined;
  const root = relative(resolve(cwd, out), cwd);
  return join(root, "node_modules", "pulumi-opsmanager", "schemas", "project-file.schema.json")
    .split(sep)
    .join("/");
}

/**
 * Reads the existing project files, the list, the unfinished list of an interrupted run, and the
 * stack.
 *
 * @throws ProjectFilesError with every fault: the declarations of a faulty file are unknown
 */
async function readExisting(options: AdoptOptions, stack: string | undefined, terminal: Terminal) {
  const { out, importFile, component } = options;
  const { cwd } = terminal;
  const fileNames = await namesBelow(resolve(cwd, out));
  const files = fileNames.some(isProjectFile) ? await loadProjectFiles(out, cwd) : [];
  const path = resolve(cwd, importFile);
  // One after the other: an obstacle is named by the file that the user knows.
  const list = await readIfThere(path);
  const unfinished = await readIfThere(unfinishedPath(path));
  const earlier = [
    ...(list === undefined ? [] : parseImportList(list, { path: importFile, component })),
    ...((unfinished === undefined ? undefined : entriesIfWhole(unfinished)) ?? []),
  ];
  const holdings =
    stack === undefined
      ? noHoldings
      : holdingsOf(readStackExport(await runPulumi(exportArguments(stack), terminal), stack), component);
  return { files, fileNames, earlier, holdings, isUnfinished: unfinished !== undefined, listThere: list };
}

/**
 * Each shard is imported into a stack of its own. With a list of two shards, one stack would
 * import resources that the other one declares.
 *
 * @throws RefusedError if the existing list has a project of another shard
 */
function refuseOtherShards(
  earlier: readonly ImportEntry[],
  shard: Shard | undefined,
  { importFile, shard: given }: AdoptOptions,
): void {
  const other = [...projectKeys(earlier).values()].find(
    (key) => shard !== undefined && !isInShard(key, shard),
  );
  if (other === undefined) return;
  throw new RefusedError(
    `${importFile} lists project "${other}", which is not in shard ${given}. Name a list for each shard with --import-file.`,
  );
}

/** Reads the people, the teams and the API keys of the projects, as far as the options require them. */
function readAccess(
  client: ApiClient,
  projects: readonly ProjectOutput[],
  { members, teams, keys }: AdoptOptions,
  terminal: Terminal,
) {
  return withProgress(terminal, "projects read", async (report) => {
    const options = {
      signal: terminal.stop,
      onProgress: (done: number) => report(done, projects.length),
      includeIndirect: false,
    };
    // A file without the invited people would revoke their invitations.
    const ofPeople = members ? withoutDoubtful(await readPeople(client, projects, options)) : undefined;
    const ofTeams = teams ? await readTeams(client, projects, options) : undefined;
    const ofKeys = keys ? await readKeys(client, projects, options) : undefined;
    return {
      people: ofPeople?.found,
      teams: ofTeams?.found,
      keys: ofKeys?.found,
      unreadable: [ofPeople, ofTeams, ofKeys].flatMap((lists) => lists?.unreadable ?? []),
    };
  });
}

function isProjectFile(name: string): boolean {
  const isHidden = name.split(sep).some((part) => /^[._]/.test(part));
  return !isHidden && EXTENSIONS.includes(extname(name).toLowerCase());
}
