/** Reads everything in which `access` searches: whole organizations, whatever the name is. */

import type { Invitation } from "../../../provider/access/person";
import type { Holder } from "../../../provider/access/places";
import {
  type ApiKeyResponse,
  type KeyRole,
  listAccessList,
  listApiKeys,
  listGlobalApiKeys,
} from "../../../provider/api/api-keys";
import type { ApiClient } from "../../../provider/api/client";
import {
  getOrganization,
  listOrganizations,
  type OrganizationResponse,
} from "../../../provider/api/organizations";
import { listTeams, type TeamName, type TeamResponse } from "../../../provider/api/teams";
import { getUserByName, listUsersOfOrganization, type UserResponse } from "../../../provider/api/users";
import { rolesAmong } from "../../../provider/resources/contract/roles";
import { meaningOf } from "../../../provider/resources/evidence/meaning";
import { withoutRoles } from "../../../provider/resources/reads/organization-people";
import { messageOf, RefusedError } from "../../../provider/text/errors";
import { readFederatedGroups } from "../federation";
import {
  groupsOfOrganization,
  invitedTo,
  type MappedGroup,
  mappedGroups,
  noneIfNotOffered,
  organizationText,
  type ProjectOutput,
  pendingInvitations,
  readPeopleOfTeams,
  readProjects,
  withAllMappings,
  withId,
} from "../organization";
import {
  inDoubt,
  type ListGap,
  listOf,
  type ProjectAccess,
  projectLists,
  readProjectAccess,
  unreadList,
} from "../project-access";
import {
  type LiveServiceAccount,
  readServiceAccountsOfOrganization,
  serviceAccountLists,
} from "../service-accounts";
import type { Terminal } from "../terminal";
import {
  type LiveAccess,
  type LivePlace,
  type PersonShown,
  peopleInTeam,
  placeOfOrganization,
  placeOfTeam,
  type ShownLists,
} from "./live";
import { orReason, type Unread } from "./reading";
import type { Searched } from "./report";

/** An organization, its teams and its projects, with who has access there. */
export interface OrganizationAccess extends Searched {
  /** The organization itself is the first. Teams are those that the API key can see, and those with roles in a project. */
  readonly places: readonly ReadPlace[];
  readonly bearers: readonly Bearer[];
}

export interface ReadPlace {
  readonly place: LivePlace;
  /** A list that could not be read is absent. */
  readonly lists: ShownLists;
  /** How messages name the lists that could not be read. */
  readonly unread: readonly string[];
}

/** An account, an API key or a service account, as the organization or a team lists it, with its roles everywhere. */
export interface Bearer extends Pick<LiveAccess, "name" | "description"> {
  readonly holder: Extract<Holder, { kind: "person" | "API key" | "service account" }>;
  readonly roles: readonly KeyRole[];
  readonly teamIds: readonly string[];
}

function bearerOf({ id: userId, username: name, roles, teamIds }: UserResponse): Bearer {
  const given = (roles ?? []).map(({ roleName, orgId, groupId }) => ({
    ...{ roleName, orgId: orgId ?? undefined, projectId: groupId ?? undefined },
  }));
  const holder = { kind: "person", userId, username: name } as const;
  return { holder, name, roles: given, teamIds: teamIds ?? [] };
}

function bearerOfKey({ keyId, publicKey: name, description, roles }: ApiKeyResponse): Bearer {
  return { holder: { kind: "API key", keyId, publicKey: name }, name, description, roles, teamIds: [] };
}

/** With the roles in the organization: its list need not show where the others count, and each project lists its own. */
function bearerOfServiceAccount(
  orgId: string,
  { clientId, name: description, roles }: LiveServiceAccount,
): Bearer {
  const holder = { kind: "service account", clientId, name: description } as const;
  const inOrganization = roles.map((roleName) => ({ roleName, orgId }));
  return { holder, name: clientId, description, roles: inOrganization, teamIds: [] };
}

interface InOrganization {
  readonly accounts: readonly Bearer[];
  readonly invitations: readonly Invitation[];
  readonly keys: readonly ApiKeyResponse[];
  readonly serviceAccounts: readonly LiveServiceAccount[];
  readonly groups: readonly MappedGroup[];
}

function listsOf(
  orgId: string,
  { accounts, invitations, keys, serviceAccounts, groups }: InOrganization,
): ShownLists {
  const ownRoles = (roles: readonly KeyRole[]) => rolesAmong(roles, (role) => role.orgId === orgId);
  return {
    people: [
      ...accounts.map(({ holder, name: username, roles }) => ({
        ...holder,
        username,
        roles: ownRoles(roles),
      })),
      ...invitations.map((invitation): PersonShown => {
        return { ...invitation, status: "pending", invitations: [invitation] };
      }),
    ],
    keys: keys.map((key) => ({ ...key, roles: ownRoles(key.roles) })),
    serviceAccounts,
    groups,
  };
}

/** All people who were read, whoever was searched. */
export function peopleOf(organizations: readonly OrganizationAccess[]): PersonShown[] {
  return organizations.flatMap(({ places }) => places.flatMap(({ lists }) => lists.people ?? []));
}

/** The places in which groups of LDAP or of an identity provider have roles. */
export function placesWithGroups({ places }: OrganizationAccess): LivePlace[] {
  return places.filter(({ lists }) => lists.groups?.length).map(({ place }) => place);
}

/** A list that is missing or lacks something. */
export interface Gap extends Unread {
  /** What the service does not offer. Then no one has access through it, as far as the response can be believed. */
  readonly notOffered?: Operation;
}

export type Operation = keyof typeof ofKeys;

/** The operations by which lists are read, as reports name them, and whether they show no access of people. */
const ofKeys = {
  "invitations to organizations": false,
  "invitations to projects": false,
  teams: false,
  "teams in projects": false,
  "API keys": true,
  "API keys in projects": true,
  "access lists of API keys": true,
  "service accounts": true,
};

export function isOfKeys(operation: Operation): boolean {
  return ofKeys[operation];
}

/** Reads lists, and notes what is missing from them. */
export class Reader {
  readonly #gaps: Gap[] = [];
  readonly #offered = new Set<Operation>();

  constructor(
    readonly client: ApiClient,
    readonly terminal: Terminal,
  ) {}

  get signal(): AbortSignal {
    return this.terminal.stop;
  }

  /** If the service offers an operation for another organization, a gateway may have responded in its place. */
  gaps(): Gap[] {
    return this.#gaps.map(({ notOffered, ...unread }) =>
      notOffered === undefined || this.#offered.has(notOffered) ? unread : { ...unread, notOffered },
    );
  }

  note(gap: Gap): void {
    this.#gaps.push(gap);
  }

  /**
   * The organizations with these ids; without ids, all that the API key can see.
   *
   * @throws RefusedError if there is none
   */
  async organizations(orgIds: readonly string[]): Promise<OrganizationAccess[]> {
    const named = await this.#organizationsToRead(orgIds);
    const visible = await this.#read(
      "LDAP group mappings of the projects",
      readProjects(this.client, { signal: this.signal }),
    );
    const organizations: OrganizationAccess[] = [];
    for (const each of named) organizations.push(await this.#organization(each, visible ?? []));
    return organizations;
  }

  /**
   * Looks up an account by its name. It may belong to no organization that was read.
   *
   * @returns `undefined` if there is none, or if that is unknown
   */
  async account(username: string): Promise<Bearer | undefined> {
    const lookup = getUserByName(this.client, username, this.signal).then(
      (account) => [account],
      (error: unknown) => {
        if (meaningOf(error) === "deleted") return [];
        throw error;
      },
    );
    const [account] = (await this.#read(`account ${username}`, lookup)) ?? [];
    return account && bearerOf(account);
  }

  /** The global API keys; `undefined` if the credentials may not list them, as those without a global role. */
  async globalKeys(): Promise<readonly Bearer[] | undefined> {
    const list = listGlobalApiKeys(this.client, this.signal).catch((error: unknown) => {
      if (meaningOf(error) === "failure") throw error;
      return undefined;
    });
    return (await this.#read("global API keys", list))?.map(bearerOfKey);
  }

  /**
   * How many entries the access list of a key has; `undefined` if that is unknown.
   *
   * @param orgId `undefined` for a key that only lists of projects contain
   */
  async accessListEntries(
    orgId: string | undefined,
    { keyId, publicKey }: Pick<ApiKeyResponse, "keyId" | "publicKey">,
  ): Promise<number | undefined> {
    if (orgId === undefined) {
      const reason =
        "It has roles in projects, but none of the searched organizations lists it. It may be a global API key.";
      this.note({ what: `other roles and access list of API key ${publicKey}`, reason });
      return undefined;
    }
    const entries = await this.#readIfOffered(
      `access list of API key ${publicKey}`,
      "access lists of API keys",
      listAccessList(this.client, orgId, keyId, this.signal),
    );
    return entries?.length;
  }

  async #organizationsToRead(orgIds: readonly string[]): Promise<OrganizationFacts[]> {
    const list = listOrganizations(this.client, this.signal);
    if (orgIds.length > 0) {
      const listed = (await this.#read("names and group mappings of the organizations", list)) ?? [];
      const byId = new Map(listed.map((organization) => [organization.id.toLowerCase(), organization]));
      const distinct = [...new Set(orgIds.map((id) => id.toLowerCase()))];
      return Promise.all(
        distinct.map(async (id) => organizationFacts(id, byId.get(id) ?? (await this.#unlisted(id)))),
      );
    }
    const organizations = await list;
    if (organizations.length > 0) return organizations.map((each) => organizationFacts(each.id, each));
    throw new RefusedError(
      "The API key can see no organization, so there is nothing to search. Use a key with a role in the organization, or name the organization with --org.",
    );
  }

  /** An organization that the list lacks, although its people may be readable. */
  async #unlisted(id: string): Promise<OrganizationResponse | undefined> {
    const read = getOrganization(this.client, id, this.signal);
    return this.#read(`name and group mappings of organization ${id}`, read);
  }

  /** @param visible all projects that the API key can see */
  async #organization(
    facts: OrganizationFacts,
    visible: readonly ProjectOutput[],
  ): Promise<OrganizationAccess> {
    const { client, signal, terminal } = this;
    const { orgId, orgName, groups } = facts;
    const named = organizationText(facts);
    const lists = {
      people: `people of ${named}`,
      invitations: `pending invitations to ${named}`,
      keys: `API keys of ${named}`,
      serviceAccounts: `service accounts of ${named}`,
      groups: `federation of ${named}`,
    };
    const accountsOf = serviceAccountLists(client, signal);
    const [people, invitations, listedTeams, keys, serviceAccounts, federated, listed] = await Promise.all([
      this.#read(lists.people, listUsersOfOrganization(client, orgId, signal)),
      this.#readIfOffered(
        lists.invitations,
        "invitations to organizations",
        pendingInvitations(client, orgId, signal),
      ),
      this.#readIfOffered(`teams of ${named}`, "teams", listTeams(client, orgId, signal)),
      this.#readIfOffered(lists.keys, "API keys", listApiKeys(client, orgId, signal)),
      this.#read(lists.serviceAccounts, readServiceAccountsOfOrganization(client, orgId, accountsOf)),
      this.#read(lists.groups, readFederatedGroups(client, orgId, signal)),
      this.#read(`projects of ${named}`, readProjects(client, { orgId, signal })),
    ]);
    const gaps: ListGap[] = [];
    const inProjects = await readProjectAccess({
      client,
      orgId,
      projects: withAllMappings(
        listed ?? [],
        visible.filter((project) => project.orgId === orgId),
      ),
      includeIndirect: false,
      signal,
      terminal,
      accountsOf,
    });
    const projects = inProjects.take((gap) => gaps.push(gap));
    this.#gaps.push(...ofProjects(orgId, gaps));
    const teams = await this.#teams(orgId, listedTeams ?? [], projects);
    const accounts = (people ?? []).map(bearerOf);
    const bare = people?.find(({ roles }) => !roles);
    if (bare !== undefined) this.note({ what: lists.people, reason: withoutRoles(bare) });
    const unread = [
      ...(people && bare === undefined ? [] : [lists.people]),
      ...(invitations ? [] : [lists.invitations]),
      ...(keys ? [] : [lists.keys]),
      ...(serviceAccounts ? [] : [lists.serviceAccounts]),
      ...(federated ? [] : [lists.groups]),
    ];
    const federatedIn = federated ?? (() => []);
    const toProjects = projects.flatMap(({ people = [] }) => people.flatMap((person) => person.invitations));
    const joining = invitedTo([...(invitations ?? []), ...toProjects]);
    return {
      orgId,
      orgName,
      projects: projects.length,
      people: people?.length,
      teams: teams.length,
      keys: keys?.length,
      serviceAccounts: serviceAccounts?.length,
      bearers: [
        ...accounts,
        ...teams.flatMap(({ users }) => users.map(bearerOf)),
        ...(keys ?? []).map(bearerOfKey),
        ...(serviceAccounts ?? []).map((account) => bearerOfServiceAccount(orgId, account)),
      ],
      places: [
        {
          place: placeOfOrganization(orgId, orgName),
          lists: listsOf(orgId, {
            accounts,
            groups: [...groups, ...federatedIn(orgId)],
            invitations: invitations ?? [],
            keys: keys ?? [],
            serviceAccounts: serviceAccounts ?? [],
          }),
          unread,
        },
        ...teams.map(({ team, users, isUnread }) => ({
          place: placeOfTeam(orgId, team),
          lists: { people: peopleInTeam(users, joining(team.teamId)) },
          unread: isUnread ? [peopleOfTeam(team)] : [],
        })),
        ...projects.map((project): ReadPlace => {
          const { projectId: id, name } = project;
          const ofProject = gaps.filter(({ why, projectId }) => why === "unread" && projectId === id);
          return {
            place: { kind: "project", id, name, orgId },
            lists: { ...project, groups: [...mappedGroups(project), ...federatedIn(id)] },
            unread: ofProject.map((gap) => listOf(gap.list, gap)),
          };
        }),
      ],
    };
  }

  /** The teams with their people, also those that have roles in a project, and that the API key cannot see. */
  async #teams(orgId: string, listed: readonly TeamResponse[], projects: readonly ProjectAccess[]) {
    const visible = listed.map(({ id, name }) => ({ teamId: id, teamName: name }));
    const read = await readPeopleOfTeams(this.client, orgId, visible, { signal: this.signal });
    const found = read.take(({ of, reason }) => this.note({ what: peopleOfTeam(of), reason }));
    const known = new Set(visible.map(({ teamId }) => teamId));
    const inProjects = projects.flatMap(({ teams = [] }) => teams.map(({ teamId }) => teamId));
    const hidden = [...new Set(inProjects)]
      .filter((teamId) => !known.has(teamId))
      .map((teamId) => ({ teamId, teamName: teamId }));
    const reason =
      "It has roles in a project, but the API key cannot see it in the organization. Use a key with the role Organization Owner.";
    for (const team of hidden) this.note({ what: peopleOfTeam(team), reason });
    return [...visible, ...hidden].map((team) => {
      const users = found.get(team);
      return { team, users: users ?? [], isUnread: users === undefined };
    });
  }

  /**
   * @returns `undefined` if the list is unknown
   * @throws the error if every call fails for its cause
   */
  async #read<T>(what: string, list: Promise<T>): Promise<T | undefined> {
    return (await orReason(list, this.signal)).take((reason) => this.note({ what, reason }));
  }

  async #readIfOffered<T>(
    what: string,
    operation: Operation,
    list: Promise<readonly T[]>,
  ): Promise<readonly T[] | undefined> {
    let isOffered = true;
    const none = (error: unknown) => {
      isOffered = false;
      this.note({ what, reason: messageOf(error), notOffered: operation });
    };
    const entries = await this.#read(what, noneIfNotOffered(list, none));
    if (isOffered && entries !== undefined) this.#offered.add(operation);
    return entries;
  }
}

/** How messages name the people of a team: `people of team operators (5f…)` */
function peopleOfTeam({ teamId, teamName }: TeamName): string {
  return `people of team ${withId(teamName, teamId)}`;
}

/** What is missing from the lists of projects. What is not offered is so in all of them. */
function ofProjects(orgId: string, gaps: readonly ListGap[]): Gap[] {
  const notOffered = new Map(
    gaps.flatMap(({ list, why, reason }) => {
      // Only Cloud Manager has service accounts, so a report on an Ops Manager doesn't mention them.
      const isSaid = why === "not offered" && list !== "serviceAccounts";
      const operation = isSaid ? projectLists[list].operation : undefined;
      return operation === undefined ? [] : [[operation, reason] as const];
    }),
  );
  return [
    ...gaps.filter(({ why }) => why === "unread").map(unreadList),
    ...inDoubt(orgId, gaps),
    ...[...notOffered].map(([what, reason]): Gap => ({ what, reason, notOffered: what })),
  ];
}

interface OrganizationFacts extends Pick<Searched, "orgId" | "orgName"> {
  readonly groups: readonly MappedGroup[];
}

/** @param organization absent if the API key cannot see it */
function organizationFacts(id: string, organization: OrganizationResponse | undefined): OrganizationFacts {
  const groups = organization === undefined ? [] : groupsOfOrganization(organization);
  return { orgId: id.toLowerCase(), orgName: organization?.name, groups };
}
