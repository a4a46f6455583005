/** Outputs that describe people: of a place, and as a list records them. */
import { z } from "zod";
import type { Identity } from "../../access/person";
import type { Frozen } from "./border";
import { knownTexts } from "./canonical";
import { recordsIn, textIn } from "./declared";
import { optionalText, requiredText, roleTexts } from "./fields";
import { projectRoles } from "./roles";
import type { Value } from "./values";

/** The account in a resource's record. */
export const recordedUserId = optionalText(
  "ID of the account, 24 hexadecimal digits. While `pending`, present only if the account was known when it was invited.",
);

/** The pending invitation in the record of one person. */
export const recordedInvitation = {
  invitationId: optionalText("ID of the invitation while it is pending, 24 hexadecimal digits."),
  createdAt: optionalText("When the pending invitation was sent: ISO 8601, UTC."),
  expiresAt: optionalText("When the pending invitation expires: ISO 8601, UTC."),
  inviterUsername: optionalText("User or API key that sent the pending invitation."),
};

/** The organization in the record of what belongs to a project. */
export const recordedOrgId = optionalText(
  "ID of the organization that has the project, 24 hexadecimal digits, if the service shows it.",
);

/** The roles in a resource's record that are those of teams. */
export const shownTeamRoles = z.array(z.string().meta(projectRoles.suggestions)).optional().meta({
  description:
    "Project roles that come through a team and that the service shows among the roles of the person, sorted; absent if it shows none.",
});

export const memberOutputFields = {
  userId: optionalText("ID of the account, 24 hexadecimal digits; absent while `pending`."),
  invitationId: optionalText("ID of the pending invitation, 24 hexadecimal digits, if there is one."),
  createdAt: optionalText("When the invitation was sent: ISO 8601, UTC."),
  expiresAt: optionalText("When the invitation expires: ISO 8601, UTC."),
};

export const memberDetail = z
  .object({
    username: requiredText("Name of the person as the service spells it."),
    status: z
      .enum(["active", "pending"])
      .meta({ description: "`active`: in the project. `pending`: invited, not yet accepted." }),
    roles: roleTexts("Project roles, sorted."),
    teamRoles: shownTeamRoles,
    ...memberOutputFields,
    userId: recordedUserId,
    declared: z.boolean().meta({
      description: "Whether this resource declares the person, by its last create, update or import.",
    }),
    declaredAs: optionalText("The name in the program, where the account has been renamed since."),
    ignored: z.boolean().meta({ description: "Whether `ignoreUsers` leaves the person to others." }),
  })
  .meta({ typeName: "ProjectMemberDetail", description: "One person of a project." });

export type MemberDetail = Frozen<z.output<typeof memberDetail>>;

export const teamPerson = z
  .object({
    userId: requiredText("ID of the account, 24 hexadecimal digits."),
    username: requiredText("Name of the person as the service spells it."),
    declared: z.boolean().meta({
      description: "Whether this resource declares the person, by its last create, update or import.",
    }),
    declaredAs: optionalText("The name in the program, where it is not the name of the account."),
  })
  .meta({ typeName: "TeamPerson", description: "One person of a team." });

export type TeamPerson = Frozen<z.output<typeof teamPerson>>;

/** A person in the record of a list of people. */
export type RecordedPerson = Identity &
  Pick<MemberDetail, "username" | "roles" | "declared"> & {
    readonly declaredAs?: string | undefined;
    readonly status?: MemberDetail["status"] | undefined;
  };

/**
 * The people in the record of a project or team.
 *
 * @param details as the state holds them; a state that hides secrets may hide all of them
 */
export function recordedPeople(details: Value | undefined): RecordedPerson[] {
  return recordsIn(details).flatMap((detail): RecordedPerson[] => {
    const username = textIn(detail, "username");
    if (username === undefined) return [];
    const { status, declared } = detail;
    return [
      {
        username,
        userId: textIn(detail, "userId"),
        invitationId: textIn(detail, "invitationId"),
        declared: declared === true,
        declaredAs: textIn(detail, "declaredAs"),
        status: status === "active" || status === "pending" ? status : undefined,
        roles: knownTexts(detail.roles),
      },
    ];
  });
}
