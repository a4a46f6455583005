/** Warns once for each project whose people cannot be read. */
import type { Absence } from "../absence";
import type { ProjectContext } from "../resource";
import { warnOfUnread } from "../unread-warning";

export function warnOfUnreadPeople(
  absence: Exclude<Absence, "deleted">,
  error: unknown,
  { log, projectId }: ProjectContext,
): "unknown" {
  const what = `people of project ${projectId}`;
  const operation = "listing the people of a project (GET /groups/{id}/users)";
  return warnOfUnread(absence, error, { subject: "people", ownerId: projectId, what, operation }, log);
}
