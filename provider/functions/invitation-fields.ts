/**
 * The eight documented fields of an invitation, the same in every lookup that returns invitations.
 */
import { z } from "zod";
import type { InvitationResponse } from "../api/invitations";
import type { KnownOf } from "../resources/border";
import { roleTexts, text } from "../resources/fields";
import { inOrder } from "../resources/values";

export const invitationFields = z
  .object({
    id: text("Id of the invitation, 24 hexadecimal digits."),
    groupId: text("Id of the project, 24 hexadecimal digits."),
    groupName: text("Name of the project."),
    createdAt: text("When the invitation was sent: ISO 8601, UTC."),
    expiresAt: text("When the invitation expires, 30 days later: ISO 8601, UTC."),
    inviterUsername: text("User or API key that sent the invitation."),
    roles: roleTexts("Project roles on acceptance, sorted."),
    username: text("E-mail address that was invited; becomes the username on acceptance."),
  })
  .meta({ typeName: "ProjectInvitation", description: "A pending invitation to a project." });

export function toInvitation(response: InvitationResponse): KnownOf<typeof invitationFields> {
  return { ...response, roles: [...response.roles].sort(inOrder) };
}
