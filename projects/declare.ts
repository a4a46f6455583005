/** Declares the files of each kind as resources of a Pulumi program, with either provider. */
import * as pulumi from "@pulumi/pulumi";
import { foldName } from "../provider/access/person";
import { ORGANIZATION_FILE_TYPE } from "../provider/component";
import { withoutUndefined } from "../provider/resources/contract/values";
import { OBJECT_ID } from "../provider/text/object-id";
import type {
  ApiKeyArgs,
  OrganizationMemberArgs,
  ProjectApiKeyArgs,
  ProjectArgs,
  ProjectMemberArgs,
  ProjectMembersArgs,
  ProjectTeamArgs,
  TeamArgs,
} from "../sdk/nodejs";
import { type DeclaredFile, organizationOf } from "./declared-file";
import type { OrganizationFile } from "./organization-file";
import type { ProjectFile } from "./project-file";
import type { TeamFile } from "./team-file";

/** The provider that declares resources: the provider plugin, or the dynamic provider. */
export type ProviderKind = "plugin" | "dynamic";

/** The classes of a provider that declare what files declare. */
export interface ProviderModule {
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
  readonly Team: new (
    name: string,
    args: TeamArgs,
    opts?: pulumi.CustomResourceOptions,
  ) => pulumi.CustomResource & Record<"teamId" | "name", pulumi.Output<string>>;
  readonly OrganizationMember: new (
    name: string,
    args: OrganizationMemberArgs,
    opts?: pulumi.CustomResourceOptions,
  ) => pulumi.CustomResource & Record<"orgId", pulumi.Output<string>>;
  readonly ApiKey: new (
    name: string,
    args: ApiKeyArgs,
    opts?: pulumi.CustomResourceOptions,
  ) => pulumi.CustomResource & Record<"keyId" | "publicKey" | "privateKey", pulumi.Output<string>>;
}

/** Loads the classes of one provider. A program loads only the provider that it uses. */
export const modules: Readonly<Record<ProviderKind, () => ProviderModule>> = {
  plugin: () => require("../sdk/nodejs") as typeof import("../sdk/nodejs"),
  dynamic: () => require("../provider/dynamic") as typeof import("../provider/dynamic"),
};

/** Id and name of one project. */
export interface DeclaredProject {
  /** 24 hexadecimal digits. */
  readonly projectId: string;
  readonly name: string;
}

/** Id and name of one team. */
export interface DeclaredTeam {
  /** 24 hexadecimal digits. */
  readonly teamId: string;
  readonly name: string;
}

/** One API key of an organization. */
export interface DeclaredApiKey {
  /** 24 hexadecimal digits. */
  readonly keyId: string;
  readonly publicKey: string;
  /** Absent after an import, because the service shows it only once. */
  readonly privateKey?: string;
}

/** Options of every resource of a component. */
export type Options = Pick<pulumi.CustomResourceOptions, "parent" | "aliases">;

/** The resource that declares a team of an organization by its name, if a file does. */
export type TeamOf = (file: DeclaredFile, name: string) => pulumi.Resource | undefined;

/** The resources that declare these people in an organization, if a file does. */
export type MembersOf = (file: DeclaredFile, usernames: readonly string[]) => pulumi.Resource[];

/** @returns id and name of each project, by its key */
export function declareProjects(
  provider: ProviderModule,
  files: readonly ProjectFile[],
  options: Options,
  teamOf: TeamOf,
): pulumi.Output<Record<string, DeclaredProject>> {
  const facts = files.map((file) => {
    const project = new provider.Project(file.key, projectArgs(file), options);
    // The people are not removed before the project: the service deletes them with it, or they
    // remain in it.
    const inProject = { ...options, deletedWith: project };
    declarePeople(provider, file, project, inProject);
    declareProjectTeams(provider, file, project, inProject, teamOf);
    declareProjectKeys(provider, file, project, inProject);
    return [file.key, { projectId: project.projectId, name: project.name }] as const;
  });
  return pulumi.output(Object.fromEntries(facts));
}

/** A team is declared after the people of its organization, because the service accepts no one else. */
export function declareTeams(
  provider: ProviderModule,
  files: readonly TeamFile[],
  options: Options,
  membersOf: MembersOf,
): { readonly teams: pulumi.Output<Record<string, DeclaredTeam>>; readonly teamOf: TeamOf } {
  const declared = files.map((file) => {
    const dependsOn = membersOf(file, file.usernames);
    return { file, team: new provider.Team(file.key, teamArgs(file), { ...options, dependsOn }) };
  });
  const byName = new Map(declared.map(({ file, team }) => [placeOf(file, file.name), team]));
  const facts = declared.map(({ file: { key }, team: { teamId, name } }) => [key, { teamId, name }] as const);
  return {
    teams: pulumi.output(Object.fromEntries(facts)),
    teamOf: (file, name) => byName.get(placeOf(file, name)),
  };
}

/**
 * What one organization file declares. Its people and keys are deleted with it: the engine then calls no
 * Delete for them, so a deleted file releases them, while an entry that leaves the file ends.
 */
class OrganizationFileResource extends pulumi.ComponentResource {
  constructor({ key }: OrganizationFile, options: Options) {
    super(ORGANIZATION_FILE_TYPE, key, {}, options);
  }

  /** `opsmanager drift` knows from these outputs which owners are undeclared. */
  record(complete: OrganizationFile["complete"], orgId: pulumi.Output<string> | undefined): void {
    this.registerOutputs(complete === undefined ? {} : { complete, orgId });
  }
}

interface DeclaredOrganizations {
  readonly membersOf: MembersOf;
  /** By the key of the file and the name of the API key. */
  readonly apiKeys: pulumi.Output<Record<string, DeclaredApiKey>>;
}

export function declareOrganizations(
  provider: ProviderModule,
  files: readonly OrganizationFile[],
  options: Options,
): DeclaredOrganizations {
  const declared = files.map((file) => {
    const organization = new OrganizationFileResource(file, options);
    const inOrganization = { ...options, parent: organization, deletedWith: organization };
    const members = declareMembers(provider, file, inOrganization);
    organization.record(file.complete, members[0]?.[1].orgId);
    return { members, keys: declareKeys(provider, file, inOrganization) };
  });
  const byPlace = new Map(declared.flatMap(({ members }) => members));
  return {
    membersOf: (file, usernames) =>
      usernames.flatMap((name) => byPlace.get(placeOf(file, foldName(name))) ?? []),
    apiKeys: pulumi.output(Object.fromEntries(declared.flatMap(({ keys }) => keys))),
  };
}

function declareMembers(
  provider: ProviderModule,
  file: OrganizationFile,
  options: pulumi.CustomResourceOptions,
) {
  const { key, members = {} } = file;
  return Object.entries(members).map(([username, roles]) => {
    const args = { ...organizationIn(file), username, roles };
    const member = new provider.OrganizationMember(`${key}/${username}`, args, options);
    return [placeOf(file, foldName(username)), member] as const;
  });
}

function declareKeys(
  provider: ProviderModule,
  file: OrganizationFile,
  options: pulumi.CustomResourceOptions,
) {
  return Object.entries(file.apiKeys ?? {}).map(([name, declared]) => {
    const logicalName = `${file.key}/${name}`;
    const key = new provider.ApiKey(logicalName, { ...organizationIn(file), ...declared }, options);
    const { keyId, publicKey, privateKey } = key;
    return [logicalName, { keyId, publicKey, privateKey: pulumi.secret(privateKey) }] as const;
  });
}

/** Absent, the provider's setting decides. */
function organizationIn({ orgId }: DeclaredFile) {
  return withoutUndefined({ orgId });
}

function placeOf(file: DeclaredFile, name: string): string {
  return `${organizationOf(file)} ${name}`;
}

function teamArgs(file: TeamFile): TeamArgs {
  const { name, usernames, endedUsers, onDestroy, teamId, maxRemovals, removeUnlisted } = file;
  const given = withoutUndefined({ teamId, endedUsers, maxRemovals, removeUnlisted });
  return { ...organizationIn(file), name, usernames, onDestroy, ...given };
}

function projectArgs(file: ProjectFile): ProjectArgs {
  const { name, tags, ldapGroupMappings, idpGroupMappings, ignoreTags, onDestroy } = file;
  const { withDefaultAlertsSettings, projectOwnerId } = file;
  const managed = withoutUndefined({ tags, ldapGroupMappings, idpGroupMappings, ignoreTags });
  const atCreation = withoutUndefined({ withDefaultAlertsSettings, projectOwnerId });
  return { ...organizationIn(file), name, onDestroy, ...managed, ...atCreation };
}

function declarePeople(
  provider: ProviderModule,
  file: ProjectFile,
  { projectId }: { readonly projectId: pulumi.Output<string> },
  options: pulumi.CustomResourceOptions,
): void {
  const { key, members, membership, ignoreUsers, endedUsers, maxRemovals, removeUnlisted } = file;
  if (members === undefined) return;
  if (membership === "exclusive") {
    const settings = withoutUndefined({ ignoreUsers, endedUsers, maxRemovals, removeUnlisted });
    new provider.ProjectMembers(key, { projectId, members, ...settings }, options);
    return;
  }
  for (const [username, roles] of Object.entries(members)) {
    new provider.ProjectMember(`${key}/${username}`, { projectId, username, roles }, options);
  }
}

/** A team is named as the file names it: by its ID or by its name. */
function declareProjectTeams(
  provider: ProviderModule,
  file: ProjectFile,
  { projectId }: { readonly projectId: pulumi.Output<string> },
  options: pulumi.CustomResourceOptions,
  teamOf: TeamOf,
): void {
  for (const [team, roles] of Object.entries(file.teams ?? {})) {
    const named = OBJECT_ID.test(team) ? { teamId: team } : { teamName: team };
    const declared = "teamName" in named ? teamOf(file, team) : undefined;
    new provider.ProjectTeam(
      `${file.key}/${team}`,
      { projectId, ...named, roles },
      { ...options, ...(declared && { dependsOn: [declared] }) },
    );
  }
}

/** A key is named as the file names it: by its ID or by its public key. */
function declareProjectKeys(
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
