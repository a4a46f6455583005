/** The list of all lookups, for both providers and the package schema. */
import { RefusedError } from "../text/errors";
import { getAgentApiKeys } from "./get-agent-api-keys";
import { getApiKeys } from "./get-api-keys";
import { getOrganization } from "./get-organization";
import { getOrganizationMembers } from "./get-organization-members";
import { getProject } from "./get-project";
import { getProjectApiKeys } from "./get-project-api-keys";
import { getProjectInvitation } from "./get-project-invitation";
import { getProjectInvitations } from "./get-project-invitations";
import { getProjectMembers } from "./get-project-members";
import { getProjectTeams } from "./get-project-teams";
import { getProjects } from "./get-projects";
import { getTeams } from "./get-teams";
import type { Lookup } from "./lookup";

export { canonicalArguments, checkLookup, type Lookup } from "./lookup";

export const lookups: readonly Lookup[] = [
  getProject,
  getProjects,
  getProjectMembers,
  getProjectInvitation,
  getProjectInvitations,
  getProjectTeams,
  getTeams,
  getAgentApiKeys,
  getApiKeys,
  getProjectApiKeys,
  getOrganization,
  getOrganizationMembers,
];

/** @throws RefusedError if there is no such lookup */
export function lookupNamed(name: string): Lookup {
  const lookup = lookups.find((candidate) => candidate.name === name);
  if (!lookup) throw new RefusedError(`This version of pulumi-opsmanager has no function ${name}.`);
  return lookup;
}
