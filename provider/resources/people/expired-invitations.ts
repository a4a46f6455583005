/** Names recorded invitations that have expired, so that no one is blamed for their end. */

import { formatNotice } from "../../text/notices";
import type { Context } from "../contract/resource";

/** What a resource has recorded of an invited person. */
interface RecordedPerson {
  readonly status?: string | undefined;
  readonly username?: string | undefined;
  readonly invitationId?: string | undefined;
  /** ISO 8601. */
  readonly expiresAt?: string | undefined;
}

type InvitedTo = { readonly projectId: string } | { readonly orgId: string };

/**
 * Logs that the invitation of a person whom no list has any more is past its end. An invitation that
 * ended before was deleted or accepted, and nothing is logged.
 */
export function announceExpiry(
  { status, username, invitationId, expiresAt }: RecordedPerson,
  to: InvitedTo,
  { session, log }: Pick<Context, "session" | "log">,
): void {
  if (status !== "pending" || invitationId === undefined || expiresAt === undefined) return;
  if (!(Date.parse(expiresAt) <= session.client.now())) return;
  const [place, subject, projectId] =
    "orgId" in to
      ? [`organization ${to.orgId}`, "organization people" as const, to.orgId]
      : [`project ${to.projectId}`, "invitation" as const, to.projectId];
  log.info(
    formatNotice(
      { code: "expired", subject, projectId, invitationId },
      `The invitation of ${username ?? invitationId} to ${place} expired on ${expiresAt}. If the program still declares them, pulumi up invites them again.`,
    ),
  );
}
