/** The memberships of a project: its members and invitations, each person once. Pure. */

import {
  activeMembership,
  foldName,
  type Invitation,
  type Member,
  type Membership,
  pendingMembership,
} from "../../access/person";
import { inOrder } from "../contract/values";
import { entriesOf, type ProjectPeople } from "../reads/project-people";
import type { MemberDetail } from "./outputs";
import { newestFirst, recordOf } from "./resolve";

/**
 * All memberships, each person once. An invitation belongs to the member of its account if the
 * record shows the account, else to the member of its name. A member who is recorded beside the
 * invitation is another account that has the name now.
 */
export function allMemberships(
  projectPeople: ProjectPeople,
  recorded: readonly MemberDetail[] = [],
): Membership[] {
  const members = entriesOf(projectPeople.members);
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
  const byMember = Map.groupBy(newestFirst(entriesOf(projectPeople.invitations)), memberOf);
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

/** Whether these lists show everyone who is recorded as declared. */
export function showsAllDeclared(
  recorded: readonly MemberDetail[],
): (projectPeople: ProjectPeople) => boolean {
  return (projectPeople) => {
    const memberships = allMemberships(projectPeople, recorded);
    const shown = new Set(memberships.map(recordOf(recorded, memberships)));
    return recorded.every((detail) => !detail.declared || shown.has(detail));
  };
}
