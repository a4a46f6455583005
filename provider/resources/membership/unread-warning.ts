/** People who cannot be looked at keep their last known state, and one warning for the project says why. */
import { messageOf } from "../../errors";
import { formatNotice } from "../../notices";
import type { Absence } from "../absence";
import type { Context } from "../resource";

export function warnOfUnread(
  absence: Exclude<Absence, "gone">,
  projectId: string,
  error: unknown,
  { log }: Pick<Context, "log">,
): void {
  const about = { subject: "people", projectId } as const;
  log.warn(
    absence === "unreadable"
      ? formatNotice(
          { code: "unreadable", ...about },
          `The people of project ${projectId} cannot be read with this API key, so their last known state is kept: ${messageOf(error)}`,
        )
      : formatNotice(
          { code: "missing operation", ...about },
          `This service does not offer listing the people of a project (GET /groups/{id}/users), so the last known state of those in project ${projectId} is kept and drift cannot be seen. If it is a complete Ops Manager or Cloud Manager, check baseUrl.`,
        ),
  );
}
