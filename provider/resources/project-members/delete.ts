/** Destroys ProjectMembers: releases the people by default, or removes those who were declared. */

import { messageOf, PartialFailure, RefusedError } from "../../text/errors";
import { toProperties } from "../contract/border";
import type { DeleteRequest, ProjectContext } from "../contract/resource";
import { absenceOfProject } from "../evidence/absence";
import { isLastOwnerRefusal } from "../evidence/meaning";
import { showsAllDeclared } from "../people/memberships";
import type { MemberDetail } from "../people/outputs";
import { type Identity, isOwner, type Membership, memberName, usernamesOf } from "../people/person";
import { invitationsRefusal, isRefused, ProjectPeopleCache } from "../people/project-people-cache";
import { recordOf } from "../people/resolve";
import { removeWithoutMemberList } from "../people/write";
import { Claims } from "../session/claims";
import { ObservationLog } from "../session/observations";
import { RemovalBudget } from "../session/removal-budget";
import { lastOwner, removeAll } from "./apply-plan";
import { directMemberships, maxRemovalsExceeded } from "./current-people";
import { asMemberListInputs, type MemberListInputs, onDestroySetting } from "./inputs";
import { asMemberListState, type MemberListState, observationOf, recordsInvitation } from "./state";

export async function remove({ id, state, oldInputs, ...request }: DeleteRequest): Promise<void> {
  const recorded = asMemberListState(state, id);
  const inputs = asMemberListInputs(oldInputs);
  const { projectId } = recorded;
  const context = { ...request.context, projectId };
  const { session, log, signal } = context;
  // A replacement that deletes first creates next, and then finds the people who stay.
  session.of(ObservationLog).record(context.urn, observationOf(recorded));
  const other = session.of(Claims).declarerOfAll(projectId, context.urn);
  if (other !== undefined) {
    log.info(`The people of project ${projectId} are retained: declared by ${other}.`);
    return;
  }
  if (onDestroySetting.effective(inputs) === "release") {
    log.info(`The people of project ${projectId} were released and are not changed.`);
    return;
  }
  const lists = await session.of(ProjectPeopleCache).fresh(projectId, signal);
  const isComplete = showsAllDeclared(recorded.memberDetails);
  const projectPeople = await session.of(ProjectPeopleCache).confirmed(projectId, lists, isComplete, signal);
  if (isRefused(projectPeople.members)) {
    const absence = await absenceOfProject(projectPeople.members.error, recorded, context);
    if (absence === "deleted") return;
    if (absence === "unreadable") throw projectPeople.members.error;
    const leaving = recorded.memberDetails.filter(
      (detail) => detail.declared && !withoutDeclaredElsewhere(detail, [], context),
    );
    refuseTooMany(inputs, leaving.map(memberName), context);
    await removeWithoutLists(recorded, leaving, context);
    return;
  }
  // An invitation that cannot be read cannot be deleted, and its record would be lost.
  const refusal = invitationsRefusal(projectId, projectPeople, recordsInvitation(recorded.memberDetails));
  if (refusal !== undefined) throw refusal;
  const memberships = await directMemberships(projectPeople, recorded.memberDetails, context);
  const recordedOf = recordOf(recorded.memberDetails, memberships);
  const removals = memberships.filter((membership) => {
    const detail = recordedOf(membership);
    return detail?.declared && !withoutDeclaredElsewhere(detail, [membership], context);
  });
  refuseTooMany(inputs, usernamesOf(withoutLastOwner(removals, memberships)), context);
  const found = { memberships, recorded: recorded.memberDetails };
  const outcome = await removeAll(removals, found, context);
  for (const sentence of outcome.lastOwners) log.warn(sentence);
  refuseIncomplete(recorded, outcome.reasons);
}

/** The removals without the last owner, who is not removed and does not count as a removal. */
function withoutLastOwner(
  removals: readonly Membership[],
  memberships: readonly Membership[],
): readonly Membership[] {
  const owners = removals.filter(isOwner);
  if (owners.length < memberships.filter(isOwner).length) return removals;
  const last = owners.at(-1);
  return removals.filter((membership) => membership !== last);
}

function refuseTooMany(
  inputs: Partial<MemberListInputs>,
  names: readonly string[],
  { session, projectId }: ProjectContext,
): void {
  const refusal = maxRemovalsExceeded(projectId, inputs, names);
  if (refusal !== undefined) {
    throw new RefusedError(`${refusal}, or onDestroy to "release", run pulumi up, and destroy again.`);
  }
  const overall = session.of(RemovalBudget).reserve(names.length);
  if (overall !== undefined) {
    throw new RefusedError(`No one was removed from project ${projectId} (${names.join(", ")}): ${overall}`);
  }
}

/** Some of the removals may have succeeded. */
function refuseIncomplete(recorded: MemberListState, reasons: readonly string[]): void {
  if (reasons.length > 0) throw new PartialFailure(recorded.projectId, toProperties(recorded), reasons);
}

/**
 * Removes people by the recorded IDs on a service without a list of people. The service protects
 * the last owner.
 */
async function removeWithoutLists(
  recorded: MemberListState,
  leaving: readonly MemberDetail[],
  context: ProjectContext,
): Promise<void> {
  const reasons: string[] = [];
  for (const detail of leaving) {
    try {
      await removeWithoutMemberList(detail, context);
    } catch (error) {
      if (isLastOwnerRefusal(error)) {
        context.log.warn(lastOwner(context.projectId, detail.username, "was not removed"));
      } else reasons.push(messageOf(error));
    }
  }
  refuseIncomplete(recorded, reasons);
}

function withoutDeclaredElsewhere(
  detail: MemberDetail,
  seen: readonly Identity[],
  { session, log, urn, projectId }: ProjectContext,
): boolean {
  const identities = [detail, { username: detail.declaredAs }, ...seen];
  const owner = session.of(Claims).protectorOf(projectId, identities, urn);
  if (owner !== undefined)
    log.info(`${detail.username} in project ${projectId} is retained: declared by ${owner}.`);
  return owner !== undefined;
}
