/** Who is in the team by the last read, and what an update does with them. Pure. */

import { foldName } from "../../access/person";
import { knownTexts } from "../contract/canonical";
import { textIn } from "../contract/declared";
import type { ReadPeople } from "../contract/resource";
import { hasUnknown, type Properties } from "../contract/values";
import { type RecordedPerson, recordedPeople } from "../people/outputs";
import { never, noOne, protect } from "../people/protect";
import { resolver } from "../people/resolve";

/** A deletion removes no one by itself: whoever is in the team loses it with the team. */
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
  const { leaving, keptBy } = unnamed(people, names, inputs.removeUnlisted === true);
  return { present, leaving: accessOfAll(leaving), undeclared: accessOfAll(keptBy("undeclared")) };
}

/** Separates the people whom the program does not name. */
export function unnamed<Person extends Omit<RecordedPerson, "roles" | "status">>(
  people: readonly Person[],
  names: readonly string[],
  removeUnlisted: boolean,
) {
  const listed = new Set(names.map(resolver(people, people)));
  const folded = new Set(names.map(foldName));
  return protect(
    people.filter((person) => !listed.has(person)),
    {
      isIgnored: never,
      isListedName: ({ username }) => folded.has(foldName(username)),
      isDeclared: ({ declared }) => declared,
      removeUnlisted,
      declarerOf: noOne,
    },
  );
}
