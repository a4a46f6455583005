/**
 * The eight documented fields of an invitation, the same in every lookup that returns invitations.
 */
import { z } from "zod";
import type { InvitationResponse } from "../api/invitations";
import type { KnownOf } from "../resources/contract/border";
import { requiredText, roleTexts } from "../resources/contract/fields";
import { inOrder } from "../resources/contract/values";

export const invitationFields = z
  .object({
    id: requiredText("ID of the invitation, 24 hexadecimal digits."),
    groupId: requiredText("ID of the project, 24 hexadecimal digits."),
    groupName: requiredText("Name of the project."),
    createdAt: requiredText("When the invitation was sent: ISO 8601, UTC."),
    expiresAt: requiredText("When the invitation expires, 30 days later: ISO 8601, UTC."),
    inviterUsername: requiredText("User or API key that sent the invitation."),
    roles: roleTexts("Project roles on acceptance, sorted."),
    username: requiredText("E-mail address that was invited; becomes the username on acceptance."),
  })
  .meta({ typeName: "ProjectInvitation", description: "A pending invitation to a project." });

export function toInvitationOutput({
  teamIds: _,
  ...response
}: InvitationResponse): KnownOf<typeof invitationFields> {
  return { ...response, roles: [...response.roles].sort(inOrder) };
}
