/** Reads the people of a project, for a refresh and for an import. */

import { RefusedError } from "../../errors";
import { OBJECT_ID } from "../../object-id";
import { absenceOfProject } from "../absence";
import { toProperties } from "../border";
import { meaningOf } from "../meaning";
import { usernamesOf } from "../membership/membership";
import { factsOf } from "../membership/project-facts";
import { decisiveRefusal, isRefused } from "../membership/project-people-cache";
import type { Context, ReadRequest, ReadResult } from "../resource";
import { warnOfUnread } from "../unread-warning";
import { directMemberships, requireMemberList } from "./current-people";
import { asMemberListInputs } from "./inputs";
import {
  allMemberships,
  asMemberListState,
  observationOf,
  recordsInvitation,
  showsAllDeclared,
  toMemberListState,
} from "./state";

export async function read(request: ReadRequest): Promise<ReadResult | undefined> {
  const { id, state, oldInputs } = request;
  if (state === undefined || oldInputs === undefined) return readForImport(id, request.context);
  const recorded = asMemberListState(state, id);
  const { projectId, origin } = recorded;
  const context = { ...request.context, projectId };
  context.session.observations.record(context.urn, observationOf(recorded));
  const { session, signal } = context;
  const lists = await session.peopleCache.shared(projectId, signal);
  const isComplete = showsAllDeclared(recorded.memberDetails);
  const projectPeople = await session.peopleCache.confirmed(projectId, lists, isComplete, signal);
  const { members } = projectPeople;
  const error = decisiveRefusal(projectId, projectPeople, recordsInvitation(recorded.memberDetails));
  if (error !== undefined) {
    // A list of members proves that the project exists, so only its refusal can mean that the
    // project was deleted.
    const absence = isRefused(members) ? await absenceOfProject(error, recorded, context) : unreadable(error);
    if (absence === "deleted") return undefined;
    warnOfUnread("people", projectId, absence, error, context.log);
    return { id, state: toProperties(recorded), inputs: oldInputs };
  }
  const inputs = asMemberListInputs(oldInputs);
  const { orgId } = await factsOf(context, recorded);
  const live = toMemberListState({
    projectId,
    memberships: await directMemberships(projectPeople, recorded.memberDetails, context),
    names: Object.keys(inputs.members),
    recorded: recorded.memberDetails,
    declares: "as recorded",
    inputs,
    orgId,
    origin,
  });
  return { id, state: toProperties(live), inputs: { ...oldInputs, members: live.members } };
}

/** @throws the error itself if it proves nothing */
function unreadable(error: unknown): "unreadable" {
  if (meaningOf(error) === "failure") throw error;
  return "unreadable";
}

async function readForImport(id: string, operation: Context): Promise<ReadResult | undefined> {
  const projectId = id.toLowerCase();
  if (!OBJECT_ID.test(projectId)) {
    throw new RefusedError(
      `"${id}" is not the id of a project: ProjectMembers is imported by its projectId, 24 hexadecimal digits.`,
    );
  }
  const context = { ...operation, projectId };
  const projectPeople = await context.session.peopleCache.shared(projectId, context.signal);
  if (isRefused(projectPeople.members) && meaningOf(projectPeople.members.error) === "deleted")
    return undefined;
  requireMemberList(projectId, projectPeople, false);
  const { orgId } = await factsOf(context);
  const memberships = allMemberships(projectPeople);
  const state = toMemberListState({
    projectId,
    memberships,
    names: usernamesOf(memberships),
    recorded: [],
    // The generated inputs list all people.
    declares: "names",
    inputs: {},
    orgId,
    origin: "imported",
  });
  return { id: projectId, state: toProperties(state), inputs: { projectId, members: state.members } };
}
