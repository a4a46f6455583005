/**
 * The kinds of resources: the last part of the type token, `opsmanager:index:<kind>`. This list is
 * the only one. Everything that treats kinds differently has a `Record<ResourceKind, ...>` or an
 * exhaustive `switch`, so that the compiler requires each new kind.
 */
export const resourceKinds = [
  "Project",
  "ProjectMember",
  "ProjectMembers",
  "ProjectTeam",
  "Team",
  "AgentApiKey",
  "ApiKey",
  "ProjectApiKey",
  "OrganizationMember",
  "Organization",
] as const;

export type ResourceKind = (typeof resourceKinds)[number];

export function isResourceKind(name: string): name is ResourceKind {
  return resourceKinds.some((kind) => kind === name);
}
