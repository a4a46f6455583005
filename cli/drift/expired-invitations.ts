/** Invitations that have expired: a difference that nobody made. Pure. */

import { sameName } from "../../provider/access/person";
import { parsePath } from "../../provider/resources/contract/property-path";
import { parseNotice } from "../../provider/text/notices";
import type { EngineRun } from "../lib/engine-events";
import { type RecordedInvitation, treatmentOf } from "../lib/own-resources";
import type { StackState } from "../lib/stacks";
import type { Finding } from "./report/model";

/**
 * The findings with the cause of those who are no longer invited, because the provider reported that the
 * recorded invitation has expired. It knows the clock of the service.
 */
export function withExpiredInvitations(
  findings: readonly Finding[],
  { diagnostics }: Pick<EngineRun, "diagnostics">,
  { resources }: Pick<StackState, "resources">,
): Finding[] {
  const expired = new Set(
    diagnostics.flatMap(({ message }) => {
      const notice = parseNotice(message);
      return notice?.code === "expired" ? (notice.invitationId ?? []) : [];
    }),
  );
  if (expired.size === 0) return [...findings];
  const invitations = new Map(
    resources.map(({ urn, type, outputs }) => [
      urn,
      treatmentOf(type)
        ?.invitations(outputs ?? {})
        .filter(({ invitationId }) => expired.has(invitationId.toLowerCase())) ?? [],
    ]),
  );
  return findings.map((finding) => {
    const expiredAt = invitations.get(finding.urn)?.find(isOf(finding))?.expiresAt;
    if (finding.cause !== "outside" || expiredAt === undefined) return finding;
    return { ...finding, cause: "expired", expiredAt: new Date(expiredAt).toISOString() };
  });
}

/** Whether the difference is that the invited person is not there. */
function isOf({ kind, property }: Finding): (invitation: RecordedInvitation) => boolean {
  const [, name, ...within] = parsePath(property);
  if (property === "") return () => kind === "deleted";
  const isMissing = kind === "removed" && typeof name === "string" && within.length === 0;
  return ({ names }) => isMissing && names.some((each) => sameName(each, String(name)));
}
