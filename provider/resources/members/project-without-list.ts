/**
 * One person, for a service that offers only the four documented operations and no list of people.
 */

import { memberName, pendingMembership } from "../../access/person";
import { challenged } from "../../api/client";
import { getInvitation } from "../../api/invitations";
import { messageOf, RefusedError } from "../../text/errors";
import { formatNotice } from "../../text/notices";
import { OBJECT_ID } from "../../text/object-id";
import { howToKeep } from "../contract/until";
import { known, withoutUndefined } from "../contract/values";
import { CHECK_BASE_URL, isBareNotFound, meaningOf } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { warnOfUnread } from "../evidence/unread-warning";
import { removeByRecordedIds } from "../people/removal";
import { absenceOfProject } from "../reads/absence";
import { decisiveRefusal, hasExpired, invitationsRefusal, toInvitation } from "../reads/project-people";
import { removalOf, requireRemovals } from "../session/removal-budget";
import type { MemberInputs, MemberKind, MemberPlace, MemberState, Presence, UnlistedMembers } from "./port";
import { projectOf } from "./project-identity";
import { declaredIdentity, ENDED, notRemoved, toMemberState } from "./record";

const read: UnlistedMembers["read"] = async (recorded, people, place) => {
  const { members, invitations } = people;
  if (members instanceof Refusal) {
    const project = { projectId: place.id, orgId: recorded.orgId };
    const absence = await absenceOfProject(members.error, project, place.context);
    if (absence === "deleted") return absence;
    if (absence !== "missing-operation") return members;
    const found = await findByInvitation(recorded, members, place);
    // One warning says that this service shows nobody.
    return found instanceof Refusal && isMissing(found) ? members : found;
  }
  if (!(invitations instanceof Refusal) || recorded.status === "active") return "deleted";
  if (!isNotOffered(invitations)) return invitations;
  if (recorded.invitationId === undefined) {
    const refusal = invitationsRefusal(place.id, people, false);
    if (refusal !== undefined) throw refusal.error;
    return "deleted";
  }
  const found = await findByInvitation(recorded, invitations, place);
  return found === "unverified" ? "deleted" : found;
};

/** The only read that a service with nothing but the documented operations offers. */
async function findByInvitation(
  { invitationId, userId }: MemberState,
  missing: Refusal,
  { id: projectId, context: { session, signal, log } }: MemberPlace,
): Promise<Presence> {
  if (invitationId === undefined) return missing;
  const { client } = session;
  try {
    const invitation = toInvitation(await getInvitation(client, projectId, invitationId, signal));
    if (!hasExpired(invitation, client.now())) return pendingMembership([invitation], userId);
  } catch (error) {
    const meaning = meaningOf(error);
    if (meaning === "failure") throw error;
    // A service without this read may list people, so the warning shows the error of this read.
    if (meaning !== "deleted") return new Refusal(new RefusedError(messageOf(error), { cause: error }));
  }
  log.warn(
    formatNotice(
      { code: "unverified", subject: "invitation", placeId: projectId, invitationId },
      `Invitation ${invitationId} to project ${projectId} is no longer pending: it was accepted, has expired or was deleted, and this service does not show which.`,
    ),
  );
  return "unverified";
}

const importMember: UnlistedMembers["import"] = async (name, people, place) => {
  const { members } = people;
  if (members instanceof Refusal) {
    if (isNotOffered(members)) return importInvitation(name.toLowerCase(), place);
    // A list of members proves that the project exists, so only its refusal means that the project
    // was deleted.
    if (meaningOf(members.error) === "deleted") return undefined;
  }
  const refusal = decisiveRefusal(place.id, people, false);
  if (refusal !== undefined) throw refusal.error;
  return "search";
};

async function importInvitation(
  invitationId: string,
  { id: projectId, context: { session, signal } }: MemberPlace,
) {
  if (!OBJECT_ID.test(invitationId)) {
    throw new RefusedError(
      `${invitationId} cannot be imported by name: this service does not offer listing the people of a project (GET /groups/{id}/users). A pending invitation can be imported by <projectId>/<invitationId>; a user is declared by userId. ${CHECK_BASE_URL}`,
    );
  }
  const response = await getInvitation(challenged(session.client), projectId, invitationId, signal).catch(
    (error: unknown) => {
      if (meaningOf(error) !== "deleted" && !isBareNotFound(error)) throw error;
      throw new RefusedError(
        `${invitationId} is not a pending invitation to project ${projectId}, and this service does not show whether it is a user. Declare a user by userId instead of importing it.`,
        { cause: error },
      );
    },
  );
  return { membership: pendingMembership([toInvitation(response)]), by: { invitationId } };
}

const remove: UnlistedMembers["remove"] = async (members, recorded, place, isKept) => {
  const { context, id: projectId } = place;
  const absence = await absenceOfProject(members.error, { projectId, orgId: recorded.orgId }, context);
  if (absence === "deleted") return;
  const refused = notRemoved(recorded, place);
  // The ID of an invitation does not show whether it was accepted. A key with the role can read
  // that.
  if (absence === "unreadable" && recorded.userId === undefined) {
    throw new RefusedError(
      `${refused}: these credentials may not list its people, so the provider cannot tell whether the invitation was accepted. These credentials need the role Project User Admin there. ${howToKeep(context.end, 'Or set onDestroy to "release" and run pulumi up.')} (${messageOf(members.error)})`,
      { cause: members.error },
    );
  }
  if (isKept()) return;
  requireRemovals(context, [removalOf(projectId, recorded)], refused);
  await removeByRecordedIds(recorded, projectOf(place));
};

/** Whether the read of an invitation that failed is not offered. */
function isMissing({ error }: Refusal): boolean {
  return error instanceof RefusedError && meaningOf(error.cause) === "missing-operation";
}

function isNotOffered({ error }: Refusal): boolean {
  return meaningOf(error) === "missing-operation";
}

/**
 * The state of a person who cannot be searched for. A pending invitation is verified by its ID, and
 * a user is recorded as declared.
 *
 * @param recorded where the person is in the state already: then an invitation that is no longer
 * pending is no failure
 */
async function unverified(
  kind: MemberKind,
  inputs: MemberInputs,
  { id: projectId, context: { session, signal } }: MemberPlace,
  recorded?: MemberState,
): Promise<MemberState> {
  const who = declaredIdentity(inputs);
  refuseWhatNeedsMore(projectId, inputs);
  // What is recorded of another account or invitation does not concern this person.
  const isRecorded =
    who.userId === undefined ? recorded?.invitationId === who.invitationId : recorded?.userId === who.userId;
  if (recorded?.status === ENDED && isRecorded) {
    throw new RefusedError(
      `${memberName(who)} was removed from project ${projectId} after the last day and cannot be added again: this service does not offer listing the people of a project (GET /groups/{id}/users). Add the person in the service's web interface, remove this resource with pulumi state delete, and run pulumi up. ${CHECK_BASE_URL}`,
    );
  }
  const state: MemberState = {
    ...withoutUndefined({ ...recorded, ...(isRecorded ? withoutUndefined(who) : who) }),
    [kind.placeProperty]: projectId,
    status: "unverified",
    origin: recorded?.origin ?? "adopted",
    onDestroy: kind.onDestroy.effective(inputs),
  };
  if (who.invitationId === undefined) return state;
  try {
    const response = await getInvitation(session.client, projectId, who.invitationId, signal);
    const membership = pendingMembership([toInvitation(response)]);
    const { orgId, groupName } = recorded ?? {};
    const verified = toMemberState(kind, projectId, membership, inputs, state.origin, { orgId, groupName });
    // After the invitation is accepted, only the user ID can remove the person.
    return { ...verified, userId: state.userId };
  } catch (error) {
    // What is recorded stays, so that a setting such as onDestroy can change without a write.
    if (!recorded || !["deleted", "missing-operation"].includes(meaningOf(error))) throw error;
    return state;
  }
}

function refuseWhatNeedsMore(projectId: string, inputs: MemberInputs): void {
  const who = declaredIdentity(inputs);
  const name = memberName(who);
  if (who.userId === undefined && who.invitationId === undefined) {
    throw new RefusedError(
      `${name} in project ${projectId} cannot be managed by username: this service does not offer listing the people of a project (GET /groups/{id}/users). Give userId or invitationId instead, without roles. ${CHECK_BASE_URL}`,
    );
  }
  if (known(inputs.roles) === undefined) return;
  const call =
    who.userId === undefined ? "PATCH /groups/{id}/invites/{invitationId}" : "POST /groups/{id}/users";
  throw new RefusedError(
    `roles of ${name} in project ${projectId} cannot be set: this service does not offer it (${call}). Remove roles from the program. Then destroying still removes the person, and nothing else is managed. ${CHECK_BASE_URL}`,
  );
}

export const projectWithoutList: UnlistedMembers = {
  write: async (kind, members, inputs, place, recorded) => {
    if (!isNotOffered(members)) throw members.error;
    warnOfUnread("people", place.id, members.error, place.context);
    return unverified(kind, inputs, place, recorded);
  },
  read,
  import: importMember,
  remove,
};
