/** The memberships of a place: one person's, and all, each person once. Pure. */

import {
  activeMembership,
  foldName,
  type Identity,
  type Invitation,
  type Member,
  type Membership,
  pendingMembership,
  sameName,
} from "../../access/person";
import type { MemberDetail } from "../contract/people-outputs";
import { inOrder } from "../contract/values";
import { Refusal } from "../evidence/refusal";
import { entriesOf, invitationsRefusal, type PeopleLists } from "../reads/project-people";
import { recordOf } from "./resolve";

/**
 * All memberships, each person once. An invitation belongs to the member of its account if the
 * record shows the account, else to the member of its name. A member who is recorded beside the
 * invitation is another account that has the name now.
 */
export function allMemberships(lists: PeopleLists, recorded: readonly MemberDetail[] = []): Membership[] {
  const members = entriesOf(lists.members);
  const byId = new Map(members.map((member) => [member.userId, member]));
  const byName = new Map(members.map((member) => [foldName(member.username), member]));
  const known = new Set(recorded.map(({ userId }) => userId));
  const recordedInvitations = new Map(recorded.map((detail) => [detail.invitationId, detail]));
  const accountOf = ({ invitationId }: Invitation) => recordedInvitations.get(invitationId)?.userId;
  const memberOf = (invitation: Invitation): Member | undefined => {
    const userId = accountOf(invitation);
    if (userId !== undefined) return byId.get(userId);
    const named = byName.get(foldName(invitation.username));
    const isOther = recordedInvitations.has(invitation.invitationId) && known.has(named?.userId);
    return isOther ? undefined : named;
  };
  const byMember = Map.groupBy(newestFirst(entriesOf(lists.invitations)), memberOf);
  const active = members.map((member) => activeMembership(member, byMember.get(member)));
  const byInvitedName = new Map<string, [Invitation, ...Invitation[]]>();
  for (const invitation of byMember.get(undefined) ?? []) {
    const name = foldName(invitation.username);
    const newer = byInvitedName.get(name);
    byInvitedName.set(name, newer ? [...newer, invitation] : [invitation]);
  }
  const invited = [...byInvitedName.values()].map((invitations) =>
    pendingMembership(invitations, accountOf(invitations[0])),
  );
  return [...active, ...invited].sort((one, other) => inOrder(one.username, other.username));
}

/**
 * The person's membership or invitation in these lists.
 *
 * - With `userId`, no other account is ever found. `username` and `invitationId` find invitations.
 * - Without it, `invitationId` decides before `username`.
 * - A name finds people only if `who` has one.
 */
export function findMembership(lists: PeopleLists, who: Identity): Membership | undefined {
  const [members, invitations] = [entriesOf(lists.members), entriesOf(lists.invitations)];
  const { userId } = who;
  const own = invitations.find(({ invitationId }) => invitationId === who.invitationId);
  const name =
    userId === undefined && who.username !== undefined ? (own?.username ?? who.username) : who.username;
  const member = members.find((candidate) =>
    userId === undefined ? sameName(candidate.username, name) : candidate.userId === userId,
  );
  const isTheirs = ({ username }: Invitation) =>
    sameName(username, name) || sameName(username, member?.username);
  const pending = newestFirst(invitations.filter((invitation) => isTheirs(invitation) || invitation === own));
  // The recorded invitation stays recorded, also if the account has got the name of a newer one.
  if (member) return activeMembership(member, own ? [own, ...pending.filter((one) => one !== own)] : pending);
  // An invitation to the name of another member is that member's.
  const isOfMember = (invitation: Invitation) =>
    invitation !== own && members.some(({ username }) => sameName(username, invitation.username));
  const [newest, ...others] = pending.filter((invitation) => !isOfMember(invitation));
  return newest && pendingMembership([newest, ...others], userId);
}

/** As `findMembership`. @throws the error of the list that is needed to find the person */
export function lookUpMembership(
  projectId: string,
  lists: PeopleLists,
  who: Identity,
): Membership | undefined {
  const membership = findMembership(lists, who);
  if (lists.members instanceof Refusal) throw lists.members.error;
  const refusal = invitationsRefusal(projectId, lists, who.invitationId !== undefined);
  if (!membership && refusal !== undefined) throw refusal.error;
  return membership;
}

/** Whether these lists show everyone who is recorded as declared. */
export function showsAllDeclared(recorded: readonly MemberDetail[], lists: PeopleLists): boolean {
  const memberships = allMemberships(lists, recorded);
  const shown = new Set(memberships.map(recordOf(recorded, memberships)));
  return recorded.every((detail) => !detail.declared || shown.has(detail));
}

/** Times have whole seconds. Of the invitations of one second, the last one listed counts; no document says which is newer. */
function newestFirst(invitations: readonly Invitation[]): Invitation[] {
  return invitations.toReversed().sort((one, other) => inOrder(other.createdAt, one.createdAt));
}
