/** Declares project files as resources of a Pulumi program, with either provider. */
import * as pulumi from "@pulumi/pulumi";
import { PROJECT_FOLDER_TYPE } from "../provider/component";
import { withoutUndefined } from "../provider/resources/contract/values";
import { OBJECT_ID } from "../provider/text/object-id";
import type {
  ProjectApiKeyArgs,
  ProjectArgs,
  ProjectMemberArgs,
  ProjectMembersArgs,
  ProjectTeamArgs,
} from "../sdk/nodejs";
import { ProjectFilesError } from "./faults";
import { loadProjectFiles } from "./load";
import type { ProjectFile } from "./project-file";
import { type ProjectSelection, selectFiles, selectionFault } from "./select";

/** The provider that declares resources: the provider plugin, or the dynamic provider. */
export type ProviderKind = "plugin" | "dynamic";

/** The classes of a provider that declare a project and its people. */
interface ProviderModule {
  readonly Project: new (
    name: string,
    args: ProjectArgs,
    opts?: pulumi.CustomResourceOptions,
  ) => pulumi.CustomResource & Record<"projectId" | "name", pulumi.Output<string>>;
  readonly ProjectMember: new (
    name: string,
    args: ProjectMemberArgs,
    opts?: pulumi.CustomResourceOptions,
  ) => pulumi.CustomResource;
  readonly ProjectMembers: new (
    name: string,
    args: ProjectMembersArgs,
    opts?: pulumi.CustomResourceOptions,
  ) => pulumi.CustomResource;
  readonly ProjectTeam: new (
    name: string,
    args: ProjectTeamArgs,
    opts?: pulumi.CustomResourceOptions,
  ) => pulumi.CustomResource;
  readonly ProjectApiKey: new (
    name: string,
    args: ProjectApiKeyArgs,
    opts?: pulumi.CustomResourceOptions,
  ) => pulumi.CustomResource;
}

/** Loads the classes of one provider. A program loads only the provider that it uses. */
const modules: Readonly<Record<ProviderKind, () => ProviderModule>> = {
  plugin: () => require("../sdk/nodejs") as typeof import("../sdk/nodejs"),
  dynamic: () => require("../provider/dynamic") as typeof import("../provider/dynamic"),
};

export interface ProjectFolderArgs {
  /**
   * Folder of the project files. A relative path begins at the folder of the program: the folder
   * of `Pulumi.yaml`, or its `main`.
   */
  readonly folder: string;
  /**
   * The provider that declares the resources: `"plugin"` for `pulumi-opsmanager`, `"dynamic"` for
   * `pulumi-opsmanager/dynamic`.
   */
  readonly provider: ProviderKind;
  /**
   * The files that this stack declares, so that several stacks share one folder: `{ orgId }`,
   * `{ folder }` or `{ shard: { index, count } }`. All files are checked. Default: every file.
   */
  readonly select?: ProjectSelection;
}

/** Id and name of one project. */
export interface DeclaredProject {
  /** 24 hexadecimal digits. */
  readonly projectId: string;
  readonly name: string;
}

/**
 * Reads the project files of a folder and its subfolders.
 *
 * @param folder a relative path begins at the folder of the program: the folder of `Pulumi.yaml`,
 * or its `main`
 * @param options `select` returns a part of the files, as in ProjectFolder
 * @returns the projects in the order of their files: at least one, except for a shard
 * @throws pulumi.RunError that lists every fault of every file and ends the program; also if the
 * folder is missing or empty, or `select` is unusable
 */
export function loadProjects(
  folder: string,
  options: Pick<ProjectFolderArgs, "select"> = {},
): readonly ProjectFile[] {
  const fault = "select" in options ? selectionFault(options.select) : undefined;
  if (fault !== undefined) throw new pulumi.RunError(`loadProjects("${folder}"): ${fault}.`);
  return readFiles(folder, options.select);
}

function readFiles(folder: string, select: ProjectSelection | undefined): readonly ProjectFile[] {
  const directory = process.cwd();
  try {
    const files = loadProjectFiles(folder, directory);
    return select === undefined ? files : selectFiles(files, select, { folder, directory });
  } catch (error) {
    if (!(error instanceof ProjectFilesError)) throw error;
    throw new pulumi.RunError(error.message);
  }
}

/**
 * The former URN of a resource that `pulumi state move` brought from another stack: without its
 * component, because that stays in the other stack.
 */
const MOVED: pulumi.Alias[] = [{ parent: pulumi.rootStackResource }];

/**
 * The projects of a folder, one file each, with the people in them.
 *
 * Each file declares a Project `<key>`. If the file has `members`, it also declares a
 * ProjectMembers `<key>` or a ProjectMember `<key>/<username>` each, for each of its `teams` a
 * ProjectTeam `<key>/<team>`, and for each of its `apiKeys` a ProjectApiKey `<key>/<public key>`. A
 * deleted file releases its project, people, teams and API keys; with `onDestroy: delete` in it the
 * project is deleted.
 */
export class ProjectFolder extends pulumi.ComponentResource {
  /** Id and name of each project, by its key. */
  readonly projects: pulumi.Output<Record<string, DeclaredProject>>;

  /**
   * @param name name of the component, unique in the stack
   * @param opts Pulumi's options; `provider` and `providers` reach every project
   * @throws pulumi.RunError that lists every fault of every file, or names a wrong option. Nothing
   * is declared then.
   */
  constructor(name: string, args: ProjectFolderArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const provider = checkedModule(name, args);
    const files = readFiles(args.folder, args.select);
    super(PROJECT_FOLDER_TYPE, name, {}, opts);
    const options = { parent: this, ...(args.select && { aliases: MOVED }) };
    const facts = files.map((file) => {
      const project = new provider.Project(file.key, projectArgs(file), options);
      // The people are not removed before the project: the service deletes them with it, or they
      // remain in it.
      declarePeople(provider, file, project, { ...options, deletedWith: project });
      declareTeams(provider, file, project, { ...options, deletedWith: project });
      declareKeys(provider, file, project, { ...options, deletedWith: project });
      return [file.key, { projectId: project.projectId, name: project.name }] as const;
    });
    this.projects = pulumi.output(Object.fromEntries(facts));
    // `opsmanager drift` finds the files of a project by the folder.
    this.registerOutputs({ projects: this.projects, folder: args.folder });
  }
}

const COMPONENT_OPTIONS = ["folder", "provider", "select"];

/**
 * The classes of the provider that the options name.
 *
 * @throws pulumi.RunError for a wrong option. A misspelled `select` would declare every file
 */
function checkedModule(name: string, args: ProjectFolderArgs): ProviderModule {
  const fault = providerFault(args) ?? folderFault(args) ?? selectFault(args);
  if (fault !== undefined) throw new pulumi.RunError(`ProjectFolder "${name}": ${fault}.`);
  return modules[args.provider]();
}

function providerFault(args: ProjectFolderArgs): string | undefined {
  const { provider } = args;
  if (Object.hasOwn(modules, provider ?? "")) return undefined;
  const problem =
    provider === undefined
      ? "the option provider is missing"
      : "the option provider has another value than the name of a provider";
  return `${problem}. Write provider: "plugin" for the provider plugin, or provider: "dynamic" for the dynamic provider`;
}

function folderFault({ folder }: ProjectFolderArgs): string | undefined {
  if (typeof folder === "string" && folder !== "") return undefined;
  return "the option folder must be the path of the folder with the project files";
}

function selectFault(args: ProjectFolderArgs): string | undefined {
  const unknown = Object.keys(args).find((option) => !COMPONENT_OPTIONS.includes(option));
  if (unknown !== undefined)
    return `${unknown} is not an option. Options are: ${COMPONENT_OPTIONS.join(", ")}`;
  return "select" in args ? selectionFault(args.select) : undefined;
}

function projectArgs(file: ProjectFile): ProjectArgs {
  const { orgId, name, tags, ldapGroupMappings, idpGroupMappings, ignoreTags, onDestroy } = file;
  const { withDefaultAlertsSettings, projectOwnerId } = file;
  const managed = withoutUndefined({ tags, ldapGroupMappings, idpGroupMappings, ignoreTags });
  const atCreation = withoutUndefined({ withDefaultAlertsSettings, projectOwnerId });
  return { orgId, name, onDestroy, ...managed, ...atCreation };
}

function declarePeople(
  provider: ProviderModule,
  file: ProjectFile,
  { projectId }: { readonly projectId: pulumi.Output<string> },
  options: pulumi.CustomResourceOptions,
): void {
  const { key, members, membership, ignoreUsers, maxRemovals, removeUnlisted } = file;
  if (members === undefined) return;
  if (membership === "exclusive") {
    const settings = withoutUndefined({ ignoreUsers, maxRemovals, removeUnlisted });
    new provider.ProjectMembers(key, { projectId, members, ...settings }, options);
    return;
  }
  for (const [username, roles] of Object.entries(members)) {
    new provider.ProjectMember(`${key}/${username}`, { projectId, username, roles }, options);
  }
}

/** A team is named as the file names it: by its ID or by its name. */
function declareTeams(
  provider: ProviderModule,
  { key, teams = {} }: ProjectFile,
  { projectId }: { readonly projectId: pulumi.Output<string> },
  options: pulumi.CustomResourceOptions,
): void {
  for (const [team, roles] of Object.entries(teams)) {
    const named = OBJECT_ID.test(team) ? { teamId: team } : { teamName: team };
    new provider.ProjectTeam(`${key}/${team}`, { projectId, ...named, roles }, options);
  }
}

/** A key is named as the file names it: by its ID or by its public key. */
function declareKeys(
  provider: ProviderModule,
  { key, apiKeys = {} }: ProjectFile,
  { projectId }: { readonly projectId: pulumi.Output<string> },
  options: pulumi.CustomResourceOptions,
): void {
  for (const [name, roles] of Object.entries(apiKeys)) {
    const named = OBJECT_ID.test(name) ? { keyId: name } : { publicKey: name };
    new provider.ProjectApiKey(`${key}/${name}`, { projectId, ...named, roles }, options);
  }
}
