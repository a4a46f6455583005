/**
 * Reports what the API key or the service account can see and do, as far as reads show it; each
 * missing role is named.
 */
import type { KeyRole } from "../../provider/api/api-keys";
import { ROLE_TO_SEE_TAGS, ROLE_TO_WRITE_TAGS } from "../../provider/api/hints";
import type { Credentials } from "../../provider/settings/config";
import { counted } from "../lib/terminal";
import { type DoctorResult, failed, ok, skipped, warning } from "./results";
import { foundValue, type ObjectIds, type ServiceReading, type ServiceState } from "./service-state";

/** What authenticates, in the sentences of the results. */
type Caller = "key" | "service account";

/**
 * @param requested the objects named on the command line: if the key cannot see them, that is a
 * failure, not a warning
 */
export function checkKey(
  state: ServiceState,
  { publicKey, serviceAccount }: Credentials,
  requested: ObjectIds,
): DoctorResult[] {
  const roles = publicKey === undefined ? undefined : rolesOfKey(state, publicKey);
  const caller: Caller = serviceAccount ? "service account" : "key";
  return [
    serviceAccount ? rolesOfAccountUnknown : checkRoles(state, roles),
    checkProjects(state, caller),
    ...(requested.orgId === undefined
      ? []
      : [checkRequestedOrganization(state.organizationProjects, requested.orgId, caller)]),
    ...(requested.projectId === undefined
      ? []
      : [checkRequestedProject(state.project, requested.projectId, caller)]),
    checkTags(state, caller),
    checkList(state, "people", "people", "Project Read Only", caller),
    checkList(state, "invitations", "pending invitations", "Project User Admin", caller),
    checkList(state, "projectTeams", "teams", "Project Read Only", caller),
    checkList(state, "agentKeys", "agent API keys", "Project Read Only", caller),
    checkEvents(state, caller),
    checkCreating(roles),
    checkChangingOrganization(state, roles),
    checkChanging(state, roles),
  ];
}

/**
 * The roles of the key; `undefined` if they cannot be determined: a global key is in no
 * organization's list.
 */
function rolesOfKey({ apiKeys }: ServiceState, publicKey: string): readonly KeyRole[] | undefined {
  return foundValue(apiKeys)?.find((key) => key.publicKey === publicKey)?.roles;
}

const rolesOfAccountUnknown = skipped(
  "key.roles",
  "Not checked, because a service account is in no list of API keys. The following checks use what it can see.",
);

function checkRoles({ apiKeys, orgId }: ServiceState, roles: readonly KeyRole[] | undefined): DoctorResult {
  const check = "key.roles";
  if (roles) {
    const names = roles.map(({ roleName, projectId }) =>
      projectId ? `${roleName} in ${projectId}` : roleName,
    );
    return ok(check, `Roles in organization ${orgId}: ${names.join(", ")}`);
  }
  const reason =
    apiKeys.kind === "found"
      ? `The key does not belong to organization ${orgId}: it is a global key, whose roles it cannot read.`
      : "The key cannot read its own roles. The following checks use what it can see.";
  return skipped(check, reason);
}

function checkProjects({ projects, organizations }: ServiceState, caller: Caller): DoctorResult {
  const check = "key.projects";
  const list = foundValue(projects);
  if (!list) return notReadable(check, projects, "The list of projects", "Project Read Only in a project");
  const orgs = foundValue(organizations)?.length ?? new Set(list.map(({ orgId }) => orgId)).size;
  const seen = `The ${caller} can see ${counted(list.length, "project")} and ${counted(orgs, "organization")}`;
  if (list.length > 0) return ok(check, seen);
  return warning(
    check,
    `${seen}.`,
    `To manage an existing project, give the ${caller} Project Owner in the project or Organization Owner.`,
  );
}

function checkRequestedOrganization(
  projects: ServiceState["organizationProjects"],
  orgId: string,
  caller: Caller,
): DoctorResult {
  const check = "key.organization";
  const list = foundValue(projects);
  return list
    ? ok(check, `The ${caller} can see organization ${orgId} with ${counted(list.length, "project")}`)
    : notReadable(check, projects, `Organization ${orgId}`, "Organization Read Only", failed);
}

function checkRequestedProject(
  project: ServiceState["project"],
  projectId: string,
  caller: Caller,
): DoctorResult {
  const check = "key.project";
  const found = foundValue(project);
  return found
    ? ok(check, `The ${caller} can see project ${found.name} (${projectId})`)
    : notReadable(check, project, `Project ${projectId}`, "Project Read Only", failed);
}

/**
 * Checks the roles for tags. The API pages of a project name project roles for tags; an older page
 * of PATCH names global ones.
 */
function checkTags({ projects, project }: ServiceState, caller: Caller): DoctorResult {
  const check = "key.tags";
  const single = foundValue(project);
  const all = [...(foundValue(projects) ?? []), ...(single ? [single] : [])];
  if (all.length === 0) return skipped(check, `Not checked, because the ${caller} can see no project.`);
  if (all.some(({ tags }) => Array.isArray(tags))) {
    return ok(check, `The ${caller} can see tags of projects. Changing them requires ${ROLE_TO_WRITE_TAGS}`);
  }
  return warning(
    check,
    `The ${caller} cannot see tags of projects, so drift of tags is not detected.`,
    `Seeing tags requires ${ROLE_TO_SEE_TAGS}. Changing them requires ${ROLE_TO_WRITE_TAGS}. Without these roles, omit tags from the program.`,
  );
}

/** @param role the least role that is sufficient */
function checkList(
  { projectId, ...lists }: ServiceState,
  name: "people" | "invitations" | "projectTeams" | "agentKeys" | "events",
  what: string,
  role: string,
  caller: Caller,
): DoctorResult {
  const check = `key.${name}`;
  if (projectId === undefined)
    return skipped(check, `Not checked, because the ${caller} can see no project.`);
  const list = foundValue<readonly unknown[]>(lists[name]);
  return list
    ? ok(check, `The ${caller} can read the ${what} of project ${projectId}: ${list.length}`)
    : notReadable(check, lists[name], `The list of ${what} of project ${projectId}`, role);
}

/** Events are a note beside the differences that `drift` finds, so a missing one is no failure. */
function checkEvents(state: ServiceState, caller: Caller): DoctorResult {
  const result = checkList(state, "events", "events", "Project Read Only", caller);
  if (result.outcome === "ok" || state.projectId === undefined) return result;
  return warning(
    result.check,
    result.text,
    "Without events, drift cannot show who may have changed an object.",
  );
}

/**
 * Checks operations that need an organization role, and cannot be tried without creating a
 * project.
 */
function checkCreating(roles: readonly KeyRole[] | undefined): DoctorResult {
  const check = "key.creating";
  const needed = "Organization Project Creator or Organization Owner";
  if (!roles) {
    return skipped(check, `Not tried, because it would create a project. It requires ${needed}.`);
  }
  if (holds(roles, "ORG_OWNER", "ORG_GROUP_CREATOR")) return ok(check, "The key can create projects");
  return warning(
    check,
    "The roles of the key do not permit it to create projects.",
    `Give the key the role ${needed}, or adopt projects by projectId.`,
  );
}

/** Teams, API keys and people of an organization each require its owner. */
function checkChangingOrganization(
  { orgId }: ServiceState,
  roles: readonly KeyRole[] | undefined,
): DoctorResult {
  const check = "key.changingOrganization";
  const needed = "Organization Owner";
  if (!roles || orgId === undefined) {
    return skipped(check, `Not tried, because it would change an organization. It requires ${needed}.`);
  }
  const what = `teams, API keys and people of organization ${orgId}`;
  if (holds(roles, "ORG_OWNER")) return ok(check, `The key can change ${what}`);
  return warning(
    check,
    `The roles of the key do not permit it to change ${what}.`,
    `Give the key the role ${needed}, or omit Team, ApiKey and OrganizationMember from the program.`,
  );
}

function checkChanging({ projectId }: ServiceState, roles: readonly KeyRole[] | undefined): DoctorResult {
  const check = "key.changing";
  const needed = "Project Owner (people alone: Project User Admin)";
  if (!roles || projectId === undefined) {
    return skipped(check, `Not tried, because it would change a project. It requires ${needed}.`);
  }
  const here = roles.filter(({ orgId, projectId: at }) => orgId || at === projectId);
  if (holds(here, "ORG_OWNER", "GROUP_OWNER")) return ok(check, `The key can change project ${projectId}`);
  const people = holds(here, "GROUP_USER_ADMIN") ? "only the people of" : "nothing in";
  return warning(
    check,
    `The key can change ${people} project ${projectId}.`,
    `Give the key the role Project Owner there, or Organization Owner.`,
  );
}

function holds(roles: readonly KeyRole[], ...names: readonly string[]): boolean {
  return roles.some(({ roleName }) => names.includes(roleName));
}

/**
 * @param role the least role that is sufficient
 * @param refused makes the check result for a missing role
 */
function notReadable(
  check: string,
  result: ServiceReading<unknown>,
  what: string,
  role: string,
  refused = warning,
): DoctorResult {
  if (result.kind === "refused") {
    return refused(
      check,
      `${what} cannot be read: ${result.error.message}`,
      `The least role for it: ${role}.`,
    );
  }
  return result.kind === "unclear"
    ? failed(check, result.why)
    : skipped(check, `${what} cannot be read, because the service does not offer the operation.`);
}
