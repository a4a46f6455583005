/**
 * Whom an identity of the program meant when it was last recorded, by whichever resource this operation has read. So people keep
 * their membership if the resource is renamed, or if another resource type takes over, although their account was renamed.
 */
import type { Session, Sighting } from "../session";
import { type Identity, sameName } from "./person";
import { asMemberState, idName, splitId } from "./project-member-state";
import { sightingId } from "./project-members-sighting";
import { asMembersState } from "./project-members-state";

/** @returns the recorded ids; `undefined` if the program's own identity is as good */
export function recordedUnder(
  session: Session,
  projectId: string,
  { userId, username }: Identity,
): Identity | undefined {
  const records = [...session.sightings()].flatMap(
    (sighting) => recordedIn(sighting, projectId, userId === undefined ? username : idName(userId)) ?? [],
  );
  if (userId !== undefined) {
    const invitationId = records.find((record) => record.invitationId !== undefined)?.invitationId;
    return invitationId === undefined ? undefined : { userId, invitationId };
  }
  const found = records.find((record) => record.userId !== undefined);
  return found && { userId: found.userId, username: found.username };
}

function recordedIn(
  { id, names, recorded }: Sighting,
  projectId: string,
  declared: string | undefined,
): Identity | undefined {
  if (recorded === undefined) return undefined;
  if (id === sightingId(projectId)) {
    const { memberDetails } = asMembersState(recorded, projectId);
    return memberDetails.find((detail) => sameName(detail.declaredAs ?? detail.username, declared));
  }
  // The id keeps the name that was written first; another account may have that name now.
  const isHere = splitId(id).projectId === projectId && names.some((name) => sameName(name, declared));
  return isHere ? asMemberState(recorded, id) : undefined;
}
