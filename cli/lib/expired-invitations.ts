/** Invitations that have expired: the cause of a difference that no one made. Pure. */

import { sameName } from "../../provider/access/person";
import { parsePath } from "../../provider/resources/contract/property-path";
import { parseNotice } from "../../provider/text/notices";
import type { Difference } from "./difference-subjects";
import type { Diagnostic } from "./engine-events";
import { invitationsOf, type RecordedInvitation } from "./own-resources";

/** The IDs of the invitations that the provider reported as expired. It knows the clock of the service. */
export function expiredIn(diagnostics: readonly Diagnostic[]): ReadonlySet<string> {
  return new Set(
    diagnostics.flatMap(({ message }) => {
      const notice = parseNotice(message);
      return notice?.code === "expired" ? (notice.invitationId ?? []) : [];
    }),
  );
}

/**
 * When the invitation expired whose person is missing by a difference; `undefined` if none did.
 *
 * @param recorded the outputs of the state
 * @param expired the IDs of `expiredIn`
 */
export function expiryOf(
  difference: Pick<Difference, "type" | "kind" | "property">,
  recorded: Readonly<Record<string, unknown>>,
  expired: ReadonlySet<string>,
): string | undefined {
  const invitations = invitationsOf(difference.type, recorded);
  const own = invitations.filter(({ invitationId }) => expired.has(invitationId.toLowerCase()));
  const at = own.find(isOf(difference))?.expiresAt;
  return at && new Date(at).toISOString();
}

/** Whether the difference is that the invited person is not there. */
function isOf({
  kind,
  property,
}: Pick<Difference, "kind" | "property">): (one: RecordedInvitation) => boolean {
  const [, name, ...within] = parsePath(property);
  if (property === "") return () => kind === "deleted";
  const isMissing = kind === "removed" && typeof name === "string" && within.length === 0;
  return ({ names }) => isMissing && names.some((each) => sameName(each, String(name)));
}
