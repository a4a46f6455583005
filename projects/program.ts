/** The component that declares a folder of files, with either provider. */
import * as pulumi from "@pulumi/pulumi";
import { ACCESS_FOLDER_TYPE } from "../provider/component";
import type { AccessFiles } from "./access-files";
import { endSentences, endsIn } from "./as-of";
import {
  type DeclaredApiKey,
  type DeclaredProject,
  type DeclaredTeam,
  declareOrganizations,
  declareProjects,
  declareTeams,
  modules,
  type ProviderKind,
  type ProviderModule,
  type Scope,
} from "./declare";
import { ProjectFilesError } from "./faults";
import { Declarations } from "./late";
import { loadFiles } from "./load";
import { type FileSelection, selectFiles, selectionFault } from "./select";

export interface AccessFolderArgs {
  /**
   * The folder with the subfolders `projects`, `teams` and `organizations`, of which at least one has a
   * file. A relative path begins at the folder of the program: the folder of `Pulumi.yaml`, or its
   * `main`. `"."` is that folder itself.
   */
  readonly folder: string;
  /**
   * The provider that declares the resources: `"plugin"` for `pulumi-opsmanager`, `"dynamic"` for
   * `pulumi-opsmanager/dynamic`.
   */
  readonly provider: ProviderKind;
  /**
   * The files that this stack declares, so that several stacks share one folder: `{ orgId }`
   * or `{ shard: { index, count } }`. All files are checked. Default: every file.
   */
  readonly select?: FileSelection;
}

function readFiles({ folder, select }: AccessFolderArgs): AccessFiles {
  try {
    const files = loadFiles(folder);
    return select === undefined ? files : selectFiles(files, select, folder);
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
 * Everything that gives access: projects, teams, and the people and API keys of organizations, one file
 * each.
 *
 * A project file declares a Project `<key>`. If it has `members`, it also declares a ProjectMembers `<key>` or
 * a ProjectMember `<key>/<username>` each, for each of its `teams` and `externalTeams` a ProjectTeam
 * `<key>/<team>`, and for each of its `apiKeys` and `externalApiKeys` a ProjectApiKey `<key>/<key>`. A team file declares a Team `<key>`. An organization file
 * declares an OrganizationMember `<key>/<username>` for each of its `members` and an ApiKey `<key>/<name>` for
 * each of its `apiKeys`.
 *
 * An entry that leaves a file ends: the person is removed, the key is deleted. A deleted file releases what it
 * declared; with `onDestroy: delete` in it, the project or team is deleted.
 */
export class AccessFolder extends pulumi.ComponentResource {
  /** When everything is declared, also what ends; a failure is told by the engine. @internal */
  readonly completed: Promise<void>;
  /** Id and name of each project, by the key of its file. */
  readonly projects: pulumi.Output<Record<string, DeclaredProject>>;
  /** Id and name of each team, by the key of its file. */
  readonly teams: pulumi.Output<Record<string, DeclaredTeam>>;
  /** The API keys of the organizations, secret, by `<key of the file>/<name of the key>`. */
  readonly apiKeys: pulumi.Output<Record<string, DeclaredApiKey>>;

  /**
   * @param name name of the component, unique in the stack
   * @param opts Pulumi's options; `provider` and `providers` reach every resource
   * @throws pulumi.RunError that lists every fault of every file, or names a wrong option. Nothing
   * is declared then.
   */
  constructor(name: string, args: AccessFolderArgs, opts: pulumi.ComponentResourceOptions = {}) {
    const provider = checkedModule(name, args);
    // A process may run a program more than once, on different days.
    const now = new Date();
    const files = readFiles(args);
    super(ACCESS_FOLDER_TYPE, name, {}, opts);
    const scope = scopeOf(provider, this, args, now);
    const { membersOf, keyOf, apiKeys } = declareOrganizations(files.organizations, scope);
    const { teams, teamOf } = declareTeams(files.teams, scope, membersOf);
    this.projects = declareProjects(files.projects, scope, { teamOf, keyOf });
    this.teams = teams;
    this.apiKeys = apiKeys;
    this.completed = scope.order.complete();
    // The command finds the files of the stack by these. A program ends once its outputs are known, so after what is late.
    const folder = pulumi.output(this.completed.then(() => args.folder));
    const { select } = args;
    this.registerOutputs({ projects: this.projects, teams, apiKeys, folder, ...(select && { select }) });
    for (const text of endSentences(endsIn(files), now)) void pulumi.log.info(text, this);
  }
}

function scopeOf(
  provider: ProviderModule,
  parent: pulumi.Resource,
  { select }: Pick<AccessFolderArgs, "select">,
  now: Date,
): Scope {
  const order = new Declarations(now);
  return { provider, order, options: { parent, ...(select && { aliases: MOVED }) } };
}

const COMPONENT_OPTIONS = ["folder", "provider", "select"];

/**
 * The classes of the provider that the options name.
 *
 * @throws pulumi.RunError for a wrong option. A misspelled `select` would declare every file
 */
function checkedModule(name: string, args: AccessFolderArgs): ProviderModule {
  const fault = providerFault(args) ?? folderFault(args) ?? selectFault(args);
  if (fault !== undefined) throw new pulumi.RunError(`AccessFolder "${name}": ${fault}.`);
  return modules[args.provider]();
}

function providerFault(args: AccessFolderArgs): string | undefined {
  const { provider } = args;
  if (Object.hasOwn(modules, provider ?? "")) return undefined;
  const problem =
    provider === undefined
      ? "the option provider is missing"
      : "the option provider has another value than the name of a provider";
  return `${problem}. Write provider: "plugin" for the provider plugin, or provider: "dynamic" for the dynamic provider`;
}

function folderFault({ folder }: AccessFolderArgs): string | undefined {
  if (typeof folder === "string" && folder !== "") return undefined;
  return "the option folder must be the path of the folder with the files";
}

function selectFault(args: AccessFolderArgs): string | undefined {
  const unknown = Object.keys(args).find((option) => !COMPONENT_OPTIONS.includes(option));
  if (unknown !== undefined)
    return `${unknown} is not an option. Options are: ${COMPONENT_OPTIONS.join(", ")}`;
  return "select" in args ? selectionFault(args.select) : undefined;
}
