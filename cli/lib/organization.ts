/** What an organization holds at the service: its projects and teams, and the people in them. */

import { foldName, type Invitation, type Membership } from "../../provider/access/person";
import { listApiKeys } from "../../provider/api/api-keys";
import type { ApiClient } from "../../provider/api/client";
import { organizationInvitations } from "../../provider/api/invitations";
import { listOrganizations } from "../../provider/api/organizations";
import { getProject } from "../../provider/api/projects";
import { listTeams, listUsersOfTeam, type TeamName, type TeamResponse } from "../../provider/api/teams";
import type { UserResponse } from "../../provider/api/users";
import {
  type ProjectPerson as LivePerson,
  lookUpProjectMembers,
} from "../../provider/functions/get-project-members";
import type { LiveTeam } from "../../provider/functions/get-project-teams";
import { lookUpProjects } from "../../provider/functions/get-projects";
import { type ProjectOutput, readSingly } from "../../provider/functions/project-fields";
import { owningRolesAbove, rolesAmong } from "../../provider/resources/contract/roles";
import { Session } from "../../provider/resources/contract/session";
import { inOrder, withoutUndefined } from "../../provider/resources/contract/values";
import { meaningOf } from "../../provider/resources/evidence/meaning";
import { Refusal } from "../../provider/resources/evidence/refusal";
import { accessListOf } from "../../provider/resources/keys/api-key-access-list";
import { allMemberships } from "../../provider/resources/people/memberships";
import { toLive } from "../../provider/resources/project/state";
import { keysOfProject, type KeyEntry as LiveKey } from "../../provider/resources/reads/api-keys";
import {
  OrganizationPeopleCache,
  unknownInvitations,
} from "../../provider/resources/reads/organization-people";
import { entriesOf, hasExpired } from "../../provider/resources/reads/project-people";
import { namedTeamsOfProject } from "../../provider/resources/reads/teams";
import { ApiError, messageOf } from "../../provider/text/errors";
import { visibleText } from "../../provider/text/visible-text";
import { orReason, Reading, readEach, reportedElsewhere } from "./access/reading";
import type { MappingProperty } from "./own-resources";

export type { LiveKey, LivePerson, LiveTeam, ProjectOutput };

/** A person in a project, with everything that is pending for them there. */
export interface PersonWithInvitations extends LivePerson {
  readonly invitations: readonly Invitation[];
  /** The teams of the account, in all organizations. */
  readonly teamIds: readonly string[];
}

/** The lists of a project that a project file can declare. */
type ListName = "people" | "teams" | "API keys";

/** A list of a project that is missing or lacks something. */
export interface ListGap<Name extends string = ListName> {
  readonly what: Name;
  readonly projectId: string;
  readonly projectName: string;
  readonly reason: string;
  /**
   * `not offered`: the service does not offer an operation, so there is nothing that it would list.
   * `in doubt`: the response means that, but may come from a gateway. It has no error code of Ops Manager, or the service
   * performed the operation for another project. The list lacks what the operation returns: the pending invitations, or
   * all of it.
   */
  readonly why: "unread" | "not offered" | "in doubt";
}

/** The lists of several projects, by project id: of their people, of their teams, or of API keys. */
type ProjectLists<T, Name extends string = ListName> = Reading<
  ReadonlyMap<string, readonly T[]>,
  ListGap<Name>
>;

/** A session without cached reads: a command reads each thing once. */
function sessionOf(client: ApiClient): Session {
  return new Session(client, { ...COMMAND_SESSION, readCacheSeconds: 0 });
}

const COMMAND_SESSION = { maxRemovalsPerRun: 0, refreshBeforeUpdate: false };

/**
 * The projects that the key can see, sorted by name, then by id.
 *
 * @param orgId only those of this organization
 */
export async function readProjects(
  client: ApiClient,
  { orgId, signal }: { readonly orgId?: string | undefined; readonly signal: AbortSignal },
): Promise<ProjectOutput[]> {
  const args = orgId === undefined ? {} : { orgId };
  return lookUpProjects({ args, context: { session: sessionOf(client), signal } });
}

/**
 * Returns a function that reads projects individually if their list may lack fields. The list of
 * one organization is documented without tags and LDAP mappings. Each project is read once. A
 * project that cannot be read remains as it was.
 */
export function completeProjects(
  client: ApiClient,
  { orgId, signal }: { readonly orgId: string | undefined; readonly signal: AbortSignal },
): (projects: readonly ProjectOutput[]) => Promise<ProjectOutput[]> {
  const reads = new Map<string, Promise<ProjectOutput>>();
  const readOnce = (listed: ProjectOutput): Promise<ProjectOutput> => {
    if (orgId === undefined || (listed.tags && listed.ldapGroupMappings)) return Promise.resolve(listed);
    const read =
      reads.get(listed.projectId) ??
      readSingly(client, listed.projectId, signal).then((found) => (found ? toLive(found) : listed));
    reads.set(listed.projectId, read);
    return read;
  };
  return (projects) => Promise.all(projects.map(readOnce));
}

/**
 * The projects without those of deleted organizations, which a global key may see for some time.
 * If the organizations cannot be read, all projects.
 */
export async function ofExistingOrganizations(
  client: ApiClient,
  projects: readonly ProjectOutput[],
  signal: AbortSignal,
): Promise<readonly ProjectOutput[]> {
  if (new Set(projects.map(({ orgId }) => orgId)).size < 2) return projects;
  const organizations = await listOrganizations(client, signal).catch((error: unknown) => {
    if (meaningOf(error) === "failure") throw error;
    return [];
  });
  const living = new Set(organizations.map(({ id }) => id));
  const found = projects.filter(({ orgId }) => living.has(orgId));
  return found.length > 0 ? found : projects;
}

/** The names of the organizations that the key can see, by ID; none if they cannot be listed. */
export async function organizationNames(
  client: ApiClient,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const read = await orReason(listOrganizations(client, signal), signal);
  const organizations = read.take(reportedElsewhere) ?? [];
  return new Map(organizations.map(({ id, name }) => [id.toLowerCase(), name]));
}

/** A project whose lists are read. */
export type ListedProject = Pick<ProjectOutput, "projectId" | "name"> & {
  readonly orgId?: string | undefined;
};

interface ReadOptions {
  readonly signal: AbortSignal;
  /** Called after each project or team with how many are done. */
  readonly onProgress?: (done: number) => void;
}

/** Reads the people of teams of an organization. A deleted team has none. */
export async function readPeopleOfTeams(
  client: ApiClient,
  orgId: string,
  teams: readonly TeamName[],
  options: ReadOptions,
): ReturnType<typeof readEach<TeamName, readonly UserResponse[]>> {
  const read = (team: TeamName) =>
    listUsersOfTeam(client, orgId, team, options.signal).catch((error: unknown) => {
      if (meaningOf(error) === "deleted") return [];
      throw error;
    });
  return readEach(teams, read, options);
}

/**
 * Reads who is invited to an organization and joins teams by accepting, by the ID of the team. A service
 * without such invitations has no one.
 *
 * @throws the response if the invitations cannot be read
 */
export async function readInvitedToTeams(
  client: ApiClient,
  orgId: string,
  { signal }: ReadOptions,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const list = organizationInvitations.list(client, orgId, undefined, signal);
  const invitations = await noneIfNotOffered(list, () => {});
  const entries = invitations
    .filter((invitation) => !hasExpired(invitation, client.now()))
    .flatMap(({ username, teamIds }) => (teamIds ?? []).map((teamId) => ({ teamId, username })));
  return new Map(
    [...Map.groupBy(entries, ({ teamId }) => teamId)].map(([teamId, same]) => [
      teamId,
      same.map(({ username }) => username),
    ]),
  );
}

/**
 * Reads a list of each project.
 *
 * @param read calls `onNotOffered` if the service does not offer an operation for the list
 */
async function readLists<T, Name extends string>(
  what: Name,
  projects: readonly ListedProject[],
  options: ReadOptions,
  read: (project: ListedProject, onNotOffered: (error: unknown) => void) => Promise<readonly T[]>,
): Promise<ProjectLists<T, Name>> {
  const errors = new Map<ListedProject, unknown>();
  const gapOf = ({ projectId, name: projectName }: ListedProject, reason: string, why: ListGap["why"]) => {
    return { what, projectId, projectName, reason, why };
  };
  const gaps: ListGap<Name>[] = [];
  const readOne = (project: ListedProject) => read(project, (error) => errors.set(project, error));
  const each = await readEach(projects, readOne, options);
  const found = each.take(({ of, reason }) => gaps.push(gapOf(of, reason, "unread")));
  const isOfferedElsewhere = found.size > errors.size;
  const isOfOpsManager = (error: unknown) => error instanceof ApiError && error.errorCode !== undefined;
  for (const [project, error] of errors) {
    const isDoubtful = isOfferedElsewhere || !isOfOpsManager(error);
    gaps.push(gapOf(project, messageOf(error), isDoubtful ? "in doubt" : "not offered"));
  }
  return new Reading(new Map([...found].map(([{ projectId }, list]) => [projectId, list])), gaps);
}

/** The same lists, except that those in doubt count as unread. */
export function withoutDoubtful<T, Name extends string>(lists: ProjectLists<T, Name>): ProjectLists<T, Name> {
  const gaps: ListGap<Name>[] = [];
  const certain = new Map(lists.take((gap) => gaps.push(gap)));
  for (const { projectId, why } of gaps) if (why === "in doubt") certain.delete(projectId);
  return new Reading(
    certain,
    gaps.map((gap) => (gap.why === "in doubt" ? { ...gap, why: "unread" } : gap)),
  );
}

/** A service that does not offer the operation has nothing that it would list. */
export function noneIfNotOffered<T>(
  list: Promise<readonly T[]>,
  onNotOffered: (error: unknown) => void,
): Promise<readonly T[]> {
  return list.catch((error: unknown) => {
    if (meaningOf(error) !== "missing-operation") throw error;
    onNotOffered(error);
    return [];
  });
}

/**
 * Reads the teams of each project, with their names as far as the API key can see them. A service
 * without this operation has no teams.
 */
export async function readTeams(
  client: ApiClient,
  projects: readonly ListedProject[],
  options: ReadOptions,
): Promise<ProjectLists<LiveTeam>> {
  const session = new Session(client, { ...COMMAND_SESSION, readCacheSeconds: Number.POSITIVE_INFINITY });
  const lists = await readLists("teams", projects, options, (project, onNotOffered) =>
    noneIfNotOffered(
      namedTeamsOfProject({ ...project, orgId: project.orgId }, { session, signal: options.signal }),
      onNotOffered,
    ),
  );
  return withoutDoubtful(lists);
}

/**
 * Reads the people of an organization, members and pending invitations.
 *
 * @throws the response if the members or the invitations cannot be read
 */
export async function readPeopleOfOrganization(
  client: ApiClient,
  orgId: string,
  { signal }: ReadOptions,
): Promise<readonly Membership[]> {
  const people = await sessionOf(client).of(OrganizationPeopleCache).read(orgId, "writing", signal);
  const refusal = people.members instanceof Refusal ? people.members : unknownInvitations(people, false);
  if (refusal !== undefined) throw refusal.error;
  return allMemberships(people);
}

/** Reads the API keys of an organization. A service without this operation has none. */
export function readKeysOfOrganization(
  client: ApiClient,
  orgId: string,
  { signal }: ReadOptions,
): Promise<readonly LiveKey[]> {
  const keys = listApiKeys(client, orgId, signal).then((all) =>
    all.map(({ keyId, publicKey, description, roles }) => ({
      keyId,
      publicKey,
      description,
      roles: rolesAmong(roles, (role) => role.orgId === orgId),
      rolesAbove: owningRolesAbove(roles, (role) => role.projectId !== undefined),
    })),
  );
  return noneIfNotOffered(keys, () => {});
}

/** Reads from which addresses API keys of an organization may be used. */
export function readAccessLists(
  client: ApiClient,
  orgId: string,
  keys: readonly LiveKey[],
  options: ReadOptions,
): ReturnType<typeof readEach<LiveKey, readonly string[]>> {
  const context = { session: sessionOf(client), signal: options.signal };
  return readEach(keys, (key) => accessListOf(key, orgId, context), options);
}

/** Reads the teams of an organization. A service without this operation has none. */
export function readTeamsOfOrganization(
  client: ApiClient,
  orgId: string,
  { signal }: ReadOptions,
): Promise<readonly TeamResponse[]> {
  return noneIfNotOffered(listTeams(client, orgId, signal), () => {});
}

/**
 * Reads the API keys that have roles in each project. A service without this operation has no such
 * keys.
 */
export async function readKeys(
  client: ApiClient,
  projects: readonly ListedProject[],
  options: ReadOptions,
): Promise<ProjectLists<LiveKey>> {
  const lists = await readLists("API keys", projects, options, async ({ projectId }, onNotOffered) =>
    noneIfNotOffered(keysOfProject(client, projectId, options.signal), onNotOffered),
  );
  return withoutDoubtful(lists);
}

/** A group to which a project gives roles. */
export interface MappedGroup {
  readonly property: MappingProperty;
  readonly name: string;
  /** Sorted. */
  readonly roles: readonly string[];
}

/** The groups in the mappings of a project, each once for LDAP and once for the identity provider. */
export function mappedGroups({
  ldapGroupMappings = [],
  idpGroupMappings = [],
}: Pick<ProjectOutput, MappingProperty>): MappedGroup[] {
  const ldap = ldapGroupMappings.flatMap(({ roleName: role, ldapGroups }) =>
    ldapGroups.map((name) => ({ property: "ldapGroupMappings" as const, name, role })),
  );
  const idp = idpGroupMappings.flatMap(({ roleName: role, idpGroups }) =>
    idpGroups.map((name) => ({ property: "idpGroupMappings" as const, name, role })),
  );
  const byGroup = Map.groupBy([...ldap, ...idp], ({ property, name }) => JSON.stringify([property, name]));
  return [...byGroup.values()].flatMap((same) => {
    const [first] = same;
    return first ? [{ ...first, roles: same.map(({ role }) => role).sort(inOrder) }] : [];
  });
}

/** `payments (5f…)`; the id alone if the name is not known. */
export function withId(name: string | undefined, id = ""): string {
  return name === undefined || name === id ? id : `${name} (${id})`;
}

/** Whether a project gives roles to groups of LDAP or of an identity provider. */
export function mapsGroups({
  ldapGroupMappings = [],
  idpGroupMappings = [],
}: Pick<ProjectOutput, MappingProperty>): boolean {
  return ldapGroupMappings.length + idpGroupMappings.length > 0;
}

/** With so few projects, reading each of them needs fewer requests than reading lists. */
const MOST_SINGLE_READS = 10;

/** Reads the groups to which each project gives roles. A service that shows no project has none. */
export async function readMappings(
  client: ApiClient,
  projects: readonly ListedProject[],
  options: ReadOptions,
): Promise<ProjectLists<MappedGroup, "group mappings">> {
  const listed =
    projects.length > MOST_SINGLE_READS
      ? await listedMappings(client, projects, options)
      : new Map<string, Pick<ProjectOutput, MappingProperty>>();
  const lists = await readLists("group mappings", projects, options, async ({ projectId }, onNotOffered) => {
    const known = listed.get(projectId);
    if (known !== undefined) return mappedGroups(known);
    const read = getProject(client, projectId, options.signal).then(toLive).then(mappedGroups);
    return noneIfNotOffered(read, onNotOffered);
  });
  return withoutDoubtful(lists);
}

/**
 * The mappings of all projects that the lists contain; none if they cannot be read. Only the list of
 * all projects is documented with LDAP groups, and only that of an organization with groups of an
 * identity provider.
 */
async function listedMappings(
  client: ApiClient,
  projects: readonly ListedProject[],
  { signal }: ReadOptions,
): Promise<ReadonlyMap<string, Pick<ProjectOutput, MappingProperty>>> {
  const orgIds = [...new Set(projects.flatMap(({ orgId }) => orgId ?? []))];
  // What no list shows is read project by project.
  const lists = await Promise.all(
    [undefined, ...orgIds].map(async (orgId) => {
      const read = await orReason(readProjects(client, { orgId, signal }), signal);
      return read.take(reportedElsewhere) ?? [];
    }),
  );
  const [visible = [], ...ofOrganizations] = lists;
  const inOrganization = new Map(ofOrganizations.flat().map((project) => [project.projectId, project]));
  return new Map(
    visible.flatMap((project) => {
      const other = inOrganization.get(project.projectId);
      return other ? [[project.projectId, withMappingsOf(project, other)]] : [];
    }),
  );
}

/** The project with the mappings that only another list shows. */
export function withMappingsOf(
  project: ProjectOutput,
  { ldapGroupMappings, idpGroupMappings }: Pick<ProjectOutput, MappingProperty> = {},
): ProjectOutput {
  return withoutUndefined({
    ...project,
    ldapGroupMappings: project.ldapGroupMappings ?? ldapGroupMappings,
    idpGroupMappings: project.idpGroupMappings ?? idpGroupMappings,
  });
}

/**
 * Reads all people of each project.
 *
 * @param options `includeIndirect`: also people who have access only through a team or the
 * organization
 */
export function readPeople(
  client: ApiClient,
  projects: readonly ListedProject[],
  { includeIndirect, ...options }: ReadOptions & { readonly includeIndirect: boolean },
): Promise<ProjectLists<PersonWithInvitations>> {
  const session = sessionOf(client);
  return readLists("people", projects, options, async ({ projectId }, onNotOffered) => {
    const context = { session, signal: options.signal };
    const { result, invitations, teamsOf } = await lookUpProjectMembers({
      args: { projectId, includeIndirect },
      context,
    });
    if (invitations instanceof Refusal) onNotOffered(invitations.error);
    const byName = Map.groupBy(entriesOf(invitations), ({ username }) => foldName(username));
    return result.members.map((person) => ({
      ...person,
      invitations: byName.get(foldName(person.username)) ?? [],
      teamIds: teamsOf.get(person.userId ?? "") ?? [],
    }));
  });
}

/** The people of projects and their teams, by the IDs of the projects. */
interface PeopleAndTeams {
  readonly people: ReadonlyMap<string, readonly PersonWithInvitations[]>;
  readonly teams: ReadonlyMap<string, readonly LiveTeam[]>;
}

/**
 * The people with the roles that they have themselves. Some versions show the roles of teams among those of a person; a
 * version that shows anyone without the roles of a team of theirs is none of them. Who has no role beside those of teams
 * has one of them directly, because others are not listed.
 */
export function withOwnRoles({ people, teams }: PeopleAndTeams): PeopleAndTeams["people"] {
  const ofTeams = (projectId: string, { teamIds }: PersonWithInvitations) =>
    (teams.get(projectId) ?? []).flatMap(({ teamId, roles }) => (teamIds.includes(teamId) ? roles : []));
  const lacksOne = ([projectId, all]: readonly [string, readonly PersonWithInvitations[]]) =>
    all.some((person) => ofTeams(projectId, person).some((role) => !person.roles.includes(role)));
  if ([...people].some(lacksOne)) return people;
  return new Map(
    [...people].map(([projectId, all]) => [
      projectId,
      all.map((person) => {
        const given = ofTeams(projectId, person);
        const roles = person.roles.filter((role) => !given.includes(role));
        return roles.length === 0 ? person : { ...person, roles };
      }),
    ]),
  );
}

/** `organization Example (5f…)`; without a name if it is not known. */
export function organizationText({
  orgId = "",
  orgName,
}: {
  readonly orgId?: string | undefined;
  readonly orgName?: string | undefined;
}): string {
  return orgName === undefined ? `organization ${orgId}` : `organization ${visibleText(orgName)} (${orgId})`;
}
