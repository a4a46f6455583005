/**
 * Removes people from a place: its members, and all of their invitations. A read follows each refusal, and decides.
 */

import {
  type ActiveMembership,
  type Identity,
  type Invitation,
  type Member,
  type Membership,
  memberName,
} from "../../access/person";
import { challenged } from "../../api/client";
import { deleteInvitation, getInvitation } from "../../api/invitations";
import { removeUserFromProject } from "../../api/users";
import { messageOf, RefusedError } from "../../text/errors";
import type { ProjectContext } from "../contract/resource";
import {
  CHECK_BASE_URL,
  isBareNotFound,
  isErrorResponse,
  isNotInProject,
  meaningOf,
} from "../evidence/meaning";
import { orReached, readDespite } from "../evidence/reread";
import { urnForShell } from "../session/claims";
import { type PeoplePlace, projectPlace } from "./place";

/** Removes the membership and every pending invitation. Succeeds if they no longer exist. */
export async function removePerson(membership: Membership, place: PeoplePlace): Promise<void> {
  await place.writing(async () => {
    if (membership.status === "active") await removeMember(membership, place);
    for (const invitation of membership.invitations)
      await withdrawInvitation(membership, invitation, place, removeMember);
  });
}

/** Removes a member. Succeeds if the person is already gone. */
export async function removeMember(member: Member, place: PeoplePlace): Promise<void> {
  const read = (by: AbortSignal) => place.read(member, by);
  const isReached = (now: Membership | undefined) => now?.status !== "active";
  await orReached(place.remove(member), { read, isReached }, place.context.signal);
}

/**
 * The service refuses to delete an invitation that was accepted since the read. Then the member it
 * made is removed.
 */
export async function withdrawInvitation(
  membership: Membership,
  invitation: Invitation,
  place: PeoplePlace,
  removeAccepted: (member: ActiveMembership, place: PeoplePlace) => Promise<void>,
): Promise<void> {
  const { session, signal } = place.context;
  const { invitationId } = invitation;
  await place.invitations
    .delete(session.client, place.id, invitation, signal)
    .catch(async (refusal: unknown) => {
      const now = await readDespite(refusal, (by) => place.read(membership, by), signal);
      if (now?.status === "active") await removeAccepted(now, place);
      if (now?.invitations.some((pending) => pending.invitationId === invitationId)) throw refusal;
    });
}

/** What to do if nothing shows that a person is gone, as the end of a sentence. */
function releaseOf({ end }: ProjectContext): string {
  return end === undefined
    ? 'set onDestroy to "release", run pulumi up, and destroy again'
    : "remove this resource from the program and, with pulumi state delete, from the state";
}

/**
 * Removes a person by the recorded IDs, for a service that does not list the people of a project.
 *
 * @param otherwise what to do if nothing shows that the person is gone, as the end of a sentence
 */
export async function removeByRecordedIds(
  who: Identity,
  context: ProjectContext,
  otherwise = releaseOf(context),
): Promise<void> {
  const { session, signal, log, projectId } = context;
  const { userId, invitationId } = who;
  const username = memberName(who);
  const client = challenged(session.client);
  await projectPlace(context).writing(async () => {
    if (userId !== undefined) {
      const removal = removeUserFromProject(client, projectId, { userId, username }, signal);
      await removal.catch(async (refusal: unknown) => {
        if (isNotInProject(refusal)) return;
        await requireGone(refusal, refusal, context, otherwise);
        log.warn(
          `${username} is not in project ${projectId} any more: the service responded with 404 to the removal, and this service does not show its people.`,
        );
      });
    }
    if (invitationId !== undefined) return revoke(invitationId, who, context, otherwise);
    if (userId !== undefined) return;
    throw new RefusedError(
      `${username} cannot be removed from project ${projectId}: neither a userId nor an invitationId is recorded, and this service does not offer listing its people. ${CHECK_BASE_URL}`,
    );
  });
}

async function revoke(
  invitationId: string,
  who: Identity,
  context: ProjectContext,
  otherwise: string,
): Promise<void> {
  const { session, signal, log, projectId } = context;
  const username = memberName(who);
  const client = challenged(session.client);
  try {
    await deleteInvitation(client, projectId, { invitationId, username }, signal);
  } catch (refusal) {
    if (meaningOf(refusal) !== "deleted") {
      const read = getInvitation(client, projectId, invitationId, signal);
      const shown = await read.catch((failure: unknown) => failure);
      if (meaningOf(shown) !== "deleted") await requireGone(shown, refusal, context, otherwise);
    }
    // If the invitation was accepted, the account has been removed before.
    if (who.userId !== undefined) return;
    log.warn(
      `The invitation of ${username} to project ${projectId} is no longer pending: it was accepted, has expired or was deleted, and this service does not show which. If it was accepted, the person is still in the project: remove them by their userId.`,
    );
  }
}

/**
 * A 404 without an error code, for an operation that every service offers, means that nobody is there any more, that
 * the path in `baseUrl` is wrong, or that the key cannot see the project. Another call about the project that succeeded
 * rules out the latter two, and a challenge of its own that a gateway responded.
 *
 * @param shown the response that may show that nobody is there
 * @param refusal the response to the removal
 * @throws the refusal, unless nobody is there
 */
async function requireGone(
  shown: unknown,
  refusal: unknown,
  { session, projectId, urn }: ProjectContext,
  otherwise: string,
): Promise<void> {
  // A missing role and a failing service say nothing about the person.
  const isAnswer = isErrorResponse(refusal) && refusal.status < 500 && meaningOf(refusal) !== "unreadable";
  if (!isAnswer || !isBareNotFound(shown)) throw refusal;
  if (await session.client.hasSucceeded(["groups", projectId])) return;
  throw new RefusedError(
    `${messageOf(refusal)} The person may already be gone, but no other call about the project has succeeded in this run: baseUrl may be wrong, or these credentials may not see the project. If neither is so, ${otherwise}. If the program no longer declares this person, run pulumi state delete ${urnForShell(urn)} instead.`,
    { cause: refusal },
  );
}
