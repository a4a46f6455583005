/**
 * How people get into a project, get other roles, and leave it.
 *
 * Between a look and a write an invitation may be accepted, and somebody may leave. So a refused write is followed by a look, and
 * what it shows decides.
 */
import { deleteInvitation, getInvitation, invite, updateInvitation } from "../../api/invitations";
import {
  getUser,
  getUserByName,
  removeUserFromProject,
  setRolesInProject,
  type UserAnswer,
} from "../../api/users";
import { ApiError, hasCode, messageOf, OutcomeUnknownError, RefusedError } from "../../errors";
import { lateLook, lookAfterwards } from "../late-look";
import { meaningOf } from "../meaning";
import type { Context } from "../resource";
import { sameSet } from "../values";
import {
  type Identity,
  type Invitation,
  type Member,
  nameOf,
  type Place,
  placeAmong,
  rolesOf,
  usernameOf,
} from "./person";
import { entriesOf, isRefused, type Roster, toInvitation, toMembers } from "./rosters";

/** Refusals that protect a project's only owner (service's error list). */
const LAST_OWNER = new Set([
  "CANNOT_DELETE_LAST_OWNER",
  "CANNOT_DELETE_LAST_ADMIN",
  "CANNOT_DEMOTE_LAST_OWNER",
]);

export function isLastOwnerRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && LAST_OWNER.has(error.errorCode ?? "");
}

/** @returns `undefined` where nobody can tell whether there is an account: then the way in is an invitation */
export async function accountOf(who: Identity, { session, signal }: Context): Promise<Identity | undefined> {
  const { userId, username } = who;
  try {
    if (userId !== undefined) return toIdentity(await getUser(session.client, userId, signal));
    return username === undefined
      ? undefined
      : toIdentity(await getUserByName(session.client, username, signal));
  } catch (error) {
    // Somebody without an account yet, or a key that may not look: an invitation finds out.
    const answered = error instanceof ApiError && !hasCode(error, "OPSMANAGER_KEY_REFUSED");
    if (!answered || ![400, 401, 403, 404, 405].includes(error.status)) throw error;
    if (userId === undefined) return undefined;
    if (meaningOf(error) === "gone") throw error;
    return { userId, username };
  }
}

function toIdentity({ id, username }: UserAnswer): Identity {
  return { userId: id, username };
}

/**
 * Asks the service to let somebody in who has no place yet: at once where there is an account and the service allows it, else by
 * an invitation.
 *
 * @returns their place, or `undefined` where the answer does not tell and a look has to
 */
export async function admit(
  projectId: string,
  who: Identity,
  roles: readonly string[],
  { session, signal }: Context,
): Promise<Place | undefined> {
  const { client, rosters } = session;
  const { userId, username } = who;
  try {
    if (userId !== undefined) {
      try {
        const assignment = { userId, username: nameOf(who), roles, invites: true };
        const answer = await setRolesInProject(client, projectId, assignment, signal);
        const place = answer && placeAmong(toMembers(projectId, [answer]), [], { userId });
        if (place || !answer || username !== undefined) return place;
        // Invited under the name of the account, which only the answer tells.
        rosters.written(projectId);
        return placeIn(await rosters.fresh(projectId, signal), toIdentity(answer));
      } catch (error) {
        // An account that has not confirmed its own invitation can only be invited (service's error list).
        const pending = error instanceof ApiError && error.errorCode === "CANNOT_ADD_PENDING_USER";
        if (!pending || username === undefined) throw error;
      }
    }
    if (username === undefined) throw new RefusedError(`${nameOf(who)} can only be let in by a username.`);
    const invitation = await invite(client, projectId, { username, roles }, signal);
    return invitation && { status: "pending", invitations: [toInvitation(invitation)] };
  } finally {
    rosters.written(projectId);
  }
}

/** Gives somebody who has a place exactly these roles. @returns their place as the answer has it, if it does */
export async function giveRoles(
  projectId: string,
  place: Place,
  roles: readonly string[],
  context: Context,
): Promise<Place | undefined> {
  const { session, signal } = context;
  const { client, rosters } = session;
  try {
    if (place.status === "active") {
      const { userId, username } = place.member;
      const answer = await setRolesInProject(client, projectId, { userId, username, roles }, signal);
      return answer && placeAmong(toMembers(projectId, [answer]), place.invitations, { userId });
    }
    const [newest, ...others] = place.invitations;
    const answer = await updateInvitation(client, projectId, newest, roles, signal);
    return { status: "pending", invitations: [toInvitation(answer), ...others] };
  } catch (error) {
    if (place.status === "active" || meaningOf(error) !== "gone") throw error;
    rosters.written(projectId);
    const now = await placeNow(projectId, identityOf(place), context);
    // Accepted since the look: the same roles, given to a member.
    if (now?.status === "active") return giveRoles(projectId, now, roles, context);
    throw error;
  } finally {
    rosters.written(projectId);
  }
}

/** Takes somebody out: the membership and every pending invitation. Succeeds where they are gone already. */
export async function vacate(projectId: string, place: Place, context: Context): Promise<void> {
  try {
    if (place.status === "active") await removeMember(projectId, place.member, context);
    for (const invitation of place.invitations) await takeBack(projectId, invitation, context);
  } finally {
    context.session.rosters.written(projectId);
  }
}

async function removeMember(projectId: string, member: Member, context: Context): Promise<void> {
  const { session, signal } = context;
  await removeUserFromProject(session.client, projectId, member, signal).catch(async (refusal: unknown) => {
    const now = await placeDespite(refusal, projectId, member, context);
    if (now?.status === "active") throw refusal;
  });
}

/** An invitation that was accepted since the look is refused; then the member it made is taken out. */
async function takeBack(projectId: string, invitation: Invitation, context: Context): Promise<void> {
  const { session, signal } = context;
  await deleteInvitation(session.client, projectId, invitation, signal).catch(async (refusal: unknown) => {
    const { username, invitationId } = invitation;
    const now = await placeDespite(refusal, projectId, { username }, context);
    if (now?.status === "active") await removeMember(projectId, now.member, context);
    if (now?.invitations.some((pending) => pending.invitationId === invitationId)) throw refusal;
  });
}

/**
 * A refused deletion says little: versions differ in status and code for what is gone, and a few answer 500 now and then. What
 * counts is whether it is still there.
 *
 * @throws the refusal where no look can help
 */
async function placeDespite(
  refusal: unknown,
  projectId: string,
  who: Identity,
  context: Context,
): Promise<Place | undefined> {
  const answered = refusal instanceof ApiError && !hasCode(refusal, "OPSMANAGER_KEY_REFUSED");
  const isFinal = !answered || refusal.status === 401 || isLastOwnerRefusal(refusal);
  if (isFinal || context.signal.aborted) throw refusal;
  return placeNow(projectId, who, context).catch(() => {
    throw refusal;
  });
}

/** Takes somebody out by what is recorded, on a service that lists nobody. */
export async function vacateUnseen(projectId: string, who: Identity, context: Context): Promise<void> {
  const { session, signal, log } = context;
  const { client } = session;
  const { userId, invitationId } = who;
  const username = nameOf(who);
  if (userId !== undefined) {
    try {
      await removeUserFromProject(client, projectId, { userId, username }, signal);
    } catch (error) {
      const code = error instanceof ApiError ? error.errorCode : undefined;
      // The service knows the project, and the user is not in it.
      if (code !== "USER_NOT_IN_GROUP" && code !== "USER_NOT_FOUND") throw error;
    }
    if (invitationId === undefined) return;
  }
  if (invitationId === undefined) {
    throw new RefusedError(
      `${username} cannot be taken out of project ${projectId}: neither a userId nor an invitationId is recorded, and this service lists nobody.`,
    );
  }
  try {
    await deleteInvitation(client, projectId, { invitationId, username }, signal);
  } catch (error) {
    if (meaningOf(error) !== "gone") {
      const shown = await getInvitation(client, projectId, invitationId, signal).catch(
        (look: unknown) => look,
      );
      if (meaningOf(shown) !== "gone") throw error;
    }
    // Whoever accepted it was taken out by their account.
    if (userId !== undefined) return;
    log.warn(
      `The invitation of ${username} to project ${projectId} is not pending any more: it was accepted, has expired or was taken back, and this service cannot tell which. If it was accepted, the person is still in the project: remove them by their userId.`,
    );
  }
}

async function placeNow(
  projectId: string,
  who: Identity,
  { session, signal }: Context,
): Promise<Place | undefined> {
  return placeIn(await session.rosters.fresh(projectId, signal), who);
}

/** @throws the refusal of the list without which nothing can be said of the person */
export function placeIn(roster: Roster, who: Identity): Place | undefined {
  const { members, invitations } = roster;
  const place = placeAmong(entriesOf(members), entriesOf(invitations), who);
  if (place?.status === "active") return place;
  if (isRefused(members)) throw members.error;
  // A version without invitations has none that are pending.
  if (!place && isRefused(invitations) && meaningOf(invitations.error) !== "missing-operation") {
    throw invitations.error;
  }
  return place;
}

/**
 * The place that a write has led to: what its answer says, or a look where it says nothing or got lost.
 *
 * @throws OutcomeUnknownError when the answer got lost and no look shows what was asked for
 */
export async function placeAfter(
  write: Promise<Place | undefined>,
  projectId: string,
  who: Identity,
  roles: readonly string[],
  context: Context,
): Promise<Place> {
  const { rosters } = context.session;
  let lost: unknown;
  const told = await write.catch((error: unknown) => {
    if (!hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN")) throw error;
    lost = error;
    return undefined;
  });
  if (told) return told;
  if (lost === undefined) {
    const look = (signal: AbortSignal) => rosters.fresh(projectId, signal);
    const place = placeIn(await lookAfterwards(look, context.signal), who);
    if (place) return place;
    throw new RefusedError(
      `The service took ${nameOf(who)} for project ${projectId}, but shows neither a membership nor an invitation. Run pulumi up again, and look at the project's people in the service.`,
    );
  }
  const seen = await lateLook((signal) => rosters.fresh(projectId, signal)).catch(() => undefined);
  const place = seen && placeIn(seen, who);
  if (place && sameSet(rolesOf(place), roles)) return place;
  throw new OutcomeUnknownError(
    `${messageOf(lost)} A look afterwards ${seen ? "does not show it" : "failed as well"}. Run pulumi up again: it goes on from what is there.`,
    { cause: lost },
  );
}

export function identityOf(place: Place): Identity {
  return {
    userId: place.status === "active" ? place.member.userId : undefined,
    invitationId: place.invitations[0]?.invitationId,
    username: usernameOf(place),
  };
}
