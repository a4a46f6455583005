/** The accounts that can be in a team. */

import { sameName } from "../../access/person";
import { RefusedError } from "../../text/errors";
import type { TeamPerson } from "../contract/people-outputs";
import type { Context } from "../contract/resource";
import { Refusal } from "../evidence/refusal";
import { accountByName } from "../people/accounts";
import { type OrganizationAccount, OrganizationPeopleCache } from "../reads/organization-people";
import type { Purpose } from "../session/shared-reads";

/**
 * The accounts of names that no one in the team has, as recorded under these names. Only accounts of the organization can be in its teams,
 * so their list decides. A person may have joined since it was read, so a list without one of the names is
 * read again. Without a list, accounts are looked up one by one.
 *
 * @param purpose for a write, the list is read after this call: accounts are renamed
 * @throws RefusedError that names all people who have no account, or cannot be looked up
 */
export async function accountsOf(
  usernames: readonly string[],
  teamName: string,
  orgId: string,
  purpose: Purpose,
  context: Context,
): Promise<readonly TeamPerson[]> {
  if (usernames.length === 0) return [];
  const { session, signal } = context;
  const { accounts } = session.of(OrganizationPeopleCache);
  const accountIn = (list: readonly OrganizationAccount[], name: string) =>
    list.find(({ username }) => sameName(username, name));
  const shared = purpose === "writing" ? undefined : await accounts.shared(orgId, signal);
  const isEnough =
    shared instanceof Refusal || (shared && usernames.every((name) => accountIn(shared, name)));
  const users = isEnough ? shared : await accounts.fresh(orgId, signal);
  const lookUp = async (name: string): ReturnType<typeof accountByName> => {
    if (users instanceof Refusal) return accountByName(name, context);
    const user = accountIn(users, name);
    return user ? { userId: user.userId, username: user.username } : "none";
  };
  const lookups = await Promise.all(usernames.map(async (name) => [name, await lookUp(name)] as const));
  const absent = lookups.filter(([, account]) => typeof account === "string").map(([name]) => name);
  if (absent.length > 0) {
    const isUnknown = lookups.some(([, account]) => account === "unknown");
    throw new RefusedError(
      isUnknown
        ? `Team "${teamName}" was not changed: ${absent.join(", ")} cannot be looked up. These credentials need the role Organization Owner, which may list the people of the organization.`
        : `Team "${teamName}" was not changed: organization ${orgId} has no account with the name ${absent.join(", ")}. A team takes only people who have accepted an invitation to its organization. To invite them, declare an OrganizationMember for each, and run pulumi up again once they have accepted.`,
    );
  }
  return lookups.flatMap(([name, account]) =>
    typeof account === "string" ? [] : [{ ...account, declared: false, declaredAs: name }],
  );
}
