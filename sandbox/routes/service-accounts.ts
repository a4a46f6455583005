import { belongsTo, readableOrg, readableProject } from "../access";
import { refuse } from "../errors";
import type { Project, RoleGrant, ServiceAccount } from "../model";
import { page, queryFlag } from "../paging";
import type { Call, Reply, Route } from "../router";
import { serviceAccountView } from "../views";

/** The service accounts of an organization that the request may see, each with the roles that the list shows. */
function accountsOf(
  call: Call,
  orgId: string,
  rolesShown: (account: ServiceAccount) => readonly RoleGrant[] | undefined,
): Reply {
  const { store, switches } = call.world;
  const showsAll =
    switches.systemServiceAccounts === "shown" || queryFlag(call.query, "includeSystemManaged");
  const listed = store.serviceAccounts.all().flatMap((account) => {
    const isHere = belongsTo(call.world, account, orgId) && (showsAll || !account.isSystemManaged);
    const roles = isHere ? rolesShown(account) : undefined;
    return roles === undefined ? [] : [{ account, roles }];
  });
  return page(call, listed, ({ account, roles }) => serviceAccountView(call, account, roles));
}

/** Operations that only Cloud Manager documents. */
function checkOffered({ world, path }: Call): void {
  if (world.switches.serviceAccountLists === "not-offered") throw refuse.resourceNotFound(path);
}

/** Any role in the organization is enough. */
function listOfOrganization(call: Call): Reply {
  checkOffered(call);
  const org = readableOrg(call.world, call.key, call.param("orgId"));
  const isShown = ({ orgId }: RoleGrant) =>
    orgId === org.id || call.world.switches.serviceAccountRoles === "objects";
  return accountsOf(call, org.id, ({ roles }) => roles.filter(isShown));
}

function listOfProject(call: Call): Reply {
  checkOffered(call);
  const project = readableProject(call.world, call.key, call.param("groupId"));
  return accountsOf(call, project.orgId, (account) => {
    const own = account.roles.filter(({ groupId }) => groupId === project.id);
    if (own.length > 0) return own;
    const above = rolesAbove(account, project);
    return call.world.switches.orgAccountsInProject && above.length > 0 ? above : undefined;
  });
}

const REACHING_ROLES = ["ORG_OWNER", "ORG_READ_ONLY"];

const rolesAbove = ({ roles }: ServiceAccount, project: Project): RoleGrant[] =>
  roles.filter(({ orgId, roleName }) => orgId === project.orgId && REACHING_ROLES.includes(roleName));

export const serviceAccountRoutes: readonly Route[] = [
  { method: "GET", pattern: "/orgs/{orgId}/serviceAccounts", handle: listOfOrganization },
  { method: "GET", pattern: "/groups/{groupId}/serviceAccounts", handle: listOfProject },
];
