/** The names by which one person is known: accounts are renamed, and files and states may have the former name. Pure. */

import { foldName, sameName } from "../../../provider/access/person";
import { checkedAs } from "../../../provider/resources/contract/border";
import { knownTexts } from "../../../provider/resources/contract/canonical";
import { textIn } from "../../../provider/resources/contract/declared";
import { recordedPeople } from "../../../provider/resources/contract/people-outputs";
import type { Properties } from "../../../provider/resources/contract/values";
import { foundBy, personInId } from "../own-resources";
import type { StateResource } from "../stack-export";
import { type OrganizationAccess, peopleOf } from "./read";

export interface KnownNames {
  /** The name that was asked for, then each other one of the same account, as it is spelled first. */
  readonly names: readonly string[];
  /** Names of the account by which somebody else is known as well: live, or as the state has declared them. */
  readonly taken: readonly string[];
  /** The accounts, as far as a list or a state shows them. */
  readonly userIds: readonly string[];
}

/** An account or an invitation with one of its names. */
interface Named {
  readonly userId?: string | undefined;
  readonly invitationId?: string | undefined;
  readonly username: string;
}

/** The account, also of an invitation if a record shows it, or else the invitation: each has one bearer. */
type Bearer = Named & { readonly id: string | undefined };

/**
 * Whoever has the name now is meant, invited or not; if nobody has, the account that had it by the state.
 *
 * @param resources of the state
 */
export function namesOf(
  name: string,
  organizations: readonly OrganizationAccess[],
  resources: readonly StateResource[] = [],
): KnownNames {
  const all = resources.flatMap(recordedBy);
  const accounts = new Map(all.flatMap((each) => (each.userId ? [[each.invitationId, each.userId]] : [])));
  // An invitation may have another name than its account or its record.
  const withId = (named: Named): Bearer => {
    const userId = named.userId ?? (named.invitationId && accounts.get(named.invitationId));
    return { ...named, userId, id: userId ?? named.invitationId };
  };
  const namedIn = (people: readonly RecordedNames[]): Bearer[] =>
    people.flatMap(({ names, ...person }) => names.map((username) => withId({ ...person, username })));
  const recorded = namedIn(all);
  const live = liveIn(organizations).map(withId);
  const hasName = ({ username }: Named) => sameName(username, name);
  const now = live.filter(hasName);
  const bearers = now.length > 0 ? now : recorded.filter(hasName);
  const ids = new Set(bearers.flatMap(({ id }) => id ?? []));
  const isBearer = ({ id }: Bearer) => id !== undefined && ids.has(id);
  const current = new Set([...now, ...live.filter(isBearer)].map(({ username }) => foldName(username)));
  const isOwn = (each: Bearer) =>
    isBearer(each) || (each.userId === undefined && current.has(foldName(each.username)));
  const own = [...live, ...recorded].filter(isBearer).map(({ username }) => username);
  const known = distinct([name, ...own]);
  // A person with neither an account nor an invitation there has the name alone.
  const present = new Set(live.flatMap(({ id }) => id ?? []));
  const declared = namedIn(all.filter(({ isDeclared }) => isDeclared)).filter(
    ({ userId, id }) => userId !== undefined || (id !== undefined && present.has(id)),
  );
  const others = new Set(
    [...live, ...declared].filter((each) => !isOwn(each)).map(({ username }) => foldName(username)),
  );
  const isTaken = (each: string) => others.has(foldName(each));
  return {
    names: known.filter((each) => sameName(each, name) || !isTaken(each)),
    taken: known.filter(isTaken),
    userIds: [...new Set(bearers.flatMap(({ userId }) => userId ?? []))],
  };
}

/** Each name once, as it is spelled first. */
export function distinct(names: readonly string[]): string[] {
  return [...Map.groupBy(names, foldName).values()].flatMap(([first]) => first ?? []);
}

function liveIn(organizations: readonly OrganizationAccess[]): Named[] {
  return peopleOf(organizations).flatMap(({ invitations = [], ...person }) => [
    person,
    ...invitations.flatMap(({ invitationId, username = person.username }) => [
      { userId: person.userId, username },
      { invitationId, username },
    ]),
  ]);
}

/** Somebody whom a resource records, by each name: those of the account and the one in the program. */
export interface RecordedNames {
  readonly userId: string | undefined;
  readonly invitationId: string | undefined;
  readonly names: readonly string[];
  /** Its last create or update declared the person. */
  readonly isDeclared: boolean;
}

export function recordedBy({ type, id, inputs = {}, outputs = {} }: StateResource): RecordedNames[] {
  const [given, recorded] = [checkedAs<Properties>(inputs), checkedAs<Properties>(outputs)];
  const listed = recordedPeople(foundBy(type, outputs)).map(
    ({ userId, invitationId, username, declaredAs, declared: isDeclared }) => {
      return { userId, invitationId, names: knownTexts([username, declaredAs]), isDeclared };
    },
  );
  if (personInId(type, id) === undefined) return listed;
  return [
    {
      userId: textIn(recorded, "userId"),
      invitationId: textIn(recorded, "invitationId"),
      names: knownTexts([recorded.username, recorded.declaredAs, given.username]),
      isDeclared: true,
    },
  ];
}
