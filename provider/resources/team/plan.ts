/** Which people are to be added to a team and removed from it. */
import type { TeamName } from "../../api/teams";
import { RefusedError } from "../../errors";
import { foldName, sameName } from "../membership/membership";
import { type Account, accountByName } from "../membership/write";
import type { Context } from "../resource";
import { listedName, type TeamPerson } from "./state";

export interface TeamPlan {
  /** The account of each declared name. */
  readonly declared: ReadonlyMap<string, Account>;
  readonly additions: readonly Account[];
  readonly removals: readonly TeamPerson[];
  /** People of the team who are not listed and stay. */
  readonly staying: readonly TeamPerson[];
}

/**
 * @param usernames the declared people
 * @param people of the team, with what is recorded about them
 * @param removeUnlisted also people whom this resource never declared leave
 * @throws RefusedError that names all people who have no account, or cannot be looked up
 */
export async function planPeople(
  { teamName }: Pick<TeamName, "teamName">,
  usernames: readonly string[],
  people: readonly TeamPerson[],
  removeUnlisted: boolean,
  context: Context,
): Promise<TeamPlan> {
  const found = new Map(usernames.map((name) => [name, personNamed(name, people)]));
  const missing = usernames.filter((name) => found.get(name) === undefined);
  const accounts = await accountsOf(teamName, missing, context);
  const declared = new Map(
    usernames.flatMap((name): [string, Account][] => {
      const account = found.get(name) ?? accounts.get(name);
      return account === undefined ? [] : [[name, account]];
    }),
  );
  refuseTwice(teamName, declared);
  const wanted = new Set([...declared.values()].map(({ userId }) => userId));
  const present = new Set(people.map(({ userId }) => userId));
  const others = people.filter(({ userId }) => !wanted.has(userId));
  const leaves = (person: TeamPerson) => removeUnlisted || person.declared;
  return {
    declared,
    additions: [...declared.values()].filter(({ userId }) => !present.has(userId)),
    removals: others.filter(leaves),
    staying: others.filter((person) => !leaves(person)),
  };
}

/** The person whom this resource declared by the name, else the one who has it now. */
function personNamed(name: string, people: readonly TeamPerson[]): TeamPerson | undefined {
  return (
    people.find((person) => person.declared && sameName(listedName(person), name)) ??
    people.find(({ username }) => sameName(username, name))
  );
}

async function accountsOf(
  teamName: string,
  usernames: readonly string[],
  context: Context,
): Promise<ReadonlyMap<string, Account>> {
  const lookups = await Promise.all(
    usernames.map(async (name) => [name, await accountByName(name, context)] as const),
  );
  const namesOf = (result: "none" | "unknown") =>
    lookups.filter(([, account]) => account === result).map(([name]) => name);
  const [absent, unknown] = [namesOf("none"), namesOf("unknown")];
  const sentences = [
    ...(absent.length === 0
      ? []
      : [`No account has the name ${absent.join(", ")}: a team takes only people who have an account.`]),
    ...(unknown.length === 0
      ? []
      : [`This API key may not look up ${unknown.join(", ")}: it needs the role Organization Owner.`]),
  ];
  if (sentences.length > 0) {
    throw new RefusedError(`Team "${teamName}" was not changed. ${sentences.join(" ")}`);
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

/** The people after an update, each with the name by which the program lists them. */
export function asDeclared(
  people: readonly TeamPerson[],
  { declared }: Pick<TeamPlan, "declared">,
): TeamPerson[] {
  const names = new Map([...declared].map(([name, { userId }]) => [userId, name]));
  return people.map(({ userId, username }) => {
    const name = names.get(userId);
    return {
      userId,
      username,
      declared: name !== undefined,
      declaredAs: name === undefined || foldName(name) === foldName(username) ? undefined : name,
    };
  });
}
