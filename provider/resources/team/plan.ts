/** Which people are to be added to a team and removed from it. Pure. */

import { foldName } from "../../access/person";
import type { Access, Place } from "../../access/places";
import { textIn } from "../contract/declared";
import type { TeamPerson } from "../contract/people-outputs";
import { type RecordedPerson, recordedPeople } from "../contract/people-outputs";
import type { ReadPeople } from "../contract/resource";
import type { Properties } from "../contract/values";
import {
  type Foreseen,
  type ListedPeople,
  type ListedPlace,
  namesOf,
  type PeoplePlan,
  planPeople,
} from "../lists/plan";
import { never, noOne } from "../people/protect";

export function listedTeam(orgId: string, teamName: string): ListedPlace {
  return { text: `team "${teamName}"`, subject: "organization", placeId: orgId };
}

/** A message about the people of a team who are not listed and stay. */
export function unlistedInTeam(teamName: string, staying: readonly TeamPerson[]): string | undefined {
  if (staying.length === 0) return undefined;
  return `People of team "${teamName}" who are not listed stay in it: ${namesOf(staying)}. To manage them, list them in usernames. To remove them, set removeUnlisted to true.`;
}

/**
 * The people after an update, each with the name by which the program lists them. Declared people
 * stay declared until they are removed, so a failed removal is repeated.
 */
export function asDeclared(
  people: readonly TeamPerson[],
  { found, ending, leaving }: Pick<PeoplePlan<TeamPerson>, "found" | "ending" | "leaving">,
): TeamPerson[] {
  const names = new Map([...found, ...ending].map(([name, { userId }]) => [userId, name]));
  const leavers = new Set(leaving.map(({ userId }) => userId));
  return people.map((person) => {
    const { userId, username } = person;
    const name = names.get(userId);
    if (name === undefined && leavers.has(userId)) return person;
    return {
      userId,
      username,
      declared: name !== undefined,
      declaredAs: name === undefined || foldName(name) === foldName(username) ? undefined : name,
    };
  });
}

/** Who is in the team by the last read. Destroying removes no one by itself: whoever is in the team loses it with the team. */
export function readPeople(state: Properties): ReadPeople {
  const orgId = textIn(state, "orgId");
  if (orgId === undefined) return { present: [], leaving: [] };
  const place = { kind: "team", id: textIn(state, "teamId"), name: textIn(state, "name"), orgId } as const;
  return { present: accessIn(place, recordedPeople(state.people)), leaving: [] };
}

export function accessIn(
  place: Place,
  people: readonly Pick<RecordedPerson, "userId" | "username">[],
): Access[] {
  return people.map(({ userId, username }) => ({ holder: { kind: "person", userId, username }, place }));
}

/** Who is listed, and who leaves. Only one resource declares a team, and it ignores no one. */
export function planTeam<Person extends Pick<RecordedPerson, "username" | "userId" | "declared">>(
  listed: ListedPeople<Person>,
  removeUnlisted: boolean,
): PeoplePlan<Person> {
  const isDeclared = (person: Person) => person.declared;
  return planPeople(listed, { isIgnored: never, isDeclared, removeUnlisted, declarerOf: noOne });
}

/** A service may keep the last person of a team. If several leave it empty, it keeps any of them. */
export function foreseeLastPerson(
  people: readonly TeamPerson[],
  { found, missing }: Pick<PeoplePlan<TeamPerson>, "found" | "missing">,
  leaving: readonly TeamPerson[],
): Foreseen<TeamPerson> {
  const leavers = new Set(leaving);
  const isEmptied = found.size + missing.length === 0 && people.every((person) => leavers.has(person));
  return new Map(isEmptied ? leaving.map((person) => [person, "may stay"]) : []);
}
