/**
 * Warns once for each project whose people cannot be read. The state retains the last known values.
 */
import { messageOf } from "../../errors";
import { formatNotice } from "../../notices";
import type { Absence } from "../absence";
import type { ProjectContext } from "../resource";

export function warnOfUnread(
  absence: Exclude<Absence, "deleted">,
  error: unknown,
  { log, projectId }: ProjectContext,
): "unknown" {
  const about = { subject: "people", projectId } as const;
  log.warn(
    absence === "unreadable"
      ? formatNotice(
          { code: "unreadable", ...about },
          `The people of project ${projectId} cannot be read with this API key, so the state retains the last known values: ${messageOf(error)}`,
        )
      : formatNotice(
          { code: "missing operation", ...about },
          `This service does not offer listing the people of a project (GET /groups/{id}/users), so the state of the people of project ${projectId} retains the last known values and drift is not detected. If it is a complete Ops Manager or Cloud Manager, check baseUrl.`,
        ),
  );
  return "unknown";
}
