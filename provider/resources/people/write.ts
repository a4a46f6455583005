/**
 * Adds people to a project, changes their roles, and removes them.
 *
 * Between a read and a write, a person may accept an invitation or leave. So a rejected write is
 * followed by another read, whose result decides.
 */

import { deleteInvitation, getInvitation, sendInvitation, updateInvitation } from "../../api/invitations";
import {
  getUser,
  getUserByName,
  removeUserFromProject,
  setRolesInProject,
  type UserResponse,
} from "../../api/users";
import { hasCode, messageOf, RefusedError } from "../../text/errors";
import type { Context, ProjectContext } from "../contract/resource";
import { sameSet } from "../contract/values";
import {
  isErrorResponse,
  isLastOwnerRefusal,
  isNotInProject,
  isPendingAccount,
  meaningOf,
} from "../evidence/meaning";
import { orStillUnknown, rereadAfterCancel, rereadAfterWrite, stillUnknown } from "../evidence/reread";
import { ProjectWrites } from "../session/project-writes";
import {
  type Identity,
  type Invitation,
  type Member,
  type Membership,
  memberName,
  pendingMembership,
} from "./person";
import {
  entriesOf,
  invitationsRefusal,
  isRefused,
  type ProjectPeople,
  ProjectPeopleCache,
  toInvitation,
  toMembers,
} from "./project-people-cache";
import { findMembership } from "./resolve";
import { rolesBeside, withoutTeamRoles } from "./team-roles";

/** An account as the service returns it. */
export interface Account extends Identity {
  readonly userId: string;
  readonly username: string;
}

/**
 * @returns `unknown` if these credentials may not look the account up
 * @throws the response if there is no such account
 */
export async function accountById(
  userId: string,
  { session, signal }: Context,
): Promise<Account | "unknown"> {
  return getUser(session.client, userId, signal).then(toAccount, (error: unknown) => {
    const failure = accountLookupFailure(error);
    if (failure === "none") throw error;
    return failure;
  });
}

/** @returns `none` if no account has the name, `unknown` if these credentials may not look it up */
export async function accountByName(
  username: string,
  { session, signal }: Context,
): Promise<Account | "none" | "unknown"> {
  return getUserByName(session.client, username, signal).then(toAccount, accountLookupFailure);
}

/**
 * What an error response to the lookup of an account means. Versions differ in the codes, so a 400
 * or 404 with another code means `unknown`. A failed lookup must not stop an operation that does not
 * require it.
 */
function accountLookupFailure(error: unknown): "none" | "unknown" {
  if (!isErrorResponse(error) || ![400, 401, 403, 404, 405, 501].includes(error.status)) throw error;
  return meaningOf(error) === "deleted" ? "none" : "unknown";
}

function toAccount({ id, username }: UserResponse): Account {
  return { userId: id, username };
}

/** A write that the service accepted. */
export interface Accepted {
  /** The membership or invitation that the response shows, if it shows one. */
  readonly membership: Membership | undefined;
  /** The person to search for if the response shows none. */
  readonly who: Identity;
}

/**
 * Adds or invites a person who is neither a member nor invited. An existing account is added if the
 * service allows it. Otherwise an invitation is sent.
 */
export async function addOrInvite(
  who: Identity,
  roles: readonly string[],
  context: ProjectContext,
): Promise<Accepted> {
  const { session, signal, projectId } = context;
  const { userId, username } = who;
  return writing(context, async () => {
    if (userId !== undefined) {
      try {
        const assignment = { userId, username: memberName(who), roles, invites: true };
        const response = await setRolesInProject(session.client, projectId, assignment, signal);
        const membership =
          response && findMembership(toMembers(projectId, [response], roles), [], { userId });
        // An account that was invited is invited under its current name, and the response has that
        // name.
        return { membership, who: response ? toAccount(response) : who };
      } catch (error) {
        if (!isPendingAccount(error) || username === undefined) throw error;
      }
    }
    if (username === undefined) throw new RefusedError(`${memberName(who)} can be added only by username.`);
    const invitation = await sendInvitation(session.client, projectId, { username, roles }, signal);
    return { membership: invitation && pendingMembership([toInvitation(invitation)], userId), who };
  });
}

/** Runs a write of the project's people, and discards what was read before it. */
async function writing<T>({ session, projectId }: ProjectContext, write: () => Promise<T>): Promise<T> {
  return session
    .of(ProjectWrites)
    .ofPerson(projectId, () => write().finally(() => session.of(ProjectPeopleCache).written(projectId)));
}

/** Gives a member or an invited person exactly these roles. */
export async function giveRoles(
  membership: Membership,
  roles: readonly string[],
  context: ProjectContext,
): Promise<Accepted> {
  const { session, signal, projectId } = context;
  const { client } = session;
  return writing(context, async () => {
    if (membership.status === "active") {
      const { userId, username } = membership;
      const response = await setRolesInProject(client, projectId, { userId, username, roles }, signal);
      const now =
        response && findMembership(toMembers(projectId, [response]), membership.invitations, membership);
      return { membership: now, who: membership };
    }
    const [newest, ...others] = membership.invitations;
    const response = await updateInvitation(client, projectId, newest, roles, signal);
    const now = pendingMembership([toInvitation(response), ...others], membership.userId);
    return { membership: now, who: membership };
  }).catch(async (error: unknown) => {
    if (membership.status === "active" || meaningOf(error) !== "deleted") throw error;
    const now = await readMembership(acceptingIdentity(membership), context);
    // Accepted since the read: the same roles, given to a member.
    if (now?.status === "active") return giveRoles(now, roles, context);
    throw error;
  });
}

/** Removes the membership and every pending invitation. Succeeds if they no longer exist. */
export async function removeFromProject(membership: Membership, context: ProjectContext): Promise<void> {
  await writing(context, async () => {
    if (membership.status === "active") await removeMember(membership, context);
    for (const invitation of membership.invitations)
      await withdrawInvitation(membership, invitation, context);
  });
}

async function removeMember(member: Member, context: ProjectContext): Promise<void> {
  const { session, signal, projectId } = context;
  await removeUserFromProject(session.client, projectId, member, signal).catch(async (refusal: unknown) => {
    const now = await membershipDespite(refusal, member, context);
    if (now?.status === "active") throw refusal;
  });
}

/**
 * The account that accepts the invitation: the one it is known to be for, else the one of its name.
 */
function acceptingIdentity({ userId, username }: Membership): Identity {
  return { userId, username };
}

/**
 * The service refuses to delete an invitation that was accepted since the read. Then the member it
 * made is removed.
 */
async function withdrawInvitation(
  membership: Membership,
  invitation: Invitation,
  context: ProjectContext,
): Promise<void> {
  const { session, signal, projectId } = context;
  await deleteInvitation(session.client, projectId, invitation, signal).catch(async (refusal: unknown) => {
    const { invitationId } = invitation;
    const now = await membershipDespite(refusal, acceptingIdentity(membership), context);
    if (now?.status === "active") await removeMember(now, context);
    if (now?.invitations.some((pending) => pending.invitationId === invitationId)) throw refusal;
  });
}

/**
 * Reads the membership after a rejected deletion. The rejection itself proves little: versions of
 * the service differ in status and code for deleted objects, and some return 500 occasionally.
 *
 * @throws the rejection if a read cannot help
 */
async function membershipDespite(
  refusal: unknown,
  who: Identity,
  context: ProjectContext,
): Promise<Membership | undefined> {
  const isFinal = !isErrorResponse(refusal) || refusal.status === 401 || isLastOwnerRefusal(refusal);
  if (isFinal || context.signal.aborted) throw refusal;
  return readMembership(who, context).catch(() => {
    throw refusal;
  });
}

/**
 * Removes a person by the recorded IDs, for a service that does not list the people of a project.
 */
export async function removeWithoutMemberList(who: Identity, context: ProjectContext): Promise<void> {
  await writing(context, () => removeByRecordedIds(who, context));
}

async function removeByRecordedIds(who: Identity, context: ProjectContext): Promise<void> {
  const { session, signal, log, projectId } = context;
  const { client } = session;
  const { userId, invitationId } = who;
  const username = memberName(who);
  if (userId !== undefined) {
    try {
      await removeUserFromProject(client, projectId, { userId, username }, signal);
    } catch (error) {
      if (!isNotInProject(error)) throw error;
    }
    if (invitationId === undefined) return;
  }
  if (invitationId === undefined) {
    throw new RefusedError(
      `${username} cannot be removed from project ${projectId}: neither a userId nor an invitationId is recorded, and this service does not offer listing its people.`,
    );
  }
  try {
    await deleteInvitation(client, projectId, { invitationId, username }, signal);
  } catch (error) {
    if (meaningOf(error) !== "deleted") {
      const shown = await getInvitation(client, projectId, invitationId, signal).catch(
        (failure: unknown) => failure,
      );
      if (meaningOf(shown) !== "deleted") throw error;
    }
    // If the invitation was accepted, the account has been removed above.
    if (userId !== undefined) return;
    log.warn(
      `The invitation of ${username} to project ${projectId} is no longer pending: it was accepted, has expired or was deleted, and this service does not show which. If it was accepted, the person is still in the project: remove them by their userId.`,
    );
  }
}

async function readMembership(
  who: Identity,
  { session, signal, projectId }: ProjectContext,
): Promise<Membership | undefined> {
  return lookUpMembership(projectId, await session.of(ProjectPeopleCache).fresh(projectId, signal), who);
}

/** @throws the error of the list that is needed to find the person */
export function lookUpMembership(
  projectId: string,
  projectPeople: ProjectPeople,
  who: Identity,
): Membership | undefined {
  const { members, invitations } = projectPeople;
  const membership = findMembership(entriesOf(members), entriesOf(invitations), who);
  if (membership?.status === "active") return membership;
  if (isRefused(members)) throw members.error;
  const refusal = invitationsRefusal(projectId, projectPeople, who.invitationId !== undefined);
  if (!membership && refusal !== undefined) throw refusal.error;
  return membership;
}

/** The service accepted a write, but its result could not be read. */
export class UnreadWrite extends Error {
  /** @param who the person, by the identities that the response to the write shows */
  constructor(
    message: string,
    readonly who: Identity,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * The membership after a write: from its response, or from a read if the response shows none or was
 * lost.
 *
 * @throws UnreadWrite when the write was accepted and no read shows the result
 * @throws OutcomeUnknownError when the response was lost and no read shows the result
 */
export async function membershipAfter(
  write: Promise<Accepted>,
  who: Identity,
  roles: readonly string[],
  context: ProjectContext,
): Promise<Membership> {
  let lost: unknown;
  const accepted = await write.catch((error: unknown) => {
    if (!hasCode(error, "OPSMANAGER_OUTCOME_UNKNOWN")) throw error;
    lost = error;
    return undefined;
  });
  if (accepted) {
    const membership = accepted.membership ?? (await readAccepted(accepted.who, roles, context));
    // What was written has to be recorded, also if the teams cannot be read.
    return withoutTeamRoles(membership, rolesBeside(roles, membership), context).catch(() => membership);
  }
  const read = rereadAfterCancel((by) => readMembership(who, { ...context, signal: by }));
  const membership = await orStillUnknown(read, lost);
  if (membership === undefined || !sameSet(membership.roles, roles)) throw stillUnknown(lost);
  return membership;
}

async function readAccepted(
  who: Identity,
  roles: readonly string[],
  context: ProjectContext,
): Promise<Membership> {
  const sent = `The service accepted ${memberName(who)} with ${roles.join(", ")} for project ${context.projectId}`;
  const next = "Run pulumi up again: it continues from what exists.";
  const read = (by: AbortSignal) => readMembership(who, { ...context, signal: by });
  const membership = await rereadAfterWrite(read, context.signal).catch((error: unknown) => {
    const reason = `${sent}, but the result could not be read. ${next} (${messageOf(error)})`;
    throw new UnreadWrite(reason, who, { cause: error });
  });
  if (membership) return membership;
  throw new UnreadWrite(`${sent}, but shows neither a membership nor an invitation. ${next}`, who);
}
