/** Every resource, by kind. Both providers and the package schema use this list. */
import { RefusedError } from "../text/errors";
import { withFailedUpdates } from "./contract/failed-update";
import { withReadMarker } from "./contract/read-marker";
import type { Resource } from "./contract/resource";
import { projectApiKey } from "./grants/project-api-key";
import { projectTeam } from "./grants/project-team";
import { agentApiKey } from "./keys/agent-api-key";
import { apiKey } from "./keys/api-key";
import { type ResourceKind, resourceKinds } from "./kinds";
import { organizationMember } from "./members/organization-member";
import { projectMember } from "./members/project-member";
import { organization } from "./organization";
import { project } from "./project";
import { projectMembers } from "./project-members";
import { withClaimStages } from "./session/claim-stages";
import { withEnd } from "./session/ends";
import { withFailures } from "./session/unregistered";
import { team } from "./team";

const byKind: { readonly [Kind in ResourceKind]: Resource<Kind> } = {
  Project: project,
  ProjectMember: projectMember,
  ProjectMembers: projectMembers,
  ProjectTeam: projectTeam,
  Team: team,
  AgentApiKey: agentApiKey,
  ApiKey: apiKey,
  ProjectApiKey: projectApiKey,
  OrganizationMember: organizationMember,
  Organization: organization,
};

export const resources: readonly Resource[] = resourceKinds.map((kind) =>
  withFailedUpdates(withReadMarker(withClaimStages(withFailures(withEnd(byKind[kind]))))),
);

/** @throws RefusedError if there is no such resource */
export function resourceNamed(name: string): Resource {
  const resource = resources.find((candidate) => candidate.name === name);
  if (!resource) throw new RefusedError(`This version of pulumi-opsmanager has no resource ${name}.`);
  return resource;
}
