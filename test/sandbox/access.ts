import { refuse } from "./errors";
import { isId } from "./ids";
import type { Account, ApiKey, Org, Project, RoleGrant } from "./model";
import type { World } from "./store";

/** What a key may see and do. */

const holds = (key: ApiKey, names: readonly string[], at: (grant: RoleGrant) => boolean): boolean =>
  key.roles.some((grant) => at(grant) && names.includes(grant.roleName));

const everywhere = (grant: RoleGrant): boolean => grant.groupId === undefined && grant.orgId === undefined;

export const hasGlobalRole = (key: ApiKey, ...names: string[]): boolean => holds(key, names, everywhere);

const isGlobal = (key: ApiKey): boolean =>
  key.roles.some((grant) => everywhere(grant) && grant.roleName.startsWith("GLOBAL_"));

const hasOrgRole = (key: ApiKey, orgId: string, ...names: string[]): boolean =>
  holds(key, names, (grant) => grant.orgId === orgId);

const hasProjectRole = (key: ApiKey, projectId: string, ...names: string[]): boolean =>
  holds(key, names, (grant) => grant.groupId === projectId);

/** Whether the key may read the project: a global role, an organisation-wide one, or any role in it. */
export function canRead(key: ApiKey, project: Project): boolean {
  return (
    isGlobal(key) ||
    hasOrgRole(key, project.orgId, "ORG_OWNER", "ORG_READ_ONLY") ||
    key.roles.some((grant) => grant.groupId === project.id)
  );
}

export function isOwner(key: ApiKey, project: Project): boolean {
  return (
    hasGlobalRole(key, "GLOBAL_OWNER") ||
    hasOrgRole(key, project.orgId, "ORG_OWNER") ||
    hasProjectRole(key, project.id, "GROUP_OWNER")
  );
}

/** Project User Admin, held directly or through a higher role. */
export function isUserAdmin(key: ApiKey, project: Project): boolean {
  return (
    isOwner(key, project) ||
    hasGlobalRole(key, "GLOBAL_USER_ADMIN") ||
    hasProjectRole(key, project.id, "GROUP_USER_ADMIN")
  );
}

export const isOrgOwner = (key: ApiKey, orgId: string): boolean =>
  hasGlobalRole(key, "GLOBAL_OWNER") || hasOrgRole(key, orgId, "ORG_OWNER");

export const canCreateIn = (key: ApiKey, orgId: string): boolean =>
  isOrgOwner(key, orgId) || hasOrgRole(key, orgId, "ORG_GROUP_CREATOR");

/** Tags are shown to Global Owner and Global Read Only, as the documentation of PATCH /groups/{id} says. */
export const canSeeTags = (world: World, key: ApiKey): boolean =>
  world.switches.tagsWithoutGlobalRole === "allow" || hasGlobalRole(key, "GLOBAL_OWNER", "GLOBAL_READ_ONLY");

export const canWriteTags = (world: World, key: ApiKey): boolean =>
  world.switches.tagsWithoutGlobalRole !== "refuse" || hasGlobalRole(key, "GLOBAL_OWNER");

/** Whether the key has any role in the organisation or in one of its projects. */
export function isInOrg(world: World, key: ApiKey, orgId: string): boolean {
  return (
    isGlobal(key) ||
    key.roles.some(
      ({ orgId: at, groupId }) =>
        at === orgId || (groupId !== undefined && world.store.projects.get(groupId)?.orgId === orgId),
    )
  );
}

/** Whether the key may look at the account: a global role, or an organisation in common. */
export function canSeeAccount(world: World, key: ApiKey, account: Account): boolean {
  return (
    isGlobal(key) ||
    account.roles.some(({ orgId, groupId }) => {
      const org = orgId ?? (groupId === undefined ? undefined : world.store.projects.get(groupId)?.orgId);
      return org !== undefined && isInOrg(world, key, org);
    })
  );
}

/** The project with this id, if the key may read it; else the refusal the real service gives. */
export function readableProject(world: World, key: ApiKey, id: string): Project {
  if (!isId(id)) throw refuse.invalidGroupId(id);
  const project = world.store.projects.get(id.toLowerCase());
  if (project === undefined) {
    throw world.switches.unknownProject === "NOT_IN_GROUP" ? refuse.notInGroup(id) : refuse.groupNotFound(id);
  }
  if (!canRead(key, project)) throw refuse.notInGroup(id);
  return project;
}

/** The project with this id, if the key is a user administrator of it. */
export function administeredProject(world: World, key: ApiKey, id: string): Project {
  const project = readableProject(world, key, id);
  if (!isUserAdmin(key, project)) throw refuse.notUserAdmin(id);
  return project;
}

export function readableOrg(world: World, key: ApiKey, id: string): Org {
  if (!isId(id)) throw refuse.invalidOrgId(id);
  const org = world.store.orgs.get(id.toLowerCase());
  if (org === undefined) throw refuse.orgNotFound(id);
  if (!isInOrg(world, key, org.id)) throw refuse.notInOrg(id);
  return org;
}
