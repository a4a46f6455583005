/** Who has to come, change and go so that exactly the declared people are in a project. Pure. */
import { sameSet } from "../values";
import { OWNER_ROLE, type Place, rolesOf, usernameOf } from "./person";
import { isIgnoredUser } from "./project-members-inputs";
import { assign, type MemberDetail } from "./project-members-state";

export interface Admission {
  readonly username: string;
  readonly roles: readonly string[];
}

export interface RoleChange {
  readonly place: Place;
  readonly roles: readonly string[];
}

export interface PeoplePlan {
  readonly admissions: readonly Admission[];
  /** Changes that take no role away. */
  readonly raises: readonly RoleChange[];
  readonly otherChanges: readonly RoleChange[];
  readonly removals: readonly Place[];
  /** Two names of the program for one person. */
  readonly twice: readonly (readonly [string, string])[];
  /** Everybody in the project whom the program names, with the name it uses. */
  readonly named: ReadonlyMap<string, Place>;
}

export interface PlanRequest {
  readonly declared: Readonly<Record<string, readonly string[]>>;
  readonly places: readonly Place[];
  readonly recorded: readonly MemberDetail[];
  /** Patterns of people to leave alone. */
  readonly ignoreUsers: readonly string[];
  /** False: whoever is not named stays. */
  readonly removeUnlisted: boolean;
}

export function planPeople({
  declared,
  places,
  recorded,
  ignoreUsers,
  removeUnlisted,
}: PlanRequest): PeoplePlan {
  const { found, missing, twice, others } = assign(Object.keys(declared), places, recorded);
  const changes = [...found].flatMap(([name, place]): RoleChange[] => {
    const roles = declared[name] ?? [];
    return sameSet(rolesOf(place), roles) ? [] : [{ place, roles }];
  });
  return {
    admissions: missing.map((username) => ({ username, roles: declared[username] ?? [] })),
    raises: changes.filter(takesNothing),
    otherChanges: changes.filter((change) => !takesNothing(change)),
    removals: removeUnlisted ? unlisted(others, ignoreUsers) : [],
    twice,
    named: found,
  };
}

export function unlisted(others: readonly Place[], ignoreUsers: readonly string[]): Place[] {
  return others.filter((place) => !isIgnoredUser(ignoreUsers, usernameOf(place)));
}

function takesNothing({ place, roles }: RoleChange): boolean {
  return rolesOf(place).every((role) => roles.includes(role));
}

/** Active people who would own the project no longer. */
export function endsOwnership({ place, roles }: RoleChange): boolean {
  return place.status === "active" && place.member.roles.includes(OWNER_ROLE) && !roles.includes(OWNER_ROLE);
}
