/** Reads who and what has roles in projects. */
import { foldName, type Invitation } from "../../provider/access/person";
import type { RoleAbove } from "../../provider/access/rights";
import type { ApiClient } from "../../provider/api/client";
import { getProject } from "../../provider/api/projects";
import {
  type ProjectPerson as LivePerson,
  lookUpProjectMembers,
} from "../../provider/functions/get-project-members";
import type { LiveTeam } from "../../provider/functions/get-project-teams";
import type { ProjectOutput } from "../../provider/functions/project-fields";
import { isPossiblyOfGateway } from "../../provider/resources/evidence/meaning";
import { Refusal } from "../../provider/resources/evidence/refusal";
import { toLive } from "../../provider/resources/project/state";
import { keysOfProject, type KeyEntry as LiveKey } from "../../provider/resources/reads/api-keys";
import { entriesOf } from "../../provider/resources/reads/project-people";
import { namedTeamsOfProject } from "../../provider/resources/reads/teams";
import { messageOf } from "../../provider/text/errors";
import { orReason, Reading, readEach, reportedElsewhere, type Unread } from "./access/reading";
import {
  type MappedGroup,
  mappedGroups,
  noneIfNotOffered,
  type ReadOptions,
  readProjects,
  sessionOf,
  withAllMappings,
} from "./organization";
import type { MappingProperty } from "./own-resources";
import { withProgress } from "./progress";
import {
  type LiveServiceAccount,
  mayHideOffer,
  type ServiceAccountsOf,
  serviceAccountLists,
  serviceAccountsOfProject,
} from "./service-accounts";
import type { Terminal } from "./terminal";

/** A person in a project, with everything that is pending for them there. */
interface PersonWithInvitations extends LivePerson {
  readonly invitations: readonly Invitation[];
  /** The teams of the account, in all organizations. */
  readonly teamIds: readonly string[];
  /** Roles by which the account owns organizations or the service; absent if it has none. */
  readonly rolesAbove?: readonly RoleAbove[] | undefined;
}

/** Who and what has access to a project, by its lists. */
interface InLists {
  /** With the roles that they have themselves. */
  readonly people: PersonWithInvitations;
  readonly teams: LiveTeam;
  readonly keys: LiveKey;
  readonly serviceAccounts: LiveServiceAccount;
  readonly groups: MappedGroup;
}

export type ListName = keyof InLists;

/** What the lists of a project have. A list that was not read, or could not be, is `undefined`. */
export type ListsOfProject = { readonly [List in ListName]: readonly InLists[List][] | undefined };

export const nothingRead: ListsOfProject = {
  people: undefined,
  teams: undefined,
  keys: undefined,
  serviceAccounts: undefined,
  groups: undefined,
};

interface ListFacts {
  /** How messages name it. */
  readonly noun: string;
  /** The operation without which the list is empty, as `access` names it; each service offers that of the groups. */
  readonly operation: string | undefined;
  /** The property of a project that has it, in files and differences. No file has service accounts. */
  readonly property: string;
}

export const projectLists = {
  people: { noun: "people", operation: "invitations to projects", property: "members" },
  teams: { noun: "teams", operation: "teams in projects", property: "teams" },
  keys: { noun: "API keys", operation: "API keys in projects", property: "apiKeys" },
  serviceAccounts: {
    noun: "service accounts",
    operation: "service accounts",
    property: "serviceAccounts",
  },
  groups: { noun: "group mappings", operation: undefined, property: "ldapGroupMappings" },
} as const satisfies Record<ListName, ListFacts>;

/** A list of a project that is missing or lacks something. */
export interface ListGap {
  readonly list: ListName;
  readonly projectId: string;
  readonly projectName: string;
  readonly reason: string;
  /**
   * `not offered`: the service does not offer an operation, so there is nothing that it would list.
   * `in doubt`: the response means that, but may come from a gateway. It has no error code of Ops Manager, or the service
   * performed the operation for another project. The list lacks the pending invitations.
   */
  readonly why: "unread" | "not offered" | "in doubt";
}

/** A project whose lists are read. */
type ListedProject = Pick<ProjectOutput, "projectId" | "name"> & {
  readonly orgId?: string | undefined;
};

/** The projects of which each list is read. */
export type WantedLists = Readonly<Record<ListName, readonly ListedProject[]>>;

interface ListOptions {
  readonly signal: AbortSignal;
  /** Called after each project of each list. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Also people who have access only through a team or the organization. */
  readonly includeIndirect?: boolean;
  /** Whether people count as unread if it is in doubt who is invited. */
  readonly isStrict?: boolean;
  /**
   * Whether people of all projects show if the service adds the roles of teams to theirs; else only those of the same
   * project, so that it makes no difference which others are read.
   */
  readonly isOneSample?: boolean;
  /** The lists of the organizations, if others read them, too. */
  readonly accountsOf?: ServiceAccountsOf;
}

/**
 * Reads lists of projects, as many at once as the settings allow. What a service does not offer is an empty list.
 *
 * @returns the lists by the ID of the project
 * @throws the reason with which `signal` was aborted
 */
export async function readProjectLists(
  client: ApiClient,
  wanted: WantedLists,
  options: ListOptions,
): Promise<Reading<(projectId: string) => ListsOfProject, ListGap>> {
  const { signal, onProgress, isStrict = false, isOneSample = false } = options;
  const of = async <List extends ListName>(list: List, read: ReadOne<InLists[List]>) => {
    const projects = wanted[list];
    const each = { signal, onProgress: (done: number) => onProgress?.(done, projects.length) };
    const isDoubtAllowed = list === "people" && !isStrict;
    const mayBeOfGateway = (error: unknown) =>
      list === "serviceAccounts" ? mayHideOffer(client, error) : isPossiblyOfGateway(error);
    return (await readLists(list, projects, each, { read, isDoubtAllowed, mayBeOfGateway })).take(note);
  };
  const gaps: ListGap[] = [];
  const note = (gap: ListGap) => gaps.push(gap);
  const [session, ofTeams] = [sessionOf(client), sessionOf(client, Number.POSITIVE_INFINITY)];
  const accountsOf = options.accountsOf ?? serviceAccountLists(client, signal);
  const found = {
    teams: await of("teams", (project, onNotOffered) =>
      noneIfNotOffered(
        namedTeamsOfProject({ ...project, orgId: project.orgId }, { session: ofTeams, signal }),
        onNotOffered,
      ),
    ),
    people: await of("people", peopleOf(session, options)),
    keys: await of("keys", ({ projectId }, onNotOffered) =>
      noneIfNotOffered(keysOfProject(client, projectId, signal), onNotOffered),
    ),
    serviceAccounts: await of("serviceAccounts", (project, onNotOffered) =>
      noneIfNotOffered(serviceAccountsOfProject(client, project, accountsOf, signal), onNotOffered),
    ),
    groups: await of("groups", await groupsOf(client, wanted.groups, options)),
  };
  const listsOf = (id: string): ListsOfProject => ({
    ...{ people: found.people.get(id), teams: found.teams.get(id) },
    ...{ keys: found.keys.get(id), serviceAccounts: found.serviceAccounts.get(id) },
    groups: found.groups.get(id),
  });
  const ids = new Set(
    Object.values(wanted).flatMap((projects) => projects.map(({ projectId }) => projectId)),
  );
  const all = [...ids].map((id) => ({ id, ...listsOf(id) }));
  const own = isOneSample ? withOwnRoles(all) : all.flatMap((lists) => withOwnRoles([lists]));
  const byId = new Map(own.map(({ id, ...lists }) => [id, lists]));
  return new Reading((projectId) => byId.get(projectId) ?? nothingRead, gaps);
}

/** Reads a list of one project. It calls `onNotOffered` if the service does not offer an operation for the list. */
type ReadOne<T> = (project: ListedProject, onNotOffered: (error: unknown) => void) => Promise<readonly T[]>;

interface HowToRead<T> {
  readonly read: ReadOne<T>;
  readonly isDoubtAllowed: boolean;
  /** Whether the response may come from a gateway, although it means "not offered". */
  mayBeOfGateway(error: unknown): boolean;
}

async function readLists<T>(
  list: ListName,
  projects: readonly ListedProject[],
  options: ReadOptions,
  { read, isDoubtAllowed, mayBeOfGateway }: HowToRead<T>,
): Promise<Reading<ReadonlyMap<string, readonly T[]>, ListGap>> {
  const errors = new Map<ListedProject, unknown>();
  const gaps: ListGap[] = [];
  const note = ({ projectId, name: projectName }: ListedProject, reason: string, why: ListGap["why"]) =>
    gaps.push({ list, projectId, projectName, reason, why });
  const readOne = (project: ListedProject) => read(project, (error) => errors.set(project, error));
  const found = new Map(
    (await readEach(projects, readOne, options)).take(({ of, reason }) => note(of, reason, "unread")),
  );
  const isOfferedElsewhere = found.size > errors.size;
  for (const [project, error] of errors) {
    const isDoubtful = isOfferedElsewhere || mayBeOfGateway(error);
    const isUnread = isDoubtful && !isDoubtAllowed;
    note(project, messageOf(error), isUnread ? "unread" : isDoubtful ? "in doubt" : "not offered");
    if (isUnread) found.delete(project);
  }
  return new Reading(new Map([...found].map(([{ projectId }, entries]) => [projectId, entries])), gaps);
}

function peopleOf(
  session: ReturnType<typeof sessionOf>,
  { includeIndirect, signal }: ListOptions,
): ReadOne<PersonWithInvitations> {
  return async ({ projectId }, onNotOffered) => {
    const lookup = { args: { projectId, includeIndirect }, context: { session, signal } };
    const { result, invitations, beside } = await lookUpProjectMembers(lookup);
    if (invitations instanceof Refusal) onNotOffered(invitations.error);
    const byName = Map.groupBy(entriesOf(invitations), ({ username }) => foldName(username));
    return result.members.map((person) => {
      const { teamIds = [], rolesAbove } = beside.get(person.userId ?? "") ?? {};
      return { ...person, invitations: byName.get(foldName(person.username)) ?? [], teamIds, rolesAbove };
    });
  };
}

/** With so few projects, reading each of them needs fewer requests than reading lists. */
const MOST_SINGLE_READS = 10;

/** Reads the groups to which each project gives roles. A service that shows no project has none. */
async function groupsOf(
  client: ApiClient,
  projects: readonly ListedProject[],
  options: Pick<ListOptions, "signal">,
): Promise<ReadOne<MappedGroup>> {
  const listed = projects.length > MOST_SINGLE_READS ? await listedMappings(client, projects, options) : [];
  const byId = new Map(listed.map((project) => [project.projectId, project]));
  return async ({ projectId }, onNotOffered) => {
    const known = byId.get(projectId);
    if (known !== undefined) return mappedGroups(known);
    const read = getProject(client, projectId, options.signal).then(toLive).then(mappedGroups);
    return noneIfNotOffered(read, onNotOffered);
  };
}

/** The projects with all mappings that lists show. What no list shows is read project by project. */
async function listedMappings(
  client: ApiClient,
  projects: readonly ListedProject[],
  { signal }: Pick<ListOptions, "signal">,
): Promise<(Pick<ProjectOutput, "projectId"> & Pick<ProjectOutput, MappingProperty>)[]> {
  const orgIds = [...new Set(projects.flatMap(({ orgId }) => orgId ?? []))];
  const [visible = [], ...ofOrganizations] = await Promise.all(
    [undefined, ...orgIds].map(async (orgId) => {
      const read = await orReason(readProjects(client, { orgId, signal }), signal);
      return read.take(reportedElsewhere) ?? [];
    }),
  );
  const ids = new Set(visible.map(({ projectId }) => projectId));
  return withAllMappings(
    ofOrganizations.flat().filter(({ projectId }) => ids.has(projectId)),
    visible,
  );
}

/**
 * The lists with the roles that people have themselves. Some versions show the roles of teams among those of a person; a
 * version that shows anyone without the roles of a team of theirs is none of them. Who has no role beside those of teams
 * has one of them directly, because others are not listed.
 */
function withOwnRoles<Lists extends ListsOfProject>(all: readonly Lists[]): readonly Lists[] {
  const given = ({ teams = [] }: Lists, { teamIds }: PersonWithInvitations) =>
    teams.flatMap(({ teamId, roles }) => (teamIds.includes(teamId) ? roles : []));
  const lacksOne = (lists: Lists) =>
    lists.people?.some((person) => given(lists, person).some((role) => !person.roles.includes(role)));
  if (all.some(lacksOne)) return all;
  return all.map((lists) => {
    const people = lists.people?.map((person) => {
      const roles = person.roles.filter((role) => !given(lists, person).includes(role));
      return roles.length === 0 ? person : { ...person, roles };
    });
    return { ...lists, people };
  });
}

/** A project, which has its groups, and its other lists. */
export interface ProjectAccess extends ProjectOutput, Omit<ListsOfProject, "groups"> {}

interface ProjectAccessRequest {
  readonly client: ApiClient;
  readonly orgId: string;
  readonly projects: readonly ProjectOutput[];
  readonly includeIndirect: boolean;
  readonly signal: AbortSignal;
  readonly terminal: Pick<Terminal, "stderr" | "isWatched">;
  readonly accountsOf: ServiceAccountsOf;
}

/**
 * Reads the people, the teams, the API keys and the service accounts of each project of an organization.
 *
 * @throws as `readProjectLists` does
 */
export function readProjectAccess({
  client,
  projects,
  orgId,
  terminal,
  ...options
}: ProjectAccessRequest): Promise<Reading<readonly ProjectAccess[], ListGap>> {
  return withProgress(terminal, `projects of organization ${orgId} read`, async (report) => {
    const all = { people: projects, teams: projects, keys: projects, serviceAccounts: projects };
    const gaps: ListGap[] = [];
    const read = await readProjectLists(client, { ...all, groups: [] }, { ...options, onProgress: report });
    const of = read.take((gap) => gaps.push(gap));
    const found = projects.map((project) => {
      const { groups: _, ...lists } = of(project.projectId);
      return { ...project, ...lists };
    });
    return new Reading(found, gaps);
  });
}

/** What lists of projects in doubt leave unknown: one entry, because a gateway usually returns the same for all. */
export function inDoubt(orgId: string, gaps: readonly ListGap[]): Unread[] {
  const [first, ...others] = gaps.filter(({ why }) => why === "in doubt");
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const reason = `The service seems to offer no invitations, by its response for project ${first.projectName} (${first.projectId})${more}. If it does, check the proxies and gateways in front of it. (${first.reason})`;
  return [{ what: `pending invitations in organization ${orgId}`, reason }];
}

/** A list of a project that could not be read, as reports contain it. */
export function unreadList({ list, reason, ...project }: ListGap): Unread {
  return { what: listOf(list, project), reason };
}

/** How messages name a list of a project: `people of project payments (5f…)` */
export function listOf(
  list: ListName,
  { projectId, projectName }: Pick<ListGap, "projectId" | "projectName">,
): string {
  return `${projectLists[list].noun} of project ${projectName} (${projectId})`;
}
