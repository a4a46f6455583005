/** The people of a team of an organization, as recorded. Pure. */
import { z } from "zod";
import { listedName, sameName } from "../../access/person";
import type { UserResponse } from "../../api/users";
import type { Frozen } from "../contract/border";
import { optionalText, requiredText } from "../contract/fields";
import { inOrder } from "../contract/values";

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

/** A person of a team, as recorded. */
export type TeamPerson = Frozen<z.output<typeof teamPerson>>;

/**
 * The people of a team with what is recorded about them. An account that was renamed since keeps
 * the name by which it was declared.
 */
export function withRecorded(users: readonly UserResponse[], recorded: readonly TeamPerson[]): TeamPerson[] {
  const before = new Map(recorded.map((person) => [person.userId, person]));
  return users
    .map(({ id: userId, username }): TeamPerson => {
      const known = before.get(userId);
      const declaredName = known?.declared ? listedName(known) : undefined;
      const declaredAs = sameName(declaredName, username) ? undefined : declaredName;
      return { userId, username, declared: known?.declared ?? false, declaredAs };
    })
    .sort((one, other) => inOrder(one.username, other.username));
}
