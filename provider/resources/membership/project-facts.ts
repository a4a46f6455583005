/** What a place's record says of the project itself. */
import { ApiError } from "../../errors";
import type { Context } from "../resource";

export interface ProjectFacts {
  readonly orgId?: string | undefined;
  readonly groupName?: string | undefined;
}

/** The organization and name of the project, as far as the service tells; else what is recorded. */
export async function factsOf(
  projectId: string,
  { session, signal }: Context,
  recorded: ProjectFacts = {},
): Promise<ProjectFacts> {
  try {
    const project = await session.projectCache.project(projectId, signal);
    if (project) return { orgId: project.orgId, groupName: project.name };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
  return { orgId: recorded.orgId, groupName: recorded.groupName };
}
