/** Which people are to be added to a team and removed from it. */

import { foldName, nameOfTwo, sameName } from "../../access/person";
import type { UserResponse } from "../../api/users";
import { RefusedError } from "../../text/errors";
import { knownTexts } from "../contract/canonical";
import { textIn } from "../contract/declared";
import type { Context, ReadPeople } from "../contract/resource";
import { hasUnknown, type Properties } from "../contract/values";
import { Refusal } from "../evidence/refusal";
import { type PeoplePlan, planPeople, refuseTwice } from "../lists/plan";
import { type RecordedPerson, recordedPeople } from "../people/outputs";
import { never, noOne } from "../people/protect";
import { resolve } from "../people/resolve";
import type { TeamPerson } from "../people/team-person";
import { type Account, accountByName } from "../people/write";
import { TeamCache } from "../reads/teams";
import type { Purpose } from "../session/shared-reads";

export interface TeamPlan {
  /** The account of each declared name. */
  readonly named: ReadonlyMap<string, TeamPerson>;
  readonly additions: readonly TeamPerson[];
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
  readonly recorded: readonly TeamPerson[];
  /** The declared people. */
  readonly usernames: readonly string[];
  /** Whether people leave whom this resource never declared. */
  readonly removeUnlisted: boolean;
}

/**
 * @param people of the team, with what is recorded about them
 * @throws RefusedError that names all people who have no account, or cannot be looked up
 */
export async function planTeam(
  team: PlannedTeam,
  people: readonly TeamPerson[],
  context: Context,
): Promise<TeamPlan> {
  const { teamName, usernames, recorded, removeUnlisted } = team;
  const isPresent = presence(people);
  const absent = recorded.filter((person) => person.declared && !isPresent(person));
  const known = [...people, ...absent];
  const accounts = await accountsOf(team, resolve(usernames, known, known).missing, context);
  const isKnown = presence(known);
  const lookedUp = [...accounts].map(([name, account]) => ({
    ...account,
    declared: false,
    declaredAs: name,
  }));
  const plan = planPeople(
    {
      names: usernames,
      people,
      elsewhere: [...absent, ...lookedUp.filter((account) => !isKnown(account))],
      recorded: [...known, ...lookedUp],
    },
    { isIgnored: never, isDeclared: ({ declared }) => declared, removeUnlisted, declarerOf: noOne },
  );
  refuseTwice("usernames", `team "${teamName}"`, plan);
  warnOfNamesakes(teamName, plan, context);
  return {
    named: plan.found,
    additions: usernames.flatMap((name) => plan.found.get(name) ?? []).filter((one) => !isPresent(one)),
    removals: plan.leaving,
    staying: plan.keptBy("undeclared"),
  };
}

function presence(people: readonly TeamPerson[]): (person: Pick<TeamPerson, "userId">) => boolean {
  const userIds = new Set(people.map(({ userId }) => userId));
  return ({ userId }) => userIds.has(userId);
}

/** Warns of accounts that have a listed name now, while the program means others. */
function warnOfNamesakes(
  teamName: string,
  { found, keptBy }: Pick<PeoplePlan<TeamPerson>, "found" | "keptBy">,
  { log }: Context,
): void {
  const holders = new Map([...found].map(([name, person]) => [foldName(name), person.username]));
  for (const { username } of keptBy("listed name")) {
    log.warn(nameOfTwo(username, `team "${teamName}"`, holders.get(foldName(username)) ?? username));
  }
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

/**
 * The people after an update, each with the name by which the program lists them. Declared people
 * stay declared until they are removed, so a failed removal is repeated.
 */
export function asDeclared(
  people: readonly TeamPerson[],
  { named, removals }: Pick<TeamPlan, "named" | "removals">,
): TeamPerson[] {
  const names = new Map([...named].map(([name, { userId }]) => [userId, name]));
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

/** Who is in the team by the last read, and what an update does with them. A deletion removes no one by itself: whoever is in the team loses it with the team. */
export function readPeople(state: Properties, inputs: Properties | undefined): ReadPeople {
  const orgId = textIn(state, "orgId");
  if (orgId === undefined) return { present: [], leaving: [], undeclared: [] };
  const people = recordedPeople(state.people);
  const place = { kind: "team", id: textIn(state, "teamId"), name: textIn(state, "name"), orgId } as const;
  const accessOfAll = (persons: readonly RecordedPerson[]) =>
    persons.map(({ userId, username }) => ({
      holder: { kind: "person", userId, username } as const,
      place,
    }));
  const present = accessOfAll(people);
  if (inputs === undefined || hasUnknown(inputs.usernames)) return { present, leaving: [], undeclared: [] };
  const names = knownTexts(inputs.usernames);
  const { leaving, keptBy } = planRecorded(people, names, inputs.removeUnlisted === true);
  return { present, leaving: accessOfAll(leaving), undeclared: accessOfAll(keptBy("undeclared")) };
}

/** The plan for the people as they are recorded. */
export function planRecorded<Person extends Pick<RecordedPerson, "username" | "userId" | "declared">>(
  people: readonly Person[],
  names: readonly string[],
  removeUnlisted: boolean,
): PeoplePlan<Person> {
  return planPeople(
    { names, people, recorded: people },
    { isIgnored: never, isDeclared: ({ declared }) => declared, removeUnlisted, declarerOf: noOne },
  );
}
