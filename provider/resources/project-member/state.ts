/** The recorded state of one person in a project. Pure. */

import { z } from "zod";
import type { Identity, Membership } from "../../access/person";
import { joinId, splitId } from "../../text/object-id";
import { recordedAs, type StateOf } from "../contract/border";
import { optionalText } from "../contract/fields";
import type { Origin } from "../contract/on-destroy";
import type { Context } from "../contract/resource";
import { known, type Properties } from "../contract/values";
import { Refusal } from "../evidence/refusal";
import { membersOf } from "../people/member-claims";
import { recordedOrgId, recordedUserId, shownTeamRoles } from "../people/outputs";
import type { ProjectFacts } from "../reads/project-facts";
import type { ProjectPeople } from "../reads/project-people";
import { Claims } from "../session/claims";
import type { Observation } from "../session/observations";
import { type MemberInputs, onDestroySetting, type projectMemberInputs } from "./inputs";

/** Outputs beside those that hold the live value of an input. */
export const projectMemberOutputs = z.object({
  status: z.enum(["active", "pending", "unverified"]).meta({
    description:
      "`active`: in the project. `pending`: invited, not yet accepted. `unverified`: not known, because the service offers no way to read it, or the read after a write failed.",
  }),
  username: optionalText(
    "Name of the person as the service spells it; absent while `unverified` by a `userId`.",
  ),
  userId: recordedUserId,
  teamRoles: shownTeamRoles,
  invitationId: optionalText("ID of the invitation while it is pending, 24 hexadecimal digits."),
  createdAt: optionalText("When the pending invitation was sent: ISO 8601, UTC."),
  expiresAt: optionalText("When the pending invitation expires: ISO 8601, UTC."),
  inviterUsername: optionalText("User or API key that sent the pending invitation."),
  groupName: optionalText("Name of the project."),
  orgId: recordedOrgId,
  origin: z.enum(["created", "adopted", "imported"]).meta({
    description: "Whether this resource added or invited the person, adopted them, or imported them.",
  }),
  onDestroy: onDestroySetting.output,
});

export type MemberState = StateOf<typeof projectMemberInputs, typeof projectMemberOutputs>;

/**
 * State comes from our own replies. An older one may lack what came later; the id has the project
 * in any case.
 */
export function asMemberState(state: Properties, id: string): MemberState {
  const recorded = recordedAs<MemberState>(state);
  return {
    ...recorded,
    projectId: recorded.projectId ?? splitId(id).ownerId,
    status: recorded.status ?? "unverified",
    origin: recorded.origin ?? "adopted",
    onDestroy: recorded.onDestroy ?? "remove",
  };
}

export function memberId(projectId: string, { username, userId, invitationId }: Identity): string {
  return joinId(projectId, username ?? userId ?? invitationId ?? "");
}

export function toMemberState(
  projectId: string,
  membership: Membership,
  inputs: Partial<MemberInputs>,
  origin: Origin,
  facts: ProjectFacts,
): MemberState {
  const { status, username, roles, teamRoles, userId, invitationId } = membership;
  const common = {
    projectId,
    status,
    username,
    roles,
    teamRoles,
    ...facts,
    origin,
    onDestroy: onDestroySetting.effective(inputs),
  };
  if (membership.status === "active") {
    // Destroying takes it back too, also if the account has another name by then.
    return { ...common, userId, invitationId };
  }
  const { createdAt, expiresAt, inviterUsername, groupName } = membership.invitations[0];
  return { ...common, userId, invitationId, createdAt, expiresAt, inviterUsername, groupName };
}

/**
 * Keeps the recorded invitation in the state of a member, so that destroying the resource deletes
 * it:
 *
 * - It may still be pending if the list of invitations cannot be read.
 * - It is still pending if its account has left and been renamed, and the declared name means
 *   another account now.
 *
 * An invitation that another resource declares is not kept.
 */
export function withRecordedInvitation(
  state: MemberState,
  { userId, invitationId }: MemberState,
  { invitations }: ProjectPeople,
  { session, urn }: Context,
): MemberState {
  if (state.status === "pending" || state.invitationId !== undefined) return state;
  if (invitations instanceof Refusal) return { ...state, invitationId };
  if (userId === undefined || state.userId === userId) return state;
  const pending = invitations.find((invitation) => invitation.invitationId === invitationId);
  if (pending === undefined) return state;
  const declarer = session
    .of(Claims)
    .declarerOf(membersOf(state.projectId, { userId, invitationId, username: pending.username }));
  return declarer === undefined || declarer === urn ? { ...state, invitationId } : state;
}

/**
 * @param declared the inputs when this was recorded
 * @param recorded only if a read found the person: an account may have been deleted since it was
 * recorded
 */
export function observationOf(
  id: string,
  origin: Origin,
  { username, userId }: Partial<MemberInputs>,
  recorded?: Identity,
): Observation {
  const names = [{ username: known(username), userId: known(userId) }];
  return { kind: "ProjectMember", id, ownerId: splitId(id).ownerId, origin, names, recorded };
}
