/** Names recorded invitations that have expired, so that nobody is suspected of deleting them. */

import { formatNotice } from "../../text/notices";
import type { Context } from "../contract/resource";
import type { PeoplePlace } from "./place";

/** What a resource has recorded of an invited person. */
interface RecordedPerson {
  readonly status?: string | undefined;
  readonly username?: string | undefined;
  readonly invitationId?: string | undefined;
  /** ISO 8601. */
  readonly expiresAt?: string | undefined;
}

const subjects = {
  project: "invitation",
  organization: "organization people",
} as const satisfies Record<PeoplePlace["kind"], string>;

/**
 * Logs that the invitation of a person whom no list has any more is past its end. An invitation that
 * ended before was deleted or accepted, and nothing is logged.
 */
export function announceExpiry(
  { status, username, invitationId, expiresAt }: RecordedPerson,
  { kind, id }: Pick<PeoplePlace, "kind" | "id">,
  { session, log }: Pick<Context, "session" | "log">,
): void {
  if (status !== "pending" || invitationId === undefined || expiresAt === undefined) return;
  if (!(Date.parse(expiresAt) <= session.client.now())) return;
  log.info(
    formatNotice(
      { code: "expired", subject: subjects[kind], projectId: id, invitationId },
      `The invitation of ${username ?? invitationId} to ${kind} ${id} expired on ${expiresAt}. If the program still declares them, pulumi up invites them again.`,
    ),
  );
}
