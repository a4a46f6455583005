/** Removes one person from a project, invited or active. */

import { type Identity, memberName } from "../../access/person";
import { messageOf, RefusedError } from "../../text/errors";
import type { Context, DeleteRequest, ProjectContext } from "../contract/resource";
import { Refusal } from "../evidence/refusal";
import { leaverFrom } from "../people/member-claims";
import { explainOnlyOwner } from "../people/only-owner";
import { lookUpMembership, removeFromProject, removeWithoutMemberList } from "../people/write";
import { absenceOfProject, isProjectDeleted } from "../reads/absence";
import { invitationsRefusal, ProjectPeopleCache } from "../reads/project-people";
import { Claims } from "../session/claims";
import { ObservationLog } from "../session/observations";
import { RemovalBudget, removalOf } from "../session/removal-budget";
import { findRecorded } from "./find-member";
import { asMemberInputs, declaredIdentity, onDestroySetting } from "./inputs";
import { asMemberState, type MemberState, observationOf } from "./state";

export async function remove({ id, state, oldInputs, ...request }: DeleteRequest): Promise<void> {
  const recorded = asMemberState(state, id);
  const inputs = asMemberInputs(oldInputs);
  const { projectId } = recorded;
  const context = { ...request.context, projectId };
  const name = memberName(recorded);
  const { session, log } = context;
  const declared = declaredIdentity(inputs);
  const protectorOf = (seen: readonly Identity[], deleted?: string) =>
    session.of(Claims).declarerOf(leaverFrom(projectId, recorded, declared, ...seen), deleted);
  // A replacement that deletes first creates next, and then finds this person if they stay.
  const observe = (...seen: readonly Identity[]): void => {
    if (protectorOf(seen) !== context.urn) return;
    session.of(ObservationLog).record(context.urn, observationOf(id, recorded.origin, inputs, recorded));
  };
  observe();
  if (onDestroySetting.effective(inputs) === "release") {
    log.info(`${name} was released and is not changed in project ${projectId}.`);
    return;
  }
  /** Another resource may declare a renamed account by its previous name. */
  const isKept = (...seen: readonly Identity[]): boolean => {
    observe(...seen);
    const owner = protectorOf(seen, context.urn);
    if (owner === undefined) return false;
    log.info(`${name} in project ${projectId} was kept because ${owner} declares this person.`);
    return true;
  };
  if (isKept()) return;
  await removeRecordedMember(recorded, declared, isKept, context).catch(async (error: unknown) => {
    if (await isProjectDeleted(error, recorded, context)) return;
    throw explainOnlyOwner(name, context, error);
  });
}

async function removeRecordedMember(
  recorded: MemberState,
  declared: Identity,
  isKept: (...seen: readonly Identity[]) => boolean,
  context: ProjectContext,
): Promise<void> {
  const { projectId } = context;
  const lists = await context.session.of(ProjectPeopleCache).gathered(projectId, context.signal);
  const { projectPeople, who } = await findRecorded(recorded, declared, lists, context);
  if (projectPeople.members instanceof Refusal) {
    const absence = await absenceOfProject(projectPeople.members.error, recorded, context);
    if (absence === "deleted") return;
    // The ID of an invitation does not show whether it was accepted. A key with the role can read
    // that.
    if (absence === "unreadable" && recorded.userId === undefined) {
      throw new RefusedError(
        `${memberName(recorded)} was not removed from project ${projectId}: these credentials may not list its people, so the provider cannot determine whether the invitation was accepted. These credentials need the role Project User Admin there. Or set onDestroy to "release" and run pulumi up. (${messageOf(projectPeople.members.error)})`,
        { cause: projectPeople.members.error },
      );
    }
    if (isKept()) return;
    reserveOne(recorded, recorded, context);
    await removeWithoutMemberList(recorded, context);
    return;
  }
  if (who === "unknown") {
    throw new RefusedError(
      `${memberName(recorded)} was not removed from project ${projectId}: these credentials may not read the account, so the provider cannot determine whether an invitation is theirs. These credentials need the role Project User Admin in a project of this account. Or set onDestroy to "release" and run pulumi up.`,
    );
  }
  // A member may still have the recorded invitation. If that cannot be read, it cannot be deleted,
  // and its record would be lost.
  const { invitationId } = recorded;
  const refusal = invitationId === undefined ? undefined : invitationsRefusal(projectId, projectPeople, true);
  if (refusal !== undefined) throw refusal.error;
  // The invitation of a member who has left is still this resource's own.
  const membership =
    lookUpMembership(projectId, projectPeople, who) ??
    (invitationId === undefined ? undefined : lookUpMembership(projectId, projectPeople, { invitationId }));
  // Checked again: a resource that was created during the read may have claimed the person.
  if (!membership || isKept(membership)) return;
  reserveOne(recorded, membership, context);
  await removeFromProject(membership, context);
}

function reserveOne(recorded: MemberState, who: Identity, { session }: Context): void {
  const refused = `${memberName(recorded)} was not removed from project ${recorded.projectId}`;
  session.of(RemovalBudget).require([removalOf(recorded.projectId, who)], refused);
}
