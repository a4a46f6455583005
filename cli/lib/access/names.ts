/** The names by which one person is known: accounts are renamed, and files and states may have the former name. Pure. */

import { foldName, sameName } from "../../../provider/access/person";
import { checkedAs } from "../../../provider/resources/contract/border";
import { knownTexts } from "../../../provider/resources/contract/canonical";
import { textIn } from "../../../provider/resources/contract/declared";
import { recordedPeople } from "../../../provider/resources/contract/people-outputs";
import type { Properties } from "../../../provider/resources/contract/values";
import { foundBy, personInId } from "../own-resources";
import type { StateResource } from "../stack-export";
import type { OrganizationAccess } from "./read";

export interface KnownNames {
  /** The name that was asked for, then each other one of the same account, as it is spelled first. */
  readonly names: readonly string[];
  /** Former names of the account that are those of another one now. */
  readonly taken: readonly string[];
  /** The accounts, as far as a list or a state shows them. */
  readonly userIds: readonly string[];
}

/** An account with one of its names. */
interface Named {
  readonly userId?: string | undefined;
  readonly username: string;
}

/**
 * Whoever has the name now is meant; if nobody has, the account that had it by the state.
 *
 * @param resources of the state
 */
export function namesOf(
  name: string,
  organizations: readonly OrganizationAccess[],
  resources: readonly StateResource[] = [],
): KnownNames {
  const live = accountsIn(organizations);
  const recorded = resources.flatMap(namedBy);
  const bearers = (all: readonly Named[]) =>
    new Set(all.flatMap(({ userId, username }) => (userId && sameName(username, name) ? [userId] : [])));
  const now = bearers(live);
  const userIds = now.size > 0 ? now : bearers(recorded);
  const isOwn = ({ userId }: Named) => userId !== undefined && userIds.has(userId);
  const others = new Set(live.filter((each) => !isOwn(each)).map(({ username }) => foldName(username)));
  const own = [...live, ...recorded].filter(isOwn).map(({ username }) => username);
  const known = distinct([name, ...own]);
  const isTaken = (each: string) => !sameName(each, name) && others.has(foldName(each));
  return {
    names: known.filter((each) => !isTaken(each)),
    taken: known.filter(isTaken),
    userIds: [...userIds],
  };
}

/** Each name once, as it is spelled first. */
export function distinct(names: readonly string[]): string[] {
  return [...Map.groupBy(names, foldName).values()].flatMap(([first]) => first ?? []);
}

function accountsIn(organizations: readonly OrganizationAccess[]): Named[] {
  return organizations.flatMap(({ people = [], teams, projects }) => [
    ...[...people, ...teams.flatMap((team) => team.people ?? [])].map(({ id, username }) => ({
      userId: id,
      username,
    })),
    ...projects.flatMap((project) => project.people ?? []),
  ]);
}

/** Everyone whom a resource records, by each name: the one of the account and the one in the program. */
function namedBy({ type, id, inputs = {}, outputs = {} }: StateResource): Named[] {
  const [given, recorded] = [checkedAs<Properties>(inputs), checkedAs<Properties>(outputs)];
  const listed = recordedPeople(foundBy(type, outputs)).flatMap(({ userId, username, declaredAs }) =>
    knownTexts([username, declaredAs]).map((each) => ({ userId, username: each })),
  );
  if (personInId(type, id) === undefined) return listed;
  const userId = textIn(recorded, "userId");
  return knownTexts([recorded.username, recorded.declaredAs, given.username]).map((username) => ({
    userId,
    username,
  }));
}
