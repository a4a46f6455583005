/** Looking at everybody in a project, for a refresh and for an import. */
import { absenceOfProject } from "../absence";
import type { ReadRequest, ReadResult, Context } from "../resource";
import { factsOf } from "../membership/project-facts";
import { asMembersInputs } from "./inputs";
import { sightingOf, asMembersState, asProperties, everybodyIn, recordsInvitation, toMembersState } from "./state";
import { decisiveRefusal, isRefused } from "../membership/project-people-cache";
import { warnOfUnread } from "../membership/unread-warning";
import { meaningOf } from "../meaning";
import { RefusedError } from "../../errors";
import { OBJECT_ID } from "../fields";
import { usernameOf } from "../membership/membership";
import { refuseUnlistable } from "./current-people";

export async function readMembers({
  id,
  state,
  oldInputs,
  context,
}: ReadRequest): Promise<ReadResult | undefined> {
  if (state === undefined || oldInputs === undefined) return readForImport(id, context);
  const recorded = asMembersState(state, id);
  const { projectId, origin } = recorded;
  context.session.sighted(context.urn, sightingOf(recorded));
  const roster = await context.session.rosters.shared(projectId, context.signal);
  const { members } = roster;
  const error = decisiveRefusal(projectId, roster, recordsInvitation(recorded.memberDetails));
  if (error !== undefined) {
    // A list of members proves that the project exists, so only its refusal can mean that the project was deleted.
    const absence = isRefused(members) ? await absenceOfProject(error, recorded, context) : unreadable(error);
    if (absence === "gone") return undefined;
    warnOfUnread(absence, projectId, error, context);
    return { id, state: asProperties(recorded), inputs: oldInputs };
  }
  const inputs = asMembersInputs(oldInputs);
  const { orgId } = await factsOf(projectId, context, recorded);
  const live = toMembersState({
    projectId,
    places: everybodyIn(roster, recorded.memberDetails),
    names: Object.keys(inputs.members),
    recorded: recorded.memberDetails,
    declares: "as recorded",
    inputs,
    orgId,
    origin,
  });
  return { id, state: asProperties(live), inputs: { ...oldInputs, members: live.members } };
}

/** @throws the error itself if it proves nothing */
function unreadable(error: unknown): "unreadable" {
  if (meaningOf(error) === "failure") throw error;
  return "unreadable";
}

async function readForImport(id: string, context: Context): Promise<ReadResult | undefined> {
  const projectId = id.toLowerCase();
  if (!OBJECT_ID.test(projectId)) {
    throw new RefusedError(
      `"${id}" is not the id of a project: ProjectMembers is imported by its projectId, 24 hexadecimal digits.`,
    );
  }
  const roster = await context.session.rosters.shared(projectId, context.signal);
  if (isRefused(roster.members) && meaningOf(roster.members.error) === "gone") return undefined;
  refuseUnlistable(projectId, roster, false);
  const { orgId } = await factsOf(projectId, context);
  const places = everybodyIn(roster);
  const state = toMembersState({
    projectId,
    places,
    names: places.map(usernameOf),
    recorded: [],
    // The generated inputs list everybody.
    declares: "names",
    inputs: {},
    orgId,
    origin: "imported",
  });
  return { id: projectId, state: asProperties(state), inputs: { projectId, members: state.members } };
}
