/** Calls below `/groups`. The API calls a project a group; the ids are equal. */
import { z } from "zod";
import { listOperation, operation, UNREAD_BODY } from "./client";
import { type GroupMappings, type LdapGroupMapping, shownMappings } from "./group-mappings";

/**
 * A project as the service returns it. Unused properties are not read, in particular
 * `agentApiKey`, a secret. `tags` is absent if the key may not see tags. Counters are not checked: an
 * unexpected one must not fail a run.
 */
export const projectResponse = z.object({
  id: z.string(),
  name: z.string(),
  orgId: z.string(),
  tags: z.array(z.string()).nullish(),
  ...shownMappings,
  hostCounts: z.record(z.string(), z.number()).nullish().catch(undefined),
  activeAgentCount: z.number().nullish().catch(undefined),
  replicaSetCount: z.number().nullish().catch(undefined),
  shardCount: z.number().nullish().catch(undefined),
  lastActiveAgent: z.string().nullish().catch(undefined),
  publicApiEnabled: z.boolean().nullish().catch(undefined),
});

export type ProjectResponse = z.output<typeof projectResponse>;

/** The fields that can be changed. */
export interface ChangeableFields extends GroupMappings {
  readonly name: string;
  readonly tags: readonly string[];
}

/** A list replaces the current one, and `[]` clears it. */
export type ProjectPatch = Partial<ChangeableFields>;

export interface NewProject {
  readonly name: string;
  readonly orgId: string;
  readonly withDefaultAlertsSettings?: boolean | undefined;
  readonly ldapGroupMappings?: readonly LdapGroupMapping[] | undefined;
  /** User who becomes Project Owner. If absent, the service chooses. */
  readonly projectOwnerId?: string | undefined;
}

export const getProject = operation((projectId: string) => ({
  action: `Reading project ${projectId}`,
  method: "GET",
  path: ["groups", projectId],
  shape: projectResponse,
}));

/** Lists every project that this key can see. */
export const listProjects = listOperation(() => ({
  action: "Listing the projects that these credentials can see",
  method: "GET",
  path: ["groups"],
  shape: projectResponse,
}));

export const createProject = operation(({ projectOwnerId, ...body }: NewProject) => ({
  action: `Creating project "${body.name}" in organization ${body.orgId}`,
  method: "POST",
  path: ["groups"],
  query: { projectOwnerId },
  body,
  shape: projectResponse,
}));

export const updateProject = operation((projectId: string, patch: ProjectPatch) => ({
  action: `Updating ${Object.keys(patch).join(", ")} of project ${projectId}`,
  method: "PATCH",
  path: ["groups", projectId],
  body: patch,
  shape: projectResponse,
}));

export const deleteProject = operation((projectId: string) => ({
  action: `Deleting project ${projectId}`,
  method: "DELETE",
  path: ["groups", projectId],
  shape: UNREAD_BODY,
}));
