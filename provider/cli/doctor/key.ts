/** Reports what the key may see and do, as far as reads show it; each missing role is named. */
import { ROLE_TO_SEE_TAGS, ROLE_TO_WRITE_TAGS } from "../../api/hints";
import { type Finding, failed, ok, skipped, warning } from "./finding";
import { foundValue, type ReadResult } from "./read-result";
import type { ObjectIds, ServiceState } from "./service-state";

/**
 * @param requested the objects named on the command line: if the key cannot see them, that is a
 * failure, not a remark
 */
export function checkKey(state: ServiceState, publicKey: string, requested: ObjectIds): Finding[] {
  const roles = rolesOf(state, publicKey);
  return [
    checkRoles(state, roles),
    checkProjects(state),
    ...(requested.orgId === undefined
      ? []
      : [checkOrganization(state.organizationProjects, requested.orgId)]),
    ...(requested.projectId === undefined ? [] : [checkProject(state.project, requested.projectId)]),
    checkTags(state),
    checkPeople(state),
    checkInvitations(state),
    checkCreating(roles),
    checkChanging(state, roles),
  ];
}

interface Role {
  readonly roleName: string;
  readonly orgId?: string | null | undefined;
  readonly groupId?: string | null | undefined;
}

/**
 * The roles of the key; `undefined` if they cannot be determined: a global key is in no
 * organization's list.
 */
function rolesOf({ apiKeys }: ServiceState, publicKey: string): readonly Role[] | undefined {
  return foundValue(apiKeys)?.find((key) => key.publicKey === publicKey)?.roles;
}

function checkRoles({ apiKeys, orgId }: ServiceState, roles: readonly Role[] | undefined): Finding {
  const check = "key.roles";
  if (roles) {
    const names = roles.map(({ roleName, groupId }) => (groupId ? `${roleName} in ${groupId}` : roleName));
    return ok(check, `Roles in organization ${orgId}: ${names.join(", ")}`);
  }
  return apiKeys.kind === "found"
    ? skipped(
        check,
        `The key is not one of organization ${orgId}: it is a global key, whose roles it cannot read.`,
      )
    : skipped(check, "The key cannot read its own roles; what follows is told by what it sees.");
}

function checkProjects({ projects, organizations }: ServiceState): Finding {
  const check = "key.projects";
  const list = foundValue(projects);
  if (!list)
    return notReadable(check, projects, "The projects that the key sees", "Project Read Only in a project");
  const orgs = foundValue(organizations)?.length ?? new Set(list.map(({ orgId }) => orgId)).size;
  const says = `It sees ${count(list.length, "project")} and ${count(orgs, "organization")}`;
  if (list.length > 0) return ok(check, says);
  return warning(
    check,
    `${says}.`,
    "A project that is there already needs a role of the key in it or in its organization: Project Owner, or Organization Owner.",
  );
}

function checkOrganization(projects: ServiceState["organizationProjects"], orgId: string): Finding {
  const list = foundValue(projects);
  if (list)
    return ok("key.organization", `It sees organization ${orgId} with ${count(list.length, "project")}`);
  return asFailure(
    notReadable("key.organization", projects, `Organization ${orgId}`, "Organization Read Only"),
  );
}

function checkProject(project: ServiceState["project"], projectId: string): Finding {
  const found = foundValue(project);
  if (found) return ok("key.project", `It sees project ${found.name} (${projectId})`);
  return asFailure(notReadable("key.project", project, `Project ${projectId}`, "Project Read Only"));
}

function asFailure({ check, outcome, says, advice }: Finding): Finding {
  return outcome === "warning"
    ? failed(check, says, advice)
    : { check, outcome, says, ...(advice ? { advice } : {}) };
}

/**
 * Checks the roles for tags. The API pages of a project name project roles for tags; an older page
 * of PATCH names global ones.
 */
function checkTags({ projects, project }: ServiceState): Finding {
  const check = "key.tags";
  const single = foundValue(project);
  const all = [...(foundValue(projects) ?? []), ...(single ? [single] : [])];
  if (all.length === 0) return skipped(check, "No project is seen by which to tell whether tags are shown.");
  if (all.some(({ tags }) => Array.isArray(tags))) {
    return ok(check, `Tags of projects are shown to it. Changing them takes ${ROLE_TO_WRITE_TAGS}`);
  }
  return warning(
    check,
    "No tags of projects are shown to it: drift of tags goes unseen.",
    `Seeing tags takes ${ROLE_TO_SEE_TAGS}. Changing them takes ${ROLE_TO_WRITE_TAGS}. Without, leave tags out of the program.`,
  );
}

function checkPeople({ people, projectId }: ServiceState): Finding {
  const check = "key.people";
  if (projectId === undefined) return skipped(check, "No project is seen by which to tell.");
  const list = foundValue(people);
  if (list) return ok(check, `It reads the people of project ${projectId} (${list.length})`);
  return notReadable(check, people, `The people of project ${projectId}`, "Project Read Only");
}

function checkInvitations({ invitations, projectId }: ServiceState): Finding {
  const check = "key.invitations";
  if (projectId === undefined) return skipped(check, "No project is seen by which to tell.");
  const list = foundValue(invitations);
  if (list) return ok(check, `It reads the invitations of project ${projectId} (${list.length} pending)`);
  return notReadable(check, invitations, `The invitations of project ${projectId}`, "Project User Admin");
}

/**
 * Checks operations that need an organization role, and cannot be tried without creating a
 * project.
 */
function checkCreating(roles: readonly Role[] | undefined): Finding {
  const check = "key.creating";
  const needed = "Organization Project Creator or Organization Owner";
  if (!roles) return skipped(check, `Not tried, as it would make one. Creating projects takes ${needed}.`);
  if (holds(roles, "ORG_OWNER", "ORG_GROUP_CREATOR")) return ok(check, "Its roles let it create projects");
  return warning(
    check,
    "Its roles do not let it create projects.",
    `Give the key the role ${needed}, or adopt projects by projectId.`,
  );
}

function checkChanging({ projectId }: ServiceState, roles: readonly Role[] | undefined): Finding {
  const check = "key.changing";
  const needed = "Project Owner (people alone: Project User Admin)";
  if (!roles || projectId === undefined) {
    return skipped(check, `Not tried, as it would change one. Changing projects takes ${needed}.`);
  }
  const here = roles.filter(({ orgId, groupId }) => orgId || groupId === projectId);
  if (holds(here, "ORG_OWNER", "GROUP_OWNER"))
    return ok(check, `Its roles let it change project ${projectId}`);
  const people = holds(here, "GROUP_USER_ADMIN") ? "only the people of" : "nothing in";
  return warning(
    check,
    `Its roles let it change ${people} project ${projectId}.`,
    `Give the key the role Project Owner there, or Organization Owner.`,
  );
}

function holds(roles: readonly Role[], ...names: readonly string[]): boolean {
  return roles.some(({ roleName }) => names.includes(roleName));
}

/** @param role the least role that is sufficient */
function notReadable(check: string, result: ReadResult<unknown>, what: string, role: string): Finding {
  switch (result.kind) {
    case "refused":
      return warning(
        check,
        `${what} cannot be read: ${result.error.message}`,
        `The least role for it: ${role}.`,
      );
    case "unclear":
      return failed(check, result.why);
    default:
      return skipped(check, `${what} cannot be read, as the service does not offer that.`);
  }
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
