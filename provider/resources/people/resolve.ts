/**
 * Who is meant: which of the people who are there a program, a record or a state stands for. Pure.
 *
 * Accounts are renamed, and other accounts take their names. So the rules are tried in this order,
 * and the first that applies decides:
 *
 * 1. A recorded account is that account, whatever its name is now.
 * 2. A recorded invitation is that invitation, and the member who accepted it.
 * 3. A recorded name counts only if no account is recorded.
 * 4. A name counts only if no one who is there is recorded under it.
 */

import { foldName, type Identity, type Invitation, listedName } from "../../access/person";

/** A person who is there: in a project or team, or invited. */
interface Present extends Identity {
  readonly username: string;
  readonly status?: string | undefined;
  /** All that are pending; absent where only one is known, which is `invitationId`. */
  readonly invitations?: readonly Pick<Invitation, "invitationId">[];
  /** The teams of an account in a project. */
  readonly teamIds?: readonly string[] | undefined;
}

/** What a resource has recorded of a person. */
interface Recorded extends Identity {
  readonly username: string;
  readonly declared: boolean;
  /** The name in the program, where the account has been renamed since. */
  readonly declaredAs?: string | undefined;
}

/** The people whom names stand for. */
interface Resolution<Person> {
  /** By name, those who are there. A person has one name. */
  readonly found: ReadonlyMap<string, Person>;
  /** Names of people who are not there. */
  readonly missing: readonly string[];
  /** Two names for one person: the old and the new one of a renamed account. */
  readonly twice: readonly (readonly [string, string])[];
  /** People who are there without being named. */
  readonly others: readonly Person[];
}

/** Finds the named people among those who are there. The order of the names does not matter. */
export function resolve<Person extends Present>(
  names: readonly string[],
  people: readonly Person[],
  recorded: readonly Recorded[],
): Resolution<Person> {
  const { byListedName, byOtherName } = namesIn(people, recorded);
  const found = new Map<string, Person>();
  const named = new Map<Person, string>();
  const twice: [string, string][] = [];
  const take = (name: string, person: Person | undefined) => {
    if (person === undefined) return;
    const other = named.get(person);
    if (other !== undefined) twice.push([other, name]);
    else {
      found.set(name, person);
      named.set(person, name);
    }
  };
  for (const name of names) take(name, byListedName(name));
  for (const name of names.filter((candidate) => !found.has(candidate))) take(name, byOtherName(name));
  const assigned = new Set([...found.keys(), ...twice.map(([, name]) => name)]);
  return {
    found,
    missing: names.filter((name) => !assigned.has(name)),
    twice,
    others: people.filter((person) => !named.has(person)),
  };
}

/** The person whom one name stands for, also if another name stands for the same person. */
export function personNamed<Person extends Present>(
  people: readonly Person[],
  recorded: readonly Recorded[],
): (name: string) => Person | undefined {
  const { byListedName, byOtherName } = namesIn(people, recorded);
  return (name) => byListedName(name) ?? byOtherName(name);
}

function namesIn<Person extends Present>(people: readonly Person[], recorded: readonly Recorded[]) {
  const byName = new Map(people.map((person) => [foldName(person.username), person]));
  const byId = new Map(people.flatMap((person) => idsOf(person).map((id) => [id, person] as const)));
  // The recorded name of an account that was never declared is only the name that it had then.
  const meant = recorded.filter(({ declared, declaredAs }) => declared || declaredAs !== undefined);
  // A renamed account keeps its listed name, although another account may have that name now.
  const listed = new Map(
    [...meant]
      .sort((one, other) => Number(one.declaredAs !== undefined) - Number(other.declaredAs !== undefined))
      .map((record) => [foldName(listedName(record)), record]),
  );
  const later = new Map(meant.map((record) => [foldName(record.username), record]));
  const ofRecord = (record: Recorded | undefined): Person | undefined => {
    if (record === undefined) return undefined;
    const { userId, invitationId, username } = record;
    const invited = invitationId === undefined ? undefined : byId.get(invitationId);
    if (userId !== undefined) return byId.get(userId) ?? invited;
    // The account is not known. Once it accepts the invitation, only the name to which this was
    // sent leads to it.
    return invited ?? byName.get(foldName(username));
  };
  return {
    /** The name by which a resource declared the person. */
    byListedName: (name: string) => ofRecord(listed.get(foldName(name))),
    /** A later name of a recorded person, then the name that a person has now. */
    byOtherName: (name: string) => ofRecord(later.get(foldName(name))) ?? byName.get(foldName(name)),
  };
}

/** The account of a person, then all invitations. The account of an invitation is only recorded. */
function idsOf({ userId, invitationId, invitations, status }: Present): readonly string[] {
  const pending = invitations?.map((invitation) => invitation.invitationId) ?? [invitationId];
  const account = invitations !== undefined && status === "pending" ? undefined : userId;
  return [account, ...pending].filter((id) => id !== undefined);
}

/**
 * What is recorded of a person who is there. An account or invitation that is recorded matches
 * itself alone: another account may have the name today. The name counts only for an invitation
 * without a known account that is no longer pending.
 */
export function recordOf<Record extends Recorded>(
  recorded: readonly Record[],
  people: readonly Present[],
): (person: Present) => Record | undefined {
  const live = new Set(people.flatMap(idsOf));
  const byId = new Map(
    recorded.flatMap((record) => [record.invitationId, record.userId].map((id) => [id, record] as const)),
  );
  const byName = new Map(
    recorded
      .filter(({ userId }) => userId === undefined)
      .filter(({ invitationId }) => invitationId === undefined || !live.has(invitationId))
      .map((record) => [foldName(record.username), record]),
  );
  return (person) => {
    const [known] = idsOf(person).flatMap((id) => byId.get(id) ?? []);
    return known ?? byName.get(foldName(person.username));
  };
}

/** The people of these names, by the same rules. */
export function namedAmong<Person extends Present>(
  names: readonly string[],
  people: readonly Person[],
  recorded: readonly Recorded[],
): ReadonlySet<Person> {
  return new Set(resolve(names, people, recorded).found.values());
}
