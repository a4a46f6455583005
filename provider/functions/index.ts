/** The list of all lookups, for both providers and the package schema. */
import { getProject } from "./get-project";
import { getProjectInvitation } from "./get-project-invitation";
import { getProjectInvitations } from "./get-project-invitations";
import { getProjectMembers } from "./get-project-members";
import { getProjects } from "./get-projects";
import type { Lookup } from "./lookup";

export { canonicalArguments, checkLookup, type Lookup } from "./lookup";

export const lookups: readonly Lookup[] = [
  getProject,
  getProjects,
  getProjectMembers,
  getProjectInvitation,
  getProjectInvitations,
];
