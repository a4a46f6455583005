/** Finds what a person or an API key can reach, in what was read. Pure. */

import { sameName } from "../../../provider/access/person";
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

/** The accounts with this name in organizations and teams, each with all roles that a list shows. */
export function accountsNamed(name: string, organizations: readonly OrganizationAccess[]): UserResponse[] {
  const listed = organizations.flatMap(({ people = [], teams }) => [
    ...people,
    ...teams.flatMap((team) => team.people ?? []),
  ]);
  const named = Map.groupBy(
    listed.filter(({ username }) => sameName(username, name)),
    ({ id }) => id,
  );
  return [...named.values()].flatMap((same) => {
    const [first] = same;
    const roles = same.flatMap((account) => account.roles ?? []);
    const teamIds = same.flatMap((account) => account.teamIds ?? []);
    return first ? [{ ...first, roles, teamIds }] : [];
  });
}

interface PersonSearch {
  readonly name: string;
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
  search: PersonSearch,
): FoundPerson | undefined {
  const { accounts, declared } = search;
  const roles = accounts.flatMap(rolesOf);
  const access = [
    ...globalRoles(roles, declared),
    ...organizations.flatMap((organization) => [
      ...personInOrganization(organization, search),
      ...organization.teams.flatMap((team) => personInTeam(team, organization, search)),
      ...organization.projects.flatMap((project) => personInProject(project, organization, search)),
    ]),
    ...rolesOutside(roles, organizations),
  ];
  if (accounts.length === 0 && access.length === 0) return undefined;
  return {
    kind: "person",
    name: accounts[0]?.username ?? search.name,
    accounts: accounts.map(({ id: userId, username }) => ({ userId, username })),
    access,
  };
}

/** The roles of an account in the form of those of an API key. */
function rolesOf({ roles }: UserResponse): KeyRole[] {
  return (roles ?? []).map(({ roleName, orgId, groupId }) => ({
    roleName,
    orgId: orgId ?? undefined,
    projectId: groupId ?? undefined,
  }));
}

function personInOrganization(
  { orgId, orgName, people = [], invitations = [] }: OrganizationAccess,
  { name, accounts, declared }: PersonSearch,
): AccessEntry[] {
  const facts = { in: "organization", orgId, orgName } as const;
  const members = accounts
    .map((account) => ({
      ...account,
      orgRoles: rolesAmong(rolesOf(account), (role) => role.orgId === orgId),
    }))
    .filter(({ id, orgRoles }) => orgRoles.length > 0 || people.some((person) => person.id === id))
    .map(({ id: userId, username, orgRoles: roles }): AccessEntry => {
      const declaration = declarationOf(declared, orgId, { kind: "person", userId, username }, { roles });
      return { ...facts, status: "active", roles, ...declaration };
    });
  const pending = invitations
    .filter(({ username }) => sameName(username, name))
    .map(({ id: invitationId, username, roles, expiresAt }): AccessEntry => {
      const declaration = declarationOf(declared, orgId, invited(invitationId, username), { roles });
      return { ...facts, status: "pending", roles: [...roles].sort(inOrder), expiresAt, ...declaration };
    });
  return [...members, ...pending];
}

function invited(invitationId: string, username: string): Holder {
  return { kind: "person", invitationId, username };
}

/** The person in a team, with what an access through the team has in common. */
interface InTeam extends Pick<AccessEntry, "status" | "expiresAt"> {
  readonly holder: Holder;
}

/**
 * How the person is in a team: as a member, or else by accepting an invitation to the organization. An account names its
 * teams, also those whose people the API key cannot see.
 */
function inTeam(
  { teamId, people = [] }: TeamWithPeople,
  { invitations = [] }: OrganizationAccess,
  { name, accounts }: PersonSearch,
): readonly InTeam[] {
  const member =
    people.find(({ username }) => sameName(username, name)) ??
    accounts.find(({ teamIds }) => teamIds?.includes(teamId));
  if (member !== undefined) {
    const { id: userId, username } = member;
    return [{ status: "active", holder: { kind: "person", userId, username } }];
  }
  return invitations
    .filter(({ username, teamIds }) => sameName(username, name) && teamIds?.includes(teamId))
    .map(({ id, username, expiresAt }) => ({ status: "pending", expiresAt, holder: invited(id, username) }));
}

function personInTeam(
  team: TeamWithPeople,
  organization: OrganizationAccess,
  search: PersonSearch,
): AccessEntry[] {
  const { teamId, teamName } = team;
  const { orgId, orgName } = organization;
  return inTeam(team, organization, search).map(({ holder, ...status }) => {
    const declaration = declarationOf(search.declared, joinId(orgId, teamId), holder, { roles: [] });
    return { in: "team", ...status, orgId, orgName, teamId, teamName, roles: [], ...declaration };
  });
}

function personInProject(
  project: ProjectAccess,
  organization: OrganizationAccess,
  search: PersonSearch,
): AccessEntry[] {
  const { name, accounts, declared } = search;
  const { projectId, people, teams = [] } = project;
  const facts = factsOf(project, organization);
  const own = (people ?? []).filter(({ username }) => sameName(username, name));
  // Without the list of the project, the roles of the account show who is in it.
  const members =
    people === undefined
      ? accounts.map((account) => ({
          userId: account.id,
          username: account.username,
          roles: rolesAmong(rolesOf(account), (role) => role.projectId === projectId),
        }))
      : own.filter(({ status }) => status === "active");
  const throughTeams = teams.flatMap(({ teamId, roles }) => {
    const team = organization.teams.find((candidate) => candidate.teamId === teamId);
    if (team === undefined) return [];
    const { teamName } = team;
    return inTeam(team, organization, search).map(({ status, expiresAt }) => {
      return { status, expiresAt, teamId, teamName, roles };
    });
  });
  const ofTeams = throughTeams.flatMap(({ roles }) => roles);
  return [
    ...members
      .filter(({ roles }) => roles.length > 0)
      .map(({ userId, username, roles }): AccessEntry => {
        const person = { kind: "person", userId, username } as const;
        const declaration = declarationOf(declared, projectId, person, { roles, ofTeams });
        return { ...facts, status: "active", roles, ...declaration };
      }),
    ...own
      .flatMap(({ invitations }) => invitations)
      .map(({ invitationId, username, roles, expiresAt }): AccessEntry => {
        const declaration = declarationOf(declared, projectId, invited(invitationId, username), { roles });
        return { ...facts, status: "pending", roles, expiresAt, ...declaration };
      }),
    ...throughTeams.map((team): AccessEntry => {
      const holder = { kind: "team", teamId: team.teamId } as const;
      return { ...facts, ...team, ...declarationOf(declared, projectId, holder, team) };
    }),
  ];
}

function factsOf({ projectId, name: projectName }: ProjectAccess, { orgId, orgName }: OrganizationAccess) {
  return { in: "project", orgId, orgName, projectId, projectName } as const;
}

/** An API key, without its roles. */
type KeyFacts = Pick<FoundKey, "keyId" | "publicKey" | "description">;

/** The API keys with this id or public key, each once, with the organizations that list it. */
export function keysNamed(
  name: string,
  organizations: readonly OrganizationAccess[],
): { readonly key: KeyFacts; readonly orgId: string | undefined }[] {
  const isNamed = ({ keyId, publicKey }: KeyFacts) => publicKey === name || keyId === name.toLowerCase();
  const listed = organizations.flatMap(({ orgId, keys = [] }) => keys.map((key) => ({ key, orgId })));
  // A global key is in no organization.
  const inProjects = organizations.flatMap(({ projects }) =>
    projects.flatMap(({ keys = [] }) => keys.map((key) => ({ key, orgId: undefined }))),
  );
  const byId = new Map([...inProjects, ...listed].map((each) => [each.key.keyId, each]));
  return [...byId.values()].filter(({ key }) => isNamed(key));
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
    ...rolesOutside(roles, organizations),
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

/** Roles in organizations and projects that were not read. */
function rolesOutside(
  roles: readonly KeyRole[],
  organizations: readonly OrganizationAccess[],
): AccessEntry[] {
  const read = new Set(
    organizations.flatMap(({ orgId, projects }) => [orgId, ...projects.map(({ projectId }) => projectId)]),
  );
  const others = (ids: readonly (string | undefined)[]) =>
    [...new Set(ids)].filter((id) => id !== undefined && !read.has(id)).sort();
  const entry = { status: "active", isOutside: true } as const;
  return [
    ...others(roles.map(({ orgId }) => orgId)).map((orgId): AccessEntry => {
      return {
        ...entry,
        in: "organization",
        orgId,
        roles: rolesAmong(roles, (role) => role.orgId === orgId),
      };
    }),
    ...others(roles.map(({ projectId }) => projectId)).map((projectId): AccessEntry => {
      const own = rolesAmong(roles, (role) => role.projectId === projectId);
      return { ...entry, in: "project", projectId, roles: own };
    }),
  ];
}
