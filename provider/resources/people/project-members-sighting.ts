/** What an operation has seen of a ProjectMembers: a replacement of the same project goes on from it. */
import type { Context } from "../resource";
import type { Sighting } from "../session";
import { asMembersState, asProperties, type MembersState } from "./project-members-state";

/** The project's own id stands for the Project. */
export function sightingId(projectId: string): string {
  return `everybody in ${projectId}`;
}

export function sightingOf(state: MembersState): Sighting {
  const { projectId, origin } = state;
  return { id: sightingId(projectId), origin, orgIds: [], names: [], recorded: asProperties(state) };
}

/** Where this replaces a resource of the same project: what it recorded. */
export function replacedState(projectId: string, { session, urn }: Context): MembersState | undefined {
  const seen = session.lastSighting(urn);
  return seen?.recorded && seen.id === sightingId(projectId)
    ? asMembersState(seen.recorded, projectId)
    : undefined;
}
