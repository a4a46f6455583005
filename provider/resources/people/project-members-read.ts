/** Looking at everybody in a project, for a refresh and for an import. */
import { RefusedError } from "../../errors";
import { absenceOfProject } from "../absence";
import { OBJECT_ID } from "../fields";
import { meaningOf } from "../meaning";
import type { Context, ReadRequest, ReadResult } from "../resource";
import { usernameOf } from "./person";
import { factsOf } from "./project-facts";
import { asMembersInputs } from "./project-members-inputs";
import { sightingOf } from "./project-members-sighting";
import {
  asMembersState,
  asProperties,
  everybodyIn,
  recordsInvitation,
  toMembersState,
} from "./project-members-state";
import { refuseUnlistable } from "./project-members-survey";
import { decisiveRefusal, isRefused } from "./rosters";
import { warnOfUnread } from "./unread";

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
