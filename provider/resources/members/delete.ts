/** Removes one member, invited or active. */

import { type Identity, memberName } from "../../access/person";
import { RefusedError } from "../../text/errors";
import { checkedAs } from "../contract/border";
import type { DeleteRequest } from "../contract/resource";
import { isOperationNotOffered } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { leaverFrom } from "../people/member-claims";
import { findMembership } from "../people/memberships";
import { Claims } from "../session/claims";
import type { MemberInputs, MemberPlace, MemberPort, MemberState } from "./port";
import {
  asMemberState,
  declaredIdentity,
  findRecorded,
  notRemoved,
  observe,
  placeIdOf,
  withoutMembers,
} from "./record";

export async function remove(port: MemberPort, request: DeleteRequest): Promise<void> {
  const { id, state, oldInputs, context } = request;
  const recorded = asMemberState(port, state, id);
  const inputs = checkedAs<MemberInputs>(oldInputs);
  const place = port.place(placeIdOf(port, state, id), context);
  const name = memberName(recorded);
  const { session, log, urn } = context;
  const declared = declaredIdentity(inputs);
  const protectorOf = (seen: readonly Identity[], deleted?: string) =>
    session.of(Claims).declarerOf(leaverFrom(place.id, recorded, declared, ...seen), deleted);
  // A replacement that deletes first creates next, and then finds this person if they stay.
  const observeOwn = (...seen: readonly Identity[]): void => {
    if (protectorOf(seen) === urn) observe(port, id, recorded.origin, inputs, context, recorded);
  };
  observeOwn();
  if (port.onDestroy.effective(inputs) === "release") {
    log.info(`${name} was released and is not changed in ${place.text}.`);
    return;
  }
  /** Another resource may declare a renamed account by its previous name. */
  const isKept = (...seen: readonly Identity[]): boolean => {
    observeOwn(...seen);
    const declarer = protectorOf(seen, urn);
    if (declarer === undefined) return false;
    log.info(`${name} in ${place.text} was kept because ${declarer} declares this person.`);
    return true;
  };
  if (isKept()) return;
  await removeRecorded(port, recorded, declared, isKept, place).catch((error: unknown) => {
    const isNotOffered = error instanceof RefusedError && isOperationNotOffered(error.cause);
    if (!isNotOffered || port.onDestroy.effective(inputs) !== "removeIfOffered") throw error;
    log.warn(
      `${name} stays in ${place.text}: the service offers no operation to remove people. The resource leaves the stack. Remove the person in the service's web interface.`,
    );
  });
}

async function removeRecorded(
  port: MemberPort,
  recorded: MemberState,
  declared: Identity,
  isKept: (...seen: readonly Identity[]) => boolean,
  place: MemberPlace,
): Promise<void> {
  const lists = await place.lists("gathered");
  const { people, who } = await findRecorded(port, recorded, declared, lists, place);
  if (people.members instanceof Refusal) {
    return withoutMembers(port, people.members).remove(people.members, recorded, place, isKept);
  }
  if (who === "unknown") {
    throw new RefusedError(
      `${notRemoved(recorded, place)}: these credentials may not read the account, so the provider cannot tell whether an invitation is theirs. These credentials need the role Project User Admin in a project of this account. Or set onDestroy to "release" and run pulumi up.`,
    );
  }
  const { invitationId } = recorded;
  const isInvited = invitationId !== undefined;
  // The invitation of a member who has left is still this resource's own.
  const membership =
    findMembership(people, who) ?? (isInvited ? findMembership(people, { invitationId }) : undefined);
  // A member may still have the recorded invitation. If that cannot be read, it cannot be deleted,
  // and its record would be lost.
  const isRecorded = isInvited || who.invitationId !== undefined;
  const unread = isInvited || !membership ? place.unknownInvitations(people, isRecorded) : undefined;
  if (unread !== undefined) throw unread.error;
  // Checked again: a resource that was created during the read may have claimed the person.
  if (membership && !isKept(membership)) await port.remove(membership, recorded, declared, place);
}
