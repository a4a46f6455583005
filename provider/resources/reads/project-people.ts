/** The members and invitations of a project, read once for several resources where that is safe. */

import type { Invitation, Member } from "../../access/person";
import type { ApiClient } from "../../api/client";
import {
  type InvitationResponse,
  listInvitations,
  type OrganizationInvitationResponse,
} from "../../api/invitations";
import { listUsersOfProject, type UserResponse } from "../../api/users";
import { messageOf, UnexpectedResponseError } from "../../text/errors";
import { owningRolesAbove, rolesAmong } from "../contract/roles";
import type { Configured } from "../contract/session";
import { inOrder } from "../contract/values";
import { meaningOf } from "../evidence/meaning";
import { orRefusal, Refusal } from "../evidence/refusal";
import { SharedReads } from "../session/shared-reads";
import { Gathering } from "./gathering";

/** A list, or the error that replaced it: not found, not readable with this key, or not offered. */
export type ListResult<T> = readonly T[] | Refusal;

/** The people of a project or an organization, as the two lists of the service show them. */
export interface PeopleLists {
  readonly members: ListResult<Member>;
  readonly invitations: ListResult<Invitation>;
}

export function entriesOf<T>(listing: ListResult<T>): readonly T[] {
  return listing instanceof Refusal ? [] : listing;
}

/**
 * The error for which it is not known who is invited; `undefined` if it is known.
 *
 * If a service does not offer invitations, no one is invited. Gateways return the same during a
 * rollout. So the response is an error if this process has read a list before, or if an invitation is
 * recorded.
 *
 * @param isRecorded an invitation to the project is recorded
 */
export function invitationsRefusal(
  projectId: string,
  { invitations }: Pick<PeopleLists, "invitations">,
  isRecorded: boolean,
): Refusal | undefined {
  if (!(invitations instanceof Refusal)) return undefined;
  const { error, isContradicted } = invitations;
  if (meaningOf(error) !== "missing-operation") return invitations;
  if (!isContradicted && !isRecorded) return undefined;
  const proof = isContradicted
    ? "it has listed invitations before"
    : "an invitation to this project is recorded";
  const contradiction = new UnexpectedResponseError(
    `The pending invitations to project ${projectId} could not be read. The response means that the service does not offer invitations, but ${proof}. Run the command again. If it fails again, check the proxies and gateways in front of the service. (${messageOf(error)})`,
    { cause: error },
  );
  return new Refusal(contradiction);
}

/**
 * The error for which it is not known who is in the project or invited; `undefined` if it is known.
 */
export function decisiveRefusal(
  projectId: string,
  lists: PeopleLists,
  isRecorded: boolean,
): Refusal | undefined {
  const { members } = lists;
  return members instanceof Refusal ? members : invitationsRefusal(projectId, lists, isRecorded);
}

/** Converts users with roles in the project itself. Roles through the organization do not count. */
export function toMembers(projectId: string, responses: readonly UserResponse[]): Member[] {
  return responses.flatMap(({ id, username, roles, teamIds }) => {
    const own = rolesAmong(roles ?? [], ({ groupId }) => groupId === projectId);
    if (own.length === 0) return [];
    const rolesAbove = owningRolesAbove(roles ?? [], ({ groupId }) => Boolean(groupId));
    return [{ userId: id, username, roles: own, teamIds: teamIds ?? undefined, rolesAbove }];
  });
}

export function toInvitation(
  response: OrganizationInvitationResponse & Partial<Pick<InvitationResponse, "groupName">>,
): Invitation {
  const { id, username, roles, createdAt, expiresAt, inviterUsername, groupName, teamIds } = response;
  return {
    invitationId: id,
    username,
    roles: [...new Set(roles)].sort(inOrder),
    createdAt,
    expiresAt,
    inviterUsername,
    groupName,
    ...(teamIds && { teamIds }),
  };
}

/**
 * How long after its end an invitation still counts as pending: the clocks of a service's machines
 * may differ.
 */
const CLOCK_SLACK_MILLISECONDS = 86_400_000;

/**
 * True if the invitation cannot be accepted any more. By the documentation, lists contain no such
 * invitation.
 *
 * @param now milliseconds by the service's clock
 */
export function hasExpired({ expiresAt }: Pick<Invitation, "expiresAt">, now: number): boolean {
  return Date.parse(expiresAt) + CLOCK_SLACK_MILLISECONDS <= now;
}

/** The people of each project, as this operation has read them. */
export class ProjectPeopleCache extends SharedReads<PeopleLists> {
  readonly #gatherings = new Map<string, Gathering>();
  /** Whether this process has read a list of pending invitations: then the service offers it. */
  #hasListed = false;

  readonly #client: ApiClient;

  constructor({ client, settings }: Configured) {
    super((projectId, signal) => this.#fetch(projectId, signal), settings.readCacheSeconds);
    this.#client = client;
  }

  /**
   * For the first read of an operation inside `during`: a read that starts after this call.
   * Concurrent operations share it.
   */
  async gathered(projectId: string, signal: AbortSignal): Promise<PeopleLists> {
    const called = performance.now();
    await this.#gatheringOf(projectId).wait(this.ageOf(projectId), signal);
    return this.fresh(projectId, signal, called);
  }

  /** Runs an operation that reads the people of a project, and may change them. */
  async during<T>(projectId: string, operation: () => Promise<T>): Promise<T> {
    return this.#gatheringOf(projectId).during(operation);
  }

  #gatheringOf(projectId: string): Gathering {
    const known = this.#gatherings.get(projectId);
    if (known) return known;
    const gathering = new Gathering();
    this.#gatherings.set(projectId, gathering);
    return gathering;
  }

  async #fetch(projectId: string, signal: AbortSignal): Promise<PeopleLists> {
    const [members, invitations] = await Promise.all([
      orRefusal(
        listUsersOfProject(this.#client, projectId, {}, signal).then((users) => toMembers(projectId, users)),
      ),
      this.#fetchInvitations(projectId, signal),
    ]);
    return {
      members,
      invitations:
        members instanceof Refusal ? invitations : await this.#confirmed(projectId, invitations, signal),
    };
  }

  /** The pending invitations of a project whose members the service lists. */
  async invitations(projectId: string, signal: AbortSignal): Promise<ListResult<Invitation>> {
    return this.#confirmed(projectId, await this.#fetchInvitations(projectId, signal), signal);
  }

  /**
   * A service that lists members lists invitations as a rule, so for each project a second response
   * has to confirm the first.
   */
  async #confirmed(
    projectId: string,
    invitations: ListResult<Invitation>,
    signal: AbortSignal,
  ): Promise<ListResult<Invitation>> {
    if (this.#hasListed || !isMissing(invitations)) return invitations;
    return this.#fetchInvitations(projectId, signal);
  }

  async #fetchInvitations(projectId: string, signal: AbortSignal): Promise<ListResult<Invitation>> {
    const invitations = await orRefusal(
      listInvitations(this.#client, projectId, undefined, signal).then((responses) =>
        responses.map(toInvitation).filter((invitation) => !hasExpired(invitation, this.#client.now())),
      ),
    );
    if (!(invitations instanceof Refusal)) this.#hasListed = true;
    else if (isMissing(invitations)) return new Refusal(invitations.error, this.#hasListed);
    return invitations;
  }
}

function isMissing(listing: ListResult<unknown>): boolean {
  return listing instanceof Refusal && meaningOf(listing.error) === "missing-operation";
}
