/** Reads the people of a project, for a refresh and for an import. */

import { OwnersAbove } from "../../access/owners-above";
import { sameName, usernamesOf } from "../../access/person";
import { RefusedError } from "../../text/errors";
import { OBJECT_ID } from "../../text/object-id";
import { toProperties } from "../contract/border";
import type { Context, ReadRequest, ReadResult } from "../contract/resource";
import { meaningOf } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { warnOfUnread } from "../evidence/unread-warning";
import { announceExpiry } from "../people/expired-invitations";
import { allMemberships } from "../people/memberships";
import { absenceOfProject } from "../reads/absence";
import { factsOf } from "../reads/project-facts";
import { decisiveRefusal, ProjectPeopleCache } from "../reads/project-people";
import { ObservationLog } from "../session/observations";
import { asMemberListInputs } from "./inputs";
import { directMemberships, readProjectPeople, requireMemberList } from "./memberships";
import {
  asMemberListState,
  observationOf,
  recordsInvitation,
  stateAfterRead,
  stateAfterWrite,
} from "./state";

export async function read(request: ReadRequest): Promise<ReadResult | undefined> {
  const { id, state, oldInputs } = request;
  if (state === undefined || oldInputs === undefined) return readForImport(id, request.context);
  const recorded = asMemberListState(state, id);
  const { projectId, origin } = recorded;
  const context = { ...request.context, projectId };
  context.session.of(ObservationLog).record(context.urn, observationOf(recorded));
  const projectPeople = await readProjectPeople(recorded.memberDetails, "reading", context);
  const { members } = projectPeople;
  const refusal = decisiveRefusal(projectId, projectPeople, recordsInvitation(recorded.memberDetails));
  if (refusal !== undefined) {
    const { error } = refusal;
    if (!(members instanceof Refusal) && meaningOf(error) === "failure") throw error;
    // A list of members proves that the project exists, so only its refusal can mean that the
    // project was deleted.
    if (members instanceof Refusal && (await absenceOfProject(error, recorded, context)) === "deleted")
      return undefined;
    warnOfUnread("people", projectId, error, context);
    return { id, state: toProperties(recorded), inputs: oldInputs };
  }
  const inputs = asMemberListInputs(oldInputs);
  const { orgId } = await factsOf(context, recorded);
  const memberships = await directMemberships(projectPeople, recorded.memberDetails, context);
  context.session.of(OwnersAbove).record(projectId, orgId, memberships);
  for (const detail of recorded.memberDetails) {
    const isThere = memberships.some(
      ({ username, invitationId }) =>
        sameName(username, detail.username) || invitationId === detail.invitationId,
    );
    if (detail.declared && !isThere) announceExpiry(detail, { kind: "project", id: projectId }, context);
  }
  const live = stateAfterRead({
    projectId,
    memberships,
    names: Object.keys(inputs.members),
    recorded: recorded.memberDetails,
    inputs,
    orgId,
    origin,
  });
  return { id, state: toProperties(live), inputs: { ...oldInputs, members: live.members } };
}

async function readForImport(id: string, operation: Context): Promise<ReadResult | undefined> {
  const projectId = id.toLowerCase();
  if (!OBJECT_ID.test(projectId)) {
    throw new RefusedError(
      `"${id}" is not the id of a project: ProjectMembers is imported by its projectId, 24 hexadecimal digits.`,
    );
  }
  const context = { ...operation, projectId };
  const projectPeople = await context.session.of(ProjectPeopleCache).shared(projectId, context.signal);
  if (projectPeople.members instanceof Refusal && meaningOf(projectPeople.members.error) === "deleted")
    return undefined;
  requireMemberList(projectId, projectPeople, false);
  const { orgId } = await factsOf(context);
  const memberships = allMemberships(projectPeople);
  // The generated inputs list all people.
  const state = stateAfterWrite({
    projectId,
    memberships,
    names: usernamesOf(memberships),
    recorded: [],
    inputs: {},
    orgId,
    origin: "imported",
  });
  return { id: projectId, state: toProperties(state), inputs: { projectId, members: state.members } };
}
