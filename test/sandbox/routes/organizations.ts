import { canRead, isInOrg, readableOrg } from "../access";
import { refuse } from "../errors";
import type { RoleGrant } from "../model";
import { page } from "../paging";
import type { Call, Reply, Route } from "../router";
import { accountView, orgView, projectView } from "../views";

/** A name filter of the service: the name starts with it, upper and lower case are the same. */
function startsWithFilter(call: Call): (named: { readonly name: string }) => boolean {
  const prefix = call.query.get("name")?.toLowerCase() ?? "";
  return (named) => named.name.toLowerCase().startsWith(prefix);
}

function listOrgs(call: Call): Reply {
  const fits = startsWithFilter(call);
  const orgs = call.world.store.orgs.filter((org) => isInOrg(call.world, call.key, org.id) && fits(org));
  return page(call, orgs, (org) => orgView(call, org));
}

const requestedOrg = (call: Call) => readableOrg(call.world, call.key, call.param("orgId"));

function getOrg(call: Call): Reply {
  return { status: 200, body: orgView(call, requestedOrg(call)) };
}

function listOrgProjects(call: Call): Reply {
  const { world, key, query } = call;
  const org = requestedOrg(call);
  const fits = startsWithFilter(call);
  const hasOrgRole = key.roles.some((grant) => grant.orgId === org.id);
  const seesAll = hasOrgRole && world.switches.orgProjects === "all";
  const projects = world.store.projects.filter(
    (project) => project.orgId === org.id && fits(project) && (seesAll || canRead(key, project)),
  );
  const name = query.get("name");
  if (name !== null && projects.length === 0 && world.switches.unknownNameInOrg === "GROUP_NAME_NOT_FOUND") {
    throw refuse.groupNameNotFound(name);
  }
  return page(call, projects, (project) => projectView(call, project));
}

function listOrgUsers(call: Call): Reply {
  const org = requestedOrg(call);
  const users = call.world.store.users.filter((user) => user.roles.some((grant) => grant.orgId === org.id));
  return page(call, users, (user) => accountView(call, user));
}

/** Any role in the organisation is enough, and private parts are masked (documentation of the organisation's API keys). */
function listOrgKeys(call: Call): Reply {
  const org = requestedOrg(call);
  const { keys, projects } = call.world.store;
  const isHere = ({ orgId, groupId }: RoleGrant) =>
    orgId === org.id || (groupId !== undefined && projects.get(groupId)?.orgId === org.id);
  const own = keys.filter((key) => key.roles.some(isHere));
  return page(call, own, ({ publicKey, roles }) => ({
    publicKey,
    privateKey: "********-****-****-000000000000",
    roles: roles.filter(isHere),
    links: [],
  }));
}

export const organizationRoutes: readonly Route[] = [
  { method: "GET", pattern: "/orgs", handle: listOrgs },
  { method: "GET", pattern: "/orgs/{orgId}", handle: getOrg },
  { method: "GET", pattern: "/orgs/{orgId}/groups", handle: listOrgProjects },
  { method: "GET", pattern: "/orgs/{orgId}/users", handle: listOrgUsers },
  { method: "GET", pattern: "/orgs/{orgId}/apiKeys", handle: listOrgKeys },
];
