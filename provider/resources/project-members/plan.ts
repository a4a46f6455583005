/** Who is added, changed and removed so that a project has the declared people. Pure. */

import { foldName, isOwner, type Membership, OWNER_ROLE } from "../../access/person";
import { own } from "../../text/own";
import { sameSet } from "../contract/values";
import type { MemberDetail } from "../people/outputs";
import { protect } from "../people/protect";
import { recordOf, resolve } from "../people/resolve";
import { isIgnoredUser } from "./inputs";

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
  /** People who are neither listed nor ignored and stay. */
  readonly staying: readonly Membership[];
  /** People whom another resource of this run declares, or this one by another identity. */
  readonly retained: readonly Membership[];
  /** Two names of the program for one person. */
  readonly twice: readonly (readonly [string, string])[];
  /** The memberships that the program lists, by the name in the program. */
  readonly named: ReadonlyMap<string, Membership>;
}

export interface PlanRequest {
  readonly declared: Readonly<Record<string, readonly string[]>>;
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
  const { declared, memberships, recorded, ignoreUsers, removeUnlisted, declarerOf } = request;
  const { found, missing, twice, others } = resolve(Object.keys(declared), memberships, recorded);
  const changes = [...found].flatMap(([name, membership]): RoleChange[] => {
    const roles = own(declared, name) ?? [];
    return sameSet(membership.roles, roles) ? [] : [{ membership, roles }];
  });
  const listed = new Set(Object.keys(declared).map(foldName));
  const recordedOf = recordOf(recorded, memberships);
  const unlisted = protect(others, {
    isIgnored: ({ username }) => isIgnoredUser(ignoreUsers, username),
    isListedName: ({ username }) => listed.has(foldName(username)),
    isDeclared: (membership) => recordedOf(membership)?.declared === true,
    removeUnlisted,
    declarerOf: (membership) => declarerOf(membership, found),
  });
  return {
    additions: missing.map((username) => ({ username, roles: own(declared, username) ?? [] })),
    raises: changes.filter(takesNothing),
    otherChanges: changes.filter((change) => !takesNothing(change)),
    removals: unlisted.leaving,
    staying: unlisted.keptBy("listed name", "undeclared"),
    retained: unlisted.keptBy("declared elsewhere"),
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
