/** Calls below `/orgs`. */
import { z } from "zod";
import { ApiError } from "../text/errors";
import { type ApiClient, listOperation } from "./client";
import { type ProjectResponse, projectResponse } from "./projects";

const groups = z.array(z.string()).nullish();

/** One mapping in another form than the documented one is still one. */
const UNKNOWN = { roleName: "unknown role", ldapGroups: ["unknown group"], idpGroups: ["unknown group"] };

const organizationResponse = z.object({
  id: z.string(),
  name: z.string(),
  isDeleted: z.boolean().nullish().catch(undefined),
  ldapGroupMappings: z
    .array(z.object({ roleName: z.string(), ldapGroups: groups }).catch(UNKNOWN))
    .nullish()
    .catch(undefined),
  idpGroupMappings: z
    .array(z.object({ roleName: z.string(), idpGroups: groups }).catch(UNKNOWN))
    .nullish()
    .catch(undefined),
});

export type OrganizationResponse = z.output<typeof organizationResponse>;

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
