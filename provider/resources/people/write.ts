/**
 * Adds people to a project, changes their roles, and removes them. Where the rules are the same,
 * they hold for an organization as well.
 *
 * Between a read and a write, a person may join, accept an invitation or leave: a service that sends no
 * invitations adds an account to the organization with its first project. So a read follows each refused
 * write, and decides.
 */

import {
  type ActiveMembership,
  type Identity,
  type Invitation,
  type Member,
  type Membership,
  memberName,
  pendingMembership,
} from "../../access/person";
import {
  deleteInvitation,
  getInvitation,
  type organizationInvitations,
  sendInvitation,
  updateInvitation,
} from "../../api/invitations";
import {
  getUser,
  getUserByName,
  removeUserFromProject,
  setRolesInProject,
  type UserResponse,
} from "../../api/users";
import { hasCode, messageOf, PartialFailure, RefusedError } from "../../text/errors";
import { noticeOfAdoption, type OnDestroyInput } from "../contract/on-destroy";
import type { Context, ProjectContext } from "../contract/resource";
import { roleChange } from "../contract/roles";
import { type Properties, sameSet } from "../contract/values";
import { isErrorResponse, isNotInProject, isPendingAccount, meaningOf } from "../evidence/meaning";
import { Refusal } from "../evidence/refusal";
import { orReached, reachedAfterLoss, readDespite, rereadAfterWrite } from "../evidence/reread";
import {
  entriesOf,
  invitationsRefusal,
  type ProjectPeople,
  ProjectPeopleCache,
  toInvitation,
  toMembers,
} from "../reads/project-people";
import { ProjectWrites } from "../session/project-writes";
import { findMembership } from "./resolve";

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

/** A project or an organization, by what differs between them in writes of their people. */
export interface PeoplePlace {
  /** For messages, such as `project 5f0000000000000000000101`. */
  readonly text: string;
  /** For messages: what a person is removed from, such as `the project`. */
  readonly scope: string;
  readonly id: string;
  readonly kind: "project" | "organization";
  readonly context: Context;
  readonly invitations: Pick<typeof organizationInvitations, "update" | "delete">;
  /** Finds the person in a read that starts after this call. */
  read(who: Identity, signal: AbortSignal): Promise<Membership | undefined>;
  /** Gives a member exactly these roles. @returns the membership, if the response shows it */
  setRoles(member: ActiveMembership, roles: readonly string[]): Promise<Membership | undefined>;
  remove(member: Member): Promise<void>;
  /** Whether the service has stored the roles that were sent. */
  hasRoles(live: Membership, sent: readonly string[]): boolean;
  /** Runs a write, and discards what was read before it. */
  writing<T>(write: () => Promise<T>): Promise<T>;
}

/** What notices call the people of a place. */
export const peopleSubjects = {
  project: "people",
  organization: "organization people",
} as const satisfies Record<PeoplePlace["kind"], string>;

export function projectPlace(context: ProjectContext): PeoplePlace {
  const { session, signal, projectId } = context;
  const { client } = session;
  const cache = session.of(ProjectPeopleCache);
  return {
    text: `project ${projectId}`,
    scope: "the project",
    id: projectId,
    kind: "project",
    context,
    invitations: { update: updateInvitation, delete: deleteInvitation },
    read: async (who, by) => lookUpMembership(projectId, await cache.fresh(projectId, by), who),
    setRoles: async (member, roles) => {
      const { userId, username } = member;
      const response = await setRolesInProject(client, projectId, { userId, username, roles }, signal);
      const [shown] = shownMembers(projectId, response);
      return shown && findMembership([shown], member.invitations, member);
    },
    remove: (member) => removeUserFromProject(client, projectId, member, signal),
    hasRoles: (live, sent) => sameSet(live.roles, sent),
    writing: (write) =>
      session.of(ProjectWrites).ofPerson(projectId, () => write().finally(() => cache.written(projectId))),
  };
}

/**
 * The member that a response to a write shows; none if the lists have to decide. Some versions show the roles of teams
 * among those of an account, so the roles of an account with teams do not prove that it is a member: it may only have
 * been invited.
 */
function shownMembers(projectId: string, response: UserResponse | undefined): Member[] {
  return response?.teamIds?.length === 0 ? toMembers(projectId, [response]) : [];
}

/**
 * Reports that a resource adopts a person who is there already.
 *
 * @param roles those that the person gets; `undefined` if they are not managed
 */
export function announceAdoption(
  { status, username, userId, invitationId, roles: live }: Membership,
  roles: readonly string[] | undefined,
  inputs: OnDestroyInput<"remove" | "release">,
  { kind, id, text, scope, context }: PeoplePlace,
): void {
  const holder = { kind: "person", userId, invitationId, username } as const;
  context.log.found?.([{ holder, place: { kind, id }, roles: live }]);
  const stage = status === "active" ? "is in" : "is invited to";
  const changes = roles === undefined ? "" : roleChange(live, roles);
  const end = noticeOfAdoption(inputs, "this person", `removes them from ${scope}`);
  context.log.info(`${username} ${stage} ${text} already${changes}.${end}`);
}

/** A write that the service accepted. */
export interface Accepted {
  /** The membership or invitation that the response shows, if it shows one. */
  readonly membership: Membership | undefined;
  /** The person to search for if the response shows none. */
  readonly who: Identity;
  /** The person is there, although the service refused to add them. */
  readonly isFound?: true;
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
  return adding(who, roles, projectPlace(context), async () => {
    if (userId !== undefined) {
      try {
        const assignment = { userId, username: memberName(who), roles, invites: true };
        const response = await setRolesInProject(session.client, projectId, assignment, signal);
        const membership = findMembership(shownMembers(projectId, response), [], { userId });
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

/**
 * Runs the request that adds or invites a person. If the service refuses it for a person who is there by now, the person
 * gets the roles.
 */
export async function adding(
  who: Identity,
  roles: readonly string[],
  place: PeoplePlace,
  send: () => Promise<Accepted>,
): Promise<Accepted> {
  const { signal } = place.context;
  return place.writing(send).catch(async (refusal: unknown) => {
    const now = await readDespite(refusal, (by) => place.read(who, by), signal);
    if (now === undefined) throw refusal;
    const given = place.hasRoles(now, roles)
      ? { membership: now, who: now }
      : await giveRoles(now, roles, place);
    return { ...given, isFound: true };
  });
}

/** Gives a member or an invited person exactly these roles. */
export async function giveRoles(
  membership: Membership,
  roles: readonly string[],
  place: PeoplePlace,
): Promise<Accepted> {
  const { session, signal } = place.context;
  return place
    .writing(async () => {
      if (membership.status === "active") return place.setRoles(membership, roles);
      const [newest, ...others] = membership.invitations;
      const response = await place.invitations.update(session.client, place.id, newest, roles, signal);
      return pendingMembership([toInvitation(response), ...others], membership.userId);
    })
    .then(
      (now) => ({ membership: now, who: membership }),
      async (refusal: unknown) => {
        const now = await readDespite(refusal, (by) => place.read(membership, by), signal);
        if (now && place.hasRoles(now, roles)) return { membership: now, who: now };
        // Accepted since the read: the same roles, given to a member.
        if (membership.status === "pending" && now?.status === "active") return giveRoles(now, roles, place);
        throw refusal;
      },
    );
}

/** Removes the membership and every pending invitation. Succeeds if they no longer exist. */
export async function removeFromProject(membership: Membership, context: ProjectContext): Promise<void> {
  const place = projectPlace(context);
  await place.writing(async () => {
    if (membership.status === "active") await removeMember(membership, place);
    for (const invitation of membership.invitations)
      await withdrawInvitation(membership, invitation, place, removeMember);
  });
}

/** Removes a member. Succeeds if the person is no member any more. */
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

/**
 * Removes a person by the recorded IDs, for a service that does not list the people of a project.
 */
export async function removeWithoutMemberList(who: Identity, context: ProjectContext): Promise<void> {
  await projectPlace(context).writing(() => removeByRecordedIds(who, context));
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

/** @throws the error of the list that is needed to find the person */
export function lookUpMembership(
  projectId: string,
  projectPeople: ProjectPeople,
  who: Identity,
): Membership | undefined {
  const { members, invitations } = projectPeople;
  const membership = findMembership(entriesOf(members), entriesOf(invitations), who);
  if (members instanceof Refusal) throw members.error;
  const refusal = invitationsRefusal(projectId, projectPeople, who.invitationId !== undefined);
  if (!membership && refusal !== undefined) throw refusal.error;
  return membership;
}

/** A change of one person, from its request to what is recorded of it. */
interface Settlement {
  readonly write: Promise<Accepted>;
  readonly who: Identity;
  readonly roles: readonly string[];
  readonly place: PeoplePlace;
  /**
   * The ID and the state to record if no read shows what the service accepted.
   *
   * @param who the person, by the identities that the response to the write shows
   */
  unread(who: Identity): readonly [id: string, state: Properties];
}

/** What a write led to. */
interface Settled {
  readonly membership: Membership;
  /** The person was there already. */
  readonly isFound: boolean;
}

/**
 * The membership after a write: from its response, or from a read if the response shows none or was
 * lost.
 *
 * @throws PartialFailure when the write was accepted and no read shows the result
 * @throws OutcomeUnknownError when the response was lost and no read shows the result
 */
export async function membershipAfter(settlement: Settlement): Promise<Settled> {
  const { write, who, roles, place } = settlement;
  const read = (by: AbortSignal) => place.read(who, by);
  const isReached = (now: Membership | undefined) => now !== undefined && place.hasRoles(now, roles);
  const accepted = await write.catch(async (lost: unknown): Promise<Accepted> => {
    if (!hasCode(lost, "OPSMANAGER_OUTCOME_UNKNOWN")) throw lost;
    return { membership: await reachedAfterLoss(lost, { read, isReached }), who };
  });
  const membership = accepted.membership ?? (await readAccepted({ ...settlement, who: accepted.who }));
  return { membership, isFound: accepted.isFound === true };
}

async function readAccepted({ who, roles, place, unread }: Settlement): Promise<Membership> {
  const sent = `The service accepted ${memberName(who)} with ${roles.join(", ")} for ${place.text}`;
  const next = "Run pulumi up again: it continues from what exists.";
  const read = (by: AbortSignal) => place.read(who, by);
  const membership = await rereadAfterWrite(read, place.context.signal).catch((error: unknown) => {
    const reason = `${sent}, but the result could not be read. ${next} (${messageOf(error)})`;
    throw new PartialFailure(...unread(who), [reason]);
  });
  if (membership) return membership;
  const reason = `${sent}, but shows neither a membership nor an invitation. ${next}`;
  throw new PartialFailure(...unread(who), [reason]);
}
