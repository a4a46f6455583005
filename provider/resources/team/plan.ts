/** Which people are to be added to a team and removed from it. */

import { foldName, nameOfTwo, sameName } from "../../access/person";
import type { UserResponse } from "../../api/users";
import { RefusedError } from "../../text/errors";
import type { Context } from "../contract/resource";
import { Refusal } from "../evidence/refusal";
import { never, noOne, protect } from "../people/protect";
import { resolver } from "../people/resolve";
import type { TeamPerson } from "../people/team-person";
import { type Account, accountByName } from "../people/write";
import { TeamCache } from "../reads/teams";
import type { Purpose } from "../session/shared-reads";

export interface TeamPlan {
  /** The account of each declared name. */
  readonly declared: ReadonlyMap<string, Account>;
  readonly additions: readonly Account[];
  readonly removals: readonly TeamPerson[];
  /** People of the team who are not listed and stay, without those who have a listed name now. */
  readonly staying: readonly TeamPerson[];
}

interface PlannedTeam {
  readonly orgId: string;
  /** For messages. */
  readonly teamName: string;
  /** For a write, the list of accounts is read after this call: accounts are renamed. */
  readonly purpose: Purpose;
  /** What is recorded of people who may not be in the team, because it is created again. */
  readonly recorded?: readonly TeamPerson[];
}

/**
 * @param usernames the declared people
 * @param people of the team, with what is recorded about them
 * @param removeUnlisted also people whom this resource never declared leave
 * @throws RefusedError that names all people who have no account, or cannot be looked up
 */
export async function planPeople(
  team: PlannedTeam,
  usernames: readonly string[],
  people: readonly TeamPerson[],
  removeUnlisted: boolean,
  context: Context,
): Promise<TeamPlan> {
  const present = new Set(people.map(({ userId }) => userId));
  const absent = (team.recorded ?? []).filter(({ userId, declared }) => declared && !present.has(userId));
  const known = [...people, ...absent];
  const personNamed = resolver(known, known);
  const missing = usernames.filter((name) => personNamed(name) === undefined);
  const accounts = await accountsOf(team, missing, context);
  const declared = new Map(
    usernames.flatMap((name): [string, Account][] => {
      const account = personNamed(name) ?? accounts.get(name);
      return account === undefined ? [] : [[name, account]];
    }),
  );
  refuseTwice(team.teamName, declared);
  const wanted = new Set([...declared.values()].map(({ userId }) => userId));
  const others = people.filter(({ userId }) => !wanted.has(userId));
  const holders = new Map([...declared].map(([name, account]) => [foldName(name), account]));
  const unlisted = protect(others, {
    isIgnored: never,
    isListedName: ({ username }) => holders.has(foldName(username)),
    isDeclared: (person) => person.declared,
    removeUnlisted,
    declarerOf: noOne,
  });
  for (const { username } of unlisted.keptBy("listed name")) {
    const holder = holders.get(foldName(username))?.username ?? username;
    context.log.warn(nameOfTwo(username, `team "${team.teamName}"`, holder));
  }
  return {
    declared,
    additions: [...declared.values()].filter(({ userId }) => !present.has(userId)),
    removals: unlisted.leaving,
    staying: unlisted.keptBy("undeclared"),
  };
}

/** A message about the people of a team who are not listed and stay. */
export function unlistedInTeam(teamName: string, staying: readonly TeamPerson[]): string | undefined {
  if (staying.length === 0) return undefined;
  const names = staying.map(({ username }) => username).join(", ");
  return `People of team "${teamName}" who are not listed stay in it: ${names}. To manage them, list them in usernames. To remove them, set removeUnlisted to true.`;
}

/**
 * Only accounts of the organization can be in its teams, so their list decides. A person may have
 * joined since it was read, so a list without one of the names is read again. Without a list,
 * accounts are looked up one by one.
 */
async function accountsOf(
  { teamName, orgId, purpose }: PlannedTeam,
  usernames: readonly string[],
  context: Context,
): Promise<ReadonlyMap<string, Account>> {
  if (usernames.length === 0) return new Map();
  const { session, signal } = context;
  const { usersOfOrganization } = session.of(TeamCache);
  const accountIn = (list: readonly UserResponse[], name: string) =>
    list.find(({ username }) => sameName(username, name));
  const shared = purpose === "writing" ? undefined : await usersOfOrganization.shared(orgId, signal);
  const isEnough =
    shared instanceof Refusal || (shared && usernames.every((name) => accountIn(shared, name)));
  const users = isEnough ? shared : await usersOfOrganization.fresh(orgId, signal);
  const lookUp = async (name: string): ReturnType<typeof accountByName> => {
    if (users instanceof Refusal) return accountByName(name, context);
    const user = accountIn(users, name);
    return user ? { userId: user.id, username: user.username } : "none";
  };
  const lookups = await Promise.all(usernames.map(async (name) => [name, await lookUp(name)] as const));
  const absent = lookups.filter(([, account]) => typeof account === "string").map(([name]) => name);
  if (absent.length > 0) {
    const isUnknown = lookups.some(([, account]) => account === "unknown");
    throw new RefusedError(
      isUnknown
        ? `Team "${teamName}" was not changed. ${absent.join(", ")} cannot be looked up. These credentials need the role Organization Owner, which may list the people of the organization.`
        : `Team "${teamName}" was not changed. Organization ${orgId} has no account with the name ${absent.join(", ")}: a team takes only people who have accepted an invitation to its organization.`,
    );
  }
  return new Map(
    lookups.flatMap(([name, account]) => (typeof account === "string" ? [] : [[name, account] as const])),
  );
}

/** Two names of one account: the second would count as unlisted later. */
function refuseTwice(teamName: string, declared: ReadonlyMap<string, Account>): void {
  const byAccount = Map.groupBy(declared, ([, { userId }]) => userId);
  const twice = [...byAccount.values()].filter((entries) => entries.length > 1);
  if (twice.length === 0) return;
  const sentences = twice.map((entries) => {
    const names = entries.map(([name]) => `"${name}"`);
    return `${names.join(" and ")} are one account, which is ${entries[0]?.[1].username} now.`;
  });
  throw new RefusedError(
    `usernames of team "${teamName}" names one person twice: ${sentences.join(" ")} Remove one of the names. Nothing was written.`,
  );
}

/**
 * The people after an update, each with the name by which the program lists them. Declared people
 * stay declared until they are removed, so a failed removal is repeated.
 */
export function asDeclared(
  people: readonly TeamPerson[],
  { declared, removals }: Pick<TeamPlan, "declared" | "removals">,
): TeamPerson[] {
  const names = new Map([...declared].map(([name, { userId }]) => [userId, name]));
  const leaving = new Set(removals.map(({ userId }) => userId));
  return people.map((person) => {
    const { userId, username } = person;
    if (leaving.has(userId)) return person;
    const name = names.get(userId);
    return {
      userId,
      username,
      declared: name !== undefined,
      declaredAs: name === undefined || foldName(name) === foldName(username) ? undefined : name,
    };
  });
}
