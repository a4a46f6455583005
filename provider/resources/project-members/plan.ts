/** Who is added, changed and removed so that a project has the declared people. Pure. */
import { type Place, foldName, rolesOf, usernameOf, OWNER_ROLE } from "../membership/membership";
import { type MemberDetail, assign, recordedDetails } from "./state";
import { sameSet } from "../values";
import { isIgnoredUser } from "./inputs";

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
  /** People who are neither listed nor ignored and stay. */
  readonly staying: readonly Place[];
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
  /** Whether people leave whom this resource never declared. */
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
  const listed = new Set(Object.keys(declared).map(foldName));
  const recordedOf = recordedDetails(recorded, places);
  const unlisted = others.filter((place) => !isIgnoredUser(ignoreUsers, usernameOf(place)));
  // An account whose name is listed stays, although the entry means the account that was recorded under this name.
  const isLeaving = (place: Place) =>
    !listed.has(foldName(usernameOf(place))) && (removeUnlisted || recordedOf(place)?.declared === true);
  return {
    admissions: missing.map((username) => ({ username, roles: declared[username] ?? [] })),
    raises: changes.filter(takesNothing),
    otherChanges: changes.filter((change) => !takesNothing(change)),
    removals: unlisted.filter(isLeaving),
    staying: unlisted.filter((place) => !isLeaving(place)),
    twice,
    named: found,
  };
}

function takesNothing({ place, roles }: RoleChange): boolean {
  return rolesOf(place).every((role) => roles.includes(role));
}

/** Active people who would own the project no longer. */
export function endsOwnership({ place, roles }: RoleChange): boolean {
  return place.status === "active" && place.member.roles.includes(OWNER_ROLE) && !roles.includes(OWNER_ROLE);
}
