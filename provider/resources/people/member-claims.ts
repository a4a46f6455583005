/** Which resource declares which people of a project or an organization. */

import { foldName, type Identity, memberName } from "../../access/person";
import { RefusedError } from "../../text/errors";
import type { CheckFailure } from "../contract/check";
import type { ProjectContext } from "../contract/resource";
import { Claims, existing, isUrn, type Subject } from "../session/claims";
import type { PeoplePlace } from "./place";

/**
 * People of a project or an organization, by each part of their identities.
 *
 * @param placeId ID of the project or organization
 */
export function membersOf(placeId: string, ...identities: readonly Identity[]): Subject {
  return identities.flatMap(({ userId, invitationId, username }) => [
    ...(userId === undefined ? [] : [["userId", placeId, userId] as const]),
    ...(invitationId === undefined ? [] : [["invitationId", placeId, invitationId] as const]),
    ...(username === undefined ? [] : [["username", placeId, foldName(username)] as const]),
  ]);
}

/** A name that a program gives beside a `userId`. It may belong to another account. */
function unverifiedMember(projectId: string, { username }: Identity): Subject {
  return username === undefined ? [] : [["unverified username", projectId, foldName(username)]];
}

/** A person whom Delete concerns: also a name that is not verified protects from removal. */
export function leaverFrom(projectId: string, ...identities: readonly Identity[]): Subject {
  return [
    ...identities.flatMap(({ invitationId }) => existing(projectId, invitationId)),
    ...membersOf(projectId, ...identities),
    ...identities.flatMap((who) => unverifiedMember(projectId, who)),
  ];
}

/** The people of a project as ProjectMembers declares them. */
export function allMembersOf(projectId: string): Subject {
  return [["all members", projectId]];
}

function anyMemberOf(projectId: string): Subject {
  return [["any member", projectId]];
}

/** Where a resource claims people: in the project, for its URN. */
type Claimant = Pick<ProjectContext, "session" | "urn" | "projectId">;

type Place = Pick<PeoplePlace, "kind" | "id">;

/**
 * Claims the member that a program declares. A `username` beside a `userId` may belong to another
 * account. Until it is verified, it only protects members from removal.
 *
 * @returns the conflict with another resource
 */
export function claimDeclared(who: Identity, claimant: Claimant): CheckFailure | undefined {
  const { session, urn, projectId } = claimant;
  const { userId, invitationId, username } = who;
  const claims = session.of(Claims);
  if ((userId ?? username) === undefined) claims.take(existing(projectId, invitationId), urn);
  if (userId === undefined) return claimOne(who, claimant);
  claims.claim(unverifiedMember(projectId, who), urn);
  return claimOne({ userId, invitationId }, claimant);
}

/**
 * @returns the conflict with another resource of this member, or of all members of the project
 */
export function claimOne(who: Identity, { session, urn, projectId }: Claimant): CheckFailure | undefined {
  const claims = session.of(Claims);
  const rival = claims.declarerOf(allMembersOf(projectId));
  const twin = claimPerson(who, { kind: "project", id: projectId }, { session, urn });
  if (rival) return { property: "projectId", reason: memberListConflict(projectId, urn, rival) };
  claims.claim(anyMemberOf(projectId), urn);
  return twin;
}

/** @returns the conflict with another resource of this person */
export function claimPerson(
  who: Identity,
  place: Place,
  { session, urn }: Pick<Claimant, "session" | "urn">,
): CheckFailure | undefined {
  const twin = session.of(Claims).claim(membersOf(place.id, who), urn);
  return twin && isUrn(urn) ? declaredTwice(who, place, twin) : undefined;
}

export function declaredTwice(who: Identity, { kind, id }: Place, twin: string): CheckFailure {
  const reason = `${memberName(who)} in ${kind} ${id} is already declared by ${twin}: each would revert the other's changes. Remove one of them from the program.`;
  return { property: "", reason };
}

/**
 * @returns the conflict with another resource of all members of the project, or of one of them
 */
export function claimAll({ session, urn, projectId }: Claimant): CheckFailure | undefined {
  const claims = session.of(Claims);
  const other = claims.declarerOf(anyMemberOf(projectId)) ?? claims.claim(allMembersOf(projectId), urn);
  return other ? { property: "projectId", reason: memberListConflict(projectId, urn, other) } : undefined;
}

/** For Create and Update, which claim what Check may not have known. @throws RefusedError if there is a conflict */
export function refuseConflict(conflict: CheckFailure | undefined): void {
  if (conflict) throw new RefusedError(conflict.reason);
}

function memberListConflict(projectId: string, urn: string, other: string): string {
  return `${urn} and ${other} both declare people of project ${projectId}, and ProjectMembers owns all of them: each would revert the other's changes. Use one ProjectMembers, or only ProjectMember.`;
}
