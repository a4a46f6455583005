/** The properties of a project in lookups, the same for one project and for several. */
import { z } from "zod";
import type { ApiClient } from "../api/client";
import { getProject, type ProjectResponse } from "../api/projects";
import type { KnownOf } from "../resources/contract/border";
import { requiredText } from "../resources/contract/fields";
import { projectRoles } from "../resources/contract/roles";
import { meaningOf } from "../resources/evidence/meaning";
import { mappingOutputs } from "../resources/managed/group-mappings";

export const projectFields = {
  projectId: requiredText("ID of the project, 24 hexadecimal digits."),
  orgId: requiredText("ID of the organization to which it belongs, 24 hexadecimal digits."),
  name: requiredText("Name of the project."),
  tags: z
    .array(z.string())
    .optional()
    .meta({ description: "Tags, sorted; absent where the service does not show them to the API key." }),
  ...mappingOutputs(projectRoles),
};

export type ProjectOutput = KnownOf<z.ZodObject<typeof projectFields>>;

/**
 * Reads a single project. The list of one organization is documented without tags and LDAP
 * mappings, so an entry without one of them does not show its value.
 *
 * @returns `undefined` if this key or this service offers no such read
 */
export async function readSingly(
  client: ApiClient,
  projectId: string,
  signal: AbortSignal,
): Promise<ProjectResponse | undefined> {
  try {
    return await getProject(client, projectId, signal);
  } catch (error) {
    if (meaningOf(error) === "failure") throw error;
    return undefined;
  }
}
