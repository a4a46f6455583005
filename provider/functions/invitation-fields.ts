/**
 * The eight documented fields of an invitation, the same in every lookup that returns invitations.
 */
import { z } from "zod";
import type { InvitationAnswer } from "../api/invitations";
import type { KnownOf } from "../resources/border";
import { roleNames } from "../resources/roles";
import { inOrder } from "../resources/values";

export const invitationFields = z
  .object({
    id: z.string().meta({ description: "Id of the invitation, 24 hexadecimal digits." }),
    groupId: z.string().meta({ description: "Id of the project, 24 hexadecimal digits." }),
    groupName: z.string().meta({ description: "Name of the project." }),
    createdAt: z.string().meta({ description: "When the invitation was sent: ISO 8601, UTC." }),
    expiresAt: z.string().meta({ description: "When the invitation expires, 30 days later: ISO 8601, UTC." }),
    inviterUsername: z.string().meta({ description: "User or API key that sent the invitation." }),
    roles: z.array(z.string().meta(roleNames)).meta({ description: "Project roles on acceptance, sorted." }),
    username: z
      .string()
      .meta({ description: "E-mail address that was invited; becomes the username on acceptance." }),
  })
  .meta({ typeName: "ProjectInvitation", description: "A pending invitation to a project." });

export function toInvitation(answer: InvitationAnswer): KnownOf<typeof invitationFields> {
  return { ...answer, roles: [...answer.roles].sort(inOrder) };
}
