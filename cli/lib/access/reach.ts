/** Finds what a person or an API key can reach, in what was read. Pure. */

import { foldName, sameName } from "../../../provider/access/person";
import type { Holder } from "../../../provider/access/places";
import type { KeyRole } from "../../../provider/api/api-keys";
import type { UserResponse } from "../../../provider/api/users";
import { rolesAmong } from "../../../provider/resources/contract/roles";
import { inOrder } from "../../../provider/resources/contract/values";
import { joinId } from "../../../provider/text/object-id";
import type { ProjectAccess } from "../project-access";
import { declarationOf, type OfState } from "./declaration";
import type { OrganizationAccess, TeamWithPeople } from "./read";
import type { AccessEntry, FoundKey, FoundPerson } from "./report";

/** The accounts of organizations and teams, each once, with all roles and teams that a list shows. */
export function accountsIn(organizations: readonly OrganizationAccess[]): UserResponse[] {
  const listed = organizations.flatMap(({ people = [], teams }) => [
    ...people,
    ...teams.flatMap((team) => team.people ?? []),
  ]);
  return [...Map.groupBy(listed, ({ id }) => id).values()].flatMap((same) => {
    const [first] = same;
    const roles = same.flatMap((account) => account.roles ?? []);
    const teamIds = same.flatMap((account) => account.teamIds ?? []);
    return first ? [{ ...first, roles, teamIds }] : [];
  });
}

interface PersonSearch {
  readonly name: string;
  /** Others by which files, states and invitations may know the same account. */
  readonly otherNames?: readonly string[];
  readonly accounts: readonly UserResponse[];
  readonly declared: OfState;
}

/**
 * What a person can reach.
 *
 * @param search `accounts`: all with the name
 * @returns `undefined` if no account, member or invitation has the name
 */
export function reachOfPerson(
  organizations: readonly OrganizationAccess[],
  { name, otherNames = [], accounts, declared }: PersonSearch,
): FoundPerson | undefined {
  const isSought = (username: string) => [name, ...otherNames].some((each) => sameName(username, each));
  const byName = reachOfPeople(organizations, { accounts, declared, isSought });
  if (byName.length === 0) return undefined;
  return {
    kind: "person",
    name: accounts[0]?.username ?? name,
    accounts: byName.flatMap((each) => each.accounts),
    access: byName.flatMap(({ access }) => access),
  };
}

interface PeopleSearch extends Pick<PersonSearch, "accounts" | "declared"> {
  isSought(username: string): boolean;
}

/** A person has one name, whatever the case of its letters. */
interface Way {
  readonly username: string;
  readonly entry: AccessEntry;
}

/**
 * What people can reach, sorted by name.
 *
 * @param search `accounts`: all whose names are sought
 */
export function reachOfPeople(
  organizations: readonly OrganizationAccess[],
  search: PeopleSearch,
): readonly FoundPerson[] {
  const { accounts, declared } = search;
  const ofAccounts = (read: (roles: readonly KeyRole[]) => AccessEntry[]) =>
    accounts.flatMap((account) =>
      read(rolesOf(account)).map((entry): Way => ({ username: account.username, entry })),
    );
  const read = idsIn(organizations);
  const ways = [
    ...ofAccounts((roles) => globalRoles(roles, declared)),
    ...organizations.flatMap((organization) => {
      const inTeams = new Map(
        organization.teams.map((team) => [team.teamId, peopleOfTeam(team, organization, search)]),
      );
      return [
        ...peopleInOrganization(organization, search),
        ...[...inTeams.values()].flat(),
        ...organization.projects.flatMap((project) =>
          peopleInProject(project, organization, { ...search, inTeams }),
        ),
      ];
    }),
    ...ofAccounts((roles) => rolesOutside(roles, read)),
  ];
  const named = Map.groupBy(accounts, ({ username }) => foldName(username));
  const byName = Map.groupBy(ways, ({ username }) => foldName(username));
  return [...new Set([...named.keys(), ...byName.keys()])].sort(inOrder).map((folded): FoundPerson => {
    const own = named.get(folded) ?? [];
    const all = byName.get(folded) ?? [];
    return {
      kind: "person",
      name: own[0]?.username ?? all[0]?.username ?? folded,
      accounts: own.map(({ id: userId, username }) => ({ userId, username })),
      access: all.map(({ entry }) => entry),
    };
  });
}

/** The roles of an account in the form of those of an API key. */
function rolesOf({ roles }: UserResponse): KeyRole[] {
  return (roles ?? []).map(({ roleName, orgId, groupId }) => ({
    roleName,
    orgId: orgId ?? undefined,
    projectId: groupId ?? undefined,
  }));
}

function peopleInOrganization(
  { orgId, orgName, people = [], invitations = [] }: OrganizationAccess,
  { accounts, declared, isSought }: PeopleSearch,
): Way[] {
  const facts = { in: "organization", orgId, orgName } as const;
  const members = new Set(people.map(({ id }) => id));
  return [
    ...accounts.flatMap((account): Way[] => {
      const { id: userId, username } = account;
      const roles = rolesAmong(rolesOf(account), (role) => role.orgId === orgId);
      if (roles.length === 0 && !members.has(userId)) return [];
      const declaration = declarationOf(declared, orgId, { kind: "person", userId, username }, { roles });
      return [{ username, entry: { ...facts, status: "active", roles, ...declaration } }];
    }),
    ...invitations
      .filter(({ username }) => isSought(username))
      .map(({ id, username, roles: given, expiresAt }): Way => {
        const roles = [...given].sort(inOrder);
        const declaration = declarationOf(declared, orgId, invited(id, username), { roles });
        return { username, entry: { ...facts, status: "pending", roles, expiresAt, ...declaration } };
      }),
  ];
}

type Named = Extract<Holder, { kind: "person" }> & { readonly username: string };

function invited(invitationId: string, username: string): Named {
  return { kind: "person", invitationId, username };
}

/**
 * The members, and who becomes one by accepting an invitation to the organization. An account names its teams, also those
 * whose people the API key cannot see.
 */
function peopleOfTeam(
  { teamId, teamName, people = [] }: TeamWithPeople,
  { orgId, orgName, invitations = [] }: OrganizationAccess,
  { accounts, declared, isSought }: PeopleSearch,
): Way[] {
  const wayOf = (holder: Named, status: Pick<AccessEntry, "status" | "expiresAt">): Way => {
    const declaration = declarationOf(declared, joinId(orgId, teamId), holder, { roles: [] });
    const facts = { in: "team", ...status, orgId, orgName, teamId, teamName } as const;
    return { username: holder.username, entry: { ...facts, roles: [], ...declaration } };
  };
  const listed = [
    ...people.filter(({ username }) => isSought(username)),
    ...accounts.filter(({ teamIds }) => teamIds?.includes(teamId)),
  ];
  const members = new Map(listed.map(({ id, username }) => [id, username]));
  const names = new Set([...members.values()].map(foldName));
  return [
    ...[...members].map(([userId, username]) =>
      wayOf({ kind: "person", userId, username }, { status: "active" }),
    ),
    ...invitations
      .filter(({ username, teamIds }) => teamIds?.includes(teamId) && isSought(username))
      .filter(({ username }) => !names.has(foldName(username)))
      .map(({ id, username, expiresAt }) => wayOf(invited(id, username), { status: "pending", expiresAt })),
  ];
}

function peopleInProject(
  project: ProjectAccess,
  organization: OrganizationAccess,
  {
    accounts,
    declared,
    isSought,
    inTeams,
  }: PeopleSearch & { readonly inTeams: ReadonlyMap<string, readonly Way[]> },
): Way[] {
  const { projectId, people, teams = [] } = project;
  const facts = factsOf(project, organization);
  const names = new Map(organization.teams.map(({ teamId, teamName }) => [teamId, teamName]));
  const throughTeams = teams.flatMap(({ teamId, roles }) => {
    const team = { teamId, teamName: names.get(teamId), roles };
    const declaration = declarationOf(declared, projectId, { kind: "team", teamId }, team);
    return (inTeams.get(teamId) ?? []).map(({ username, entry: { status, expiresAt } }): Way => {
      return { username, entry: { ...facts, status, expiresAt, ...team, ...declaration } };
    });
  });
  const teamRoles = Map.groupBy(throughTeams, ({ username }) => foldName(username));
  const own = (people ?? []).filter(({ username }) => isSought(username));
  // Without the list of the project, the roles of the account show who is in it.
  const members =
    people === undefined
      ? accounts.map((account) => ({
          userId: account.id,
          username: account.username,
          roles: rolesAmong(rolesOf(account), (role) => role.projectId === projectId),
        }))
      : own.filter(({ status }) => status === "active");
  return [
    ...members
      .filter(({ roles }) => roles.length > 0)
      .map(({ userId, username, roles }): Way => {
        const ofTeams = teamRoles.get(foldName(username))?.flatMap(({ entry }) => entry.roles) ?? [];
        const person = { kind: "person", userId, username } as const;
        const declaration = declarationOf(declared, projectId, person, { roles, ofTeams });
        return { username, entry: { ...facts, status: "active", roles, ...declaration } };
      }),
    ...own
      .flatMap(({ invitations }) => invitations)
      .map(({ invitationId, username, roles, expiresAt }): Way => {
        const declaration = declarationOf(declared, projectId, invited(invitationId, username), { roles });
        return { username, entry: { ...facts, status: "pending", roles, expiresAt, ...declaration } };
      }),
    ...throughTeams,
  ];
}

function factsOf({ projectId, name: projectName }: ProjectAccess, { orgId, orgName }: OrganizationAccess) {
  return { in: "project", orgId, orgName, projectId, projectName } as const;
}

/** An API key, without its roles. */
export type KeyFacts = Pick<FoundKey, "keyId" | "publicKey" | "description">;

/** The API keys of organizations and projects, each once, with the organization that lists it. */
export function keysIn(
  organizations: readonly OrganizationAccess[],
): { readonly key: KeyFacts; readonly orgId: string | undefined }[] {
  const listed = organizations.flatMap(({ orgId, keys = [] }) => keys.map((key) => ({ key, orgId })));
  // A global key is in no organization.
  const inProjects = organizations.flatMap(({ projects }) =>
    projects.flatMap(({ keys = [] }) => keys.map((key) => ({ key, orgId: undefined }))),
  );
  return [...new Map([...inProjects, ...listed].map((each) => [each.key.keyId, each])).values()];
}

/** What an API key can reach. */
export function reachOfKey(
  { keyId, publicKey, description }: KeyFacts,
  organizations: readonly OrganizationAccess[],
  declared: OfState,
): FoundKey {
  const roles = organizations.flatMap(({ keys = [] }) =>
    keys.filter((key) => key.keyId === keyId).flatMap((key) => key.roles),
  );
  const key = { kind: "API key", keyId, publicKey } as const;
  const inOrganizations = organizations
    .filter(({ keys = [] }) => keys.some((each) => each.keyId === keyId))
    .map(({ orgId, orgName }): AccessEntry => {
      const own = rolesAmong(roles, (role) => role.orgId === orgId);
      const declaration = declarationOf(declared, orgId, key, { roles: own });
      return { in: "organization", status: "active", orgId, orgName, roles: own, ...declaration };
    });
  const inProjects = organizations.flatMap((organization) =>
    organization.projects.flatMap((project): AccessEntry[] => {
      const { projectId, keys = [] } = project;
      const inList = keys.filter((each) => each.keyId === keyId).flatMap((each) => each.roles);
      const shown = rolesAmong(roles, (role) => role.projectId === projectId);
      const own = [...new Set([...inList, ...shown])].sort(inOrder);
      if (own.length === 0) return [];
      const declaration = declarationOf(declared, projectId, key, { roles: own });
      return [{ ...factsOf(project, organization), status: "active", roles: own, ...declaration }];
    }),
  );
  const access = [
    ...globalRoles(roles, declared),
    ...inOrganizations,
    ...inProjects,
    ...rolesOutside(roles, idsIn(organizations)),
  ];
  return { kind: "key", keyId, publicKey, description, access };
}

/** No resource declares these. */
function globalRoles(roles: readonly KeyRole[], declared: OfState): AccessEntry[] {
  const names = rolesAmong(roles, ({ orgId, projectId }) => orgId === undefined && projectId === undefined);
  return names.length === 0
    ? []
    : [{ in: "service", status: "active", roles: names, declaredBy: declared && [] }];
}

/** The organizations and projects that were read. */
function idsIn(organizations: readonly OrganizationAccess[]): ReadonlySet<string> {
  return new Set(
    organizations.flatMap(({ orgId, projects }) => [orgId, ...projects.map(({ projectId }) => projectId)]),
  );
}

/** @param read where roles are listed anyway */
function rolesOutside(roles: readonly KeyRole[], read: ReadonlySet<string>): AccessEntry[] {
  const inPlaces = (kind: "organization" | "project", part: "orgId" | "projectId") =>
    [...new Set(roles.map((role) => role[part]))]
      .filter((id) => id !== undefined && !read.has(id))
      .sort()
      .map((id): AccessEntry => {
        const own = rolesAmong(roles, (role) => role[part] === id);
        return { in: kind, status: "active", isOutside: true, [part]: id, roles: own };
      });
  return [...inPlaces("organization", "orgId"), ...inPlaces("project", "projectId")];
}
