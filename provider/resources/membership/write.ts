/**
 * How people get into a project, get other roles, and leave it.
 *
 * Between a look and a write an invitation may be accepted, and somebody may leave. So a refused write is followed by a look, and
 * what it shows decides.
 */
import { ApiError, hasCode, RefusedError, messageOf, OutcomeUnknownError } from "../../errors";
import { type Identity, type Place, nameOf, placeAmong, identityOf, type Member, type Invitation, rolesOf } from "./membership";
import { getUser, getUserByName, type UserAnswer, setRolesInProject, removeUserFromProject } from "../../api/users";
import type { Context } from "../resource";
import { meaningOf } from "../meaning";
import { invite, updateInvitation, deleteInvitation, getInvitation } from "../../api/invitations";
import { toInvitation, toMembers, entriesOf, invitationsRefusal, isRefused, type Roster } from "./project-people-cache";
import { lateLook, lookAfterwards } from "../reread";
import { sameSet } from "../values";

/** Refusals that protect a project's only owner (service's error list). */
const LAST_OWNER = new Set([
  "CANNOT_DELETE_LAST_OWNER",
  "CANNOT_DELETE_LAST_ADMIN",
  "CANNOT_DEMOTE_LAST_OWNER",
]);

export function isLastOwnerRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && LAST_OWNER.has(error.errorCode ?? "");
}

/** An account as the service returns it. */
export interface Account extends Identity {
  readonly userId: string;
  readonly username: string;
}

/** @returns `unknown` if this API key may not look the account up @throws the answer if there is no such account */
export async function accountById(
  userId: string,
  { session, signal }: Context,
): Promise<Account | "unknown"> {
  return getUser(session.client, userId, signal).then(toAccount, (error: unknown) => {
    const failure = lookupFailure(error);
    if (failure === "none") throw error;
    return failure;
  });
}

/** @returns `none` if no account has the name, `unknown` if this API key may not look it up */
export async function accountByName(
  username: string,
  { session, signal }: Context,
): Promise<Account | "none" | "unknown"> {
  return getUserByName(session.client, username, signal).then(toAccount, lookupFailure);
}

/**
 * Wider than `meaningOf`, which takes a 400 or 404 with an unknown code for a failure: versions differ in the codes of a lookup, and a
 * lookup that fails must not stop an operation that can do without it.
 */
function lookupFailure(error: unknown): "none" | "unknown" {
  const answered = error instanceof ApiError && !hasCode(error, "OPSMANAGER_KEY_REFUSED");
  if (!answered || ![400, 401, 403, 404, 405, 501].includes(error.status)) throw error;
  return meaningOf(error) === "gone" ? "none" : "unknown";
}

function toAccount({ id, username }: UserAnswer): Account {
  return { userId: id, username };
}

/** A write that the service accepted. */
export interface Accepted {
  /** The membership or invitation that the answer shows, if it shows one. */
  readonly place: Place | undefined;
  /** Whom to look for if it shows none. */
  readonly who: Identity;
}

/**
 * Adds or invites somebody who is neither a member nor invited: an account if there is one and the service allows it, else an
 * invitation.
 */
export async function admit(
  projectId: string,
  who: Identity,
  roles: readonly string[],
  { session, signal }: Context,
): Promise<Accepted> {
  const { client, rosters } = session;
  const { userId, username } = who;
  try {
    if (userId !== undefined) {
      try {
        const assignment = { userId, username: nameOf(who), roles, invites: true };
        const answer = await setRolesInProject(client, projectId, assignment, signal);
        const place = answer && placeAmong(toMembers(projectId, [answer]), [], { userId });
        // An account that was invited is invited under its current name, and the answer has that name.
        return { place, who: answer ? toAccount(answer) : who };
      } catch (error) {
        // An account that has not confirmed its own invitation can only be invited (service's error list).
        const pending = error instanceof ApiError && error.errorCode === "CANNOT_ADD_PENDING_USER";
        if (!pending || username === undefined) throw error;
      }
    }
    if (username === undefined) throw new RefusedError(`${nameOf(who)} can only be let in by a username.`);
    const invitation = await invite(client, projectId, { username, roles }, signal);
    const place: Place | undefined = invitation && {
      status: "pending",
      userId,
      invitations: [toInvitation(invitation)],
    };
    return { place, who };
  } finally {
    rosters.written(projectId);
  }
}

/** Gives a member or an invited person exactly these roles. */
export async function giveRoles(
  projectId: string,
  place: Place,
  roles: readonly string[],
  context: Context,
): Promise<Accepted> {
  const { session, signal } = context;
  const { client, rosters } = session;
  const who = identityOf(place);
  try {
    if (place.status === "active") {
      const { userId, username } = place.member;
      const answer = await setRolesInProject(client, projectId, { userId, username, roles }, signal);
      const now = answer && placeAmong(toMembers(projectId, [answer]), place.invitations, who);
      return { place: now, who };
    }
    const [newest, ...others] = place.invitations;
    const answer = await updateInvitation(client, projectId, newest, roles, signal);
    return { place: { ...place, invitations: [toInvitation(answer), ...others] }, who };
  } catch (error) {
    if (place.status === "active" || meaningOf(error) !== "gone") throw error;
    rosters.written(projectId);
    const now = await placeNow(projectId, whoAccepts(place), context);
    // Accepted since the read: the same roles, given to a member.
    if (now?.status === "active") return giveRoles(projectId, now, roles, context);
    throw error;
  } finally {
    rosters.written(projectId);
  }
}

/** Removes the membership and every pending invitation. Succeeds if they no longer exist. */
export async function vacate(projectId: string, place: Place, context: Context): Promise<void> {
  try {
    if (place.status === "active") await removeMember(projectId, place.member, context);
    for (const invitation of place.invitations) await takeBack(projectId, place, invitation, context);
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

/** The account that accepts the invitation: the one it is known to be for, else the one of its name. */
function whoAccepts(place: Place): Identity {
  const { userId, username } = identityOf(place);
  return { userId, username };
}

/** The service refuses to delete an invitation that was accepted since the read. Then the member it made is removed. */
async function takeBack(
  projectId: string,
  place: Place,
  invitation: Invitation,
  context: Context,
): Promise<void> {
  const { session, signal } = context;
  await deleteInvitation(session.client, projectId, invitation, signal).catch(async (refusal: unknown) => {
    const { invitationId } = invitation;
    const now = await placeDespite(refusal, projectId, whoAccepts(place), context);
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
  return placeIn(projectId, await session.rosters.fresh(projectId, signal), who);
}

/** @throws the error of the list without which it is not known where the person is */
export function placeIn(projectId: string, roster: Roster, who: Identity): Place | undefined {
  const { members, invitations } = roster;
  const place = placeAmong(entriesOf(members), entriesOf(invitations), who);
  if (place?.status === "active") return place;
  if (isRefused(members)) throw members.error;
  const refusal = invitationsRefusal(projectId, roster, who.invitationId !== undefined);
  if (!place && refusal !== undefined) throw refusal;
  return place;
}

/** The service accepted a write, but what it led to could not be read. */
export class UnreadWrite extends Error {
  constructor(
    readonly who: Identity,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * The place that a write has led to: from its answer, or from a read if the answer has none or was lost.
 *
 * @throws UnreadWrite when the write was accepted and no read shows the result
 * @throws OutcomeUnknownError when the answer was lost and no read shows the result
 */
export async function placeAfter(
  write: Promise<Accepted>,
  projectId: string,
  who: Identity,
  roles: readonly string[],
  context: Context,
): Promise<Place> {
  const { rosters } = context.session;
  let lost: unknown;
  const accepted = await write.catch((error: unknown) => {
    if (!hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN")) throw error;
    lost = error;
    return undefined;
  });
  if (accepted) return accepted.place ?? readAccepted(projectId, accepted.who, roles, context);
  const read = async (by: AbortSignal) => ({
    place: placeIn(projectId, await rosters.fresh(projectId, by), who),
  });
  const seen = await lateLook(read).catch(() => undefined);
  if (seen?.place && sameSet(rolesOf(seen.place), roles)) return seen.place;
  throw new OutcomeUnknownError(
    `${messageOf(lost)} A look afterwards ${seen ? "does not show it" : "failed as well"}. Run pulumi up again: it goes on from what is there.`,
    { cause: lost },
  );
}

async function readAccepted(
  projectId: string,
  who: Identity,
  roles: readonly string[],
  { session, signal }: Context,
): Promise<Place> {
  const sent = `The service accepted ${nameOf(who)} with ${roles.join(", ")} for project ${projectId}`;
  const next = "Run pulumi up again: it continues from what exists.";
  const read = async (by: AbortSignal) => placeIn(projectId, await session.rosters.fresh(projectId, by), who);
  const place = await lookAfterwards(read, signal).catch((error: unknown) => {
    const reason = `${sent}, but the result could not be read. ${next} (${messageOf(error)})`;
    throw new UnreadWrite(who, reason, { cause: error });
  });
  if (place) return place;
  throw new UnreadWrite(who, `${sent}, but shows neither a membership nor an invitation. ${next}`);
}
