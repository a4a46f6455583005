/**
 * Whom a name meant when it was last recorded, by whichever resource this operation has seen: somebody whose account was renamed by
 * hand keeps their place also when the resource is renamed, or another kind of resource takes over.
 */
import type { Session, Sighting } from "../session";
import { type Identity, sameName } from "./person";
import { asMemberState, splitId } from "./project-member-state";
import { sightingId } from "./project-members-sighting";
import { asMembersState } from "./project-members-state";

/** @returns an identity with the account's id, or nothing: without one the name says it all */
export function recordedUnder(session: Session, projectId: string, username: string): Identity | undefined {
  const found = [...session.sightings()]
    .map((sighting) => recordedIn(sighting, projectId, username))
    .find((identity) => identity?.userId !== undefined);
  return found && { userId: found.userId, username: found.username };
}

function recordedIn(
  { id, names, recorded }: Sighting,
  projectId: string,
  username: string,
): Identity | undefined {
  if (recorded === undefined) return undefined;
  if (id === sightingId(projectId)) {
    const { memberDetails } = asMembersState(recorded, projectId);
    return memberDetails.find((detail) => sameName(detail.declaredAs ?? detail.username, username));
  }
  // The id keeps the name that was written first; who has that name by now may be somebody else.
  const isHere = splitId(id).projectId === projectId && names.some((name) => sameName(name, username));
  return isHere ? asMemberState(recorded, id) : undefined;
}
