/** Calls below `/orgs`. */
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
