/** Reads everything in which `access` searches: whole organizations, whatever the name is. */

import { type ApiKeyResponse, listAccessList, listApiKeys } from "../../../provider/api/api-keys";
import type { ApiClient } from "../../../provider/api/client";
import type { OrganizationInvitationResponse } from "../../../provider/api/invitations";
import { listOrganizations, type OrganizationResponse } from "../../../provider/api/organizations";
import { listTeams, type TeamName } from "../../../provider/api/teams";
import { getUserByName, listUsersOfOrganization, type UserResponse } from "../../../provider/api/users";
import { meaningOf } from "../../../provider/resources/evidence/meaning";
import { messageOf, RefusedError } from "../../../provider/text/errors";
import {
  type MappedGroup,
  mappedGroups,
  noneIfNotOffered,
  organizationText,
  type ProjectOutput,
  pendingInvitations,
  readPeopleOfTeams,
  readProjects,
  withAllMappings,
} from "../organization";
import {
  inDoubt,
  type ListGap,
  type ProjectAccess,
  projectLists,
  readProjectAccess,
  unreadList,
} from "../project-access";
import type { Terminal } from "../terminal";
import { orReason, type Unread } from "./reading";

/** An organization and its lists. A list that could not be read is absent. */
export interface OrganizationAccess {
  readonly orgId: string;
  /** Absent if the API key cannot see it. */
  readonly orgName: string | undefined;
  /** The groups of LDAP or of an identity provider to which it gives roles. */
  readonly groups: readonly MappedGroup[];
  readonly people: readonly UserResponse[] | undefined;
  readonly invitations: readonly OrganizationInvitationResponse[] | undefined;
  /** The teams that the API key can see, and those that have roles in a project. */
  readonly teams: readonly TeamWithPeople[];
  readonly keys: readonly ApiKeyResponse[] | undefined;
  readonly projects: readonly ProjectAccess[];
}

/** The names of all people who were read, whoever was searched. */
export function namesOfPeople(organizations: readonly OrganizationAccess[]): string[] {
  const named = organizations.flatMap(({ people = [], invitations = [], teams, projects }) => [
    ...[...people, ...invitations],
    ...[...teams, ...projects].flatMap(
      (place): readonly { readonly username: string }[] => place.people ?? [],
    ),
  ]);
  return [...new Set(named.map(({ username }) => username))];
}

export interface TeamWithPeople extends TeamName {
  /** Absent if they could not be read. */
  readonly people: readonly UserResponse[] | undefined;
}

/** A list that is missing or lacks something. */
export interface Gap extends Unread {
  /** What the service does not offer. Then no one has access through it, as far as the response can be believed. */
  readonly notOffered?: Operation;
}

export type Operation = keyof typeof ofKeys;

/** The operations by which lists are read, as reports name them, and whether they show the access of API keys alone. */
const ofKeys = {
  "invitations to organizations": false,
  "invitations to projects": false,
  teams: false,
  "teams in projects": false,
  "API keys": true,
  "API keys in projects": true,
  "access lists of API keys": true,
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
  async account(username: string): Promise<UserResponse | undefined> {
    const lookup = getUserByName(this.client, username, this.signal).then(
      (account) => [account],
      (error: unknown) => {
        if (meaningOf(error) === "deleted") return [];
        throw error;
      },
    );
    const [account] = (await this.#read(`account ${username}`, lookup)) ?? [];
    return account;
  }

  /**
   * How many entries the access list of a key has; `undefined` if that is unknown.
   *
   * @param orgId `undefined` for a key that only lists of projects contain
   */
  async accessListEntries(
    orgId: string | undefined,
    { keyId, publicKey }: ApiKeyName,
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
      const distinct = new Set(orgIds.map((id) => id.toLowerCase()));
      return [...distinct].map((id) => organizationFacts(byId.get(id) ?? { id }));
    }
    const organizations = await list;
    if (organizations.length > 0) return organizations.map(organizationFacts);
    throw new RefusedError(
      "The API key can see no organization, so there is nothing to search. Use a key with a role in the organization, or name the organization with --org.",
    );
  }

  /** @param visible all projects that the API key can see */
  async #organization(
    facts: OrganizationFacts,
    visible: readonly ProjectOutput[],
  ): Promise<OrganizationAccess> {
    const { client, signal, terminal } = this;
    const { orgId } = facts;
    const place = organizationText(facts);
    const [people, invitations, teams, keys, listed] = await Promise.all([
      this.#read(`people of ${place}`, listUsersOfOrganization(client, orgId, signal)),
      this.#readIfOffered(
        `pending invitations to ${place}`,
        "invitations to organizations",
        pendingInvitations(client, orgId, signal),
      ),
      this.#readIfOffered(`teams of ${place}`, "teams", listTeams(client, orgId, signal)),
      this.#readIfOffered(`API keys of ${place}`, "API keys", listApiKeys(client, orgId, signal)),
      this.#read(`projects of ${place}`, readProjects(client, { orgId, signal })),
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
    });
    const projects = inProjects.take((gap) => gaps.push(gap));
    this.#gaps.push(...ofProjects(orgId, gaps));
    const names = (teams ?? []).map(({ id, name }) => ({ teamId: id, teamName: name }));
    return {
      ...facts,
      people,
      invitations,
      teams: [...(await this.#teamsWithPeople(orgId, names)), ...this.#hiddenTeams(names, projects)],
      keys,
      projects,
    };
  }

  async #teamsWithPeople(orgId: string, teams: readonly TeamName[]): Promise<TeamWithPeople[]> {
    const read = await readPeopleOfTeams(this.client, orgId, teams, { signal: this.signal });
    const found = read.take(({ of: { teamId, teamName }, reason }) =>
      this.note({ what: `people of team ${teamName} (${teamId})`, reason }),
    );
    return teams.map((team) => ({ ...team, people: found.get(team) }));
  }

  /** Teams that have roles in a project, and that the API key cannot see in the organization. */
  #hiddenTeams(visible: readonly TeamName[], projects: readonly ProjectAccess[]): TeamWithPeople[] {
    const known = new Set(visible.map(({ teamId }) => teamId));
    const inProjects = projects.flatMap(({ teams = [] }) => teams.map(({ teamId }) => teamId));
    return [...new Set(inProjects)]
      .filter((teamId) => !known.has(teamId))
      .map((teamId) => {
        const reason =
          "It has roles in a project, but the API key cannot see it in the organization. Use a key with the role Organization Owner.";
        this.note({ what: `people of team ${teamId}`, reason });
        return { teamId, teamName: teamId, people: undefined };
      });
  }

  /**
   * @returns `undefined` if the list is unknown
   * @throws the error if every call fails for its cause
   */
  async #read<T>(what: string, list: Promise<readonly T[]>): Promise<readonly T[] | undefined> {
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

/** What is missing from the lists of projects. What is not offered is so in all of them. */
function ofProjects(orgId: string, gaps: readonly ListGap[]): Gap[] {
  const notOffered = new Map(
    gaps.flatMap(({ list, why, reason }) => {
      const operation = why === "not offered" ? projectLists[list].operation : undefined;
      return operation === undefined ? [] : [[operation, reason] as const];
    }),
  );
  return [
    ...gaps.filter(({ why }) => why === "unread").map(unreadList),
    ...inDoubt(orgId, gaps),
    ...[...notOffered].map(([what, reason]) => ({ what, reason, notOffered: what })),
  ];
}

type OrganizationFacts = Pick<OrganizationAccess, "orgId" | "orgName" | "groups">;
type ApiKeyName = Pick<ApiKeyResponse, "keyId" | "publicKey">;

/** @param organization with the id alone if the API key cannot see it */
function organizationFacts({
  id,
  name,
  ldapGroupMappings,
  idpGroupMappings,
}: Pick<OrganizationResponse, "id"> & Partial<OrganizationResponse>): OrganizationFacts {
  const groups = mappedGroups({
    ldapGroupMappings: ldapGroupMappings?.map(({ roleName, ldapGroups }) => ({
      roleName,
      ldapGroups: ldapGroups ?? [],
    })),
    idpGroupMappings: idpGroupMappings?.map(({ roleName, idpGroups }) => ({
      roleName,
      idpGroups: idpGroups ?? [],
    })),
  });
  return { orgId: id.toLowerCase(), orgName: name, groups };
}
