/** What an organization holds at the service: its projects and teams, and the people in them. */

import type { Invitation, Membership } from "../../provider/access/person";
import type { GroupSource } from "../../provider/access/places";
import { listApiKeys } from "../../provider/api/api-keys";
import type { ApiClient } from "../../provider/api/client";
import { organizationInvitations } from "../../provider/api/invitations";
import {
  getOrganization,
  listOrganizations,
  type OrganizationResponse,
} from "../../provider/api/organizations";
import { listTeams, listUsersOfTeam, type TeamName, type TeamResponse } from "../../provider/api/teams";
import type { UserResponse } from "../../provider/api/users";
import type { ProjectPerson as LivePerson } from "../../provider/functions/get-project-members";
import type { LiveTeam } from "../../provider/functions/get-project-teams";
import { lookUpProjects } from "../../provider/functions/get-projects";
import { type ProjectOutput, readSingly } from "../../provider/functions/project-fields";
import { owningRolesAbove, rolesAmong } from "../../provider/resources/contract/roles";
import { Session } from "../../provider/resources/contract/session";
import { inOrder, withoutUndefined } from "../../provider/resources/contract/values";
import { isPossiblyOfGateway, meaningOf } from "../../provider/resources/evidence/meaning";
import { Refusal } from "../../provider/resources/evidence/refusal";
import { accessListOf } from "../../provider/resources/keys/api-key-access-list";
import { toLive as toLiveOrganization } from "../../provider/resources/organization/inputs";
import { allMemberships } from "../../provider/resources/people/memberships";
import { toLive } from "../../provider/resources/project/state";
import type { KeyEntry as LiveKey } from "../../provider/resources/reads/api-keys";
import {
  OrganizationPeopleCache,
  unknownInvitations,
} from "../../provider/resources/reads/organization-people";
import { hasExpired, toInvitation } from "../../provider/resources/reads/project-people";
import { visibleText } from "../../provider/text/visible-text";
import { orReason, readEach, reportedElsewhere } from "./access/reading";
import type { MappingProperty } from "./own-resources";

export type { LiveKey, LivePerson, LiveTeam, ProjectOutput };

/** A command reads each thing once, so a session usually caches no reads. */
export function sessionOf(client: ApiClient, readCacheSeconds = 0): Session {
  return new Session(client, { maxRemovalsPerRun: 0, refreshBeforeUpdate: false, readCacheSeconds });
}

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

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** Called after each project or team with how many are done. */
  readonly onProgress?: (done: number) => void;
}

interface TeamReadOptions extends ReadOptions {
  /** Whether a project has the team. Then it exists, in another organization or unseen by these credentials. */
  readonly isUsed?: (team: TeamName) => boolean;
}

/** Reads the people of teams of an organization. A deleted team has none. */
export async function readPeopleOfTeams(
  client: ApiClient,
  orgId: string,
  teams: readonly TeamName[],
  { isUsed = () => false, ...options }: TeamReadOptions,
): ReturnType<typeof readEach<TeamName, readonly UserResponse[]>> {
  const read = (team: TeamName) =>
    listUsersOfTeam(client, orgId, team, options.signal).catch((error: unknown) => {
      if (meaningOf(error) === "deleted" && !isUsed(team)) return [];
      throw error;
    });
  return readEach(teams, read, options);
}

/**
 * Reads the invitations to an organization. A service without such invitations has none.
 *
 * @throws the response if the invitations cannot be read, or if a gateway may have responded
 */
export async function readInvitationsToOrganization(
  client: ApiClient,
  orgId: string,
  { signal }: ReadOptions,
): Promise<readonly Invitation[]> {
  return noneIfSurelyNotOffered(pendingInvitations(client, orgId, signal));
}

/** By the ID of a team, the invitations to the organization and its projects by which people join it. */
export function invitedTo<Offer extends Pick<Invitation, "teamIds">>(
  invitations: readonly Offer[],
): (teamId: string) => Offer[] {
  return (id) => invitations.filter(({ teamIds }) => teamIds?.includes(id));
}

/** The invitations to an organization that can still be accepted. */
export async function pendingInvitations(
  client: ApiClient,
  orgId: string,
  signal: AbortSignal,
): Promise<readonly Invitation[]> {
  const invitations = await organizationInvitations.list(client, orgId, undefined, signal);
  return invitations.map(toInvitation).filter((invitation) => !hasExpired(invitation, client.now()));
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

/** @throws the response if it may come from a gateway */
function noneIfSurelyNotOffered<T>(list: Promise<readonly T[]>): Promise<readonly T[]> {
  return noneIfNotOffered(list, (error) => {
    if (isPossiblyOfGateway(error)) throw error;
  });
}

/**
 * Reads the people of an organization, members and pending invitations.
 *
 * @throws the response if the members or the invitations cannot be read, or if a gateway may have responded
 */
export async function readPeopleOfOrganization(
  client: ApiClient,
  orgId: string,
  { signal }: ReadOptions,
): Promise<readonly Membership[]> {
  const people = await sessionOf(client).of(OrganizationPeopleCache).read(orgId, "writing", signal);
  const { members, invitations } = people;
  const isInDoubt = invitations instanceof Refusal && isPossiblyOfGateway(invitations.error);
  const refusal = members instanceof Refusal ? members : unknownInvitations(people, isInDoubt);
  if (refusal !== undefined) throw refusal.error;
  return allMemberships(people);
}

/**
 * Reads the API keys of an organization. A service without this operation has none.
 *
 * @throws the response if they cannot be read, or if a gateway may have responded
 */
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
  return noneIfSurelyNotOffered(keys);
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

/**
 * Reads the teams of an organization. A service without this operation has none.
 *
 * @throws the response if they cannot be read, or if a gateway may have responded
 */
export function readTeamsOfOrganization(
  client: ApiClient,
  orgId: string,
  { signal }: ReadOptions,
): Promise<readonly TeamResponse[]> {
  return noneIfSurelyNotOffered(listTeams(client, orgId, signal));
}

/**
 * Reads the groups to which an organization gives roles. A service that shows no mappings has none, as far as can be seen.
 *
 * @throws the response if the organization cannot be read, or if a gateway may have responded
 */
export function readGroupsOfOrganization(
  client: ApiClient,
  orgId: string,
  { signal }: ReadOptions,
): Promise<readonly MappedGroup[]> {
  return noneIfSurelyNotOffered(getOrganization(client, orgId, signal).then(groupsOfOrganization));
}

export function groupsOfOrganization(response: OrganizationResponse): MappedGroup[] {
  return mappedGroups(toLiveOrganization(response));
}

/** A group to which a project or an organization gives roles. */
export interface MappedGroup {
  readonly property: GroupSource;
  readonly name: string;
  /** Sorted. */
  readonly roles: readonly string[];
}

/** @param source `GroupSource` */
export function groupKind(source: string): string {
  if (source === "ldapGroupMappings") return "LDAP group";
  return source === "idpGroupMappings" ? "identity provider group" : "group of the federation";
}

/** The groups in the mappings of a project or an organization, each once for LDAP and once for the identity provider. */
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

/** The project with the mappings that only another list shows. */
function withMappingsOf(
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
 * The projects that one of two lists contains, with the group mappings of both. The list of one
 * organization is documented without LDAP mappings, and the list of all projects without those of an
 * identity provider.
 */
export function withAllMappings(
  ofOrganization: readonly ProjectOutput[],
  visible: readonly ProjectOutput[],
): ProjectOutput[] {
  const byId = new Map(visible.map((project) => [project.projectId, project]));
  for (const listed of ofOrganization)
    byId.set(listed.projectId, withMappingsOf(listed, byId.get(listed.projectId)));
  return [...byId.values()];
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
