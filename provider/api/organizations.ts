/** Calls below `/orgs`. */
import { z } from "zod";
import { ApiError } from "../text/errors";
import { type ApiClient, listOperation, operation } from "./client";
import { type GroupMappings, tolerantMappings } from "./group-mappings";
import { ROLE_TO_CHANGE_ORGANIZATION } from "./hints";
import { type ProjectResponse, projectResponse } from "./projects";

const organizationResponse = z.object({
  id: z.string(),
  name: z.string(),
  isDeleted: z.boolean().nullish().catch(undefined),
  ...tolerantMappings,
});

/** A global key sees a deleted organization for some time, with `isDeleted: true`. */
export type OrganizationResponse = z.output<typeof organizationResponse>;

export interface OrganizationFields extends GroupMappings {
  readonly name: string;
}

export const getOrganization = operation((orgId: string) => ({
  action: `Reading organization ${orgId}`,
  method: "GET",
  path: ["orgs", orgId],
  shape: organizationResponse,
}));

export const updateOrganization = operation((orgId: string, patch: Partial<OrganizationFields>) => ({
  action: `Updating ${Object.keys(patch).join(", ")} of organization ${orgId}`,
  method: "PATCH",
  path: ["orgs", orgId],
  body: patch,
  shape: organizationResponse,
  leastRole: ROLE_TO_CHANGE_ORGANIZATION,
}));

const listWithFilter = listOperation((query: { readonly includeDeletedOrgs?: boolean }) => ({
  action: "Listing the organizations that these credentials can see",
  method: "GET",
  path: ["orgs"],
  query,
  shape: organizationResponse,
}));

/**
 * Lists every organization that this key can see, except deleted ones. A global key would see
 * those for some time.
 */
export async function listOrganizations(
  client: ApiClient,
  signal?: AbortSignal,
): Promise<OrganizationResponse[]> {
  const all = await listWithFilter(client, { includeDeletedOrgs: false }, signal).catch((error: unknown) => {
    // Some versions ignore or reject the parameter.
    if (!(error instanceof ApiError && error.errorCode === "INVALID_QUERY_PARAMETER")) throw error;
    return listWithFilter(client, {}, signal);
  });
  return all.filter(({ isDeleted }) => isDeleted !== true);
}

/**
 * One page of the projects of an organization that this key can see, at most 500. Entries may lack
 * tags and LDAP mappings.
 *
 * @param pageNum from 1
 */
export async function pageOfProjects(
  client: ApiClient,
  orgId: string,
  pageNum: number,
  signal?: AbortSignal,
): Promise<{ readonly entries: readonly ProjectResponse[]; readonly hasNext: boolean }> {
  return client.page({ ...projectsOf(orgId), signal }, pageNum);
}

/**
 * Lists the projects of one organization that this key can see.
 *
 * @param name only projects whose name begins with this, in any case. The service's filter is a
 * prefix match, so callers who need one name compare exactly
 */
export const listProjectsOfOrganization = listOperation(projectsOf);

function projectsOf(orgId: string, name?: string) {
  return {
    action: `Listing the projects of organization ${orgId}`,
    method: "GET",
    path: ["orgs", orgId, "groups"],
    query: { name },
    shape: projectResponse,
  } as const;
}

/**
 * Finds the projects of one organization that have exactly this name. Names are unique in most
 * versions, but not in all.
 */
export async function findProjectsByName(
  client: ApiClient,
  { orgId, name }: { readonly orgId: string; readonly name: string },
  signal?: AbortSignal,
): Promise<ProjectResponse[]> {
  try {
    const candidates = await listProjectsOfOrganization(client, orgId, name, signal);
    return candidates.filter((candidate) => candidate.name === name && candidate.orgId === orgId);
  } catch (error) {
    // Some versions respond with this code where others respond with an empty list.
    if (error instanceof ApiError && error.errorCode === "GROUP_NAME_NOT_FOUND") return [];
    throw error;
  }
}
