import {
  administeredProject,
  checkAccountLookup,
  checkGlobalOwner,
  isOrgOwner,
  isUserAdmin,
  readableProject,
  sharesOrg,
} from "../access";
import { refuse } from "../errors";
import { readGrant } from "../facts";
import type { Fields } from "../fields";
import { isId } from "../ids";
import { dropInvitations } from "../invitations";
import { newAccount } from "../make";
import type { Account, Project, RoleGrant } from "../model";
import { page, queryFlag } from "../paging";
import {
  isInOrganization,
  isMember,
  leaveOrg,
  losesLastOrgOwner,
  losesLastOwner,
  membersOf,
  rolesIn,
  setProjectRoles,
  teamMembersOf,
} from "../people";
import type { Call, Reply, Route } from "../router";
import { accountView } from "../views";
import { checkProjectRoles, readBody, readListBody } from "./body";
import { deletionReply } from "./deletion";
import { invite } from "./invitations";

export function accountById(call: Call, id: string): Account {
  if (!isId(id)) throw refuse.invalidUserId(id);
  const account = call.world.store.users.get(id.toLowerCase());
  if (account === undefined) throw refuse.userNotFound(id);
  return account;
}

function visible(call: Call, account: Account): Reply {
  checkAccountLookup(call.world, call.key, account);
  return { status: 200, body: accountView(call, account) };
}

function getUser(call: Call): Reply {
  return visible(call, accountById(call, call.param("userId")));
}

function getUserByName(call: Call): Reply {
  const name = call.param("username");
  const account = call.world.store.userByName(name);
  if (account === undefined) throw refuse.usernameNotFound(name);
  return visible(call, account);
}

function listProjectUsers(call: Call): Reply {
  const { store, switches } = call.world;
  const project = readableProject(call.world, call.key, call.param("groupId"));
  const users = new Set(membersOf(store, project.id));
  if (queryFlag(call.query, "flattenTeams", switches.flattenTeams))
    teamMembersOf(store, project.id).forEach((user) => void users.add(user));
  if (queryFlag(call.query, "includeOrgUsers")) {
    const seesAll = (grant: RoleGrant): boolean =>
      grant.orgId === project.orgId && ["ORG_OWNER", "ORG_READ_ONLY"].includes(grant.roleName);
    store.users.filter((user) => user.roles.some(seesAll)).forEach((user) => void users.add(user));
  }
  return page(call, [...users], (user) => accountView(call, user));
}

/** Gives an account exactly these roles in a project, or an invitation where the service requires the user's consent. */
function assign(call: Call, project: Project, account: Account, roles: readonly string[]): Account {
  const { store, switches } = call.world;
  if (isMember(account, project.id)) return setProjectRoles(store, account, project.id, roles);
  if (switches.ldapPeople) throw refuse.invitationOnlyOrLdap();
  if (switches.bypassInvitations || switches.bypassNewUsers) {
    dropInvitations(call.world, project.id, account.username);
    return setProjectRoles(store, account, project.id, roles);
  }
  invite(
    call,
    { groupId: project.id },
    { username: account.username, roles: [...roles], teamIds: undefined },
  );
  return account;
}

/** A role may name the project of the path, as the official client's entries do. */
function readRoleNames(fields: Fields, projectId: string): string[] {
  const roles = fields.items("roles", (item) => {
    const groupId = item.text("groupId");
    if (groupId !== undefined && groupId !== projectId) throw refuse.invalidAttribute("groupId");
    return item.required("roleName", item.text("roleName"));
  });
  return fields.required("roles", roles);
}

function addProjectUsers(call: Call): Reply {
  const project = administeredProject(call.world, call.key, call.param("groupId"));
  const entries = readListBody(call.body, (fields) => ({
    id: fields.required("id", fields.text("id")),
    roles: readRoleNames(fields, project.id),
  }));
  const changes = entries.map(({ id, roles }) => ({ account: accountById(call, id), roles }));
  // All entries are checked before the first is written.
  for (const { roles } of changes) checkProjectRoles(roles);
  const newRoles = new Map(changes.map(({ account, roles }) => [account.id, roles]));
  if (losesLastOwner(call.world, project.id, { roles: newRoles })) throw refuse.lastOwnerDemoted();
  const accounts = changes.map(({ account, roles }) => assign(call, project, account, roles));
  return page(call, accounts, (account) => accountView(call, account));
}

function removeProjectUser(call: Call): Reply {
  const { store, switches } = call.world;
  const project = administeredProject(call.world, call.key, call.param("groupId"));
  const account = accountById(call, call.param("userId"));
  // A user with access only through a team or the organization isn't a member of the project.
  if (!isMember(account, project.id)) throw refuse.userNotInGroup(account.username, project.id);
  if (losesLastOwner(call.world, project.id, { roles: new Map([[account.id, []]]) }))
    throw refuse.lastOwnerLeaves();
  setProjectRoles(store, account, project.id, []);
  return deletionReply(switches.deleteUserStatus, switches);
}

interface AccountPatch {
  readonly details: Partial<Account>;
  readonly roles: RoleGrant[] | undefined;
}

function readAccountPatch(body: unknown): AccountPatch {
  return readBody(body, ["id", "username", "links", "teamIds", "country"], (fields) => {
    const details: Record<string, string> = {};
    for (const name of ["emailAddress", "firstName", "lastName", "mobileNumber"]) {
      const value = fields.text(name);
      if (value !== undefined) details[name] = value;
    }
    return { details, roles: fields.items("roles", readGrant) };
  });
}

/** The project roles a PATCH requests, by project: the given ones, and (when replacing) none where they are left out. */
function wantedByProject(call: Call, account: Account, roles: readonly RoleGrant[]): Map<string, string[]> {
  const replaces = call.world.switches.patchUserRoles === "replace";
  const wanted = new Map<string, string[]>();
  for (const { groupId } of account.roles) {
    if (groupId !== undefined) wanted.set(groupId, replaces ? [] : rolesIn(account, groupId));
  }
  for (const { groupId, roleName } of roles) {
    if (groupId !== undefined) wanted.set(groupId, [...(wanted.get(groupId) ?? []), roleName]);
  }
  return wanted;
}

/** The organization and global roles a PATCH leaves the account with. */
function wantedElsewhere(call: Call, account: Account, roles: readonly RoleGrant[]): RoleGrant[] {
  const elsewhere = (grant: RoleGrant): boolean => grant.groupId === undefined;
  const kept = call.world.switches.patchUserRoles === "replace" ? [] : account.roles.filter(elsewhere);
  const given = roles.filter(elsewhere);
  for (const { orgId, roleName } of given) {
    if (orgId === undefined) throw refuse.globalRole(roleName);
    if (!isOrgOwner(call.key, orgId)) throw refuse.unauthorized();
  }
  const same = (left: RoleGrant) => (right: RoleGrant) =>
    left.orgId === right.orgId && left.roleName === right.roleName;
  return [...kept.filter((grant) => !given.some(same(grant))), ...given];
}

function patchRoles(call: Call, account: Account, roles: readonly RoleGrant[]): Account {
  const { store } = call.world;
  const changes = [...wantedByProject(call, account, roles)].map(([projectId, wanted]) => {
    const project = readableProject(call.world, call.key, projectId);
    if (!isUserAdmin(call.key, project)) throw refuse.notGroupUserAdmin(projectId);
    if (wanted.length > 0) checkProjectRoles(wanted);
    if (losesLastOwner(call.world, projectId, { roles: new Map([[account.id, wanted]]) }))
      throw refuse.lastOwnerDemoted();
    return { project, wanted };
  });
  const elsewhere = wantedElsewhere(call, account, roles);
  for (const { orgId } of account.roles) {
    if (orgId !== undefined && losesLastOrgOwner(store, account, elsewhere, orgId))
      throw refuse.lastOrgOwnerDemoted();
  }
  const inProjects = account.roles.filter((grant) => grant.groupId !== undefined);
  const start = store.users.put({ ...account, roles: [...elsewhere, ...inProjects] });
  const changed = changes.reduce(
    (current, { project, wanted }) => assign(call, project, current, wanted),
    start,
  );
  for (const { orgId } of account.roles) {
    if (orgId !== undefined && !isInOrganization(changed, orgId)) leaveOrg(call.world, changed, orgId);
  }
  return store.users.get(changed.id) ?? changed;
}

function updateUser(call: Call): Reply {
  const account = accountById(call, call.param("userId"));
  if (!sharesOrg(call.world, call.key, account)) throw refuse.unauthorized();
  const { details, roles } = readAccountPatch(call.body);
  const withRoles = roles === undefined ? account : patchRoles(call, account, roles);
  const updated = call.world.store.users.put({ ...withRoles, ...details });
  return { status: 200, body: accountView(call, updated) };
}

/** By the documentation, roles in projects and organizations are invitations unless the service bypasses them. */
function createUser(call: Call): Reply {
  const { world, key, body } = call;
  checkGlobalOwner(key);
  if (world.switches.ldapPeople) throw refuse.invitationOnlyOrLdap();
  const { roles, ...facts } = readBody(body, ["id", "links", "teamIds"], (fields) => {
    fields.required("password", fields.text("password"));
    return {
      username: fields.required("username", fields.text("username")),
      emailAddress: fields.text("emailAddress"),
      firstName: fields.required("firstName", fields.text("firstName")),
      lastName: fields.required("lastName", fields.text("lastName")),
      mobileNumber: fields.text("mobileNumber"),
      country: fields.text("country"),
      roles: fields.items("roles", readGrant) ?? [],
    };
  });
  if (world.store.userByName(facts.username)) throw refuse.usernameTaken(facts.username);
  const isDirect = ({ orgId, groupId }: RoleGrant) =>
    (orgId === undefined && groupId === undefined) || world.switches.bypassInvitations;
  const account = world.store.users.put(newAccount({ ...facts, roles: roles.filter(isDirect) }));
  for (const { orgId, groupId, roleName } of roles.filter((role) => !isDirect(role))) {
    const target = groupId === undefined ? { orgId: orgId ?? "" } : { groupId };
    invite(call, target, { username: facts.username, roles: [roleName], teamIds: undefined });
  }
  return { status: 201, body: accountView(call, account) };
}

/** Deletes the account itself; only Ops Manager documents it. */
function deleteUser(call: Call): Reply {
  const { world, key } = call;
  checkGlobalOwner(key);
  const account = accountById(call, call.param("userId"));
  for (const { id } of world.store.orgs.all()) {
    leaveOrg(world, world.store.users.get(account.id) ?? account, id);
  }
  world.store.users.delete(account.id);
  return { status: 200 };
}

export const userRoutes: readonly Route[] = [
  { method: "GET", pattern: "/groups/{groupId}/users", handle: listProjectUsers },
  { method: "POST", pattern: "/groups/{groupId}/users", handle: addProjectUsers },
  {
    method: "DELETE",
    pattern: "/groups/{groupId}/users/{userId}",
    documented: true,
    handle: removeProjectUser,
  },
  { method: "GET", pattern: "/users/byName/{username}", handle: getUserByName },
  { method: "GET", pattern: "/users/{userId}", handle: getUser },
  { method: "PATCH", pattern: "/users/{userId}", handle: updateUser },
  { method: "POST", pattern: "/users", handle: createUser },
  { method: "DELETE", pattern: "/users/{userId}", handle: deleteUser },
];
