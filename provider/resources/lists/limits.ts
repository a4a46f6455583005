/** How many people of a place may leave it in one operation. */

import type { Identity } from "../../access/person";
import { effectiveRemovals, emptyListReason } from "../contract/removal-settings";
import type { Session } from "../contract/session";
import type { Limits } from "../people/protect";
import { RemovalBudget, removalOf } from "../session/removal-budget";

export interface NamedPerson extends Identity {
  readonly username: string;
}

interface Limited<Person> {
  readonly placeId: string;
  /** For messages, such as `project 5f0000000000000000000101`. */
  readonly place: string;
  readonly settings: Parameters<typeof effectiveRemovals>[0];
  /** The property that lists the people, and its names; `undefined` on destroy. */
  readonly list: readonly [property: "members" | "usernames", names: readonly string[]] | undefined;
  /** Whether the program names the person as one whose access has ended. */
  readonly isEnded: (person: Person) => boolean;
  /** What a refusal means: `nobody is removed`. */
  readonly consequence: string;
  /** What else to do, as the end of the sentence that raises `maxRemovals`. */
  readonly advice: string;
}

export function limitsOf<Person extends NamedPerson>(
  { placeId, place, settings, list, isEnded, consequence, advice }: Limited<Person>,
  session: Session,
): Limits<Person> {
  const { maxRemovals } = effectiveRemovals(settings);
  return {
    isEnded,
    listed: list && { names: list[1], reason: () => emptyListReason(list[0]) },
    maxRemovals: {
      most: maxRemovals,
      reason: (leaving) =>
        `${countOf(leaving)} would be removed from ${place}, more than maxRemovals (${maxRemovals}), so ${consequence}: ${namesOf(leaving)}. Set maxRemovals to ${leaving.length}${advice}`,
    },
    budget: {
      left: session.of(RemovalBudget),
      removalOf: (person) => removalOf(placeId, person),
      reason: (leaving, overall) => `Nobody was removed from ${place} (${namesOf(leaving)}): ${overall}`,
    },
  };
}

/** `1 person`, `3 people`. */
export function countOf({ length }: readonly unknown[]): string {
  return length === 1 ? "1 person" : `${length} people`;
}

export function namesOf(people: readonly { readonly username: string }[]): string {
  return people.map(({ username }) => username).join(", ");
}
