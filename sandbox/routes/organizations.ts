import {
  canRead,
  checkGlobalOwner,
  hasGlobalRole,
  isGlobal,
  isInOrg,
  isOrgOwner,
  ownedOrg,
  readableOrg,
} from "../access";
import { refuse } from "../errors";
import { readIdpMappings, readMappings } from "../facts";
import { newOrg } from "../make";
import type { Account, Org } from "../model";
import { page, queryFlag } from "../paging";
import {
  isInOrganization,
  leaveOrg,
  listedProjects,
  losesLastOrgOwner,
  losesLastOwner,
  setOrgRoles,
} from "../people";
import type { Call, Reply, Route } from "../router";
import { accountView, orgProjectView, orgView } from "../views";
import { checkOrgRoles, readBody } from "./body";
import { deletionReply } from "./deletion";
import { checkMappings, type Mappings, storedMappings } from "./mappings";
import { accountById } from "./users";

/** The name filter of a list: the name starts with it or is equal to it, upper and lower case are the same. */
function nameFilter(call: Call, mode: "prefix" | "exact"): (named: { readonly name: string }) => boolean {
  const wanted = call.query.get("name")?.toLowerCase();
  if (wanted === undefined) return () => true;
  return ({ name }) =>
    mode === "exact" ? name.toLowerCase() === wanted : name.toLowerCase().startsWith(wanted);
}

function listOrgs(call: Call): Reply {
  const { world, key, query } = call;
  const fits = nameFilter(call, world.switches.orgNameFilter);
  const showsDeleted = queryFlag(query, "includeDeletedOrgs", true) && isGlobal(key);
  const orgs = world.store.orgs.filter(
    (org) => isInOrg(world, key, org.id) && fits(org) && (!org.isDeleted || showsDeleted),
  );
  return page(call, orgs, (org) => orgView(call, org));
}

const requestedOrg = (call: Call) => readableOrg(call.world, call.key, call.param("orgId"));

function getOrg(call: Call): Reply {
  return { status: 200, body: orgView(call, requestedOrg(call)) };
}

interface OrgPatch extends Mappings {
  readonly name: string | undefined;
}

function readOrgPatch({ body, world }: Call): OrgPatch {
  const patch = readBody(body, ["id", "isDeleted", "links"], (fields) => ({
    name: fields.text("name"),
    ...(world.switches.orgMappings === "absent"
      ? {}
      : { ldapGroupMappings: readMappings(fields), idpGroupMappings: readIdpMappings(fields) }),
  }));
  if (patch.name?.trim() === "") throw refuse.invalidAttribute("name");
  return patch;
}

function createOrg(call: Call): Reply {
  const { world, key } = call;
  checkGlobalOwner(key);
  const { name = refuseWithout("name"), ...mappings } = readOrgPatch(call);
  checkMappings(world, mappings, "organization");
  const org = newOrg({ name, ...storedMappings(world, mappings) });
  return { status: 200, body: orgView(call, world.store.orgs.put(org)) };
}

function refuseWithout(field: string): never {
  throw refuse.missingAttribute(field);
}

/** By the roles page, Global User Admin manages the LDAP mappings of organizations; nothing is said of their owners. */
function checkWriter({ world, key }: Call, org: Org, { name, ...mappings }: OrgPatch): void {
  const isOwner = isOrgOwner(key, org.id);
  const isAdmin = hasGlobalRole(key, "GLOBAL_OWNER", "GLOBAL_USER_ADMIN");
  const mapsGroups = Object.values(mappings).some((list) => list !== undefined);
  const mayMap = isAdmin || (isOwner && world.switches.orgMappingsWriter === "owner");
  if (!isOwner && (name !== undefined || !mapsGroups)) throw refuse.notOrgAdmin(org.id);
  if (mapsGroups && !mayMap) throw refuse.unauthorized();
}

function updateOrg(call: Call): Reply {
  const { world } = call;
  const org = requestedOrg(call);
  const patch = readOrgPatch(call);
  if (Object.values(patch).every((value) => value === undefined)) throw refuse.missingAttribute("name");
  checkWriter(call, org, patch);
  checkMappings(world, patch, "organization");
  const { name = org.name } = patch;
  const updated = world.store.orgs.put({ ...org, name, ...storedMappings(world, patch, org) });
  return { status: 200, body: orgView(call, updated, true) };
}

function deleteOrg(call: Call): Reply {
  const org = ownedOrg(call.world, call.key, call.param("orgId"));
  const { store, switches } = call.world;
  if (store.projects.find(({ orgId }) => orgId === org.id)) throw refuse.orgHasGroups(org.id);
  store.orgs.put({ ...org, isDeleted: true });
  return deletionReply("204", switches);
}

function listOrgProjects(call: Call): Reply {
  const { world, key, query } = call;
  const org = requestedOrg(call);
  const fits = nameFilter(call, "prefix");
  const hasOrgRole = key.roles.some((grant) => grant.orgId === org.id);
  const seesAll = hasOrgRole && world.switches.orgProjects === "all";
  const projects = listedProjects(world).filter(
    (project) => project.orgId === org.id && fits(project) && (seesAll || canRead(key, project)),
  );
  const name = query.get("name");
  if (name !== null && projects.length === 0 && world.switches.unknownNameInOrg === "GROUP_NAME_NOT_FOUND") {
    throw refuse.groupNameNotFound(name);
  }
  return page(call, projects, (project) => orgProjectView(call, project));
}

function listOrgUsers(call: Call): Reply {
  const org = requestedOrg(call);
  const users = call.world.store.users.filter((user) => isInOrganization(user, org.id));
  return page(call, users, (user) => accountView(call, user));
}

/** The organization's member of the path, for a request that only Cloud Manager documents. */
function changedMember(call: Call): { org: Org; account: Account } {
  if (call.world.switches.orgUserChanges === "not-offered") throw refuse.resourceNotFound(call.path);
  const org = ownedOrg(call.world, call.key, call.param("orgId"));
  const account = accountById(call, call.param("userId"));
  if (!isInOrganization(account, org.id)) throw refuse.userNotInOrg(account.username, org.id);
  return { org, account };
}

function setOrgUserRoles(call: Call): Reply {
  const { org, account } = changedMember(call);
  const { store } = call.world;
  const orgRoles = readBody(call.body, [], (fields) => fields.required("orgRoles", fields.texts("orgRoles")));
  checkOrgRoles(orgRoles);
  const roles = orgRoles.map((roleName) => ({ orgId: org.id, roleName }));
  if (losesLastOrgOwner(store, account, roles, org.id)) throw refuse.lastOrgOwnerDemoted();
  setOrgRoles(store, account, org.id, orgRoles);
  return { status: 200, body: { orgRoles: [...new Set(orgRoles)] } };
}

function removeOrgUser(call: Call): Reply {
  const { org, account } = changedMember(call);
  const { store, switches } = call.world;
  const roles = new Map([[account.id, []]]);
  const isLast =
    losesLastOrgOwner(store, account, [], org.id) ||
    store.projects
      .filter(({ orgId }) => orgId === org.id)
      .some(({ id }) => losesLastOwner(call.world, id, { roles }));
  if (isLast) throw refuse.lastAdminLeaves();
  leaveOrg(call.world, account, org.id);
  return deletionReply(switches.deleteOrgUserStatus, switches);
}

/** The organization of the path with its federation, which only Cloud Manager documents, for its owners. */
function federatedOrg(call: Call): Org & { readonly federationId: string } {
  if (call.world.switches.federationSettings === "not-offered") throw refuse.resourceNotFound(call.path);
  const { federationId, ...org } = ownedOrg(call.world, call.key, call.param("orgId"));
  if (federationId === undefined) throw refuse.resourceNotFound(call.path);
  return { ...org, federationId };
}

function getFederation(call: Call): Reply {
  const { federationId, roleMappings = [] } = federatedOrg(call);
  return { status: 200, body: { id: federationId, hasRoleMappings: roleMappings.length > 0 } };
}

function getConnectedOrg(call: Call): Reply {
  const { id: orgId, federationId, roleMappings = [], postAuthRoleGrants = [] } = federatedOrg(call);
  if (call.param("federationId") !== federationId) throw refuse.resourceNotFound(call.path);
  return { status: 200, body: { orgId, roleMappings, postAuthRoleGrants } };
}

export const organizationRoutes: readonly Route[] = [
  { method: "GET", pattern: "/orgs", handle: listOrgs },
  { method: "POST", pattern: "/orgs", handle: createOrg },
  { method: "GET", pattern: "/orgs/{orgId}", handle: getOrg },
  { method: "DELETE", pattern: "/orgs/{orgId}", handle: deleteOrg },
  { method: "PATCH", pattern: "/orgs/{orgId}", handle: updateOrg },
  { method: "GET", pattern: "/orgs/{orgId}/groups", handle: listOrgProjects },
  { method: "GET", pattern: "/orgs/{orgId}/federationSettings", handle: getFederation },
  {
    method: "GET",
    pattern: "/federationSettings/{federationId}/connectedOrgConfigs/{orgId}",
    handle: getConnectedOrg,
  },
  { method: "GET", pattern: "/orgs/{orgId}/users", handle: listOrgUsers },
  { method: "DELETE", pattern: "/orgs/{orgId}/users/{userId}", handle: removeOrgUser },
  { method: "PUT", pattern: "/orgs/{orgId}/users/{userId}/roles", handle: setOrgUserRoles },
];
