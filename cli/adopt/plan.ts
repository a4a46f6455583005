/** Plans which projects are new to a folder of project files, and their names. Pure. */
import { parse } from "node:path";
import { isInShard, type Shard } from "../../projects/select";
import { PROJECT_FOLDER_TYPE } from "../../provider/component";
import { inOrder } from "../../provider/resources/contract/values";
import type { LiveKey, LivePerson, LiveTeam, ProjectOutput } from "../lib/organization";
import { kindOf, logicalName } from "../lib/own-resources";
import type { StackExport, StateResource } from "../lib/stack-export";
import { type ImportEntry, projectIdOf, projectKeys } from "./import-list";
import type { Adoption, NewFile } from "./project-yaml";
import { uniqueSlug } from "./slug";

/** An existing project file, of any origin. */
interface ExistingFile {
  readonly key: string;
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

type Plan = ReturnType<typeof planFiles>;

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

/**
 * Entries of an earlier list that are not imported yet: their file exists, and the stack does not
 * hold them.
 */
export function stillToImport(
  { files }: Pick<Plan, "files">,
  { files: there, earlier, holdings }: Existing,
): ImportEntry[] {
  const keys = new Set(there.map(({ key }) => key));
  const renewed = new Set(files.map(({ project }) => project.projectId));
  const keyOfProject = projectKeys(earlier);
  const unique = [...new Map(earlier.map((entry) => [`${entry.type} ${entry.id}`, entry])).values()];
  return unique.filter((entry) => {
    const projectId = projectIdOf(entry);
    const key = keyOfProject.get(projectId);
    if (key === undefined || !keys.has(key) || renewed.has(projectId)) return false;
    return !holdings.holds(entry.type, entry.id);
  });
}

/** Who has access to a project; `undefined` if not requested or not readable. */
interface Access {
  readonly people?: readonly LivePerson[] | undefined;
  readonly teams?: readonly LiveTeam[] | undefined;
  readonly keys?: readonly LiveKey[] | undefined;
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
  const held = new Set(resources.filter(isChild).map(({ type, id }) => `${type} ${id}`));
  return {
    /** Key of each project that is a child of the ProjectFolder, by project id. */
    keys: new Map(children.map(({ id = "", urn }) => [id, logicalName(urn)])),
    /** URN of each project that another resource of the stack declares, by project id. */
    elsewhere: new Map(others.map(({ id = "", urn }) => [id, urn])),
    holds: (type: string, id: string | undefined) => held.has(`${type} ${id}`),
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
