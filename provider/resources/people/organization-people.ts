/** The people of organizations, read once for several resources where that is safe. */

import type { ApiClient } from "../../api/client";
import { organizationInvitations } from "../../api/invitations";
import { listUsersOfOrganization, type UserResponse } from "../../api/users";
import { UnexpectedResponseError } from "../../text/errors";
import { owningRolesAbove, rolesAmong } from "../contract/roles";
import type { Configured } from "../contract/session";
import { meaningOf } from "../evidence/meaning";
import { orRefusal, Refusal } from "../evidence/refusal";
import { SharedReads } from "../session/shared-reads";
import type { Member, Membership } from "./person";
import { hasExpired, type ProjectPeople, toInvitation } from "./project-people-cache";

/** The members of an organization and the pending invitations to it, as for a project. */
export type OrganizationPeople = ProjectPeople;

/** What this operation has read about the people of organizations, by the ID of the organization. */
export class OrganizationPeopleCache {
  readonly people: SharedReads<OrganizationPeople>;

  constructor({ client, settings }: Configured) {
    this.people = new SharedReads(
      (orgId, signal) => fetchPeople(client, orgId, signal),
      settings.readCacheSeconds,
    );
  }

  forget(): void {
    this.people.forget();
  }
}

async function fetchPeople(
  client: ApiClient,
  orgId: string,
  signal: AbortSignal,
): Promise<OrganizationPeople> {
  const [members, invitations] = await Promise.all([
    orRefusal(membersOfOrganization(client, orgId, signal)),
    orRefusal(organizationInvitations.list(client, orgId, undefined, signal)),
  ]);
  return {
    members,
    invitations:
      invitations instanceof Refusal
        ? invitations
        : invitations.map(toInvitation).filter((invitation) => !hasExpired(invitation, client.now())),
  };
}

/**
 * Reads the members of an organization, without the invitations to it.
 *
 * @throws the response if they cannot be read; UnexpectedResponseError
 */
export async function membersOfOrganization(
  client: ApiClient,
  orgId: string,
  signal: AbortSignal,
): Promise<Member[]> {
  const users = withRoles(await listUsersOfOrganization(client, orgId, signal));
  return users.map(({ id, username, roles, teamIds }): Member => {
    const own = rolesAmong(roles ?? [], (role) => role.orgId === orgId);
    const rolesAbove = owningRolesAbove(roles ?? [], ({ groupId }) => Boolean(groupId));
    return { userId: id, username, roles: own, teamIds: teamIds ?? undefined, rolesAbove };
  });
}

/**
 * Roles decide who owns an organization, so a list without them is an error, never one of people
 * without roles.
 *
 * @throws UnexpectedResponseError
 */
function withRoles(users: readonly UserResponse[]): readonly UserResponse[] {
  const bare = users.find(({ roles }) => !roles);
  if (bare === undefined) return users;
  throw new UnexpectedResponseError(
    `The service lists the people of an organization without their roles (${bare.username}), so it is not known who owns it.`,
  );
}

/**
 * The error for which it is not known whether a person who is no member is invited; `undefined` if it
 * is known. A service that does not offer invitations to organizations has none.
 *
 * @param isRecorded an invitation of the person is recorded
 */
export function unknownInvitations(
  { invitations }: OrganizationPeople,
  isRecorded: boolean,
): Refusal | undefined {
  if (!(invitations instanceof Refusal)) return undefined;
  const isNotOffered = meaningOf(invitations.error) === "missing-operation";
  return isNotOffered && !isRecorded ? undefined : invitations;
}

const OWNER = "ORG_OWNER";

export function isOwner({ status, roles }: Membership): boolean {
  return status === "active" && roles.includes(OWNER);
}

/** Whether the person is the only member who owns the organization. Keys may own it as well. */
export function isOnlyOwner(person: Membership, { members }: OrganizationPeople): boolean {
  if (person.status !== "active" || members instanceof Refusal) return false;
  const owners = members.filter(({ roles }) => roles.includes(OWNER));
  return owners.length === 1 && owners[0]?.userId === person.userId;
}
