/** Gathers everything that a run reads, and plans the files from it; nothing is written. */

import { existsSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { type FileKindName, FOLDERS } from "../../projects/access-files";
import type { DeclaredFile } from "../../projects/declared-file";
import { DEFAULTS } from "../../projects/load";
import { isInShard } from "../../projects/select";
import type { ApiClient } from "../../provider/api/client";
import type { ResourceKind } from "../../provider/resources/kinds";
import { RefusedError } from "../../provider/text/errors";
import { invocation } from "../lib/command";
import { refuseElsewhere } from "../lib/elsewhere";
import { entryFile, type ImportEntry, importListText } from "../lib/import-list";
import { ofExistingOrganizations, readProjects } from "../lib/organization";
import { pluginType } from "../lib/own-resources";
import type { Terminal } from "../lib/terminal";
import { containedDrafts, type NamedDrafts } from "./contained";
import { type AdoptedKind, adoptedKinds } from "./contents";
import { placeOfOrganization } from "./defaults";
import { type Draft, draftOf, type FilePlace, type FileText } from "./draft";
import { type ExistingFolder, folderOf, type RunSettings, readExisting } from "./existing";
import { defaultsFileText } from "./file-text";
import { namesInFolder, withNames } from "./names";
import { type AdoptOptions, shardIn } from "./options";
import { type DeclaredObject, type Existing, entriesToImport, type Plan } from "./plan";
import { type FoundOfKind, findOrganization, findProjects, findTeams, type Run } from "./read";
import { ofOneOrganization } from "./selection";

export type Found = Awaited<ReturnType<typeof gather>>;

/** What a run found of one kind of files, and the drafts of the new ones. */
interface GatheredKind {
  readonly kind: FileKindName;
  readonly noun: string;
  readonly plan: Plan;
  /** How many objects the options chose. */
  readonly chosen: number;
  /** Existing files whose object the organization does not show. */
  readonly gone: readonly DeclaredFile[];
  readonly drafts: readonly Draft[];
}

export async function gather(
  client: ApiClient,
  options: AdoptOptions,
  settings: RunSettings,
  terminal: Terminal,
) {
  const named = options.org?.toLowerCase();
  const existing = await readExisting(options, settings, terminal);
  refuseOtherShards(existing.earlier, options);
  const projects = await projectsOfRun(client, named, terminal.stop);
  const orgId = named ?? projects[0]?.orgId.toLowerCase() ?? "";
  const run: Run = { client, options, existing, terminal, orgId, stack: settings.stack };
  const places = await placesOf(run, settings);
  const found = {
    projects: await findProjects(run, projects),
    teams: await findTeams(run),
    organizations: await findOrganization(run),
  };
  const given = {
    teams: draftsOf(adoptedKinds.teams, found.teams, places.of("teams")),
    organizations: draftsOf(adoptedKinds.organizations, found.organizations, places.of("organizations")),
  };
  const ofOrganizations = entriesOf(adoptedKinds.organizations, found.organizations, existing);
  const projectsNaming = (drafts: NamedDrafts) =>
    withNames(found.projects, namesInFolder(run, found.teams.declared, ofOrganizations, drafts));
  const drafts = containedDrafts(
    run,
    given,
    (own) => draftsOf(adoptedKinds.projects, projectsNaming(own), places.of("projects")),
    found.organizations.isWhole,
  );
  const kinds = FOLDERS.map((kind): GatheredKind => {
    const { plan, chosen, gone } = found[kind];
    return { kind, noun: adoptedKinds[kind].files.noun, plan, chosen, gone, drafts: drafts[kind] };
  });
  const all = kinds.flatMap((each) => each.drafts);
  const fit = all.filter(({ declared }) => declared !== undefined);
  return {
    kinds,
    unread: [found.projects, found.teams, found.organizations].flatMap((each) => each.unread),
    /** Objects that a file cannot declare. */
    unfit: all.filter(({ reasons }) => reasons.length > 0),
    /** Objects whose file lacks what it cannot declare. */
    partial: all.filter(({ omitted, reasons }) => omitted.length > 0 && reasons.length === 0),
    /** People and keys of the organization that another resource of the stack declares. */
    elsewhere: found.organizations.elsewhere,
    incomplete: drafts.incomplete,
    adopted: fit,
    files: fit.map(({ file }) => file),
    /** The new defaults of the folder, if the new files inherit them. */
    defaults: places.newDefaults(kinds.filter((each) => each.drafts.some((draft) => fit.includes(draft)))),
    ...listOf(
      run,
      [
        ...entriesOf(adoptedKinds.projects, projectsNaming(drafts), existing),
        ...entriesOf(adoptedKinds.teams, found.teams, existing),
        ...ofOrganizations,
      ],
      fit,
    ),
  };
}

/** All projects of the organization. */
async function projectsOfRun(client: ApiClient, orgId: string | undefined, signal: AbortSignal) {
  const listed = await readProjects(client, { orgId, signal });
  const visible = orgId === undefined ? await ofExistingOrganizations(client, listed, signal) : listed;
  return ofOneOrganization(visible, orgId);
}

interface Places {
  of(kind: FileKindName): (file: string) => FilePlace;
  /** What new files of these kinds inherit. */
  newDefaults(kinds: readonly Pick<GatheredKind, "kind">[]): FileText | undefined;
}

/** Where new files are, and where their organization is written. */
async function placesOf(
  { options, existing, terminal: { cwd }, orgId }: Run,
  settings: RunSettings,
): Promise<Places> {
  const { out } = options;
  const all = allExisting(existing).flatMap(({ files }) =>
    files.map(({ file, orgId: org }) => ({ file, org })),
  );
  const contents = {
    hasRootDefaults: existing.hasRootDefaults,
    organizations: all.map(({ org }) => org),
    isOfSetting: settings.orgId?.toLowerCase() === orgId && all.some(({ file }) => file.orgId === undefined),
  };
  const organization = new Map<FileKindName, ReturnType<typeof placeOfOrganization>>();
  for (const kind of FOLDERS) {
    const defaults = await existing.defaultsOf(kind);
    organization.set(kind, placeOfOrganization({ ...contents, defaults }, orgId));
  }
  return {
    of: (kind) => {
      const folder = folderOf(options, kind);
      return (file) => ({
        path: join(folder, file),
        schema: schemaFrom(folder, cwd, adoptedKinds[kind].files.noun),
        inheritsOrganization: organization.get(kind) !== "each file",
      });
    },
    newDefaults: (kinds) =>
      kinds.some(({ kind }) => organization.get(kind) === "new defaults")
        ? { path: join(out, `${DEFAULTS}.yaml`), text: defaultsFileText(orgId) }
        : undefined,
  };
}

function allExisting({ projects, teams, organizations }: ExistingFolder): readonly Existing[] {
  return [projects, teams, organizations];
}

/**
 * Path of the JSON Schema of such files for editors, in the package that the program has installed;
 * `undefined` for a program without npm packages.
 */
function schemaFrom(folder: string, cwd: string, noun: string): string | undefined {
  if (!existsSync(join(cwd, "package.json"))) return undefined;
  const root = relative(resolve(cwd, folder), cwd);
  return join(root, "node_modules", "pulumi-opsmanager", "schemas", `${noun}-file.schema.json`)
    .split(sep)
    .join("/");
}

function draftsOf<File extends DeclaredFile>(
  kind: AdoptedKind<File>,
  { files, accessOf }: Pick<FoundOfKind, "files" | "accessOf">,
  placeOf: (file: string) => FilePlace,
): Draft<File>[] {
  return files.map((of) => draftOf({ kind, of, access: accessOf(of.object), place: placeOf(of.file) }));
}

/** What existing files declare, as far as it exists. */
function entriesOf<File extends DeclaredFile>(
  { entries }: AdoptedKind<File>,
  {
    declared,
    liveOf,
  }: { readonly declared: readonly DeclaredObject<File>[]; readonly liveOf: FoundOfKind["liveOf"] },
  { earlier, holdings }: Pick<ExistingFolder, "earlier" | "holdings">,
): ImportEntry[] {
  const ids = new Map(earlier.map(({ type, logicalName, id }) => [`${type} ${logicalName}`, id]));
  const recordedId = (kind: ResourceKind, name: string) =>
    holdings.idOf(kind, name) ?? ids.get(`${pluginType(kind)} ${name}`);
  return declared.flatMap(({ file, object }) => entries(file, object, liveOf(object), recordedId));
}

/**
 * The complete import list of this run.
 *
 * @param declared entries of existing files
 * @param fit the new files
 */
function listOf(
  { existing, options, orgId, stack, terminal }: Run,
  declared: readonly ImportEntry[],
  fit: readonly Draft[],
) {
  const { earlier, holdings, listThere } = existing;
  const added = fit.flatMap((draft) => draft.entries);
  const sources = { existing: allExisting(existing), earlier, holdings, orgId };
  const { entries, ended } = entriesToImport([...declared, ...added], sources);
  if (stack !== undefined) {
    const [adopt, nothing] = [`${invocation(terminal)} adopt`, "Nothing was written"];
    refuseElsewhere(entries, holdings.resources, { stack, component: options.component, adopt, nothing });
  }
  const fileOf = (entry: ImportEntry) => JSON.stringify(entryFile(entry));
  const ofNewFiles = new Set(added.map(fileOf));
  return {
    /** Number of entries in the import list, without the components. */
    entries: entries.length,
    /** How many of them existing files declare. */
    earlier: entries.filter((entry) => !ofNewFiles.has(fileOf(entry))).length,
    /** Entries of the earlier list whose object no longer exists, or that no file declares. */
    ended,
    list: {
      path: options.importFile,
      text: importListText(options.component, entries),
      /** Text of the existing list. */
      replaces: listThere,
    },
  };
}

/**
 * Each shard is imported into a stack of its own. With a list of two shards, one stack would
 * import resources that the other one declares.
 *
 * @throws RefusedError if the existing list has something of another shard
 */
function refuseOtherShards(earlier: readonly ImportEntry[], options: AdoptOptions): void {
  const shard = shardIn(options);
  const files = earlier.flatMap((entry) => entryFile(entry) ?? []);
  const other = files.find(({ key }) => shard !== undefined && !isInShard(key, shard));
  if (other === undefined) return;
  throw new RefusedError(
    `${options.importFile} lists ${adoptedKinds[other.of].files.noun} "${other.key}", which is not in shard ${options.shard}. Name a list for each shard with --import-file.`,
  );
}
