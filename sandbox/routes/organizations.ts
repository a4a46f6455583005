import { canRead, isGlobal, isInOrg, readableOrg } from "../access";
import { refuse } from "../errors";
import { page, queryFlag } from "../paging";
import { listedProjects } from "../people";
import type { Call, Reply, Route } from "../router";
import { accountView, orgProjectView, orgView } from "../views";

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
  const users = call.world.store.users.filter((user) => user.roles.some((grant) => grant.orgId === org.id));
  return page(call, users, (user) => accountView(call, user));
}

export const organizationRoutes: readonly Route[] = [
  { method: "GET", pattern: "/orgs", handle: listOrgs },
  { method: "GET", pattern: "/orgs/{orgId}", handle: getOrg },
  { method: "GET", pattern: "/orgs/{orgId}/groups", handle: listOrgProjects },
  { method: "GET", pattern: "/orgs/{orgId}/users", handle: listOrgUsers },
];
