/** Plans which projects are new to a folder of project files, and their names. Pure. */
import { parse } from "node:path";
import { isInShard, type Shard } from "../../projects/select";
import { PROJECT_FOLDER_TYPE } from "../../provider/component";
import { inOrder } from "../../provider/resources/contract/values";
import type { ResourceKind } from "../../provider/resources/kinds";
import { type ImportEntry, projectIdOf, projectKeys } from "../lib/import-list";
import type { ProjectOutput } from "../lib/organization";
import { kindOf, logicalName, pluginType } from "../lib/own-resources";
import type { StackExport, StateResource } from "../lib/stack-export";
import type { Access, DeclaredAccess } from "./import-entries";
import type { Adoption, NewFile } from "./project-yaml";
import { uniqueSlug } from "./slug";

/** An existing project file, of any origin. */
export interface ExistingFile extends DeclaredAccess {
  readonly orgId: string;
  readonly name: string;
}

export const noHoldings = holdingsOf({ resources: [] }, "");

/** What exists before the run. */
export interface Existing {
  readonly files: readonly ExistingFile[];
  /** Names of all files in the folder and below it. */
  readonly fileNames: readonly string[];
  /** The existing import list. */
  readonly earlier: readonly ImportEntry[];
  readonly holdings: typeof noHoldings;
}

/**
 * Plans the new files. A file belongs to a project if its key is that of the project's id in the
 * stack or the earlier list. It also does if it has the project's organization and name. So
 * neither a renamed file nor a project renamed outside Pulumi is adopted twice.
 *
 * @param all every project of the organization
 * @param shard only projects whose key belongs to it get a file
 */
export function planFiles(
  projects: readonly ProjectOutput[],
  all: readonly ProjectOutput[],
  { files, fileNames, earlier, holdings }: Existing,
  shard?: Shard,
) {
  const keysThere = new Set(files.map(({ key }) => key));
  const existingIdentities = new Set(files.map(identityOf));
  const recorded = new Map([...projectKeys(earlier), ...holdings.keys]);
  const ambiguous = sharedIdentities(all);
  const keysTaken = lowerCaseSet([...keysThere, ...recorded.values()]);
  const namesTaken = lowerCaseSet(fileNames.map((path) => parse(path).name));
  const plan = {
    files: [] as NewFile[],
    /** Number of projects that already have a file. */
    there: 0,
    /** Number of projects without a file that other shards declare. */
    inOtherShards: 0,
    /** Projects that another resource of the stack declares. */
    elsewhere: [] as { project: ProjectOutput; urn: string }[],
    /**
     * Projects that share a name within their organization. A file has no other property to
     * distinguish them.
     */
    namesakes: [] as ProjectOutput[],
  };
  const ordered = [...projects].sort(
    (one, other) => inOrder(one.name, other.name) || inOrder(one.projectId, other.projectId),
  );
  for (const project of ordered) {
    const urn = holdings.elsewhere.get(project.projectId);
    const known = recorded.get(project.projectId);
    if (urn !== undefined) plan.elsewhere.push({ project, urn });
    else if (known !== undefined && keysThere.has(known)) plan.there += 1;
    else if (existingIdentities.has(identityOf(project))) plan.there += 1;
    else if (ambiguous.has(identityOf(project))) plan.namesakes.push(project);
    else {
      // A project may use its recorded key again, but a file with this name may declare another
      // project by now.
      const slug = uniqueSlug(
        project,
        (candidate) => namesTaken.has(candidate) || (keysTaken.has(candidate) && candidate !== known),
      );
      keysTaken.add(slug);
      namesTaken.add(slug);
      const key = known ?? slug;
      if (shard === undefined || isInShard(key, shard))
        plan.files.push({ project, key, file: `${slug}.yaml` });
      else plan.inOtherShards += 1;
    }
  }
  return plan;
}

/** An existing file and the project that it declares. */
export interface DeclaredProject {
  readonly file: ExistingFile;
  readonly project: ProjectOutput;
}

/**
 * The existing projects that files declare and this stack may import: by the id that the stack or
 * the earlier list records for the key, or else by organization and name. A project that the stack
 * holds under another name is not imported again.
 *
 * @param all every project of the organization
 */
export function declaredProjects(
  all: readonly ProjectOutput[],
  { files, earlier, holdings }: Existing,
  shard?: Shard,
): DeclaredProject[] {
  const ids = new Map([...projectKeys(earlier), ...holdings.keys].map(([id, key]) => [key, id]));
  const ambiguous = sharedIdentities(all);
  const byId = new Map(all.map((project) => [project.projectId, project]));
  const byIdentity = new Map(
    all.flatMap((project) => {
      const identity = identityOf(project);
      return ambiguous.has(identity) ? [] : [[identity, project] as const];
    }),
  );
  const recorded = new Map(files.map((file) => [file, byId.get(ids.get(file.key) ?? "")]));
  const claimed = new Set(recorded.values());
  return files.flatMap((file) => {
    const named = byIdentity.get(identityOf(file));
    const project = recorded.get(file) ?? (claimed.has(named) ? undefined : named);
    if (project === undefined || holdings.elsewhere.has(project.projectId)) return [];
    const held = holdings.keys.get(project.projectId);
    const isOwn = shard === undefined || isInShard(file.key, shard);
    return isOwn && (held === undefined || held === file.key) ? [{ file, project }] : [];
  });
}

/** The projects whose people, teams and keys must be read to know which entries of their files exist. */
export function unreadAccess(declared: readonly DeclaredProject[], { holdings }: Pick<Existing, "holdings">) {
  const missing = (kind: ResourceKind, namesOf: (file: ExistingFile) => object | undefined) =>
    declared
      .filter(({ file }) =>
        Object.keys(namesOf(file) ?? {}).some((name) => !holdings.has(kind, `${file.key}/${name}`)),
      )
      .map(({ project }) => project);
  return {
    people: missing("ProjectMember", ({ membership, members }) =>
      membership === "additive" ? members : undefined,
    ),
    teams: missing("ProjectTeam", ({ teams }) => teams),
    keys: missing("ProjectApiKey", ({ apiKeys }) => apiKeys),
  };
}

/**
 * The complete list: what files declare and the stack does not hold. An entry that an earlier list
 * had keeps what was added to it.
 *
 * @param orgId the organization of this run. Entries of other organizations stay as they are
 */
export function entriesToImport(
  declared: readonly ImportEntry[],
  { files, earlier, holdings }: Pick<Existing, "files" | "earlier" | "holdings">,
  orgId: string | undefined,
): { entries: ImportEntry[]; ended: ImportEntry[] } {
  const elsewhere = new Set(files.filter((file) => file.orgId.toLowerCase() !== orgId).map(({ key }) => key));
  const keys = projectKeys(earlier);
  const entryKey = ({ type, id }: ImportEntry) => `${type} ${id}`;
  const before = new Map(earlier.map((entry) => [entryKey(entry), entry]));
  const ofOthers = earlier.filter((entry) => elsewhere.has(keys.get(projectIdOf(entry)) ?? ""));
  const listed = new Map(
    [...ofOthers, ...declared].map((entry) => [
      entryKey(entry),
      { ...before.get(entryKey(entry)), ...entry },
    ]),
  );
  const entries = [...listed.values()].filter((entry) => !holdings.holds(entry));
  const ended = [...before.values()].filter(
    (entry) => !listed.has(entryKey(entry)) && !holdings.holds(entry),
  );
  return { entries, ended };
}

export function adoptionOf(file: NewFile, { people = [], teams = [], keys = [] }: Access): Adoption {
  const { ldapGroupMappings, idpGroupMappings } = file.project;
  const hasGroups = [ldapGroupMappings, idpGroupMappings].some((mappings) => mappings?.length);
  return {
    ...file,
    people: people.filter(({ status, roles }) => status !== "indirect" && roles.length > 0),
    // A login adds every user of the mapped groups, so an exclusive list would be incomplete.
    membership: hasGroups ? "additive" : "exclusive",
    teams: teams.filter(({ roles }) => roles.length > 0),
    keys,
  };
}

/**
 * The projects that a stack's state holds. They are not adopted again.
 *
 * @param component name of the ProjectFolder
 */
export function holdingsOf({ resources }: Pick<StackExport, "resources">, component: string) {
  const isChild = ({ parent = "" }: StateResource) => parent.endsWith(`${PROJECT_FOLDER_TYPE}::${component}`);
  const projects = resources.filter(({ type }) => kindOf(type) === "Project");
  const [children, others] = [projects.filter(isChild), projects.filter((resource) => !isChild(resource))];
  const held = resources.filter(isChild);
  const ids = new Set(held.map(({ type, id }) => `${type} ${id}`));
  const names = new Set(held.map(({ type, urn }) => `${type} ${logicalName(urn)}`));
  return {
    /** Key of each project that is a child of the ProjectFolder, by project id. */
    keys: new Map(children.map(({ id = "", urn }) => [id, logicalName(urn)])),
    /** URN of each project that another resource of the stack declares, by project id. */
    elsewhere: new Map(others.map(({ id = "", urn }) => [id, urn])),
    /** Whether the folder has such a child. */
    has: (kind: ResourceKind, name: string) => names.has(`${pluginType(kind)} ${name}`),
    /** Whether the folder has the child under its name, or under another one. */
    holds: ({ type, id, logicalName: name }: ImportEntry) =>
      ids.has(`${type} ${id}`) || names.has(`${type} ${name}`),
  };
}

function lowerCaseSet(names: readonly string[]): Set<string> {
  return new Set(names.map((name) => name.toLowerCase()));
}

function identityOf({ orgId, name }: Pick<ExistingFile, "orgId" | "name">): string {
  return `${orgId.toLowerCase()} ${name}`;
}

function sharedIdentities(projects: readonly ProjectOutput[]): Set<string> {
  const groups = [...Map.groupBy(projects, identityOf)];
  return new Set(groups.filter(([, namesakes]) => namesakes.length > 1).map(([identity]) => identity));
}
