/** The people of organizations, read once for several resources where that is safe. */

import { type Invitation, type Member, type Membership, OWNER_ROLES } from "../../access/person";
import type { Access } from "../../access/places";
import type { ApiClient } from "../../api/client";
import { organizationInvitations } from "../../api/invitations";
import { listUsersOfOrganization } from "../../api/users";
import { UnexpectedResponseError } from "../../text/errors";
import type { Context } from "../contract/resource";
import { owningRolesAbove, rolesAmong } from "../contract/roles";
import type { Configured } from "../contract/session";
import { meaningOf } from "../evidence/meaning";
import { orRefusal, Refusal } from "../evidence/refusal";
import { type Purpose, SharedReads } from "../session/shared-reads";
import { entriesOf, hasExpired, type ListResult, type PeopleLists, toInvitation } from "./project-people";
import { ProjectCache } from "./projects";
import { TeamCache } from "./teams";

/** A member of an organization, with the access in its projects and teams. */
export interface OrganizationAccount extends Member {
  /** Roles in projects, also in those of other organizations. */
  readonly inProjects: readonly { readonly projectId: string; readonly roles: readonly string[] }[];
  /** The service lists the account without any roles, which shows nothing of them. */
  readonly lacksRoles?: true | undefined;
}

/** The members of an organization and the pending invitations to it, as for a project. */
interface OrganizationPeople extends PeopleLists {
  readonly members: readonly OrganizationAccount[] | Refusal;
}

/** What this operation has read about the people of organizations, by the ID of the organization. */
export class OrganizationPeopleCache {
  /** All accounts, also if the service does not show their roles. */
  readonly accounts: SharedReads<readonly OrganizationAccount[] | Refusal>;
  readonly #invitations: SharedReads<ListResult<Invitation>>;

  constructor({ client, settings }: Configured) {
    const shared = <T>(load: (orgId: string, signal: AbortSignal) => Promise<T>) =>
      new SharedReads<T | Refusal>(
        (orgId, signal) => orRefusal(load(orgId, signal)),
        settings.readCacheSeconds,
      );
    this.accounts = shared((orgId, signal) => accountsOf(client, orgId, signal));
    this.#invitations = shared((orgId, signal) => pendingInvitations(client, orgId, signal));
  }

  /** @throws UnexpectedResponseError if members are listed without their roles */
  async read(orgId: string, purpose: Purpose, signal: AbortSignal): Promise<OrganizationPeople> {
    const accounts = this.accounts.read(orgId, purpose, signal);
    const [members, invitations] = await Promise.all([
      accounts.then((all) => (all instanceof Refusal ? all : withRoles(all))),
      this.#invitations.read(orgId, purpose, signal),
    ]);
    return { members, invitations };
  }

  written(orgId: string): void {
    this.accounts.written(orgId);
    this.#invitations.written(orgId);
  }
}

async function pendingInvitations(client: ApiClient, orgId: string, signal: AbortSignal) {
  const responses = await organizationInvitations.list(client, orgId, undefined, signal);
  return responses.map(toInvitation).filter((invitation) => !hasExpired(invitation, client.now()));
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
): Promise<readonly OrganizationAccount[]> {
  return withRoles(await accountsOf(client, orgId, signal));
}

async function accountsOf(
  client: ApiClient,
  orgId: string,
  signal: AbortSignal,
): Promise<readonly OrganizationAccount[]> {
  const users = await listUsersOfOrganization(client, orgId, signal);
  return users.map(({ id, username, roles: all, teamIds }): OrganizationAccount => {
    const roles = all ?? [];
    const projectIds = new Set(roles.flatMap(({ groupId }) => groupId ?? []));
    return {
      userId: id,
      username,
      roles: rolesAmong(roles, (role) => role.orgId === orgId),
      rolesAbove: owningRolesAbove(roles, ({ groupId }) => Boolean(groupId)),
      teamIds: teamIds ?? undefined,
      inProjects: [...projectIds].map((projectId) => ({
        projectId,
        roles: rolesAmong(roles, ({ groupId }) => groupId === projectId),
      })),
      lacksRoles: all ? undefined : true,
    };
  });
}

/**
 * Roles decide who owns an organization, so a list without them is an error, never one of people
 * without roles.
 *
 * @throws UnexpectedResponseError
 */
function withRoles(accounts: readonly OrganizationAccount[]): readonly OrganizationAccount[] {
  const bare = accounts.find(({ lacksRoles }) => lacksRoles);
  if (bare === undefined) return accounts;
  throw new UnexpectedResponseError(withoutRoles(bare));
}

/** Why such a list does not show who owns the organization. */
export function withoutRoles({ username }: Pick<Member, "username">): string {
  return `The service lists the people of an organization without their roles (${username}), so the provider cannot tell who owns it.`;
}

/**
 * Why it isn't known whether a person who isn't a member is invited; `undefined` if it
 * is known. A service that does not offer invitations to organizations has none.
 *
 * @param isRecorded an invitation of the person is recorded
 */
export function unknownInvitations({ invitations }: PeopleLists, isRecorded: boolean): Refusal | undefined {
  if (!(invitations instanceof Refusal)) return undefined;
  const isNotOffered = meaningOf(invitations.error) === "missing-operation";
  return isNotOffered && !isRecorded ? undefined : invitations;
}

/** The role whose last holder an organization does not lose. */
export const ORGANIZATION_OWNER = OWNER_ROLES.organization;

export function isOwner({ status, roles }: Membership): boolean {
  return status === "active" && roles.includes(ORGANIZATION_OWNER);
}

/** Whether the person is the only member who owns the organization. Keys may own it as well. */
export function isOnlyOwner(person: Membership, people: PeopleLists): boolean {
  const owners = ownersAmong(people);
  return person.status === "active" && owners.length === 1 && owners[0]?.userId === person.userId;
}

/** The members who own the organization. A list without any does not show who they are. */
export function ownersAmong({ members }: PeopleLists): readonly Member[] {
  return members instanceof Refusal ? [] : members.filter(({ roles }) => roles.includes(ORGANIZATION_OWNER));
}

/**
 * The access in teams and projects of the organization that a member loses by leaving it. If it is not
 * known which of them belong to the organization, all of them.
 *
 * @throws the error of the list if the people of the organization cannot be read
 */
export async function accessBelow(
  orgId: string,
  { userId }: Pick<Membership, "userId">,
  { session, signal }: Pick<Context, "session" | "signal">,
): Promise<readonly Pick<Access, "place" | "roles">[]> {
  const { members } = await session.of(OrganizationPeopleCache).read(orgId, "reading", signal);
  // A list that cannot be read does not show that there is none.
  if (members instanceof Refusal) throw members.error;
  const account = members.find((member) => member.userId === userId);
  if (account === undefined) return [];
  const { teamIds = [], inProjects } = account;
  const teams = teamIds.length === 0 ? [] : await session.of(TeamCache).ofOrganization.shared(orgId, signal);
  const nameOf = new Map(entriesOf(teams).map(({ id, name }) => [id, name]));
  const idsHere =
    inProjects.length === 0 ? new Set() : await orRefusal(session.of(ProjectCache).ids.shared(orgId, signal));
  return [
    ...inProjects
      .filter(({ projectId }) => idsHere instanceof Refusal || idsHere.has(projectId))
      .map(({ projectId: id, roles }) => ({ place: { kind: "project", id, orgId } as const, roles })),
    ...teamIds
      .filter((id) => teams instanceof Refusal || nameOf.has(id))
      .map((id) => ({ place: { kind: "team", id, name: nameOf.get(id), orgId } as const })),
  ];
}
