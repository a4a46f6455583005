/** Removes one person from an organization, invited or active. */

import type { DeleteRequest } from "../contract/resource";
import { known } from "../contract/values";
import { membersOf } from "../people/member-claims";
import { unknownInvitations } from "../people/organization-people";
import type { Membership } from "../people/person";
import { type PeoplePlace, removeMember, withdrawInvitation } from "../people/write";
import { Claims } from "../session/claims";
import { ObservationLog } from "../session/observations";
import { RemovalBudget } from "../session/removal-budget";
import { asOrganizationMemberInputs, onDestroySetting } from "./inputs";
import { asOrganizationMemberState, observationOf, personIn } from "./state";
import { besideAnotherOwner, organizationPlace, readPeopleFor } from "./write";

export async function remove({ id, state, oldInputs, context }: DeleteRequest): Promise<void> {
  const recorded = asOrganizationMemberState(state, id);
  const inputs = asOrganizationMemberInputs(oldInputs);
  const { orgId, username: name } = recorded;
  const { session, log, urn } = context;
  const declaredName = known(inputs.username) ?? name;
  session.of(ObservationLog).record(urn, observationOf(id, recorded.origin, declaredName, recorded));
  const place = organizationPlace(orgId, context);
  if (onDestroySetting.effective(inputs) === "release") {
    log.info(`${name} was released and is not changed in ${place.text}.`);
    return;
  }
  const people = await readPeopleFor(recorded, declaredName, context);
  const person = personIn(people, declaredName, recorded);
  // The recorded name may be an old one.
  const owner = session
    .of(Claims)
    .declarerOf(membersOf(orgId, { username: declaredName }, recorded, ...(person ? [person] : [])), urn);
  if (owner !== undefined) {
    log.info(`${name} in ${place.text} was kept because ${owner} declares this person.`);
    return;
  }
  // A recorded invitation that cannot be read cannot be deleted, and its record would be lost.
  const isInvited = recorded.invitationId !== undefined;
  const unread = person === undefined || isInvited ? unknownInvitations(people, isInvited) : undefined;
  if (unread !== undefined) throw unread.error;
  if (person === undefined) return;
  session.of(RemovalBudget).require(1, `${person.username} was not removed from ${place.text}`);
  await removePerson(person, place);
}

/**
 * Removes the membership and every pending invitation. An owner is removed only beside another one,
 * also one who has accepted the invitation since the read.
 */
async function removePerson(person: Membership, place: PeoplePlace): Promise<void> {
  const removal = async () => {
    for (const invitation of person.invitations) {
      await withdrawInvitation(person, invitation, place, async (accepted) => {
        // A member is removed below.
        if (person.status === "pending") await removePerson(accepted, place);
      });
    }
    if (person.status === "pending") return;
    await removeMember(person, place);
    place.context.log.info(`${person.username} left ${place.text}, and with it its teams and projects.`);
  };
  await besideAnotherOwner(person, [], place, () => place.writing(removal));
}
