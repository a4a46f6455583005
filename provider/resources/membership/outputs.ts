/** What lists of people say of each, beside the name, the stage and the roles. */
import { z } from "zod";

/** The account in a resource's record. */
export const recordedUserId = z.string().optional().meta({
  description:
    "Id of the account, 24 hexadecimal digits. While `pending`, present only if the account was known when it was invited.",
});

export const memberOutputFields = {
  userId: z
    .string()
    .optional()
    .meta({ description: "Id of the account, 24 hexadecimal digits; absent while `pending`." }),
  invitationId: z
    .string()
    .optional()
    .meta({ description: "Id of the pending invitation, 24 hexadecimal digits, if there is one." }),
  createdAt: z.string().optional().meta({ description: "When the invitation was sent: ISO 8601, UTC." }),
  expiresAt: z.string().optional().meta({ description: "When the invitation expires: ISO 8601, UTC." }),
};
