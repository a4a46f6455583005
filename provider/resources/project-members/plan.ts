/** Who is added, changed and removed so that a project has the declared people. Pure. */

import { isOwner, type Membership, OWNER_ROLE } from "../../access/person";
import type { Access } from "../../access/places";
import { own } from "../../text/own";
import { knownTexts } from "../contract/canonical";
import { accessOf, projectIn } from "../contract/declared";
import { type RecordedPerson, recordedPeople } from "../contract/people-outputs";
import type { ReadPeople } from "../contract/resource";
import { isRecord, type Properties, sameSet } from "../contract/values";
import { type ListedPeople, type ListFacts, type PeoplePlan, planPeople, readBy } from "../lists/plan";
import { never, type PlanFacts, protect, protectAtTheEnd } from "../people/protect";
import { recordOf } from "../people/resolve";
import { asMemberListInputs, ignoredUsers, type MemberListInputs } from "./inputs";

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
  listed: Pick<ListedPeople<Membership>, "ended" | "people" | "recorded">,
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

/** Who is in the project by the last read, and what an update or a deletion does with them. */
export function readPeople(
  state: Properties,
  inputs: Properties | undefined,
  isDeclaredElsewhere: (access: Access) => boolean,
): ReadPeople {
  const people = recordedPeople(state.memberDetails);
  const place = projectIn(state, state);
  const accessOfOne = ({ userId, invitationId, username, roles }: RecordedPerson) =>
    accessOf({ kind: "person", userId, invitationId, username }, place, roles);
  const declarerOf = (person: RecordedPerson) =>
    accessOfOne(person).some(isDeclaredElsewhere) ? "another resource" : undefined;
  if (inputs === undefined) {
    const leaving = state.onDestroy === "remove" ? leavingOnDestroy(people, declarerOf) : [];
    return readBy(people, { leaving, keptBy: () => [] }, accessOfOne);
  }
  const declared = asMemberListInputs(inputs);
  if (!isRecord(declared.members)) return readBy(people, undefined, accessOfOne);
  const patterns = [...knownTexts(declared.ignoreUsers), ...knownTexts(state.ignoreUsers)];
  return readBy(people, planRecorded(people, declared, ignoredUsers(patterns), declarerOf), accessOfOne);
}

/** The plan for the people as they are recorded. @param declared with `members` known */
export function planRecorded<Person extends RecordedPerson>(
  people: readonly Person[],
  { members, endedUsers, removeUnlisted }: MemberListInputs,
  isIgnored: (person: Person) => boolean,
  declarerOf: (person: Person) => string | undefined,
): PeoplePlan<Person> {
  return planPeople(
    { names: Object.keys(members), ended: knownTexts(endedUsers), people, recorded: people },
    {
      isIgnored,
      isDeclared: ({ declared }) => declared,
      removeUnlisted: removeUnlisted === true,
      declarerOf,
    },
  );
}

/** The declared people, without the last owner. */
function leavingOnDestroy(
  people: readonly RecordedPerson[],
  declarerOf: (person: RecordedPerson) => string | undefined,
): readonly RecordedPerson[] {
  const { leaving } = protect(
    people,
    leavingDeclared(({ declared }) => declared, declarerOf),
  );
  const isLastOwner = lastOwnerAmong(leaving, people);
  return protectAtTheEnd(leaving, { unfinished: [], isLastOwner }).leaving;
}

/** A destroyed list names no one and ignores no one: whoever was declared leaves. */
export function leavingDeclared<Person>(
  isDeclared: (person: Person) => boolean,
  declarerOf: (person: Person) => string | undefined,
): PlanFacts<Person> {
  return { isIgnored: never, isListedName: never, isDeclared, removeUnlisted: false, declarerOf };
}

/** What decides whether a person is an owner, of a membership or of its record. */
type Ownership = Pick<Membership, "roles"> & { readonly status?: Membership["status"] | undefined };

/** Whether a person is the owner who stays because all owners would be removed. */
export function lastOwnerAmong<Person extends Ownership>(
  removals: readonly Person[],
  people: readonly Ownership[],
): (person: Person) => boolean {
  const owners = removals.filter(isOwner);
  const last = owners.length < people.filter(isOwner).length ? undefined : owners.at(-1);
  return (person) => person === last;
}
