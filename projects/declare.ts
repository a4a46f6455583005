/** Declares the files of each kind as resources of a Pulumi program, with either provider. */
import * as pulumi from "@pulumi/pulumi";
import { foldName } from "../provider/access/person";
import { ORGANIZATION_FILE_TYPE } from "../provider/component";
import { withoutUndefined } from "../provider/resources/contract/values";
import { OBJECT_ID } from "../provider/text/object-id";
import type { ProjectArgs, TeamArgs } from "../sdk/nodejs";
import { type DeclaredFile, organizationOf } from "./declared-file";
import type { EndableProperty } from "./ends";
import { type Declarations, succeeded } from "./late";
import { type OrganizationFile, organizationArgs } from "./organization-file";
import type { ProjectFile } from "./project-file";
import type { TeamFile } from "./team-file";

/** The provider that declares resources: the provider plugin, or the dynamic provider. */
export type ProviderKind = "plugin" | "dynamic";

/** The classes of a provider that declare what files declare. */
export type ProviderModule = Pick<
  typeof import("../sdk/nodejs"),
  | "Project"
  | "ProjectMember"
  | "ProjectMembers"
  | "ProjectTeam"
  | "ProjectApiKey"
  | "Team"
  | "Organization"
  | "OrganizationMember"
  | "ApiKey"
>;

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

/** What the resources of a component have in common. */
export interface Scope {
  readonly provider: ProviderModule;
  readonly order: Declarations;
  readonly options: Pick<pulumi.CustomResourceOptions, "parent" | "aliases" | "deletedWith">;
}

/** The resource that declares a team of an organization by its name, if a file does. */
export type TeamOf = (file: DeclaredFile, name: string) => pulumi.Resource | undefined;

/** The resources that declare these people in an organization, if a file does. */
export type MembersOf = (file: DeclaredFile, usernames: readonly string[]) => pulumi.Resource[];

/** The ID of an API key that the file of an organization declares, by its name there. */
export type KeyOf = (file: DeclaredFile, name: string) => pulumi.Output<string> | undefined;

/** @returns id and name of each project, by its key */
export function declareProjects(
  files: readonly ProjectFile[],
  { provider, order, options }: Scope,
  { teamOf, keyOf }: { readonly teamOf: TeamOf; readonly keyOf: KeyOf },
): pulumi.Output<Record<string, DeclaredProject>> {
  const facts = files.map((file) => {
    const project = order.add(new provider.Project(file.key, projectArgs(file), options));
    // The people are not removed before the project: the service deletes them with it, or they
    // remain in it.
    const inProject = { provider, order, options: { ...options, deletedWith: project } };
    declarePeople(file, project, inProject);
    declareProjectTeams(file, project, inProject, teamOf);
    declareProjectKeys(file, project, inProject, keyOf);
    return [file.key, { projectId: project.projectId, name: project.name }] as const;
  });
  return pulumi.output(Object.fromEntries(facts));
}

/** A team is declared after the people of its organization, because the service accepts no one else. */
export function declareTeams(
  files: readonly TeamFile[],
  { provider, order, options }: Scope,
  membersOf: MembersOf,
): { readonly teams: pulumi.Output<Record<string, DeclaredTeam>>; readonly teamOf: TeamOf } {
  const declared = files.map((file) => {
    const members = membersOf(file, file.usernames);
    const days = Object.values(daysOf(file, "usernames").until ?? {});
    // A failure of somebody else must not keep whoever is to leave.
    const dependsOn = days.some((day) => order.isOver(day)) ? succeeded(members) : members;
    const team = order.add(new provider.Team(file.key, teamArgs(file), { ...options, dependsOn }));
    return { file, team };
  });
  const byName = new Map(declared.map(({ file, team }) => [placeOf(file, file.name), team]));
  const facts = declared.map(({ file: { key }, team: { teamId, name } }) => [key, { teamId, name }] as const);
  return {
    teams: pulumi.output(Object.fromEntries(facts)),
    teamOf: (file, name) => byName.get(placeOf(file, name)),
  };
}

/**
 * What one organization file declares. All of it is deleted with it: the engine then calls no
 * Delete for them, so a deleted file releases them, while an entry that leaves the file ends.
 */
class OrganizationFileResource extends pulumi.ComponentResource {
  constructor({ key }: OrganizationFile, options: Scope["options"]) {
    super(ORGANIZATION_FILE_TYPE, key, {}, options);
  }

  /** `opsmanager drift` knows from these outputs which owners are undeclared. */
  record(complete: OrganizationFile["complete"], orgId: pulumi.Input<string> | undefined): void {
    this.registerOutputs(complete === undefined ? {} : { complete, orgId });
  }
}

interface DeclaredOrganizations {
  readonly membersOf: MembersOf;
  readonly keyOf: KeyOf;
  /** By the key of the file and the name of the API key. */
  readonly apiKeys: pulumi.Output<Record<string, DeclaredApiKey>>;
}

export function declareOrganizations(
  files: readonly OrganizationFile[],
  { provider, order, options }: Scope,
): DeclaredOrganizations {
  const declared = files.map((file) => {
    const organization = new OrganizationFileResource(file, options);
    const within = {
      ...{ provider, order },
      options: { ...options, parent: organization, deletedWith: organization },
    };
    const itself = declareItself(file, within);
    const members = declareMembers(file, within);
    // Whoever has ended shows the organization as well, where only a setting names it.
    const [first] = [...itself, ...members.map(([, member]) => member)].map((resource) =>
      pulumi.output(resource).apply(({ orgId }) => orgId),
    );
    organization.record(file.complete, file.orgId ?? first);
    return { members, keys: declareKeys(file, within) };
  });
  const byPlace = new Map(
    declared.flatMap(({ members }) =>
      members.flatMap(([place, member]) => (member instanceof Promise ? [] : [[place, member] as const])),
    ),
  );
  const keys = declared.flatMap((each) => each.keys);
  const keyIds = new Map(keys.map(({ place, keyId }) => [place, keyId]));
  return {
    keyOf: (file, name) => keyIds.get(placeOf(file, name)),
    membersOf: (file, usernames) =>
      usernames.flatMap((name) => byPlace.get(placeOf(file, foldName(name))) ?? []),
    apiKeys: pulumi.output(Object.fromEntries(keys.map(({ logicalName, facts }) => [logicalName, facts]))),
  };
}

/** The organization itself, if the file declares anything of it. */
function declareItself(file: OrganizationFile, { provider, order, options }: Scope) {
  const given = organizationArgs(file);
  const args = { ...organizationIn(file), ...given };
  return given === undefined ? [] : [order.add(new provider.Organization(file.key, args, options))];
}

function declareMembers(file: OrganizationFile, { provider, order, options }: Scope) {
  const { key, members = {} } = file;
  return Object.entries(members).map(([username, roles]) => {
    const args = { ...organizationIn(file), username, roles, ...untilOf(file, "members", username) };
    const make = () => new provider.OrganizationMember(`${key}/${username}`, args, options);
    return [placeOf(file, foldName(username)), order.declare(args.until, make)] as const;
  });
}

/** A key that has ended stays in the output, so that no program that uses it breaks that night. */
function declareKeys(file: OrganizationFile, { provider, order, options }: Scope) {
  return Object.entries(file.apiKeys ?? {}).map(([name, declared]) => {
    const logicalName = `${file.key}/${name}`;
    const args = { ...organizationIn(file), ...declared, ...untilOf(file, "apiKeys", name) };
    const key = order.declare(args.until, () => new provider.ApiKey(logicalName, args, options));
    const made = pulumi.output(key);
    const facts = made.apply(({ keyId, publicKey, privateKey }) => {
      return pulumi.output({ keyId, publicKey, privateKey: pulumi.secret(privateKey) });
    });
    // Of the facts, which hold a secret, it would be one as well.
    const keyId = made.apply((each) => each.keyId);
    return { place: placeOf(file, name), logicalName, facts, keyId };
  });
}

/** The last day of an entry, if it has one. */
function untilOf({ ends = [] }: DeclaredFile, property: EndableProperty, name: string) {
  const until = ends.find((end) => end.property === property && end.name === name)?.until;
  return withoutUndefined({ until });
}

/** The last days of a list, by the name of the person. */
function daysOf({ ends = [] }: DeclaredFile, list: EndableProperty) {
  const own = ends.filter(({ property }) => property === list);
  return own.length === 0 ? {} : { until: Object.fromEntries(own.map(({ name, until }) => [name, until])) };
}

/** Absent, the provider's setting decides. */
function organizationIn({ orgId }: DeclaredFile) {
  return withoutUndefined({ orgId });
}

function placeOf(file: DeclaredFile, name: string): string {
  return `${organizationOf(file)} ${name}`;
}

function teamArgs(file: TeamFile): TeamArgs {
  const { name, usernames, onDestroy, teamId, maxRemovals, removeUnlisted } = file;
  const given = withoutUndefined({ teamId, ...daysOf(file, "usernames"), maxRemovals, removeUnlisted });
  return { ...organizationIn(file), name, usernames, onDestroy, ...given };
}

function projectArgs(file: ProjectFile): ProjectArgs {
  const { name, tags, ldapGroupMappings, idpGroupMappings, ignoreTags, onDestroy } = file;
  const { withDefaultAlertsSettings, projectOwnerId } = file;
  const managed = withoutUndefined({ tags, ldapGroupMappings, idpGroupMappings, ignoreTags });
  const atCreation = withoutUndefined({ withDefaultAlertsSettings, projectOwnerId });
  return { ...organizationIn(file), name, onDestroy, ...managed, ...atCreation };
}

interface InProject {
  readonly projectId: pulumi.Output<string>;
}

function declarePeople(
  file: ProjectFile,
  { projectId }: InProject,
  { provider, order, options }: Scope,
): void {
  const { key, members, membership, ignoreUsers, maxRemovals, removeUnlisted } = file;
  if (members === undefined) return;
  if (membership === "exclusive") {
    const settings = withoutUndefined({
      ...daysOf(file, "members"),
      ignoreUsers,
      maxRemovals,
      removeUnlisted,
    });
    order.add(new provider.ProjectMembers(key, { projectId, members, ...settings }, options));
    return;
  }
  for (const [username, roles] of Object.entries(members)) {
    const args = { projectId, username, roles, ...untilOf(file, "members", username) };
    void order.declare(args.until, () => new provider.ProjectMember(`${key}/${username}`, args, options));
  }
}

/** A team of the folder is named by its name, so that another stack may declare it. */
function declareProjectTeams(
  file: ProjectFile,
  { projectId }: InProject,
  { provider, order, options }: Scope,
  teamOf: TeamOf,
): void {
  for (const [property, team, roles] of holdersIn(file, ["teams", "externalTeams"])) {
    const isId = property === "externalTeams" && OBJECT_ID.test(team);
    const named = isId ? { teamId: team } : { teamName: team };
    const args = { projectId, ...named, roles, ...untilOf(file, property, team) };
    // What ends needs no team, and a failure of the team must not keep its roles.
    const isNeeded = "teamName" in named && !order.isOver(args.until);
    const declared = isNeeded ? teamOf(file, team) : undefined;
    const own = { ...options, ...(declared && { dependsOn: [declared] }) };
    void order.declare(args.until, () => new provider.ProjectTeam(`${file.key}/${team}`, args, own));
  }
}

/** The ID of a key of the folder is an output of its resource, which may be made in the same run. */
function declareProjectKeys(
  file: ProjectFile,
  { projectId }: InProject,
  { provider, order, options }: Scope,
  keyOf: KeyOf,
): void {
  for (const [property, name, roles] of holdersIn(file, ["apiKeys", "externalApiKeys"])) {
    const external = OBJECT_ID.test(name) ? { keyId: name } : { publicKey: name };
    const named = property === "apiKeys" ? withoutUndefined({ keyId: keyOf(file, name) }) : external;
    const args = { projectId, ...named, roles, ...untilOf(file, property, name) };
    void order.declare(args.until, () => new provider.ProjectApiKey(`${file.key}/${name}`, args, options));
  }
}

type HolderProperty = "teams" | "externalTeams" | "apiKeys" | "externalApiKeys";

function holdersIn(file: ProjectFile, properties: readonly HolderProperty[]) {
  return properties.flatMap((property) =>
    Object.entries(file[property] ?? {}).map(([name, roles]) => [property, name, roles] as const),
  );
}
