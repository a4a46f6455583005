/** Letting go of everybody in a project: as a rule by leaving them in, on request by taking out those who were declared. */
import { absenceOfProject } from "../absence";
import type { DeleteRequest, Context } from "../resource";
import { declarerOfEverybody, protectorOf } from "../membership/claims";
import { identityOf, nameOf, usernameOf, isOwner, type Place, type Identity } from "../membership/membership";
import { removeAll, lastOwner } from "./apply-plan";
import { asMembersInputs, type MembersInputs } from "./inputs";
import { sightingOf, asMembersState, effectiveOnDestroy, everybodyIn, recordedDetails, recordsInvitation, asProperties, type MembersState, type MemberDetail } from "./state";
import { invitationsRefusal, isRefused } from "../membership/project-people-cache";
import { RefusedError, PartialFailure, messageOf } from "../../errors";
import { overMaxRemovals } from "./current-people";
import { isLastOwnerRefusal, vacateUnseen } from "../membership/write";

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
  const roster = await session.rosters.fresh(projectId, signal);
  if (isRefused(roster.members)) {
    const absence = await absenceOfProject(roster.members.error, recorded, context);
    if (absence === "gone") return;
    if (absence === "unreadable") throw roster.members.error;
    const leaving = recorded.memberDetails.filter(
      (detail) => detail.declared && !keptElsewhere(projectId, detail, [], context),
    );
    refuseTooMany(projectId, inputs, leaving.map(nameOf), context);
    await removeUnseen(recorded, leaving, context);
    return;
  }
  // An invitation that cannot be read cannot be deleted, and its record would be lost.
  const refusal = invitationsRefusal(projectId, roster, recordsInvitation(recorded.memberDetails));
  if (refusal !== undefined) throw refusal;
  const places = everybodyIn(roster, recorded.memberDetails);
  const recordedOf = recordedDetails(recorded.memberDetails, places);
  const removals = places.filter((place) => {
    const detail = recordedOf(place);
    return detail?.declared && !keptElsewhere(projectId, detail, [identityOf(place)], context);
  });
  refuseTooMany(projectId, inputs, withoutLastOwner(removals, places).map(usernameOf), context);
  const outcome = await removeAll(projectId, removals, { places, recorded: recorded.memberDetails }, context);
  for (const sentence of outcome.lastOwners) log.warn(sentence);
  refuseIncomplete(recorded, outcome.reasons);
}

/** Those who are about to leave. If all owners are among them, the last one stays, and does not count as a removal. */
function withoutLastOwner(removals: readonly Place[], places: readonly Place[]): readonly Place[] {
  const owners = removals.filter(isOwner);
  if (owners.length < places.filter(isOwner).length) return removals;
  const last = owners.at(-1);
  return removals.filter((place) => place !== last);
}

function refuseTooMany(
  projectId: string,
  inputs: Partial<MembersInputs>,
  names: readonly string[],
  { session }: Context,
): void {
  const refusal = overMaxRemovals(projectId, inputs, names);
  if (refusal !== undefined) {
    throw new RefusedError(`${refusal}, or onDestroy to "release", run pulumi up, and destroy again.`);
  }
  const overall = session.reserveRemovals(names.length);
  if (overall !== undefined) {
    throw new RefusedError(`No one was removed from project ${projectId} (${names.join(", ")}): ${overall}`);
  }
}

/** Some of the removals may have succeeded. */
function refuseIncomplete(recorded: MembersState, reasons: readonly string[]): void {
  if (reasons.length > 0) throw new PartialFailure(recorded.projectId, asProperties(recorded), reasons);
}

/** By what is recorded, on a service that lists nobody; it is the service that keeps the last owner then. */
async function removeUnseen(
  recorded: MembersState,
  leaving: readonly MemberDetail[],
  context: Context,
): Promise<void> {
  const { projectId } = recorded;
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
  refuseIncomplete(recorded, reasons);
}

function keptElsewhere(
  projectId: string,
  detail: MemberDetail,
  seen: readonly Identity[],
  { session, log }: Context,
): boolean {
  const owner = protectorOf(session, projectId, detail, { username: detail.declaredAs }, ...seen);
  if (owner !== undefined)
    log.info(`${detail.username} in project ${projectId} is kept: declared by ${owner}.`);
  return owner !== undefined;
}
