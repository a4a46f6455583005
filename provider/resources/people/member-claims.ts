/** Which resource declares which people of a project or an organization. */

import { foldName, type Identity, memberName } from "../../access/person";
import type { CheckFailure } from "../contract/check";
import type { ProjectContext } from "../contract/resource";
import { Claims, existing, isUrn, type Subject } from "../session/claims";

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
  const twin = claims.claim(membersOf(projectId, who), urn);
  if (rival) return { property: "projectId", reason: memberListConflict(projectId, urn, rival) };
  claims.claim(anyMemberOf(projectId), urn);
  return twin && isUrn(urn) ? declaredTwice(memberName(who), `project ${projectId}`, twin) : undefined;
}

/** @param place such as `project 5f0000000000000000000101` */
export function declaredTwice(name: string, place: string, twin: string): CheckFailure {
  const reason = `${name} in ${place} is already declared by ${twin}: each would revert the other's changes. Remove one of them from the program.`;
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

function memberListConflict(projectId: string, urn: string, other: string): string {
  return `${urn} and ${other} both declare people of project ${projectId}, and ProjectMembers owns all of them: each would revert the other's changes. Use one ProjectMembers, or only ProjectMember.`;
}
