/**
 * Adds people to a place, and gives them roles.
 *
 * Between a read and a write, a person may join, accept an invitation or leave: a service that sends no
 * invitations adds an account to the organization with its first project. So a read follows each refused
 * write, and decides.
 */

import { type Identity, type Membership, memberName, pendingMembership } from "../../access/person";
import { sendInvitation } from "../../api/invitations";
import { setRolesInProject } from "../../api/users";
import { RefusedError } from "../../text/errors";
import type { ProjectContext } from "../contract/resource";
import { isPendingAccount } from "../evidence/meaning";
import { readDespite } from "../evidence/reread";
import { toInvitation } from "../reads/project-people";
import { toAccount } from "./accounts";
import { findMembership } from "./memberships";
import { type PeoplePlace, projectPlace, shownMembers } from "./place";

/** A write that the service accepted. */
export interface Accepted {
  /** The membership or invitation that the response shows, if it shows one. */
  readonly membership: Membership | undefined;
  /** The person to search for if the response shows none. */
  readonly who: Identity;
}

/** A person whom the service refused to add, because another program had added them since they were searched for. */
export interface FoundInstead {
  readonly found: Membership;
}

/**
 * Adds or invites a person who is neither a member nor invited. An existing account is added if the
 * service allows it. Otherwise an invitation is sent.
 */
export async function addOrInvite(
  who: Identity,
  roles: readonly string[],
  context: ProjectContext,
): Promise<Accepted | FoundInstead> {
  const { session, signal, projectId } = context;
  const { userId, username } = who;
  return adding(who, projectPlace(context), async () => {
    if (userId !== undefined) {
      try {
        const assignment = { userId, username: memberName(who), roles, invites: true };
        const response = await setRolesInProject(session.client, projectId, assignment, signal);
        const shown = { members: shownMembers(projectId, response), invitations: [] };
        // An account that was invited is invited under its current name, and the response has that
        // name.
        return {
          membership: findMembership(shown, { userId }),
          who: response ? toAccount(response) : who,
        };
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
 * Runs the request that adds or invites a person.
 *
 * @returns the person who is there instead, if the service refuses the request because of that
 */
export async function adding(
  who: Identity,
  place: PeoplePlace,
  send: () => Promise<Accepted>,
): Promise<Accepted | FoundInstead> {
  return place.writing(send).catch(async (refusal: unknown) => {
    const found = await readDespite(refusal, (by) => place.read(who, by), place.context.signal);
    if (found === undefined) throw refusal;
    return { found };
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
