/**
 * Finds the account or invitation that a name or `userId` of the program meant when a resource last recorded it. All resources
 * that this operation has read count. So people whose account was renamed keep their membership if the resource is renamed too, or
 * if another resource type takes over.
 */

import { asMemberState, idName, splitId } from "../project-member/state";
import { asMemberListState, observationId } from "../project-members/state";
import type { Observation, Session } from "../session";
import { type Identity, sameName } from "./membership";

/** @returns the recorded ids; `undefined` if the program's own identity is as good */
export function recordedIdentity(
  session: Session,
  projectId: string,
  { userId, username }: Identity,
): Identity | undefined {
  const records = [...session.observations()].flatMap(
    (observation) =>
      recordedIn(observation, projectId, userId === undefined ? username : idName(userId)) ?? [],
  );
  if (userId !== undefined) {
    const invitationId = records.find((record) => record.invitationId !== undefined)?.invitationId;
    return invitationId === undefined ? undefined : { userId, invitationId };
  }
  const found =
    records.find((record) => record.userId !== undefined) ??
    records.find((record) => record.invitationId !== undefined);
  return found && { userId: found.userId, invitationId: found.invitationId, username: found.username };
}

function recordedIn(
  { id, names, recorded }: Observation,
  projectId: string,
  declared: string | undefined,
): Identity | undefined {
  if (recorded === undefined) return undefined;
  if (id === observationId(projectId)) {
    const { memberDetails } = asMemberListState(recorded, projectId);
    // A person who was only seen in the project was never meant by a name of the program.
    return memberDetails.find(
      (detail) => detail.declared && sameName(detail.declaredAs ?? detail.username, declared),
    );
  }
  // The id keeps the name that was written first; another account may have that name now.
  const isHere = splitId(id).projectId === projectId && names.some((name) => sameName(name, declared));
  return isHere ? asMemberState(recorded, id) : undefined;
}
