/** Who is added, changed and removed so that a project has the declared people. Pure. */

import { type Identity, isOwner, type Membership, OWNER_ROLE } from "../../access/person";
import type { Access, Place } from "../../access/places";
import { own } from "../../text/own";
import { accessOf, projectIn } from "../contract/declared";
import { type RecordedPerson, recordedPeople } from "../contract/people-outputs";
import type { ReadPeople } from "../contract/resource";
import { known, type Properties, sameSet, type Value } from "../contract/values";
import type { EndOfPerson, Present } from "../lists/ends";
import { type Foreseen, type ListedPeople, type ListFacts, type PeoplePlan, planPeople } from "../lists/plan";
import { never, protect, protectAtTheEnd } from "../people/protect";
import { recordOf } from "../people/resolve";
import { ignoredUsers, type MemberListInputs } from "./inputs";

export interface Addition {
  readonly username: string;
  readonly roles: readonly string[];
}

export interface RoleChange {
  readonly membership: Membership;
  readonly roles: readonly string[];
}

/** Whom the list names, who leaves, and who stays, with the roles that are sent. */
export interface MemberPlan extends PeoplePlan<Membership> {
  readonly additions: readonly Addition[];
  /** Changes that take no role away. */
  readonly raises: readonly RoleChange[];
  readonly otherChanges: readonly RoleChange[];
}

/** @param declared roles by username */
export function planMemberChanges(
  declared: Readonly<Record<string, readonly string[]>>,
  listed: Omit<ListedPeople<Membership>, "names">,
  {
    ignoreUsers,
    ...facts
  }: Pick<ListFacts<Membership>, "removeUnlisted" | "declarerOf"> & {
    /** Patterns of people who are not changed. */
    readonly ignoreUsers: readonly string[];
  },
): MemberPlan {
  const recordedOf = recordOf(listed.recorded, listed.people);
  const plan = planPeople(
    { names: Object.keys(declared), ...listed },
    {
      ...facts,
      isIgnored: ignoredUsers(ignoreUsers),
      isDeclared: (membership) => recordedOf(membership)?.declared === true,
    },
  );
  const changes = [...plan.found].flatMap(([name, membership]): RoleChange[] => {
    const roles = own(declared, name) ?? [];
    return sameSet(membership.roles, roles) ? [] : [{ membership, roles }];
  });
  return {
    ...plan,
    additions: plan.missing.map((username) => ({ username, roles: own(declared, username) ?? [] })),
    raises: changes.filter(takesNothing),
    otherChanges: changes.filter((change) => !takesNothing(change)),
  };
}

function takesNothing({ membership, roles }: RoleChange): boolean {
  return membership.roles.every((role) => roles.includes(role));
}

/** Active people who would own the project no longer. */
export function endsOwnership({ membership, roles }: RoleChange): boolean {
  return isOwner(membership) && !roles.includes(OWNER_ROLE);
}

/** The owners of a project that would have none: nobody who stays is one, or becomes one. */
export function ownersWithoutSuccessor<Person extends Ownership>(
  people: readonly Person[],
  leaving: readonly Person[],
  changes: readonly { readonly membership: Person; readonly roles: readonly string[] }[],
): Person[] {
  const rolesOf = new Map(changes.map(({ membership, roles }) => [membership, roles]));
  const leavers = new Set(leaving);
  const isFollowed = people.some(
    (person) => !leavers.has(person) && isOwner({ ...person, roles: rolesOf.get(person) ?? person.roles }),
  );
  return isFollowed ? [] : people.filter(isOwner);
}

/**
 * The last direct owner stays. If several are to leave, it is not known which of them is the last.
 *
 * @param members roles by username; unknown ones may make an owner
 */
export function foreseeLastOwner<Person extends Ownership & Present>(
  people: readonly Person[],
  { found, missing }: Pick<PeoplePlan<Person>, "found" | "missing">,
  members: Readonly<Record<string, Value>>,
  leaving: readonly Person[],
): Foreseen<Person> {
  const wanted = (name: string) =>
    (known(own(members, name)) as readonly string[] | undefined) ?? [OWNER_ROLE];
  if (missing.some((name) => wanted(name).includes(OWNER_ROLE))) return new Map();
  const changes = [...found].map(([name, membership]) => ({ membership, roles: wanted(name) }));
  const owners = ownersWithoutSuccessor(people, leaving, changes).filter((owner) => leaving.includes(owner));
  return new Map(owners.map((owner) => [owner, owners.length === 1 ? "stays" : "may stay"]));
}

/** Who is in the project by the last read, and whom destroying the list removes. */
export function readPeople(state: Properties, isDeclaredElsewhere: (access: Access) => boolean): ReadPeople {
  const people = recordedPeople(state.memberDetails);
  const place = projectIn(state, state);
  const declarerOf = (person: RecordedPerson) =>
    accessIn(place, [person]).some(isDeclaredElsewhere) ? "another resource" : undefined;
  const { leaving } = planDestroy(people, ({ declared }) => declared, declarerOf);
  return {
    present: accessIn(place, people),
    leaving: state.onDestroy === "remove" ? accessIn(place, leaving) : [],
  };
}

/** The access of people of the project; none if the project is not known. */
export function accessIn(place: Place | undefined, people: readonly (Identity & Ownership)[]): Access[] {
  return people.flatMap(({ userId, invitationId, username, roles, status }) =>
    accessOf({ kind: "person", userId, invitationId, username }, place, roles).map((access) => ({
      ...access,
      isPending: status === "pending" || undefined,
    })),
  );
}

/** The plan for the people as they are recorded. @param declared with `members` known */
export function planRecorded<Person extends RecordedPerson>(
  people: readonly Person[],
  { members, ended, removeUnlisted }: Pick<MemberListInputs, "members" | "ended" | "removeUnlisted">,
  ends: readonly EndOfPerson[],
  isIgnored: (person: Person) => boolean,
  declarerOf: (person: Person) => string | undefined,
): PeoplePlan<Person> {
  return planPeople(
    { names: Object.keys(members), ended, people, recorded: people, ends },
    {
      isIgnored,
      isDeclared: ({ declared }) => declared,
      removeUnlisted: removeUnlisted === true,
      declarerOf,
    },
  );
}

/** What decides whether a person is an owner, of a membership or of its record. */
type Ownership = Pick<Membership, "roles"> & { readonly status?: Membership["status"] | undefined };

/** Whom a destroyed list removes. It names no one and ignores no one: whoever was declared leaves. */
export function planDestroy<Person extends Ownership>(
  people: readonly Person[],
  isDeclared: (person: Person) => boolean,
  declarerOf: (person: Person) => string | undefined,
) {
  const facts = { isIgnored: never, isListedName: never, isDeclared, removeUnlisted: false, declarerOf };
  const { leaving: planned, keptBy } = protect(people, facts);
  const owners = planned.filter(isOwner);
  const last = owners.length < people.filter(isOwner).length ? undefined : owners.at(-1);
  const end = protectAtTheEnd(planned, { unfinished: [], isLastOwner: (person) => person === last });
  return {
    /** Those who leave, and the last owner. */
    planned,
    leaving: end.leaving,
    /** The owner who stays because all owners would be removed. */
    lastOwners: end.keptBy("last owner"),
    declaredElsewhere: keptBy("declared elsewhere"),
  };
}
