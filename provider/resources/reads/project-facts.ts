/** The organization and name of the project, for the record of a member. */

import { ApiError } from "../../text/errors";
import type { ProjectContext } from "../contract/resource";
import { ProjectCache } from "./projects";

export interface ProjectFacts {
  readonly orgId?: string | undefined;
  readonly groupName?: string | undefined;
}

/** The values of the service, or the recorded ones if the service does not show them. */
export async function factsOf(
  { session, signal, projectId }: Pick<ProjectContext, "session" | "signal" | "projectId">,
  recorded: ProjectFacts = {},
): Promise<ProjectFacts> {
  try {
    const project = await session
      .of(ProjectCache)
      .read(projectId, recorded.orgId, () => "sufficient", signal);
    return { orgId: project.orgId, groupName: project.name };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
  return { orgId: recorded.orgId, groupName: recorded.groupName };
}
