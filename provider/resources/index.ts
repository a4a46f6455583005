/** Every resource, by kind. Both providers use this table. */
import { RefusedError } from "../text/errors";
import { withFailedUpdates } from "./contract/failed-update";
import { withReadMarker } from "./contract/read-marker";
import type { Resource } from "./contract/resource";
import { isResourceKind, type ResourceKind } from "./kinds";
import { withClaimStages } from "./session/claim-stages";
import { withEnd } from "./session/ends";
import { withFailures } from "./session/unregistered";

/** Each kind is loaded when it is first used: a run uses few of them, and every `up` starts the plugin again. */
const byKind: { readonly [Kind in ResourceKind]: () => Resource<Kind> } = {
  Project: () => (require("./project") as typeof import("./project")).project,
  ProjectMember: () =>
    (require("./members/project-member") as typeof import("./members/project-member")).projectMember,
  ProjectMembers: () => (require("./project-members") as typeof import("./project-members")).projectMembers,
  ProjectTeam: () => (require("./grants/project-team") as typeof import("./grants/project-team")).projectTeam,
  Team: () => (require("./team") as typeof import("./team")).team,
  AgentApiKey: () => (require("./keys/agent-api-key") as typeof import("./keys/agent-api-key")).agentApiKey,
  ApiKey: () => (require("./keys/api-key") as typeof import("./keys/api-key")).apiKey,
  ProjectApiKey: () =>
    (require("./grants/project-api-key") as typeof import("./grants/project-api-key")).projectApiKey,
  OrganizationMember: () =>
    (require("./members/organization-member") as typeof import("./members/organization-member"))
      .organizationMember,
  Organization: () => (require("./organization") as typeof import("./organization")).organization,
};

const loaded = new Map<ResourceKind, Resource>();

/** @throws RefusedError if there is no such resource */
export function resourceNamed(name: string): Resource {
  if (!isResourceKind(name))
    throw new RefusedError(`This version of pulumi-opsmanager has no resource ${name}.`);
  const resource =
    loaded.get(name) ??
    withFailedUpdates(withReadMarker(withClaimStages(withFailures(withEnd(byKind[name]())))));
  loaded.set(name, resource);
  return resource;
}
