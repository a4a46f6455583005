/** A project or an organization as the place of its people: how they are read there, changed, removed and announced. */

import type { ActiveMembership, Identity, Member, Membership } from "../../access/person";
import { deleteInvitation, type organizationInvitations, updateInvitation } from "../../api/invitations";
import { removeUserFromProject, setRolesInProject, type UserResponse } from "../../api/users";
import { formatNotice } from "../../text/notices";
import { type EndOfAccess, noticeOfAdoption, type OnDestroyInput } from "../contract/on-destroy";
import type { Context, ProjectContext } from "../contract/resource";
import { roleChange } from "../contract/roles";
import { sameSet } from "../contract/values";
import { ProjectPeopleCache, toMembers } from "../reads/project-people";
import { Writes } from "../session/writes";
import { findMembership, lookUpMembership } from "./memberships";

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

const invitationSubjects = { ...peopleSubjects, project: "invitation" } as const;

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
      return shown && findMembership({ members: [shown], invitations: member.invitations }, member);
    },
    remove: (member) => removeUserFromProject(client, projectId, member, signal),
    hasRoles: (live, sent) => sameSet(live.roles, sent),
    writing: (write) =>
      session.of(Writes).beside(projectId, () => write().finally(() => cache.written(projectId))),
  };
}

/**
 * The member that a response to a write shows; none if the lists have to decide. Some versions show the roles of teams
 * among those of an account, so the roles of an account with teams do not prove that it is a member: it may only have
 * been invited.
 */
export function shownMembers(projectId: string, response: UserResponse | undefined): Member[] {
  return response?.teamIds?.length === 0 ? toMembers(projectId, [response]) : [];
}

/**
 * Reports that a resource adopts a person who is there already.
 *
 * @param roles those that the person gets; `undefined` if they are not managed
 */
export function announceAdoption(
  membership: Membership,
  roles: readonly string[] | undefined,
  inputs: OnDestroyInput<EndOfAccess>,
  { kind, id, text, scope, context }: PeoplePlace,
): void {
  const { status, username, userId, invitationId, roles: live } = membership;
  const holder = { kind: "person", userId, invitationId, username } as const;
  const isPending = status === "pending" || undefined;
  const { teamIds } = status === "active" ? membership : {};
  context.log.tell?.([{ fate: "stays", holder, place: { kind, id }, roles: live, isPending, teamIds }]);
  const stage = status === "active" ? "is in" : "is invited to";
  const changes = roles === undefined ? "" : roleChange(live, roles);
  const end = noticeOfAdoption(inputs, "this person", `removes them from ${scope}`);
  context.log.info(`${username} ${stage} ${text} already${changes}.${end}`);
}

/** What a resource has recorded of an invited person. */
interface RecordedPerson {
  readonly status?: string | undefined;
  readonly username?: string | undefined;
  readonly invitationId?: string | undefined;
  /** ISO 8601. */
  readonly expiresAt?: string | undefined;
}

/**
 * Logs that the invitation of a person whom no list has any more is past its end. An invitation that
 * ended before was deleted or accepted, and nothing is logged.
 */
export function announceExpiry(
  { status, username, invitationId, expiresAt }: RecordedPerson,
  { kind, id }: Pick<PeoplePlace, "kind" | "id">,
  { session, log }: Pick<Context, "session" | "log">,
): void {
  if (status !== "pending" || invitationId === undefined || expiresAt === undefined) return;
  if (!(Date.parse(expiresAt) <= session.client.now())) return;
  log.info(
    formatNotice(
      { code: "expired", subject: invitationSubjects[kind], placeId: id, invitationId },
      `The invitation of ${username ?? invitationId} to ${kind} ${id} expired on ${expiresAt}. If the program still declares them, pulumi up invites them again.`,
    ),
  );
}
