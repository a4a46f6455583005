/** Destroys ProjectMembers: releases the people by default, or removes those who were declared. */

import type { Identity, Membership } from "../../access/person";
import { messageOf, PartialFailure, RefusedError } from "../../text/errors";
import { toProperties } from "../contract/border";
import type { MemberDetail } from "../contract/people-outputs";
import type { DeleteRequest, ProjectContext } from "../contract/resource";
import type { EndedPerson } from "../contract/until";
import { isLastOwnerRefusal } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { carryOut } from "../lists/changes";
import { endedAtDelete, endsByPerson, resolveEnds } from "../lists/ends";
import { limitsOf, tellLeaving } from "../lists/plan";
import { allMembersOf, leaverFrom } from "../people/member-claims";
import { refusalOf } from "../people/protect";
import { removeByRecordedIds } from "../people/removal";
import { recordOf } from "../people/resolve";
import { absenceOfProject, isProjectDeleted } from "../reads/absence";
import { invitationsRefusal, ProjectPeopleCache } from "../reads/project-people";
import { Claims } from "../session/claims";
import { ObservationLog } from "../session/observations";
import { ChangedProject, lastOwner } from "./changes";
import { asMemberListInputs, type MemberListInputs, onDestroySetting } from "./inputs";
import { accessIn, planDestroy } from "./plan";
import { directMemberships, readProjectPeople } from "./read";
import { asMemberListState, type MemberListState, observationOf, recordsInvitation } from "./state";

export async function remove({ id, state, oldInputs, ...request }: DeleteRequest): Promise<void> {
  const recorded = asMemberListState(state, id);
  const inputs = asMemberListInputs(oldInputs);
  const { projectId } = recorded;
  const context = { ...request.context, projectId };
  const { session, log } = context;
  // A replacement that deletes first creates next, and then finds the people who stay.
  session.of(ObservationLog).record(context.urn, observationOf(recorded));
  const isRelease = onDestroySetting.effective(inputs) === "release";
  const released = `The people of project ${projectId} were released: this resource no longer manages them.`;
  const ended = endedAtDelete({ oldInputs, state }, session);
  if (isRelease && ended.length === 0) {
    log.info(released);
    return;
  }
  const other = session.of(Claims).declarerOf(allMembersOf(projectId), context.urn);
  if (other !== undefined) {
    log.info(`The people of project ${projectId} were kept because ${other} declares them.`);
    return;
  }
  const leaving: Leaving = { recorded, inputs, ended, isRelease };
  const lists = await readProjectPeople(recorded.memberDetails, "writing", context);
  if (lists.members instanceof Refusal) {
    const absence = await absenceOfProject(lists.members.error, recorded, context);
    if (absence === "deleted") return;
    if (absence === "unreadable") throw lists.members.error;
    refuseIncomplete(recorded, await removeWithoutLists(leaving, context));
    return;
  }
  // An invitation that cannot be read cannot be deleted, and its record would be lost.
  const refusal = invitationsRefusal(projectId, lists, recordsInvitation(recorded.memberDetails));
  if (refusal !== undefined) throw refusal.error;
  const memberships = await directMemberships(lists, recorded.memberDetails, context);
  const reasons = await removeDeclared(leaving, memberships, context);
  if (reasons.length > 0 && !(await isDeletedMeanwhile(recorded, context)))
    refuseIncomplete(recorded, reasons);
  if (isRelease) log.info(released);
}

/** Who leaves with the resource: a last day counts more than `onDestroy`. */
interface Leaving {
  readonly recorded: MemberListState;
  readonly inputs: Partial<MemberListInputs>;
  readonly ended: readonly EndedPerson[];
  readonly isRelease: boolean;
}

/** @returns why some of them are still there, as sentences */
async function removeDeclared(
  leaving: Leaving,
  memberships: readonly Membership[],
  context: ProjectContext,
): Promise<readonly string[]> {
  const advice = (count: number) =>
    `Set maxRemovals to ${count}, or onDestroy to "release", run pulumi up, and destroy again.`;
  const { planned, endOf } = destroyPlan(memberships, leaving, advice, context);
  const project = new ChangedProject(leaving.recorded.memberDetails, new Map(), context);
  const removals = planned.map((membership) => project.removal(membership, endOf(membership)));
  const changes = { additions: [], others: [], removals, ends: [] };
  const outcome = await carryOut(changes, memberships, project, context.signal);
  const { lastOwners, notOffered, reasons, people } = outcome;
  const left = planned.filter((one) => !people.some((other) => project.isSame(one, other)));
  tellLeaving(accessIn({ kind: "project", id: context.projectId }, left), context.log);
  for (const sentence of [...lastOwners, ...notOffered.map(messageOf)]) context.log.warn(sentence);
  return reasons;
}

async function isDeletedMeanwhile(recorded: MemberListState, context: ProjectContext): Promise<boolean> {
  const { session, signal, projectId } = context;
  const read = session.of(ProjectPeopleCache).fresh(projectId, signal);
  const now = await read.catch(() => undefined);
  return now?.members instanceof Refusal && isProjectDeleted(now.members.error, recorded, context);
}

/** Some of the removals may have succeeded. */
function refuseIncomplete(recorded: MemberListState, reasons: readonly string[]): void {
  if (reasons.length > 0) throw new PartialFailure(recorded.projectId, toProperties(recorded), reasons);
}

/**
 * Removes people by the recorded IDs on a service without a list of people. The last owner of the
 * record stays. The service protects only the last of all owners, and it may count owners of the
 * organization and owners through a team.
 */
async function removeWithoutLists(everyone: Leaving, context: ProjectContext): Promise<readonly string[]> {
  // Without the list, no update can change a setting.
  const advice = () =>
    "This service does not list the people of the project, so no update can raise maxRemovals. Remove them outside Pulumi, or keep them; then remove the resource from the state with pulumi state delete.";
  const { memberDetails } = everyone.recorded;
  const { leaving, lastOwners } = destroyPlan(memberDetails, everyone, advice, context);
  for (const { username } of lastOwners) {
    context.log.warn(
      `${username} was not removed from project ${context.projectId}: the state lists no other direct owner, and this service does not list the people of the project. If it has another owner, remove ${username} outside Pulumi.`,
    );
  }
  const reasons: string[] = [];
  for (const detail of leaving) {
    try {
      await removeByRecordedIds(
        detail,
        context,
        "remove the resource from the state with pulumi state delete",
      );
    } catch (error) {
      if (isLastOwnerRefusal(error)) {
        context.log.warn(lastOwner(context.projectId, detail.username, "was not removed"));
      } else reasons.push(messageOf(error));
    }
  }
  return reasons;
}

/**
 * Who leaves, after saying who is kept because another resource declares them.
 *
 * @param advice what to do then, by their number
 * @throws RefusedError if more people would leave than may
 */
function destroyPlan<Person extends Identity & Pick<MemberDetail, "username" | "roles" | "status">>(
  people: readonly Person[],
  { recorded: { memberDetails: recorded, ends = [] }, inputs: settings, ended, isRelease }: Leaving,
  advice: (count: number) => string,
  { session, log, urn, projectId }: ProjectContext,
) {
  const recordedOf = recordOf(recorded, people);
  const { ending } = resolveEnds({ names: [], ended, ends, recorded }, people);
  const endsBy = endsByPerson({ ended, ending });
  const declarerOf = (person: Person) => {
    const detail = recordedOf(person);
    const identities = [...(detail ? [detail, { username: detail.declaredAs }] : []), person];
    return session.of(Claims).declarerOf(leaverFrom(projectId, ...identities), urn);
  };
  const isDeclared = (person: Person) =>
    endsBy.has(person) || (!isRelease && recordedOf(person)?.declared === true);
  const plan = planDestroy(people, isDeclared, declarerOf);
  for (const person of plan.declaredElsewhere) {
    const name = (recordedOf(person) ?? person).username;
    const declarer = declarerOf(person);
    log.info(`${name} in project ${projectId} was kept because ${declarer} declares this person.`);
  }
  const limited = {
    placeId: projectId,
    place: `project ${projectId}`,
    settings,
    list: undefined,
    isPlannedEnd: (person: Person) => endsBy.get(person)?.isPlanned === true,
    consequence: "Nobody was removed from",
    advice,
  };
  // The last owner is not removed, and does not count as a removal.
  const refusal = refusalOf(plan.leaving, limitsOf(limited, session));
  if (refusal !== undefined) throw new RefusedError(refusal);
  return { ...plan, endOf: (person: Person) => endsBy.get(person) };
}
