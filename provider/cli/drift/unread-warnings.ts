/**
 * Resources that could not be looked at: the provider keeps their last known state, with a warning that begins with a code
 * (resources/project/project.ts, resources/people/unread.ts). To the engine they are unchanged.
 */

import { kindOf } from "../own-resources";
import type { StateResource } from "../stack-export";
import type { Diagnostic } from "./engine-events";

const WARNING = /\[(unreadable|missing operation)\] (.*)/s;
const OF_PEOPLE = /people of a? ?project/;
const PROJECT_ID = /\b[0-9a-f]{24}\b/;

export interface UnreadResource {
  readonly urn: string;
  readonly reason: string;
}

/**
 * All resources that a warning is about. It stands once for a project, also where several resources share its people, and the
 * dynamic door's has no URN; so it is the project that counts.
 */
export function unreadResources(
  diagnostics: readonly Diagnostic[],
  resources: readonly StateResource[],
): UnreadResource[] {
  const found = new Map<string, UnreadResource>();
  for (const { message, urn } of diagnostics) {
    const reason = WARNING.exec(message)?.[2]?.trim();
    if (reason === undefined) continue;
    const ofPeople = OF_PEOPLE.test(reason);
    const projectId = PROJECT_ID.exec(reason)?.[0];
    const isMeant = (resource: StateResource) =>
      (kindOf(resource.type) !== "Project") === ofPeople &&
      (projectId === undefined || projectIdOf(resource) === projectId);
    const meant = new Set([
      ...resources.filter(isMeant).map((resource) => resource.urn),
      ...(urn ? [urn] : []),
    ]);
    for (const each of meant) found.set(each, { urn: each, reason });
  }
  return [...found.values()];
}

function projectIdOf({ id = "" }: StateResource): string | undefined {
  return id.split("/")[0];
}
