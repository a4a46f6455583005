import { z } from "zod";
import type { ApiClient } from "../../api/client";
import { listProjectsOfOrganization } from "../../api/organizations";
import { listProjects, type ProjectResponse } from "../../api/projects";
import { objectId } from "../contract/fields";
import { defineListing } from "../contract/listing";

export const projectListing = defineListing(
  z.strictObject({
    orgId: objectId("the id of an organization").optional().meta({
      description:
        "Only projects of this organization, 24 hexadecimal digits. If omitted, all projects that the API key can see.",
    }),
  }),
  async ({ orgId }, { session, signal }) => {
    const projects = await visibleProjects(orgId, session.client, signal);
    return projects.map(({ id, name }) => ({ id, name }));
  },
);

/** The projects that the API key can see, of one organization or of all. */
export async function visibleProjects(
  orgId: string | undefined,
  client: ApiClient,
  signal: AbortSignal,
): Promise<readonly ProjectResponse[]> {
  return orgId === undefined
    ? listProjects(client, signal)
    : listProjectsOfOrganization(client, orgId, undefined, signal);
}
