/** Resources that the provider could not read: it keeps their last known state, which the engine reports as unchanged. */

import { type ParsedNotice, parseNotice } from "../../notices";
import { kindOf } from "../own-resources";
import type { StateResource } from "../stack-export";
import type { Diagnostic } from "./engine-events";

export interface UnreadResource {
  readonly urn: string;
  readonly reason: string;
}

/**
 * All resources that a notice is about. The provider logs one notice for each project, also where several resources share its
 * people, and a notice of the dynamic provider has no URN. So the project decides.
 */
export function unreadResources(
  diagnostics: readonly Diagnostic[],
  resources: readonly StateResource[],
): UnreadResource[] {
  const found = new Map<string, UnreadResource>();
  for (const { message, urn } of diagnostics) {
    const notice = parseNotice(message);
    if (notice === undefined) continue;
    const meant = new Set([...urnsOf(notice, resources), ...(urn ? [urn] : [])]);
    for (const each of meant) found.set(each, { urn: each, reason: notice.sentence });
  }
  return [...found.values()];
}

function urnsOf(notice: ParsedNotice, resources: readonly StateResource[]): string[] {
  const { subject, projectId, invitationId } = notice;
  const isOfPeople = subject === "people" || subject === "invitation";
  const inProject = resources.filter(
    (resource) =>
      (kindOf(resource.type) !== "Project") === isOfPeople &&
      (projectId === undefined || projectIdOf(resource) === projectId),
  );
  const invited = inProject.filter((resource) => isInvitation(resource, invitationId));
  return (invited.length > 0 ? invited : inProject).map(({ urn }) => urn);
}

/** A secret id is an object in an exported state, so it matches nothing. */
function isInvitation({ id = "", outputs }: StateResource, invitationId: string | undefined): boolean {
  if (invitationId === undefined) return false;
  return outputs?.invitationId === invitationId || id.split("/")[1] === invitationId;
}

function projectIdOf({ id = "" }: StateResource): string | undefined {
  return id.split("/")[0];
}
