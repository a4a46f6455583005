/**
 * Reports what the API key or the service account can see and do, as far as reads show it; each
 * missing role is named.
 */
import type { KeyRole } from "../../provider/api/api-keys";
import { ROLE_TO_SEE_TAGS, ROLE_TO_WRITE_TAGS } from "../../provider/api/hints";
import type { Credentials } from "../../provider/settings/config";
import { counted } from "../lib/terminal";
import { type DoctorResult, type Finding, failed, named, ok, skipped, warning } from "./results";
import { foundValue, type ObjectIds, type ServiceReading, type ServiceState } from "./service-state";

/** What authenticates, in the sentences of the results. */
type Caller = "key" | "service account";

/** What the checks of the key know. */
interface Facts extends ServiceState {
  readonly caller: Caller;
  /**
   * The roles of the key; `undefined` if they cannot be determined: a global key is in no
   * organization's list.
   */
  readonly roles: readonly KeyRole[] | undefined;
  /** The objects named on the command line: that the key cannot see them is a failure, not a warning. */
  readonly requested: ObjectIds;
}

export function checkKey(
  state: ServiceState,
  { publicKey, serviceAccount }: Credentials,
  requested: ObjectIds,
): DoctorResult[] {
  const own = foundValue(state.apiKeys)?.find((key) => key.publicKey === publicKey);
  const roles = publicKey === undefined ? undefined : own?.roles;
  const facts: Facts = { ...state, caller: serviceAccount ? "service account" : "key", roles, requested };
  return Object.entries(CHECKS).flatMap(([name, judge]) => {
    const finding = judge(facts);
    return finding ? [named(`key.${name}`, finding)] : [];
  });
}

/** What is checked, by its name and in the order of the report. */
const CHECKS: Readonly<Record<string, (facts: Facts) => Finding | undefined>> = {
  roles: judgeRoles,
  projects: judgeProjects,
  organization: judgeRequestedOrganization,
  project: judgeRequestedProject,
  tags: judgeTags,
  serviceAccounts: judgeServiceAccounts,
  people: (facts) => judgeList(facts, "people", "people", "Project Read Only"),
  invitations: (facts) => judgeList(facts, "invitations", "pending invitations", "Project User Admin"),
  projectTeams: (facts) => judgeList(facts, "projectTeams", "teams", "Project Read Only"),
  agentKeys: (facts) => judgeList(facts, "agentKeys", "agent API keys", "Project Read Only"),
  events: judgeEvents,
  creating: judgeCreating,
  changingOrganization: judgeChangingOrganization,
  changing: judgeChanging,
};

function judgeRoles({ apiKeys, orgId, roles, caller }: Facts): Finding {
  if (caller === "service account") {
    return skipped(
      "Not checked, because a service account is not among the API keys. The following checks use what it can see.",
    );
  }
  if (roles) {
    const names = roles.map(({ roleName, projectId }) =>
      projectId ? `${roleName} in ${projectId}` : roleName,
    );
    return ok(`Roles in organization ${orgId}: ${names.join(", ")}`);
  }
  return skipped(
    apiKeys.kind === "found"
      ? `The key does not belong to organization ${orgId}: it is a global key, whose roles it cannot read.`
      : "The key cannot read its own roles. The following checks use what it can see.",
  );
}

function judgeProjects({ projects, organizations, caller }: Facts): Finding {
  const list = foundValue(projects);
  if (!list) return notReadable(projects, "The list of projects", "Project Read Only in a project");
  const orgs = foundValue(organizations)?.length ?? new Set(list.map(({ orgId }) => orgId)).size;
  const seen = `The ${caller} can see ${counted(list.length, "project")} and ${counted(orgs, "organization")}`;
  if (list.length > 0) return ok(seen);
  return warning(
    `${seen}.`,
    `To manage an existing project, give the ${caller} Project Owner in the project or Organization Owner.`,
  );
}

function judgeRequestedOrganization({ organizationProjects, caller, requested }: Facts): Finding | undefined {
  const { orgId } = requested;
  if (orgId === undefined) return undefined;
  const list = foundValue(organizationProjects);
  return list
    ? ok(`The ${caller} can see organization ${orgId} with ${counted(list.length, "project")}`)
    : notReadable(organizationProjects, `Organization ${orgId}`, "Organization Read Only", failed);
}

function judgeRequestedProject({ project, caller, requested }: Facts): Finding | undefined {
  const { projectId } = requested;
  if (projectId === undefined) return undefined;
  const found = foundValue(project);
  return found
    ? ok(`The ${caller} can see project ${found.name} (${projectId})`)
    : notReadable(project, `Project ${projectId}`, "Project Read Only", failed);
}

/**
 * Checks the roles for tags. The API pages of a project name project roles for tags; an older page
 * of PATCH names global ones.
 */
function judgeTags({ projects, project, caller }: Facts): Finding {
  const single = foundValue(project);
  const all = [...(foundValue(projects) ?? []), ...(single ? [single] : [])];
  if (all.length === 0) return noProject(caller);
  if (all.some(({ tags }) => Array.isArray(tags))) {
    return ok(`The ${caller} can see tags of projects. Changing them requires ${ROLE_TO_WRITE_TAGS}`);
  }
  return warning(
    `The ${caller} cannot see tags of projects, so drift of tags is not detected.`,
    `Seeing tags requires ${ROLE_TO_SEE_TAGS}. Changing them requires ${ROLE_TO_WRITE_TAGS}. Without these roles, omit tags from the program.`,
  );
}

/** Only Cloud Manager has service accounts, so it is no news that a service does not offer their list. */
function judgeServiceAccounts({ serviceAccounts, orgId, caller }: Facts): Finding | undefined {
  if (serviceAccounts.kind === "missing" || orgId === undefined) return undefined;
  const list = foundValue(serviceAccounts);
  return list
    ? ok(`The ${caller} can read the service accounts of organization ${orgId}: ${list.length}`)
    : notReadable(
        serviceAccounts,
        `The list of service accounts of organization ${orgId}`,
        "Organization Read Only",
      );
}

function noProject(caller: Caller): Finding {
  return skipped(`Not checked, because the ${caller} can see no project.`);
}

/** @param role the least role that is sufficient */
function judgeList(
  { projectId, caller, ...lists }: Facts,
  name: "people" | "invitations" | "projectTeams" | "agentKeys" | "events",
  what: string,
  role: string,
): Finding {
  if (projectId === undefined) return noProject(caller);
  const list = foundValue<readonly unknown[]>(lists[name]);
  return list
    ? ok(`The ${caller} can read the ${what} of project ${projectId}: ${list.length}`)
    : notReadable(lists[name], `The list of ${what} of project ${projectId}`, role);
}

/** Events are a note beside the differences that `drift` finds, so a missing one is no failure. */
function judgeEvents(facts: Facts): Finding {
  const result = judgeList(facts, "events", "events", "Project Read Only");
  if (result.outcome === "ok" || facts.projectId === undefined) return result;
  return warning(result.text, "Without events, drift cannot show who may have changed an object.");
}

/** An operation that needs an organization role, and cannot be tried without creating a project. */
function judgeCreating({ roles }: Facts): Finding {
  const needed = "Organization Project Creator or Organization Owner";
  if (!roles) return skipped(`Not tried, because it would create a project. It requires ${needed}.`);
  if (holds(roles, "ORG_OWNER", "ORG_GROUP_CREATOR")) return ok("The key can create projects");
  return warning(
    "The roles of the key do not permit it to create projects.",
    `Give the key the role ${needed}, or adopt projects by projectId.`,
  );
}

/** Teams, API keys and people of an organization each require its owner. */
function judgeChangingOrganization({ orgId, roles }: Facts): Finding {
  const needed = "Organization Owner";
  if (!roles || orgId === undefined) {
    return skipped(`Not tried, because it would change an organization. It requires ${needed}.`);
  }
  const what = `teams, API keys and people of organization ${orgId}`;
  if (holds(roles, "ORG_OWNER")) return ok(`The key can change ${what}`);
  return warning(
    `The roles of the key do not permit it to change ${what}.`,
    `Give the key the role ${needed}, or omit Team, ApiKey and OrganizationMember from the program.`,
  );
}

function judgeChanging({ projectId, roles }: Facts): Finding {
  const needed = "Project Owner (people alone: Project User Admin)";
  if (!roles || projectId === undefined) {
    return skipped(`Not tried, because it would change a project. It requires ${needed}.`);
  }
  const here = roles.filter(({ orgId, projectId: at }) => orgId || at === projectId);
  if (holds(here, "ORG_OWNER", "GROUP_OWNER")) return ok(`The key can change project ${projectId}`);
  const people = holds(here, "GROUP_USER_ADMIN") ? "only the people of" : "nothing in";
  return warning(
    `The key can change ${people} project ${projectId}.`,
    `Give the key the role Project Owner there, or Organization Owner.`,
  );
}

function holds(roles: readonly KeyRole[], ...names: readonly string[]): boolean {
  return roles.some(({ roleName }) => names.includes(roleName));
}

/**
 * @param role the least role that is sufficient
 * @param refused makes the finding for a missing role
 */
function notReadable(
  result: ServiceReading<unknown>,
  what: string,
  role: string,
  refused = warning,
): Finding {
  if (result.kind === "refused") {
    return refused(`${what} cannot be read: ${result.error.message}`, `The least role for it: ${role}.`);
  }
  return result.kind === "unclear"
    ? failed(result.why)
    : skipped(`${what} cannot be read, because the service does not offer the operation.`);
}
