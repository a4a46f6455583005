/** One person on a service that lists nobody: what the four documented operations can still tell. */
import { meaningOf } from "../meaning";
import { isRefused, type Roster, toInvitation } from "../membership/project-people-cache";
import { getInvitation } from "../../api/invitations";
import type { Context } from "../resource";
import { withoutUndefined, known } from "../values";
import { declaredIdentity, type MemberInputs } from "./inputs";
import { effectiveOnDestroy, type MemberState, toMemberState } from "./state";
import { RefusedError } from "../../errors";
import { nameOf } from "../membership/membership";

export function listsNobody({ members }: Roster): boolean {
  return isRefused(members) && meaningOf(members.error) === "missing-operation";
}

/**
 * The state of somebody nobody can look for: a pending invitation is verified by its id, a user is taken as named.
 *
 * @param recorded where the person is in the state already: then an invitation that is no longer pending is no failure
 */
export async function unverified(
  projectId: string,
  inputs: MemberInputs,
  context: Context,
  recorded?: MemberState,
): Promise<MemberState> {
  const who = declaredIdentity(inputs);
  refuseWhatNeedsMore(projectId, inputs);
  const state: MemberState = {
    ...withoutUndefined({ ...recorded, ...who }),
    projectId,
    status: "unverified",
    origin: recorded?.origin ?? "adopted",
    onDestroy: effectiveOnDestroy(inputs),
  };
  if (who.invitationId === undefined) return state;
  try {
    const { client } = context.session;
    const invitation = toInvitation(await getInvitation(client, projectId, who.invitationId, context.signal));
    const place = { status: "pending", invitations: [invitation] } as const;
    const { orgId, groupName } = recorded ?? {};
    const verified = toMemberState(projectId, place, inputs, state.origin, { orgId, groupName });
    // The one way to take them out once the invitation is accepted.
    return { ...verified, userId: state.userId };
  } catch (error) {
    if (!recorded || meaningOf(error) !== "gone") throw error;
    return state;
  }
}

function refuseWhatNeedsMore(projectId: string, inputs: MemberInputs): void {
  const who = declaredIdentity(inputs);
  const name = nameOf(who);
  if (who.userId === undefined && who.invitationId === undefined) {
    throw new RefusedError(
      `${name} in project ${projectId} cannot be managed by username: this service does not offer listing the people of a project (GET /groups/{id}/users). Give userId or invitationId instead, without roles.`,
    );
  }
  if (known(inputs.roles) === undefined) return;
  const call =
    who.userId === undefined ? "PATCH /groups/{id}/invites/{invitationId}" : "POST /groups/{id}/users";
  throw new RefusedError(
    `roles of ${name} in project ${projectId} cannot be set: this service does not offer it (${call}). Take roles out: then the person can be removed from the project, and nothing else is managed.`,
  );
}
