import { refuse } from "./errors";
import { isId } from "./ids";
import type { Account, Caller, Org, Project, RoleGrant } from "./model";
import { isMember, teamMembersOf } from "./people";
import type { World } from "./store";

/** What a key may see and do. */

const holds = (key: Caller, names: readonly string[], at: (grant: RoleGrant) => boolean): boolean =>
  key.roles.some((grant) => at(grant) && names.includes(grant.roleName));

const everywhere = (grant: RoleGrant): boolean => grant.groupId === undefined && grant.orgId === undefined;

export const hasGlobalRole = (key: Caller, ...names: string[]): boolean => holds(key, names, everywhere);

export const isGlobal = (key: Caller): boolean =>
  key.roles.some((grant) => everywhere(grant) && grant.roleName.startsWith("GLOBAL_"));

const hasOrgRole = (key: Caller, orgId: string, ...names: string[]): boolean =>
  holds(key, names, (grant) => grant.orgId === orgId);

const hasProjectRole = (key: Caller, projectId: string, ...names: string[]): boolean =>
  holds(key, names, (grant) => grant.groupId === projectId);

/** Whether the key may read the project: a global role, an organization-wide one, or any role in it. */
export function canRead(key: Caller, project: Project): boolean {
  return (
    isGlobal(key) ||
    hasOrgRole(key, project.orgId, "ORG_OWNER", "ORG_READ_ONLY") ||
    key.roles.some((grant) => grant.groupId === project.id)
  );
}

export function isOwner(key: Caller, project: Project): boolean {
  return (
    hasGlobalRole(key, "GLOBAL_OWNER") ||
    hasOrgRole(key, project.orgId, "ORG_OWNER") ||
    hasProjectRole(key, project.id, "GROUP_OWNER")
  );
}

/** Project User Admin, held directly or through a higher role. */
export function isUserAdmin(key: Caller, project: Project): boolean {
  return (
    isOwner(key, project) ||
    hasGlobalRole(key, "GLOBAL_USER_ADMIN") ||
    hasProjectRole(key, project.id, "GROUP_USER_ADMIN")
  );
}

export const isOrgOwner = (key: Caller, orgId: string): boolean =>
  hasGlobalRole(key, "GLOBAL_OWNER") || hasOrgRole(key, orgId, "ORG_OWNER");

export const canCreateIn = (key: Caller, orgId: string): boolean =>
  isOrgOwner(key, orgId) || hasOrgRole(key, orgId, "ORG_GROUP_CREATOR");

/**
 * Whether a key sees the tags of a project. By the documentation of the project's elements, Project Read Only is enough.
 * By an older page on PATCH /groups/{id}, only Global Owner and Global Read Only are.
 */
export function canSeeTags(world: World, key: Caller, project: Project): boolean {
  if (hasGlobalRole(key, "GLOBAL_OWNER", "GLOBAL_READ_ONLY")) return true;
  return world.switches.tagsWithoutGlobalRole === "allow" && canRead(key, project);
}

/**
 * Whether a key may write the tags of a project. By the documentation of the project's elements, Project Automation Admin
 * is enough. By an older page on PATCH /groups/{id}, an owner of the project is required, with Global Owner if so chosen.
 */
export function canWriteTags(world: World, key: Caller, project: Project): boolean {
  switch (world.switches.tagsWithoutGlobalRole) {
    case "allow":
      return (
        isOwner(key, project) ||
        hasGlobalRole(key, "GLOBAL_AUTOMATION_ADMIN") ||
        hasProjectRole(key, project.id, "GROUP_AUTOMATION_ADMIN")
      );
    case "hide":
      return isOwner(key, project);
    case "refuse":
      return hasGlobalRole(key, "GLOBAL_OWNER");
  }
}

/** Whether the key has any role in the organization or in one of its projects. */
export function isInOrg(world: World, key: Caller, orgId: string): boolean {
  return (
    isGlobal(key) ||
    key.roles.some(
      ({ orgId: at, groupId }) =>
        at === orgId || (groupId !== undefined && world.store.projects.get(groupId)?.orgId === orgId),
    )
  );
}

/** Whether the key or service account is one of the organization's. A global key is a key of no organization. */
export function belongsTo({ store }: World, key: Caller, orgId: string): boolean {
  if (key.orgId !== undefined) return key.orgId === orgId;
  const isHere = (grant: RoleGrant) =>
    grant.orgId === orgId ||
    (grant.groupId !== undefined && store.projects.get(grant.groupId)?.orgId === orgId);
  return !isGlobal(key) && key.roles.some(isHere);
}

/** Whether the key has a global role, or an organization in common with the account. */
export function sharesOrg(world: World, key: Caller, account: Account): boolean {
  return (
    isGlobal(key) ||
    account.roles.some(({ orgId, groupId }) => {
      const org = orgId ?? (groupId === undefined ? undefined : world.store.projects.get(groupId)?.orgId);
      return org !== undefined && isInOrg(world, key, org);
    })
  );
}

/** Whether the key is Project User Admin in a project that the account is in, directly or through a team. */
function administersAProjectOf({ store }: World, key: Caller, account: Account): boolean {
  const isIn = (project: Project): boolean =>
    isMember(account, project.id) || teamMembersOf(store, project.id).some(({ id }) => id === account.id);
  return store.projects.all().some((project) => isUserAdmin(key, project) && isIn(project));
}

/** Refuses a key that may not read the account. A key is no account, so "your own account" does not apply to it. */
export function checkAccountLookup(world: World, key: Caller, account: Account): void {
  if (isGlobal(key)) return;
  if (world.switches.accountLookup === "organization") {
    if (!sharesOrg(world, key, account)) throw refuse.unauthorized();
    return;
  }
  if (!administersAProjectOf(world, key, account)) throw refuse.notUserAdmin();
}

/** The project with this id, if the key may read it; else the refusal the real service gives. */
export function readableProject(world: World, key: Caller, id: string): Project {
  if (!isId(id)) throw refuse.invalidGroupId(id);
  const project = world.store.projects.get(id.toLowerCase());
  if (project === undefined) {
    throw world.switches.unknownProject === "NOT_IN_GROUP" ? refuse.notInGroup(id) : refuse.groupNotFound(id);
  }
  if (!canRead(key, project)) throw refuse.notInGroup(id);
  return project;
}

/** The project with this id, if the key is a user administrator of it. */
export function administeredProject(world: World, key: Caller, id: string): Project {
  const project = readableProject(world, key, id);
  if (!isUserAdmin(key, project)) throw refuse.notGroupUserAdmin(id);
  return project;
}

export function readableOrg(world: World, key: Caller, id: string): Org {
  if (!isId(id)) throw refuse.invalidOrgId(id);
  const org = world.store.orgs.get(id.toLowerCase());
  const showsDeleted = isGlobal(key) && world.switches.deletedOrg === "shown";
  if (org === undefined || (org.isDeleted && !showsDeleted)) throw refuse.orgNotFound(id);
  if (!isInOrg(world, key, org.id)) throw refuse.notInOrg(id);
  return org;
}

/** Refuses a key without Global Owner. */
export function checkGlobalOwner(key: Caller): void {
  if (!hasGlobalRole(key, "GLOBAL_OWNER")) throw refuse.unauthorized();
}

/** The organization with this id, for a key that may change it. */
export function ownedOrg(world: World, key: Caller, id: string): Org {
  const org = readableOrg(world, key, id);
  if (!isOrgOwner(key, org.id)) throw refuse.notOrgAdmin(org.id);
  return org;
}
