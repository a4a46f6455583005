/** Calls below `/orgs`. */
import { ApiError } from "../errors";
import type { ApiClient } from "./client";
import { type ProjectAnswer, projectAnswer } from "./projects";

/**
 * Projects of one organization that this key can see.
 *
 * @param name only projects whose name begins so, in any case: the service's filter is a prefix match, so callers who
 *   want one name compare exactly
 */
export async function listProjectsOfOrganization(
  client: ApiClient,
  orgId: string,
  name?: string,
  signal?: AbortSignal,
): Promise<ProjectAnswer[]> {
  return client.list({
    action: `Listing the projects of organization ${orgId}`,
    method: "GET",
    path: ["orgs", orgId, "groups"],
    query: { name },
    answer: projectAnswer,
    signal,
  });
}

/**
 * The projects of one organization that have exactly this name. Names are unique in most versions, but not in all.
 */
export async function findProjectsByName(
  client: ApiClient,
  { orgId, name }: { readonly orgId: string; readonly name: string },
  signal?: AbortSignal,
): Promise<ProjectAnswer[]> {
  try {
    const candidates = await listProjectsOfOrganization(client, orgId, name, signal);
    return candidates.filter((candidate) => candidate.name === name && candidate.orgId === orgId);
  } catch (error) {
    // Some versions answer so where others answer an empty list.
    if (error instanceof ApiError && error.errorCode === "GROUP_NAME_NOT_FOUND") return [];
    throw error;
  }
}
