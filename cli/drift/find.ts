/**
 * Reads who and what has access in a scope, the declared projects or whole organizations, and judges it. Both scopes find
 * the same differences; with whole organizations, also everything else that no resource owns.
 */

import { foldName } from "../../provider/access/person";
import type { ApiClient } from "../../provider/api/client";
import { getProject } from "../../provider/api/projects";
import type { TeamName } from "../../provider/api/teams";
import { readSingly } from "../../provider/functions/project-fields";
import type { Session } from "../../provider/resources/contract/session";
import { isProjectDeleted } from "../../provider/resources/reads/absence";
import { membersOfOrganization } from "../../provider/resources/reads/organization-people";
import { stopsAll } from "../../provider/text/errors";
import { joinId } from "../../provider/text/object-id";
import type { PeopleDeclarer } from "../lib/access/declared";
import {
  isDeclaredTeam,
  type Judged,
  judge,
  mayOwn,
  noOneOwnsAbove,
  type OwnsAbove,
  ownsAboveAmong,
} from "../lib/access/judge";
import {
  accessByTeams,
  accessIn,
  type LiveAccess,
  type LiveProject,
  peopleInTeam,
  placeOfOrganization,
  placeOfTeam,
} from "../lib/access/live";
import { orReason, reportedElsewhere } from "../lib/access/reading";
import { readFederatedGroups } from "../lib/federation";
import {
  invitedTo,
  mappedGroups,
  organizationNames,
  organizationText,
  type ProjectOutput,
  readGroupsOfOrganization,
  readInvitationsToOrganization,
  readKeysOfOrganization,
  readPeopleOfOrganization,
  readPeopleOfTeams,
  readProjects,
  sessionOf,
  withAllMappings,
} from "../lib/organization";
import {
  inDoubt,
  type ListGap,
  type ListsOfProject,
  listOf,
  projectLists,
  readProjectAccess,
  readProjectLists,
  unreadList,
} from "../lib/project-access";
import {
  type LiveServiceAccount,
  readServiceAccountsOfOrganization,
  serviceAccountLists,
} from "../lib/service-accounts";
import type { Terminal } from "../lib/terminal";
import type { OrganizationCoverage, Undetermined, UnmanagedRow } from "./report/model";
import {
  type Compared,
  type CompleteOrganization,
  type Differences,
  differencesIn,
  groupsInRead,
  peopleOfTeam,
} from "./undeclared";
import { coverageOf, ownableIn } from "./unmanaged";

export interface Search {
  readonly declared: Compared;
  readonly client: ApiClient;
  /** The credentials of all given stacks of the service, as `identityOf` has them. */
  readonly ownKeys: ReadonlySet<string>;
  /** The organizations whose owners are compared. */
  readonly complete: readonly CompleteOrganization[];
  readonly signal: AbortSignal;
}

export interface Found extends Differences {
  /** The organizations, projects and teams (`<organization id>/<team id>`) that were compared or are unreadable. */
  readonly compared: readonly string[];
}

/** What was found in a service, and what ended the search before its end. */
export interface FoundInService extends Found {
  readonly organizations: readonly OrganizationCoverage[];
  readonly rows: readonly UnmanagedRow[];
  readonly stopped?: unknown;
}

/**
 * The resources of a stack that declare people of projects, and whose projects were not compared. A person who was removed
 * is still declared: whoever removed the only one may own the project now.
 */
export function declarersToRead(
  owners: Compared["owners"],
  stack: string,
  compared: ReadonlySet<string> = new Set(),
): PeopleDeclarer[] {
  return owners
    .declarers()
    .filter(({ resource: { isRead, isUnread, isGone } }) => [isRead, isUnread, isGone].includes(true))
    .filter(({ resource }) => resource.stack === stack)
    .filter(({ owner }) => owners.teamOf(owner) === undefined && !compared.has(owner));
}

// The declared projects.

/**
 * Reads the teams, the API keys, the service accounts and the group mappings of the projects in which a resource declares
 * people, the people beside a ProjectMember, the people of teams that can own such a project, and the owners of complete
 * organizations. A ProjectMembers or a Team has read its people itself, but does not record which roles an invitation of
 * a member gives; if it is in doubt who is invited, they are read again. A list that cannot be read makes the resource undetermined.
 */
export async function findUndeclared(search: Search, declarers: readonly PeopleDeclarer[]): Promise<Found> {
  const { declared, complete, client, signal } = search;
  const { access, places, undetermined } = await readDeclaredProjects(search, declarers);
  const found: Found[] = [];
  for (const [orgId, projects] of Map.groupBy(places, (place) => place.orgId)) {
    const ids = new Set(projects.map(({ id }) => id));
    const own = access.filter(({ place }) => ids.has(place.id));
    const teams = owningTeams(search, own);
    const ofTeams = await readTeamsOf(search, { orgId, teams, inProjects: own, isRecorded: true });
    // If the members cannot be read, no one is known to own the projects, so each owner is reported.
    const ownsAbove = async () => {
      if (orgId === undefined) return noOneOwnsAbove;
      const members = await orReason(membersOfOrganization(client, orgId, signal), signal);
      return ownsAboveAmong(orgId, members.take(reportedElsewhere) ?? []);
    };
    const judged = await judgedIn(search, [...own, ...ofTeams.access], ownsAbove);
    found.push(together([differencesIn(judged, declared, complete), ofTeams]));
  }
  for (const organization of complete) found.push(await ownersOfComplete(search, organization));
  const compared = places
    .map(({ id }) => id)
    .filter((id) => declared.owners.declarerOf(id)?.peopleAreSecret === false);
  return together([{ undetermined, compared }, ...found]);
}

interface ReadProjects {
  readonly places: readonly LiveProject[];
  readonly access: readonly LiveAccess[];
  readonly undetermined: readonly Undetermined[];
}

async function readDeclaredProjects(
  search: Search,
  declarers: readonly PeopleDeclarer[],
): Promise<ReadProjects> {
  const { declared, client, signal } = search;
  const session = sessionOf(client);
  const deleted = await Promise.all(declarers.map((declarer) => isDeletedProject(declarer, search, session)));
  const present = declarers.filter((_, index) => !deleted[index]);
  const places = await Promise.all(present.map(({ owner }) => placeOf(owner, search)));
  const listed = places.map(({ id: projectId, name, orgId }) => ({ projectId, name, orgId }));
  const declarerOf = (projectId: string) => declared.owners.declarerOf(projectId);
  const isToRead = (declarer: PeopleDeclarer | undefined) =>
    declarer?.resource.isInDoubt === true ||
    (recordedBy(declarer)?.some(({ invitationId }) => invitationId !== undefined) ?? true);
  const people = listed.filter(({ projectId }) => isToRead(declarerOf(projectId)));
  const wanted = { people, teams: listed, keys: listed, serviceAccounts: listed, groups: listed };
  const gaps: ListGap[] = [];
  const read = await readProjectLists(client, wanted, { isStrict: true, signal });
  const of = read.take((gap) => gaps.push(gap));
  return {
    places,
    access: places.flatMap((place) => {
      const lists = of(place.id);
      const declarer = declarerOf(place.id);
      const all = lists.people ? peopleIn(declarer, lists.people) : recordedBy(declarer);
      return accessIn(place, { ...lists, people: all });
    }),
    // What is not offered gives no one access.
    undetermined: undeterminedLists(search, gaps),
  };
}

/** Everyone whom a list of all people of a project has read in this run. */
function recordedBy(declarer: PeopleDeclarer | undefined): PeopleDeclarer["present"] | undefined {
  return declarer?.exceptFor !== undefined && declarer.resource.isRead ? declarer.present : undefined;
}

/** The people who were read, with the roles of the record, so that every search compares the same. */
function peopleIn(declarer: PeopleDeclarer | undefined, read: NonNullable<ListsOfProject["people"]>) {
  const recorded = recordedBy(declarer) ?? [];
  const rolesOf = new Map(
    recorded.map(({ username, status, roles }) => [`${status} ${foldName(username)}`, roles]),
  );
  return read.map((person) => {
    return { ...person, roles: rolesOf.get(`${person.status} ${foldName(person.username)}`) ?? person.roles };
  });
}

/** Whether a declared person is gone because the project is. Unless that is proven, its lists say what cannot be read. */
async function isDeletedProject(
  { owner: projectId, resource: { isGone, urn = "" } }: PeopleDeclarer,
  { declared: { owners }, client, signal }: Search,
  session: Session,
): Promise<boolean> {
  if (!isGone) return false;
  const { orgId } = owners.factsOf(projectId);
  return getProject(client, projectId, signal).then(
    () => false,
    (error) => isProjectDeleted(error, { projectId, orgId }, { session, signal, urn }),
  );
}

/** A project as the resources record it. Not each record has its organization. */
async function placeOf(id: string, { declared: { owners }, client, signal }: Search): Promise<LiveProject> {
  const { name = id, orgId } = owners.factsOf(id);
  if (orgId !== undefined) return { kind: "project", id, name, orgId: orgId.toLowerCase() };
  // Its people, which need the organization, are then undetermined.
  const project = (await orReason(readSingly(client, id, signal), signal)).take(reportedElsewhere);
  return { kind: "project", id, name, orgId: project?.orgId };
}

async function ownersOfComplete(search: Search, organization: CompleteOrganization): Promise<Found> {
  const { client, signal, declared } = search;
  const { urn: what, stack, orgId } = organization;
  const undetermined: Undetermined[] = [];
  // A resource of the organization itself has read the groups in this run.
  const isDeclared = declared.owners.organizationOf(orgId) !== undefined;
  const lists = async () => ({
    people: await readPeopleOfOrganization(client, orgId, { signal }),
    keys: await readKeysOfOrganization(client, orgId, { signal }),
    groups: [
      ...(isDeclared ? [] : await readGroupsOfOrganization(client, orgId, { signal })),
      ...(await readFederatedGroups(client, orgId, signal))(orgId),
    ],
    serviceAccounts: await readServiceAccountsOfOrganization(
      client,
      orgId,
      serviceAccountLists(client, signal),
    ),
  });
  const read = (await orReason(lists(), signal)).take((why) => {
    const reason = `The owners of organization ${orgId} cannot be read, so undeclared ones would not be found: ${why}`;
    undetermined.push({ what, reason, stack });
  });
  if (read === undefined) return together([{ undetermined }]);
  const access = accessIn(placeOfOrganization(orgId), read);
  const judged = await judgedIn({ ...search, complete: [organization] }, access, () => noOneOwnsAbove);
  return together([differencesIn(judged, declared, [organization])]);
}

// Whole organizations.

interface UnmanagedSearch extends Search {
  /** Organizations to read in addition to those of owned resources. */
  readonly orgIds?: readonly string[];
  readonly terminal: Pick<Terminal, "stderr" | "isWatched">;
}

/**
 * Reads every project of the organizations, all of their people, teams, keys, service accounts and mappings, who and what
 * owns the organizations, and the people of the teams that a Team declares or that have roles in a managed project. A list
 * that cannot be read is reported as undetermined. Its content counts neither as managed nor as unmanaged.
 *
 * @throws the reason with which `signal` was aborted
 */
export async function findUnmanaged(search: UnmanagedSearch): Promise<FoundInService> {
  const { declared, client, signal } = search;
  const requested = (search.orgIds ?? []).map((id) => id.toLowerCase());
  const orgIds = [...new Set([...declared.owners.orgIds, ...requested])].sort();
  if (orgIds.length === 0) {
    const reason =
      "No resource of the given stacks records its organization. Name the organization with --org.";
    return together([{ undetermined: [{ what: "organizations", reason }] }]);
  }
  const parts: Partial<FoundInService>[] = [];
  try {
    const names = await organizationNames(client, signal);
    // The projects of all organizations, because only this list is documented with LDAP groups: that
    // of one organization is not.
    const visible = (await orReason(readProjects(client, { signal }), signal)).take((reason) =>
      parts.push({ undetermined: [{ what: "group mappings of the projects", reason }] }),
    );
    for (const orgId of orgIds) {
      const own = (visible ?? []).filter((project) => project.orgId === orgId);
      parts.push(await findInOrganization({ orgId, name: names.get(orgId), visible: own }, search));
    }
    return together(parts);
  } catch (error) {
    signal.throwIfAborted();
    if (!stopsAll(error)) throw error;
    return { ...together(parts), stopped: error };
  }
}

interface OrganizationToRead {
  readonly orgId: string;
  readonly name: string | undefined;
  /** Its projects with their group mappings, as another list shows them. */
  readonly visible: readonly ProjectOutput[];
}

async function findInOrganization(
  { orgId, name, visible }: OrganizationToRead,
  search: UnmanagedSearch,
): Promise<FoundInService> {
  const { client, signal, terminal, declared, ownKeys } = search;
  const { owners } = declared;
  const undetermined: Undetermined[] = [];
  const list = async <T>(what: string, read: Promise<T>) =>
    (await orReason(read, signal)).take((reason) =>
      undetermined.push({ what: `${what} of ${organizationText({ orgId, orgName: name })}`, reason }),
    );
  const listed = await list("projects", readProjects(client, { orgId, signal }));
  const gaps: ListGap[] = [];
  const accountsOf = serviceAccountLists(client, signal);
  const all = { client, orgId, includeIndirect: true, signal, terminal, accountsOf };
  const projects =
    listed && (await readProjectAccess({ ...all, projects: withAllMappings(listed, visible) }));
  const lists = projects?.take((gap) => gaps.push(gap)) ?? [];
  const people = projects && (await list("owners", readPeopleOfOrganization(client, orgId, { signal })));
  const keys = projects && (await list("API keys", readKeysOfOrganization(client, orgId, { signal })));
  const accounts =
    projects &&
    (await list("service accounts", readServiceAccountsOfOrganization(client, orgId, accountsOf)));
  const itself = owners.organizationOf(orgId);
  const recorded = itself?.isRead ? groupsInRead(itself) : undefined;
  const groups =
    projects &&
    (recorded ?? (await list("group mappings", readGroupsOfOrganization(client, orgId, { signal }))));
  const federated = projects && (await list("federation", readFederatedGroups(client, orgId, signal)));
  const federatedIn = federated ?? (() => []);
  const members = people
    ? people.filter((membership) => membership.status === "active")
    : (await orReason(membersOfOrganization(client, orgId, signal), signal)).take(reportedElsewhere);
  const ownsAbove = ownsAboveAmong(orgId, members ?? []);
  const places = lists.map(({ projectId: id, name: projectName }): LiveProject => {
    return { kind: "project", id, name: projectName, orgId };
  });
  const isForeign = ({ clientId }: LiveServiceAccount) => !ownKeys.has(clientId);
  const inProjects = lists.flatMap((project, index) => {
    const place = places[index];
    const all = project.people && peopleIn(owners.declarerOf(project.projectId), project.people);
    const serviceAccounts = project.serviceAccounts?.filter(isForeign);
    return place
      ? accessIn(place, {
          ...project,
          people: all,
          serviceAccounts,
          groups: [...mappedGroups(project), ...federatedIn(project.projectId)],
        })
      : [];
  });
  const managed = inProjects.filter(({ place }) => owners.manages(place.id));
  const ofTeams = owners.teamsIn(orgId);
  const teams = [...ofTeams, ...teamsAmong(managed).filter((each) => !isDeclaredTeam(declared, orgId, each))];
  const inTeams = await readTeamsOf(search, { orgId, teams, inProjects, isRecorded: false });
  const inOrganization = accessIn(placeOfOrganization(orgId), {
    people,
    keys: keys?.filter(({ publicKey }) => !ownKeys.has(publicKey)),
    serviceAccounts: accounts?.filter(isForeign),
    groups: groups && [...groups, ...federatedIn(orgId)],
  });
  const access = [...inProjects, ...inTeams.access, ...inOrganization];
  // Without one of the lists, nothing is compared.
  const areAllRead = [people, keys, accounts, groups, federated].every((each) => each !== undefined);
  const rules = areAllRead ? search : { ...search, complete: [] };
  const judged = await judgedIn(rules, access, () => ownsAbove);
  const ownable = ownableIn(judged, { orgId, projects: places, declared, ownsAbove });
  const hidden = places.filter(({ id }) => owners.hidesPeople(id));
  // What the record of the organization has is a difference by its resource: `undeclaredInReads`.
  const isRecorded = ({ access: { holder, place } }: Judged) =>
    recorded !== undefined && holder.kind === "group" && place.kind === "organization";
  const isCounted = { owners: people !== undefined, teamPeople: teams.length > 0 };
  return together([
    { undetermined },
    inTeams,
    { undetermined: [...undeterminedLists(search, gaps), ...inDoubt(orgId, gaps)] },
    differencesIn(
      judged.filter((each) => !isRecorded(each)),
      declared,
      search.complete,
    ),
    {
      compared: [...places.map(({ id }) => id), ...ofTeams.map(({ teamId }) => joinId(orgId, teamId))],
      undetermined: hidden.map(({ id: projectId, name: projectName }) => ({
        what: listOf("people", { projectId, projectName }),
        reason: SECRET_MEMBERS,
      })),
    },
    { compared: areAllRead ? [orgId] : [], rows: ownable.flatMap(({ row }) => row ?? []) },
    projects === undefined ? {} : { organizations: [coverageOf(ownable, { orgId, name }, isCounted)] },
  ]);
}

const SECRET_MEMBERS =
  "The program keeps the members of this project secret, so the state does not show which people it declares.";

// What both have in common.

/** Everything that the parts have. */
function together(parts: readonly Partial<FoundInService>[]): FoundInService {
  return {
    organizations: parts.flatMap(({ organizations = [] }) => organizations),
    rows: parts.flatMap(({ rows = [] }) => rows),
    findings: parts.flatMap(({ findings = [] }) => findings),
    compared: parts.flatMap(({ compared = [] }) => compared),
    undetermined: parts.flatMap(({ undetermined = [] }) => undetermined),
  };
}

/** A service of which nothing could be read. */
export const nothingFound = (stopped: unknown): FoundInService => ({ ...together([]), stopped });

/**
 * What the accesses and those that teams give amount to.
 *
 * @param ownsAbove called only if something depends on it
 */
async function judgedIn(
  { declared, ownKeys, complete }: Search,
  access: readonly LiveAccess[],
  ownsAbove: () => OwnsAbove | Promise<OwnsAbove>,
): Promise<Judged[]> {
  const inProjects = access.filter(({ place }) => place.kind === "project");
  const all = [...access, ...accessByTeams(access, inProjects)];
  const rules = { ownKeys, complete: new Set(complete.map(({ orgId }) => orgId)) };
  const judged = judge(declared, all, { ...rules, ownsAbove: noOneOwnsAbove });
  const isOfPerson = ({ access: { holder, place }, verdict }: Judged) =>
    holder.kind === "person" && place.kind === "project" && verdict !== "none";
  return judged.some(isOfPerson) ? judge(declared, all, { ...rules, ownsAbove: await ownsAbove() }) : judged;
}

/** The teams with roles in projects. */
function teamsAmong(access: readonly LiveAccess[]): TeamName[] {
  const teams = access.flatMap(({ holder, name }) =>
    holder.kind === "team" && holder.teamId !== undefined ? [[holder.teamId, name] as const] : [],
  );
  return [...new Map(teams)].map(([teamId, teamName]) => ({ teamId, teamName }));
}

function owningTeams({ declared }: Search, access: readonly LiveAccess[]): TeamName[] {
  return teamsAmong(access.filter((grant) => mayOwn(declared, grant)));
}

interface TeamsToRead {
  /** Absent if no record and no read shows it. */
  readonly orgId: string | undefined;
  readonly teams: readonly TeamName[];
  /** What was read of projects: the roles of the teams, and the invitations. */
  readonly inProjects: readonly LiveAccess[];
  /** A Team has read its people itself, but no invitation. */
  readonly isRecorded: boolean;
}

/** Reads the people of teams, and those who join them by accepting an invitation to the organization or to a project. */
async function readTeamsOf(
  { declared, client, signal }: Search,
  { orgId, teams, inProjects, isRecorded }: TeamsToRead,
): Promise<Pick<ReadProjects, "access" | "undetermined">> {
  const { owners } = declared;
  const undetermined: Undetermined[] = [];
  const grantsOf = ({ teamId }: TeamName) =>
    inProjects.filter(({ holder }) => holder.kind === "team" && holder.teamId === teamId);
  const note = (team: TeamName, reason: string) => {
    const { teamId: id, teamName: name } = team;
    const owned = grantsOf(team).find((grant) => mayOwn(declared, grant));
    const stack = owned && owners.declarerOf(owned.place.id)?.resource.stack;
    undetermined.push({ what: peopleOfTeam({ id, name }), reason, ...(stack !== undefined && { stack }) });
  };
  if (orgId === undefined)
    for (const team of teams)
      note(team, "The organization of the team is not known, so its people cannot be read.");
  if (orgId === undefined || teams.length === 0) return { access: [], undetermined };
  const recordOf = (team: TeamName) =>
    isRecorded && isDeclaredTeam(declared, orgId, team)
      ? (owners.declarerOf(joinId(orgId, team.teamId))?.present ?? [])
      : undefined;
  const isSecret = ({ teamId }: TeamName) => owners.hidesPeople(joinId(orgId, teamId));
  const toRead = teams.filter((team) => recordOf(team) === undefined && !isSecret(team));
  const unread = new Set<TeamName>();
  const isUsed = (team: TeamName) => grantsOf(team).length > 0;
  const ofTeams = await readPeopleOfTeams(client, orgId, toRead, { signal, isUsed });
  const read = ofTeams.take(({ of, reason }) => {
    unread.add(of);
    note(of, reason);
  });
  const toOrganization = await orReason(readInvitationsToOrganization(client, orgId, { signal }), signal);
  const invitations = toOrganization.take((why) => {
    // Otherwise the owners of the organization are undetermined for the same reason.
    if (!isRecorded) return;
    for (const team of teams.filter((each) => !unread.has(each)))
      note(team, `The pending invitations to the organization cannot be read: ${why}`);
  });
  const toProjects = inProjects.flatMap(({ name, invitations: offers }) =>
    offers.map((offer) => ({ username: name, ...offer })),
  );
  const joiningTeam = invitedTo([...(invitations ?? []), ...toProjects]);
  const access = teams.flatMap((team) => {
    if (unread.has(team)) return [];
    const record = recordOf(team);
    const names = new Set((record ?? []).map(({ username }) => foldName(username)));
    const joining = joiningTeam(team.teamId).filter(({ username }) => !names.has(foldName(username)));
    if (!isSecret(team))
      return accessIn(placeOfTeam(orgId, team), { people: peopleInTeam(read.get(team) ?? [], joining) });
    if (record === undefined || joining.length > 0) note(team, SECRET_USERNAMES);
    return [];
  });
  return { access, undetermined };
}

const SECRET_USERNAMES =
  "The program keeps the usernames of this team secret, so the state does not show which people it declares.";

/**
 * What is undetermined without lists of projects: the resource that declares people there, whose
 * undeclared people, teams, API keys, service accounts and groups are unknown, or else the list. A resource that was not read is
 * undetermined already.
 */
function undeterminedLists({ declared: { owners } }: Search, gaps: readonly ListGap[]): Undetermined[] {
  return gaps
    .filter(({ why }) => why === "unread")
    .flatMap((gap) => {
      const declarer = owners.declarerOf(gap.projectId);
      if (declarer === undefined) return unreadList(gap);
      if (declarer.resource.isUnread) return [];
      const { list, projectId, reason } = gap;
      const { urn: what = "", stack } = declarer.resource;
      const text = `The ${projectLists[list].noun} of project ${projectId} cannot be read, so undeclared ones would not be found: ${reason}`;
      return { what, reason: text, stack };
    });
}
