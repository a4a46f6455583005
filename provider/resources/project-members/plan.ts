/** Who is added, changed and removed so that a project has the declared people. Pure. */

import { isOwner, type Membership, OWNER_ROLE } from "../../access/person";
import type { Access } from "../../access/places";
import { own } from "../../text/own";
import { knownTexts } from "../contract/canonical";
import { accessOf, projectIn } from "../contract/declared";
import { type MemberDetail, type RecordedPerson, recordedPeople } from "../contract/people-outputs";
import type { ReadPeople } from "../contract/resource";
import { isRecord, type Properties, sameSet } from "../contract/values";
import { type ListedPeople, type PeoplePlan, planPeople } from "../lists/plan";
import { never, type PlanFacts, protect, protectAtTheEnd } from "../people/protect";
import { recordOf } from "../people/resolve";
import { asMemberListInputs, isIgnoredUser } from "./inputs";

export interface Addition {
  readonly username: string;
  readonly roles: readonly string[];
}

export interface RoleChange {
  readonly membership: Membership;
  readonly roles: readonly string[];
}

export interface MemberPlan {
  readonly additions: readonly Addition[];
  /** Changes that take no role away. */
  readonly raises: readonly RoleChange[];
  readonly otherChanges: readonly RoleChange[];
  readonly removals: readonly Membership[];
  readonly isEnded: PeoplePlan<Membership>["isEnded"];
  /** People who are neither listed nor ignored and stay. */
  readonly staying: readonly Membership[];
  /** People whom another resource of this run declares, or this one by another identity. */
  readonly retained: readonly Membership[];
  /** Two names of the program for one person. */
  readonly twice: PeoplePlan<Membership>["twice"];
  /** The memberships that the program lists, by the name in the program. */
  readonly named: ReadonlyMap<string, Membership>;
}

export interface PlanRequest {
  readonly declared: Readonly<Record<string, readonly string[]>>;
  /** Names of people whose access has ended. */
  readonly ended: readonly string[];
  readonly memberships: readonly Membership[];
  readonly recorded: readonly MemberDetail[];
  /** Patterns of people who are not changed. */
  readonly ignoreUsers: readonly string[];
  /** Whether people are removed whom this resource never declared. */
  readonly removeUnlisted: boolean;
  /** The resource that declares a person who is not listed. */
  readonly declarerOf: (membership: Membership, named: ReadonlyMap<string, Membership>) => string | undefined;
}

export function planMemberChanges(request: PlanRequest): MemberPlan {
  const { declared, ended, memberships, recorded, ignoreUsers, removeUnlisted, declarerOf } = request;
  const recordedOf = recordOf(recorded, memberships);
  const { found, missing, twice, isEnded, leaving, keptBy } = planPeople(
    { names: Object.keys(declared), ended, people: memberships, recorded },
    {
      isIgnored: ({ username }) => isIgnoredUser(ignoreUsers, username),
      isDeclared: (membership) => recordedOf(membership)?.declared === true,
      removeUnlisted,
      declarerOf,
    },
  );
  const changes = [...found].flatMap(([name, membership]): RoleChange[] => {
    const roles = own(declared, name) ?? [];
    return sameSet(membership.roles, roles) ? [] : [{ membership, roles }];
  });
  return {
    additions: missing.map((username) => ({ username, roles: own(declared, username) ?? [] })),
    raises: changes.filter(takesNothing),
    otherChanges: changes.filter((change) => !takesNothing(change)),
    removals: leaving,
    isEnded,
    staying: keptBy("listed name", "undeclared"),
    retained: keptBy("declared elsewhere"),
    twice,
    named: found,
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
  const accessOfAll = (persons: readonly RecordedPerson[]) =>
    persons.flatMap(({ userId, invitationId, username, roles }) =>
      accessOf({ kind: "person", userId, invitationId, username }, place, roles),
    );
  const declarerOf = (person: RecordedPerson) =>
    accessOfAll([person]).some(isDeclaredElsewhere) ? "another resource" : undefined;
  const present = accessOfAll(people);
  if (inputs === undefined) {
    const leaving = state.onDestroy === "remove" ? leavingOnDestroy(people, declarerOf) : [];
    return { present, leaving: accessOfAll(leaving), undeclared: [] };
  }
  const { members, endedUsers, ignoreUsers, removeUnlisted } = asMemberListInputs(inputs);
  if (!isRecord(members)) return { present, leaving: [], undeclared: [] };
  const patterns = [...knownTexts(ignoreUsers), ...knownTexts(state.ignoreUsers)];
  const { leaving, keptBy } = planRecorded(
    people,
    { names: Object.keys(members), ended: knownTexts(endedUsers) },
    {
      isIgnored: ({ username }) => isIgnoredUser(patterns, username),
      removeUnlisted: removeUnlisted === true,
      declarerOf,
    },
  );
  return {
    present,
    leaving: accessOfAll(leaving),
    undeclared: accessOfAll(keptBy("listed name", "undeclared")),
  };
}

type RecordedFacts<Person> = Pick<PlanFacts<Person>, "isIgnored" | "removeUnlisted" | "declarerOf">;

/** The plan for the people as they are recorded. */
export function planRecorded<Person extends RecordedPerson>(
  people: readonly Person[],
  listed: Pick<ListedPeople<Person>, "names" | "ended">,
  facts: RecordedFacts<Person>,
): PeoplePlan<Person> {
  return planPeople(
    { ...listed, people, recorded: people },
    { ...facts, isDeclared: ({ declared }) => declared },
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
