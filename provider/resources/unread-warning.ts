/** Warns of something that cannot be read. The state retains the last known values. */
import { messageOf } from "../errors";
import { formatNotice, type NoticeSubject } from "../notices";
import type { Absence } from "./absence";
import type { Log } from "./resource";

interface Unread {
  readonly subject: NoticeSubject;
  /** ID of the project or organization that has it. */
  readonly ownerId: string;
  /** `people of project 5f0000000000000000000001` */
  readonly what: string;
  /**
   * What a service would have to offer: `listing the people of a project (GET /groups/{id}/users)`.
   */
  readonly operation: string;
}

export function warnOfUnread(
  absence: Exclude<Absence, "deleted">,
  error: unknown,
  { subject, ownerId, what, operation }: Unread,
  log: Log,
): "unknown" {
  const about = { subject, projectId: ownerId };
  log.warn(
    absence === "unreadable"
      ? formatNotice(
          { code: "unreadable", ...about },
          `The ${what} cannot be read with this API key, so the state retains the last known values: ${messageOf(error)}`,
        )
      : formatNotice(
          { code: "missing operation", ...about },
          `This service does not offer ${operation}, so the state of the ${what} retains the last known values and drift is not detected. If it is a complete Ops Manager or Cloud Manager, check baseUrl.`,
        ),
  );
  return "unknown";
}
