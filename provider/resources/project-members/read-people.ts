/** Who is in the project by the last read, and what an update or a deletion does with them. Pure. */

import { foldName, isOwner, type Membership } from "../../access/person";
import type { Access } from "../../access/places";
import { knownTexts } from "../contract/canonical";
import { accessOf, projectIn } from "../contract/declared";
import type { ReadPeople } from "../contract/resource";
import { isRecord, type Properties } from "../contract/values";
import { type RecordedPerson, recordedPeople } from "../people/outputs";
import { never, type PlanFacts, protect, protectAtTheEnd } from "../people/protect";
import { resolver } from "../people/resolve";
import { asMemberListInputs, isIgnoredUser } from "./inputs";

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
  const { members, ignoreUsers, removeUnlisted } = asMemberListInputs(inputs);
  if (!isRecord(members)) return { present, leaving: [], undeclared: [] };
  const patterns = [...knownTexts(ignoreUsers), ...knownTexts(state.ignoreUsers)];
  const { leaving, keptBy } = unnamed(people, Object.keys(members), patterns, {
    removeUnlisted: removeUnlisted === true,
    declarerOf,
  });
  return {
    present,
    leaving: accessOfAll(leaving),
    undeclared: accessOfAll(keptBy("listed name", "undeclared")),
  };
}

/**
 * Separates the people whom the program does not name.
 *
 * @param patterns of people who are left to others
 */
export function unnamed<Person extends RecordedPerson>(
  people: readonly Person[],
  names: readonly string[],
  patterns: readonly string[],
  facts: Pick<PlanFacts<Person>, "removeUnlisted" | "declarerOf">,
) {
  const listed = new Set(names.map(resolver(people, people)));
  const folded = new Set(names.map(foldName));
  return protect(
    people.filter((person) => !listed.has(person)),
    {
      ...facts,
      isIgnored: ({ username }) => isIgnoredUser(patterns, username),
      isListedName: ({ username }) => folded.has(foldName(username)),
      isDeclared: ({ declared }) => declared,
    },
  );
}

/** The declared people, without the last owner. */
function leavingOnDestroy(
  people: readonly RecordedPerson[],
  declarerOf: (person: RecordedPerson) => string | undefined,
): readonly RecordedPerson[] {
  const { leaving } = protect(people, {
    isIgnored: never,
    isListedName: never,
    isDeclared: ({ declared }) => declared,
    removeUnlisted: false,
    declarerOf,
  });
  const isLastOwner = lastOwnerAmong(leaving, people);
  return protectAtTheEnd(leaving, { unfinished: [], isLastOwner }).leaving;
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
