/**
 * One person, for a service that offers only the four documented operations and no list of people.
 */

import { memberName, pendingMembership } from "../../access/person";
import { getInvitation } from "../../api/invitations";
import { RefusedError } from "../../text/errors";
import type { ProjectContext } from "../contract/resource";
import { known, withoutUndefined } from "../contract/values";
import { meaningOf } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { type ProjectPeople, toInvitation } from "../reads/project-people";
import { declaredIdentity, type MemberInputs, onDestroySetting } from "./inputs";
import { type MemberState, toMemberState } from "./state";

export function lacksMemberList({ members }: ProjectPeople): boolean {
  return members instanceof Refusal && meaningOf(members.error) === "missing-operation";
}

/**
 * The state of a person who cannot be searched for. A pending invitation is verified by its ID, and
 * a user is recorded as declared.
 *
 * @param recorded where the person is in the state already: then an invitation that is no longer
 * pending is no failure
 */
export async function unverified(
  inputs: MemberInputs,
  context: ProjectContext,
  recorded?: MemberState,
): Promise<MemberState> {
  const { session, signal, projectId } = context;
  const who = declaredIdentity(inputs);
  refuseWhatNeedsMore(projectId, inputs);
  // What is recorded of another account or invitation does not concern this person.
  const isRecorded =
    who.userId === undefined ? recorded?.invitationId === who.invitationId : recorded?.userId === who.userId;
  const state: MemberState = {
    ...withoutUndefined({ ...recorded, ...(isRecorded ? withoutUndefined(who) : who) }),
    projectId,
    status: "unverified",
    origin: recorded?.origin ?? "adopted",
    onDestroy: onDestroySetting.effective(inputs),
  };
  if (who.invitationId === undefined) return state;
  try {
    const response = await getInvitation(session.client, projectId, who.invitationId, signal);
    const membership = pendingMembership([toInvitation(response)]);
    const { orgId, groupName } = recorded ?? {};
    const verified = toMemberState(projectId, membership, inputs, state.origin, { orgId, groupName });
    // After the invitation is accepted, only the user ID can remove the person.
    return { ...verified, userId: state.userId };
  } catch (error) {
    if (!recorded || meaningOf(error) !== "deleted") throw error;
    return state;
  }
}

function refuseWhatNeedsMore(projectId: string, inputs: MemberInputs): void {
  const who = declaredIdentity(inputs);
  const name = memberName(who);
  if (who.userId === undefined && who.invitationId === undefined) {
    throw new RefusedError(
      `${name} in project ${projectId} cannot be managed by username: this service does not offer listing the people of a project (GET /groups/{id}/users). Give userId or invitationId instead, without roles.`,
    );
  }
  if (known(inputs.roles) === undefined) return;
  const call =
    who.userId === undefined ? "PATCH /groups/{id}/invites/{invitationId}" : "POST /groups/{id}/users";
  throw new RefusedError(
    `roles of ${name} in project ${projectId} cannot be set: this service does not offer it (${call}). Remove roles from the program. Then destroying still removes the person, and nothing else is managed.`,
  );
}
