/** Removes one person from an organization, invited or active. */

import type { Membership } from "../../access/person";
import type { Access } from "../../access/places";
import type { DeleteRequest } from "../contract/resource";
import { known } from "../contract/values";
import { placesText, refuseToDeleteFirst, refuseToEndDeclared } from "../people/declared-below";
import { membersOf } from "../people/member-claims";
import { type PeoplePlace, removeMember, withdrawInvitation } from "../people/write";
import { accessBelow, unknownInvitations } from "../reads/organization-people";
import { Claims } from "../session/claims";
import { ObservationLog } from "../session/observations";
import { RemovalBudget, removalOf } from "../session/removal-budget";
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
  const names = [person.username, name, declaredName];
  await removePerson(person, names, place);
}

/**
 * Removes the membership and every pending invitation. An owner is removed only beside another one,
 * also one who has accepted the invitation since the read.
 *
 * @param names those of the account, and those by which a program may declare it
 * @param counted the person as the removal budget counts them in the organization: before they accepted
 */
async function removePerson(
  person: Membership,
  names: readonly string[],
  place: PeoplePlace,
  counted: Membership = person,
): Promise<void> {
  const { context, id: orgId } = place;
  const refused = `${person.username} was not removed from ${place.text}`;
  // An invitation gives no access yet. Whoever accepts it meanwhile is removed as a member, below.
  const below = person.status === "active" ? await accessBelow(orgId, person, context) : [];
  if (person.status === "active") await refuseToEndBelow(person, names, below, refused, place);
  const removals = [
    removalOf(orgId, counted),
    ...below.map(({ place: { id } }) => removalOf(id ?? "", person)),
  ];
  context.session.of(RemovalBudget).require(removals, refused);
  const removal = async () => {
    for (const invitation of person.invitations) {
      await withdrawInvitation(person, invitation, place, async (accepted) => {
        // A member is removed below.
        if (person.status === "pending") await removePerson(accepted, names, place, counted);
      });
    }
    if (person.status === "pending") return;
    await removeMember(person, place);
    const others = below.length === 0 ? "" : `, and with it ${placesText(below)}`;
    context.log.info(`${person.username} left ${place.text}${others}.`);
  };
  await besideAnotherOwner(person, [], place, () => place.writing(removal));
}

/** @throws RefusedError if the person would lose access that this run declares, or may still declare */
async function refuseToEndBelow(
  { userId }: Membership,
  names: readonly string[],
  below: readonly Pick<Access, "place" | "roles">[],
  refused: string,
  { context, id: orgId }: PeoplePlace,
): Promise<void> {
  const deletions = [...new Set(names)].map((username) => {
    return { of: "holder", holder: { kind: "person", userId, username }, orgId } as const;
  });
  await refuseToEndDeclared(deletions, refused, context);
  refuseToDeleteFirst(below, refused, context);
}
