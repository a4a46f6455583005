/** What is recorded of a member, and whom a record means. */

import { type Identity, type Membership, memberName } from "../../access/person";
import { joinId, splitId } from "../../text/object-id";
import { recordedAs, toProperties } from "../contract/border";
import { rolesIn, textIn } from "../contract/declared";
import type { Origin } from "../contract/on-destroy";
import type { Context } from "../contract/resource";
import { known, type Properties, UNKNOWN } from "../contract/values";
import { Refusal } from "../evidence/refusal";
import { membersOf } from "../people/member-claims";
import { findMembership } from "../people/memberships";
import type { ProjectFacts } from "../reads/project-facts";
import { entriesOf, type PeopleLists } from "../reads/project-people";
import { Claims } from "../session/claims";
import { ObservationLog } from "../session/observations";
import type { MemberInputs, MemberKind, MemberPlace, MemberState, UnlistedMembers } from "./port";

/** The identity that the program declares, as far as it is known. */
export function declaredIdentity({ username, userId, invitationId }: MemberInputs): Identity {
  return { username: known(username), userId: known(userId), invitationId: known(invitationId) };
}

export function memberId(placeId: string, { username, userId, invitationId }: Identity): string {
  return joinId(placeId, username ?? userId ?? invitationId ?? "");
}

/** The place of a record; its id has it in any case. */
export function placeIdOf(
  { placeProperty }: Pick<MemberKind, "placeProperty">,
  state: Properties,
  id: string,
): string {
  return textIn(state, placeProperty) ?? splitId(id).placeId;
}

/** State comes from our own replies. An older one may lack what came later. */
export function asMemberState(kind: MemberKind, state: Properties, id: string): MemberState {
  return {
    [kind.placeProperty]: placeIdOf(kind, state, id),
    origin: "adopted",
    onDestroy: "remove",
    ...kind.defaults(splitId(id).name),
    ...recordedAs<MemberState>(state),
  };
}

export function toMemberState(
  kind: MemberKind,
  placeId: string,
  membership: Membership,
  inputs: MemberInputs,
  origin: Origin,
  facts: ProjectFacts,
): MemberState {
  const { status, username, userId, invitationId, teamRoles } = membership;
  const newest = membership.status === "pending" ? membership.invitations[0] : undefined;
  return {
    [kind.placeProperty]: placeId,
    status,
    username,
    userId,
    // Destroying takes that of a member back too, also if the account has another name by then.
    invitationId,
    roles: kind.shownRoles(membership.roles, rolesIn(inputs.roles)),
    teamRoles,
    ...facts,
    ...(newest && {
      createdAt: newest.createdAt,
      expiresAt: newest.expiresAt,
      inviterUsername: newest.inviterUsername,
      groupName: newest.groupName,
    }),
    origin,
    onDestroy: kind.onDestroy.effective(inputs),
  };
}

/** The status of a person whose last day is over and who is not there. */
export const ENDED = "ended";

/** What is recorded of a person whose access has ended: who they are, so that they are found if they come back. */
export function withoutAccess(state: Properties): Properties {
  const { invitationId, teamRoles, createdAt, expiresAt, inviterUsername, ...who } = state;
  return { ...who, status: ENDED, roles: [] };
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
  { invitations }: PeopleLists,
  { id: placeId, context: { session, urn } }: Pick<MemberPlace, "id" | "context">,
): MemberState {
  if (state.status === "pending" || state.invitationId !== undefined) return state;
  if (invitations instanceof Refusal) return { ...state, invitationId };
  if (userId === undefined || state.userId === userId) return state;
  const pending = invitations.find((invitation) => invitation.invitationId === invitationId);
  if (pending === undefined) return state;
  const declarer = session
    .of(Claims)
    .declarerOf(membersOf(placeId, { userId, invitationId, username: pending.username }));
  return declarer === undefined || declarer === urn ? { ...state, invitationId } : state;
}

/**
 * Leaves for Check and Create whom the resource held.
 *
 * @param declared the inputs when this was recorded
 * @param recorded only if a read found the person: an account may have been deleted since it was
 * recorded
 */
export function observe(
  { name: kind }: MemberKind,
  id: string,
  origin: Origin,
  { username, userId }: MemberInputs,
  { session, urn }: Pick<Context, "session" | "urn">,
  recorded?: Identity,
): void {
  const names = [{ username: known(username), userId: known(userId) }];
  session.of(ObservationLog).record(urn, { kind, id, placeId: splitId(id).placeId, origin, names, recorded });
}

/**
 * The person that a record means. If the program gives a `userId`, names do not count, because
 * another account may get a name. An `invitationId` counts alone while the invitation is pending.
 * After that, only the name to which it was sent leads to the account that accepted it.
 *
 * @param declared what the program gives
 */
export function recordedIdentity(
  recorded: Identity & { readonly status: string },
  declared: Identity,
  lists: PeopleLists,
): Identity {
  const { userId, username = declared.username } = recorded;
  // A member who has left is not the invited person.
  const hasLeft =
    recorded.status === "active" && !entriesOf(lists.members).some((one) => one.userId === userId);
  const invitationId = (hasLeft ? undefined : recorded.invitationId) ?? declared.invitationId;
  if (declared.userId !== undefined) return { userId: declared.userId, invitationId };
  const isPending = entriesOf(lists.invitations).some(
    (invitation) => invitation.invitationId === invitationId,
  );
  const namesInvitation = declared.username === undefined && userId === undefined;
  return namesInvitation && isPending ? { invitationId } : { userId, invitationId, username };
}

/** The membership without the roles that are recorded as those of teams of the same account. */
export async function withoutRecordedTeamRoles(
  membership: Membership,
  { userId, teamRoles = [] }: Pick<MemberState, "userId" | "teamRoles">,
  place: Pick<MemberPlace, "ownRoles">,
): Promise<Membership> {
  return place.ownRoles(membership, membership.userId === userId ? teamRoles : []);
}

/**
 * The predictable outputs of a preview of one person: declared values over recorded or live ones,
 * the rest unknown.
 */
export function previewState(
  inputs: MemberInputs,
  recorded: MemberState | undefined,
  { onDestroy }: Pick<MemberKind, "onDestroy">,
): Properties {
  return toProperties({
    ...(recorded ?? { status: UNKNOWN, origin: UNKNOWN }),
    ...inputs,
    username: recorded?.username ?? inputs.username ?? UNKNOWN,
    onDestroy: onDestroy.inPreview(inputs),
  });
}

/** What the kind does instead. @throws the response, if the kind needs the list of members */
export function withoutMembers({ unlisted }: MemberKind, { error }: Refusal): UnlistedMembers {
  if (unlisted === undefined) throw error;
  return unlisted;
}

interface RecordedMember {
  readonly people: PeopleLists;
  /**
   * The identities by which the person is searched for in the lists. `unknown`: one of the
   * invitations may be theirs, and these credentials may not read the account.
   */
  readonly who: Identity | "unknown";
}

/**
 * The lists of people, and the identity by which a recorded person is searched for in them. For
 * operations that take an absent person for deleted, so a person whom the lists lack is searched for in a
 * second read: who accepts an invitation between the two requests is in neither.
 *
 * @param mayBeAbsent nothing follows from the absence
 */
export async function findRecorded(
  { identify }: Pick<MemberKind, "identify">,
  recorded: MemberState,
  declared: Identity,
  seen: PeopleLists,
  place: MemberPlace,
  mayBeAbsent = false,
): Promise<RecordedMember> {
  const isUnread = seen.members instanceof Refusal || seen.invitations instanceof Refusal;
  const isThere = findMembership(seen, recordedIdentity(recorded, declared, seen)) !== undefined;
  const people = isUnread || isThere || mayBeAbsent ? seen : await place.lists("fresh");
  const who = recordedIdentity(recorded, declared, people);
  return { people, who: await identify(recorded, who, people, place) };
}

/** The beginning of a refusal: who stays, and where. */
export function notRemoved(who: Identity, { text }: Pick<MemberPlace, "text">): string {
  return `${memberName(who)} was not removed from ${text}`;
}
