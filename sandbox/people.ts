import type { Account, Invitation, Project, ProjectTeam, RoleGrant } from "./model";
import type { Store, World } from "./store";

/** Who is in which project. A person is in a project when their account has a role there; there is no other list. */

export const rolesIn = (account: Account, projectId: string): string[] =>
  account.roles.filter((grant) => grant.groupId === projectId).map((grant) => grant.roleName);

export const isMember = (account: Account, projectId: string): boolean =>
  account.roles.some((grant) => grant.groupId === projectId);

export const membersOf = (store: Store, projectId: string): Account[] =>
  store.users.filter((account) => isMember(account, projectId));

/** Teams an account is in. */
export const teamIdsOf = (store: Store, userId: string): string[] =>
  store.teams.filter((team) => team.userIds.includes(userId)).map((team) => team.id);

/** The project roles that an account has through its teams. */
export const teamRolesOf = (store: Store, userId: string): RoleGrant[] => {
  const teamIds = teamIdsOf(store, userId);
  return store.projects
    .all()
    .flatMap(({ id: groupId, teams }) =>
      teams
        .filter(({ teamId }) => teamIds.includes(teamId))
        .flatMap(({ roleNames }) => roleNames.map((roleName) => ({ groupId, roleName }))),
    );
};

/** People who are in the project only through a team, so not direct members. */
export function teamMembersOf(store: Store, projectId: string): Account[] {
  const teamIds = store.projects.get(projectId)?.teams.map((team) => team.teamId) ?? [];
  const userIds = new Set(teamIds.flatMap((id) => store.teams.get(id)?.userIds ?? []));
  return store.users.filter((account) => userIds.has(account.id) && !isMember(account, projectId));
}

/** Sets exactly these roles of a user in the project. A user who joins a project joins its organization too. */
export function setProjectRoles(
  store: Store,
  account: Account,
  projectId: string,
  roleNames: readonly string[],
): Account {
  const others = account.roles.filter((grant) => grant.groupId !== projectId);
  const granted = [...new Set(roleNames)].map((roleName): RoleGrant => ({ groupId: projectId, roleName }));
  const orgId = store.projects.get(projectId)?.orgId;
  const isNew = orgId !== undefined && granted.length > 0 && !others.some((grant) => grant.orgId === orgId);
  const joined: RoleGrant[] = isNew ? [{ orgId, roleName: "ORG_MEMBER" }] : [];
  return store.users.put({ ...account, roles: [...others, ...joined, ...granted] });
}

/** A change of who has access to a project. What is absent stays as it is. */
interface AccessChange {
  /** New roles by account id. */
  readonly roles?: ReadonlyMap<string, readonly string[]>;
  /** All teams of the project. */
  readonly teams?: readonly ProjectTeam[];
  /** People by team id. */
  readonly users?: ReadonlyMap<string, readonly string[]>;
}

/**
 * Whether the change takes the last owner out of the project. A project that had no owner cannot lose one. A team with
 * the role counts if the switch `teamOwners` is on and the team has people, an organization owner with `orgOwners`.
 */
export function losesLastOwner({ store, switches }: World, projectId: string, change: AccessChange): boolean {
  const owns = (names: readonly string[]): boolean => names.includes("GROUP_OWNER");
  const project = store.projects.get(projectId);
  if (switches.orgOwners && project !== undefined && oldestOrgOwner(store, project.orgId)) return false;
  const isOwned = ({ roles, teams = project?.teams ?? [], users }: AccessChange): boolean =>
    membersOf(store, projectId).some((member) => owns(roles?.get(member.id) ?? rolesIn(member, projectId))) ||
    (switches.teamOwners &&
      teams.some(({ teamId, roleNames }) => {
        const people = users?.get(teamId) ?? store.teams.get(teamId)?.userIds ?? [];
        return owns(roleNames) && people.length > 0;
      }));
  return isOwned({}) && !isOwned(change);
}

/** The account that becomes owner of a new project: the organization's oldest owner, if it has one. */
export const oldestOrgOwner = (store: Store, orgId: string): Account | undefined =>
  store.users.find((account) => isOrgOwner(account, orgId));

const isOrgOwner = ({ roles }: Pick<Account, "roles">, orgId: string): boolean =>
  roles.some((grant) => grant.orgId === orgId && grant.roleName === "ORG_OWNER");

/** Whether these roles of the account leave the organization without an owner that it has now. */
export const losesLastOrgOwner = (
  store: Store,
  account: Account,
  roles: readonly RoleGrant[],
  orgId: string,
): boolean =>
  isOrgOwner(account, orgId) &&
  !isOrgOwner({ roles }, orgId) &&
  !store.users.all().some((other) => other.id !== account.id && isOrgOwner(other, orgId));

/** Whether the account has a role in the organization itself. */
export const isInOrganization = ({ roles }: Account, orgId: string): boolean =>
  roles.some((grant) => grant.orgId === orgId);

export const orgRolesIn = (account: Account, orgId: string): string[] =>
  account.roles.filter((grant) => grant.orgId === orgId).map((grant) => grant.roleName);

/** The account with exactly these roles in the organization. Its roles in projects are left unchanged. */
export const setOrgRoles = (
  store: Store,
  account: Account,
  orgId: string,
  roleNames: readonly string[],
): Account => {
  const others = account.roles.filter((grant) => grant.orgId !== orgId);
  const granted = [...new Set(roleNames)].map((roleName): RoleGrant => ({ orgId, roleName }));
  return store.users.put({ ...account, roles: [...granted, ...others] });
};

/**
 * Removes every trace of the account from the organization: its roles there and in the projects, its teams, and
 * its pending invitations. No document describes the effect; members of teams must be in the organization.
 */
export function leaveOrg({ store }: World, account: Account, orgId: string): void {
  const projectIds = store.projects.filter((project) => project.orgId === orgId).map(({ id }) => id);
  const isHere = (id: string | undefined): boolean => id !== undefined && projectIds.includes(id);
  const roles = account.roles.filter((grant) => grant.orgId !== orgId && !isHere(grant.groupId));
  store.users.put({ ...account, roles });
  for (const team of store.teams.filter((one) => one.orgId === orgId && one.userIds.includes(account.id))) {
    store.teams.put({ ...team, userIds: team.userIds.filter((id) => id !== account.id) });
  }
  const name = account.username.toLowerCase();
  const isTheirs = ({ userId, username }: Invitation): boolean =>
    userId === undefined ? username.toLowerCase() === name : userId === account.id;
  for (const invitation of store.invitations.filter(
    (one) => (one.orgId === orgId || isHere(one.groupId)) && isTheirs(one),
  )) {
    store.invitations.delete(invitation.id);
  }
}

/** Deleted projects that lists still contain, or whose name is still taken, for so many seconds. */
export const recentlyDeleted = ({ store, clock }: World, seconds: number): Project[] =>
  store.deletedProjects
    .filter(({ deletedAt }) => clock.now() < deletedAt + seconds * 1000)
    .map(({ project }) => project);

/** The projects that lists contain: those that exist, and those that were deleted a moment ago. */
export const listedProjects = (world: World): Project[] => [
  ...world.store.projects.all(),
  ...recentlyDeleted(world, world.switches.deletedProjectListedSeconds),
];

/** Removes every trace of a project from people, keys, service accounts and invitations, and the project itself. */
export function dropProject({ store }: World, projectId: string): void {
  const elsewhere = (grant: RoleGrant): boolean => grant.groupId !== projectId;
  // The project first: people and keys that lose a deleted project have no events of their own.
  store.projects.delete(projectId);
  for (const account of membersOf(store, projectId)) {
    store.users.put({ ...account, roles: account.roles.filter(elsewhere) });
  }
  for (const key of store.keys.all()) store.keys.put({ ...key, roles: key.roles.filter(elsewhere) });
  for (const account of store.serviceAccounts.all()) {
    store.serviceAccounts.put({ ...account, roles: account.roles.filter(elsewhere) });
  }
  for (const invitation of store.invitations.filter((i) => i.groupId === projectId)) {
    store.invitations.delete(invitation.id);
  }
}

/** Removes a team from its projects, and the team itself. */
export function dropTeam({ store }: World, id: string): void {
  for (const project of store.projects.all()) {
    const teams = project.teams.filter(({ teamId }) => teamId !== id);
    if (teams.length < project.teams.length) store.projects.put({ ...project, teams });
  }
  store.teams.delete(id);
}
