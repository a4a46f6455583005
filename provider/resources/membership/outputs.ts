/** Outputs that describe a member or an invited person. */
import { z } from "zod";
import type { Frozen } from "../border";
import { roleNames } from "../roles";

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

export const memberDetail = z
  .object({
    username: z.string().meta({ description: "Name of the person as the service spells it." }),
    status: z
      .enum(["active", "pending"])
      .meta({ description: "`active`: in the project. `pending`: invited, not yet accepted." }),
    roles: z.array(z.string().meta(roleNames)).meta({ description: "Project roles, sorted." }),
    ...memberOutputFields,
    userId: recordedUserId,
    declared: z.boolean().meta({
      description: "Whether this resource declares the person, by its last create, update or import.",
    }),
    declaredAs: z.string().optional().meta({
      description: "The name in the program, where the account has been renamed since.",
    }),
    ignored: z.boolean().meta({ description: "Whether `ignoreUsers` leaves the person to others." }),
  })
  .meta({ typeName: "ProjectMemberDetail", description: "One person of a project." });

export type MemberDetail = Frozen<z.output<typeof memberDetail>>;
