/** Gathers everything that a run reads, and plans the files from it; nothing is written. */

import { existsSync } from "node:fs";
import { extname, join, relative, resolve, sep } from "node:path";
import { DEFAULTS, EXTENSIONS, loadProjectFiles } from "../../projects/load";
import { checkProjectFile } from "../../projects/project-file";
import { isInShard, type Shard } from "../../projects/select";
import { parseSource } from "../../projects/source";
import type { ApiClient } from "../../provider/api/client";
import { RefusedError } from "../../provider/text/errors";
import {
  type ImportEntry,
  importListText,
  parseImportList,
  projectIdOf,
  projectKeys,
} from "../lib/import-list";
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
import { placeOfOrganization } from "./defaults";
import { namesBelow, readIfThere } from "./files";
import { type Access, declaredEntries, importEntriesOf } from "./import-entries";
import { type AdoptOptions, shardIn } from "./options";
import {
  adoptionOf,
  declaredProjects,
  entriesToImport,
  holdingsOf,
  noHoldings,
  planFiles,
  unreadAccess,
} from "./plan";
import { type Adoption, defaultsFileText, isOmissible, projectFileText, without } from "./project-yaml";
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
  const projects = await projectsOfRun(client, orgId, signal);
  const complete = completeProjects(client, { orgId, signal });
  const selected = await chosen(projects, options, complete);
  const shard = shardIn(options);
  refuseOtherShards(existing.earlier, shard, options);
  const plan = planFiles(selected, projects, existing, shard);
  const declared = declaredProjects(projects, existing, shard);
  // Only the projects that get a file are read again.
  const completed = await complete(plan.files.map(({ project }) => project));
  const wanted = withNew(completed, unreadAccess(declared, existing), options);
  const { accessOf, unreadable } = await readAccess(client, wanted, terminal);
  const ownOrgId = orgId ?? projects[0]?.orgId.toLowerCase();
  const defaults = defaultsOf(existing, ownOrgId, options, terminal);
  const drafts = plan.files.map((file, index) => {
    const project = completed[index] ?? file.project;
    const access = accessOf(project);
    const keys = access.keys?.filter(({ publicKey }) => publicKey !== client.publicKey);
    const adoption = adoptionOf({ ...file, project }, { ...access, keys });
    return draftOf(adoption, options, terminal, defaults.areInherited);
  });
  const isNew = new Set(completed.map(({ projectId }) => projectId));
  return {
    plan,
    /** How many projects the patterns chose. */
    chosen: selected.length,
    /** Lists that could not be read, of new files and of existing ones. */
    unreadable: unreadable.map((list) => ({ ...list, isNew: isNew.has(list.projectId) })),
    ...ofDrafts(drafts, defaults.file),
    ...listOf(
      declared.flatMap(({ file, project }) => declaredEntries(file, project, accessOf(project))),
      drafts.flatMap(({ adoption, reasons }) => (reasons.length > 0 ? [] : importEntriesOf(adoption))),
      { existing, orgId: ownOrgId, options },
    ),
  };
}

/** All projects of the organization. */
async function projectsOfRun(client: ApiClient, orgId: string | undefined, signal: AbortSignal) {
  const listed = await readProjects(client, { orgId, signal });
  const visible = orgId === undefined ? await ofExistingOrganizations(client, listed, signal) : listed;
  return ofOneOrganization(visible, orgId);
}

function ofDrafts(drafts: readonly ReturnType<typeof draftOf>[], defaults: FileText | undefined) {
  const fit = drafts.filter(({ reasons }) => reasons.length === 0);
  return {
    /** Projects that a project file cannot declare. */
    unfit: drafts.filter(({ reasons }) => reasons.length > 0),
    /** Projects whose file lacks properties that it cannot declare. */
    partial: fit.filter(({ omitted }) => omitted.length > 0),
    adoptions: fit.map(({ adoption }) => adoption),
    /** The new defaults of the folder, if the new files inherit them. */
    defaults: fit.length > 0 ? defaults : undefined,
    files: fit.map(({ file }) => file),
  };
}

interface ListSources {
  readonly existing: Awaited<ReturnType<typeof readExisting>>;
  readonly orgId: string | undefined;
  readonly options: AdoptOptions;
}

/**
 * The complete import list of this run.
 *
 * @param declared entries of existing files
 * @param added entries of new files
 */
function listOf(
  declared: readonly ImportEntry[],
  added: readonly ImportEntry[],
  { existing, orgId, options }: ListSources,
) {
  const { entries, ended } = entriesToImport([...declared, ...added], existing, orgId);
  const ofNewFiles = new Set(added.map(projectIdOf));
  return {
    /** Number of entries in the import list, without the folder itself. */
    entries: entries.length,
    /** How many of them existing files declare. */
    earlier: entries.filter((entry) => !ofNewFiles.has(projectIdOf(entry))).length,
    /** Entries of the earlier list whose object no longer exists, or that no file declares. */
    ended,
    list: {
      path: options.importFile,
      text: importListText(options.component, entries),
      /** Text of the existing list. */
      replaces: existing.listThere,
    },
  };
}

/** Whether new files inherit their organization, and the file that says it, if there is none. */
function defaultsOf(
  { files, defaults }: Pick<ListSources["existing"], "files" | "defaults">,
  orgId: string | undefined,
  { out }: AdoptOptions,
  { cwd }: Pick<Terminal, "cwd">,
): { readonly areInherited: boolean; readonly file: FileText | undefined } {
  if (orgId === undefined) return { areInherited: false, file: undefined };
  const place = placeOfOrganization({ files, defaults }, orgId);
  const file = {
    path: join(out, `${DEFAULTS}.yaml`),
    text: defaultsFileText(orgId, schemaFrom(out, cwd)),
  };
  return { areInherited: place !== "each file", file: place === "new defaults" ? file : undefined };
}

/**
 * Drafts and checks one file before it is written. One file that the program rejects would stop
 * it, and the next `adopt`, for all files. Anyone who may invite someone can put a name into a project that no file can
 * declare. So a property with such a name is left out as a whole: a part of a list would look like all of it.
 *
 * @param inheritsOrganization the file has its organization from the defaults; it is checked with it
 * @returns also the errors that the program would print: those of the properties that are left out, and those that no
 * file of the project would be without
 */
function draftOf(
  adoption: Adoption,
  { out }: AdoptOptions,
  { cwd }: Pick<Terminal, "cwd">,
  inheritsOrganization: boolean,
) {
  const schema = schemaFrom(out, cwd);
  const drafted = (draft: Adoption) => {
    const path = join(out, draft.file);
    const faults = faultsOfDraft({ path, text: projectFileText(draft, schema) }, draft.key);
    const file = { path, text: projectFileText(draft, schema, inheritsOrganization) };
    return { adoption: draft, file, faults };
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
 * Reads the existing project files, the folder's defaults, the list, and the stack.
 *
 * @throws ProjectFilesError with every fault: the declarations of a faulty file are unknown
 */
async function readExisting(options: AdoptOptions, stack: string | undefined, terminal: Terminal) {
  const { out, importFile, component } = options;
  const { cwd } = terminal;
  const fileNames = await namesBelow(resolve(cwd, out));
  const files = fileNames.some(isProjectFile) ? await loadProjectFiles(out, cwd) : [];
  const list = await readIfThere(resolve(cwd, importFile));
  const earlier = list === undefined ? [] : parseImportList(list, { path: importFile, component });
  const holdings =
    stack === undefined
      ? noHoldings
      : holdingsOf(readStackExport(await runPulumi(exportArguments(stack), terminal), stack), component);
  return {
    files,
    fileNames,
    earlier,
    holdings,
    listThere: list,
    defaults: await readDefaults(fileNames, resolve(cwd, out)),
  };
}

async function readDefaults(fileNames: readonly string[], folder: string) {
  const name = EXTENSIONS.map((extension) => `${DEFAULTS}${extension}`).find((candidate) =>
    fileNames.includes(candidate),
  );
  const path = name === undefined ? undefined : join(folder, name);
  const text = path === undefined ? undefined : await readIfThere(path);
  return path === undefined || text === undefined ? undefined : { path, text };
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

/** The projects whose lists are read. */
type Wanted = Readonly<Record<"people" | "teams" | "keys", readonly ProjectOutput[]>>;

/** With the projects that get a file, as far as the options require their lists. */
function withNew(
  projects: readonly ProjectOutput[],
  wanted: Wanted,
  { members, teams, keys }: AdoptOptions,
): Wanted {
  return {
    people: [...(members ? projects : []), ...wanted.people],
    teams: [...(teams ? projects : []), ...wanted.teams],
    keys: [...(keys ? projects : []), ...wanted.keys],
  };
}

/** Reads the people, the teams and the API keys of projects. */
async function readAccess(client: ApiClient, wanted: Wanted, terminal: Terminal) {
  return withProgress(terminal, "projects read", async (report) => {
    const options = (list: readonly ProjectOutput[]) => ({
      signal: terminal.stop,
      onProgress: (done: number) => report(done, list.length),
      includeIndirect: false,
    });
    // A file without the invited people would revoke their invitations.
    const people = withoutDoubtful(await readPeople(client, wanted.people, options(wanted.people)));
    const teams = await readTeams(client, wanted.teams, options(wanted.teams));
    const keys = await readKeys(client, wanted.keys, options(wanted.keys));
    return {
      accessOf: ({ projectId }: ProjectOutput): Access => ({
        people: people.found.get(projectId),
        teams: teams.found.get(projectId),
        keys: keys.found.get(projectId),
      }),
      unreadable: [people, teams, keys].flatMap((lists) => lists.unreadable),
    };
  });
}

function isProjectFile(name: string): boolean {
  const isHidden = name.split(sep).some((part) => /^[._]/.test(part));
  return !isHidden && EXTENSIONS.includes(extname(name).toLowerCase());
}
