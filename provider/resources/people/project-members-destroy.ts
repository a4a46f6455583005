/** Letting go of everybody in a project: as a rule by leaving them in, on request by taking out those who were declared. */
import { messageOf, RefusedError } from "../../errors";
import { absenceOfProject } from "../absence";
import type { Context, DeleteRequest } from "../resource";
import { declarerOf, declarerOfEverybody } from "./claims";
import { nameOf, usernameOf } from "./person";
import { isLastOwnerRefusal, vacateUnseen } from "./places";
import { lastOwner, removeAll } from "./project-members-apply";
import { asMembersInputs, type MembersInputs } from "./project-members-inputs";
import { sightingOf } from "./project-members-sighting";
import {
  asMembersState,
  assign,
  effectiveOnDestroy,
  everybodyIn,
  type MemberDetail,
} from "./project-members-state";
import { overMaxRemovals } from "./project-members-survey";
import { isRefused } from "./rosters";

export async function destroyMembers({ id, state, oldInputs, context }: DeleteRequest): Promise<void> {
  const recorded = asMembersState(state, id);
  const inputs = asMembersInputs(oldInputs);
  const { projectId } = recorded;
  const { session, log, signal } = context;
  const other = declarerOfEverybody(session, projectId);
  if (other !== undefined) {
    // A replacement that deletes first creates next, and then meets these very people.
    if (other === context.urn) session.sighted(other, sightingOf(recorded));
    log.info(`The people of project ${projectId} are kept: declared by ${other}.`);
    return;
  }
  if (effectiveOnDestroy(inputs) === "release") {
    log.info(`The people of project ${projectId} were released: they stay in it as they are.`);
    return;
  }
  const leaving = recorded.memberDetails.filter(
    (detail) => detail.declared && !keptElsewhere(projectId, detail, context),
  );
  const roster = await session.rosters.fresh(projectId, signal);
  if (isRefused(roster.members)) {
    const absence = await absenceOfProject(roster.members.error, recorded, context);
    if (absence === "gone") return;
    if (absence === "unreadable") throw roster.members.error;
    refuseTooMany(projectId, inputs, leaving.map(nameOf));
    await removeUnseen(projectId, leaving, context);
    return;
  }
  const places = everybodyIn(roster);
  const { found } = assign(leaving.map(nameOf), places, recorded.memberDetails);
  const removals = [...found.values()];
  refuseTooMany(projectId, inputs, removals.map(usernameOf));
  const outcome = await removeAll(projectId, removals, places, context);
  for (const sentence of outcome.lastOwners) log.warn(sentence);
  if (outcome.reasons.length > 0) throw new RefusedError(outcome.reasons.join(" "));
}

function refuseTooMany(projectId: string, inputs: Partial<MembersInputs>, names: readonly string[]): void {
  const refusal = overMaxRemovals(projectId, inputs, names);
  if (refusal === undefined) return;
  throw new RefusedError(`${refusal}, or onDestroy to "release", run pulumi up, and destroy again.`);
}

/** By what is recorded, on a service that lists nobody; it is the service that keeps the last owner then. */
async function removeUnseen(
  projectId: string,
  leaving: readonly MemberDetail[],
  context: Context,
): Promise<void> {
  const reasons: string[] = [];
  for (const detail of leaving) {
    try {
      await vacateUnseen(projectId, detail, context);
    } catch (error) {
      if (isLastOwnerRefusal(error)) {
        context.log.warn(lastOwner(projectId, detail.username, "was not removed"));
      } else reasons.push(messageOf(error));
    }
  }
  if (reasons.length > 0) throw new RefusedError(reasons.join(" "));
}

function keptElsewhere(projectId: string, detail: MemberDetail, { session, log }: Context): boolean {
  const owner =
    declarerOf(session, projectId, detail) ?? declarerOf(session, projectId, { username: detail.declaredAs });
  if (owner !== undefined)
    log.info(`${detail.username} in project ${projectId} is kept: declared by ${owner}.`);
  return owner !== undefined;
}
