/** Removes one person from an organization, invited or active. */

import { organizationInvitations } from "../../api/invitations";
import { removeUserFromOrganization } from "../../api/users";
import { messageOf, RefusedError } from "../../text/errors";
import type { Context, DeleteRequest } from "../contract/resource";
import { known } from "../contract/values";
import { isErrorResponse, isOperationNotOffered } from "../evidence/meaning";
import { isOwner, OrganizationPeopleCache, unknownInvitations } from "../people/organization-people";
import type { Membership } from "../people/person";
import { Claims } from "../session/claims";
import { ObservationLog } from "../session/observations";
import { RemovalBudget } from "../session/removal-budget";
import { asOrganizationMemberInputs, memberOf, onDestroySetting } from "./inputs";
import { asOrganizationMemberState, observationOf, personIn } from "./state";
import { besideAnotherOwner, readPeople, readPeopleFor } from "./write";

export async function remove({ id, state, oldInputs, context }: DeleteRequest): Promise<void> {
  const recorded = asOrganizationMemberState(state, id);
  const inputs = asOrganizationMemberInputs(oldInputs);
  const { orgId, username: name } = recorded;
  const { session, log, urn } = context;
  const declaredName = known(inputs.username) ?? name;
  session.of(ObservationLog).record(urn, observationOf(id, recorded.origin, declaredName, recorded));
  const place = `organization ${orgId}`;
  if (onDestroySetting.effective(inputs) === "release") {
    log.info(`${name} was released and is not changed in ${place}.`);
    return;
  }
  const people = await readPeopleFor(recorded, declaredName, context);
  const person = personIn(people, declaredName, recorded);
  // The recorded name may be an old one.
  const owner = session
    .of(Claims)
    .declarerOf(memberOf(orgId, { username: declaredName }, recorded, ...(person ? [person] : [])), urn);
  if (owner !== undefined) {
    log.info(`${name} in ${place} was kept because ${owner} declares this person.`);
    return;
  }
  // A recorded invitation that cannot be read cannot be deleted, and its record would be lost.
  const isInvited = recorded.invitationId !== undefined;
  const unread = person === undefined || isInvited ? unknownInvitations(people, isInvited) : undefined;
  if (unread !== undefined) throw unread.error;
  if (person === undefined) return;
  const refusal = session.of(RemovalBudget).reserve(1);
  if (refusal !== undefined) {
    throw new RefusedError(`${person.username} was not removed from ${place}: ${refusal}`);
  }
  const find = async () => personIn(await readPeople(orgId, "writing", context), declaredName, person);
  await removePerson(orgId, person, find, context);
}

/** An owner is removed only beside another one, also one who has accepted the invitation since the read. */
async function removePerson(
  orgId: string,
  person: Membership,
  find: () => Promise<Membership | undefined>,
  context: Context,
): Promise<void> {
  const removal = () => removeEntries(orgId, person, find, context);
  await (isOwner(person)
    ? besideAnotherOwner(orgId, person, "was not removed", removal, context)
    : removal());
}

/**
 * Removes the membership and every pending invitation. A rejected deletion has succeeded if a read
 * afterwards shows it.
 */
async function removeEntries(
  orgId: string,
  person: Membership,
  find: () => Promise<Membership | undefined>,
  context: Context,
): Promise<void> {
  const { session, signal, log } = context;
  const { username } = person;
  const despite = async (error: unknown): Promise<Membership | undefined> => {
    if (!isErrorResponse(error) || signal.aborted) throw error;
    return find().catch(() => {
      throw error;
    });
  };
  try {
    for (const invitation of person.invitations) {
      await organizationInvitations
        .delete(session.client, orgId, invitation, signal)
        .catch(async (error: unknown) => {
          const now = await despite(error);
          if (now?.invitations.some(({ invitationId }) => invitationId === invitation.invitationId))
            throw error;
          // Accepted since the read.
          if (now?.status === "active" && person.status === "pending")
            await removePerson(orgId, now, find, context);
        });
    }
    if (person.status === "active") await removeMember(person);
  } finally {
    session.of(OrganizationPeopleCache).people.written(orgId);
  }

  async function removeMember(member: Membership & { readonly status: "active" }): Promise<void> {
    await removeUserFromOrganization(session.client, orgId, member, signal).catch(async (error: unknown) => {
      if (isOperationNotOffered(error)) {
        throw new RefusedError(
          `${messageOf(error)} Only Cloud Manager documents this operation, so ${username} was not removed. Remove the person in the service's web interface, or set onDestroy to "release" and run pulumi up.`,
          { cause: error },
        );
      }
      if ((await despite(error))?.status === "active") throw error;
    });
    log.info(`${username} left organization ${orgId}, and with it its teams and projects.`);
  }
}
