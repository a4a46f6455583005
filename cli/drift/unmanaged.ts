/**
 * `--unmanaged`: finds the objects of the organizations that no resource of the given stacks owns.
 */
import type { Membership } from "../../provider/access/person";
import type { ApiClient } from "../../provider/api/client";
import type { TeamName } from "../../provider/api/teams";
import { inOrder, withoutUndefined } from "../../provider/resources/contract/values";
import { stopsAll } from "../../provider/text/errors";
import { joinId } from "../../provider/text/object-id";
import { orReason, reportedElsewhere } from "../lib/access/reading";
import {
  type ListGap,
  type LiveKey,
  type LiveTeam,
  type MappedGroup,
  mappedGroups,
  organizationNames,
  organizationText,
  type PersonWithInvitations,
  type ProjectOutput,
  readInvitedToTeams,
  readKeysOfOrganization,
  readPeopleOfOrganization,
  readPeopleOfTeams,
  readProjects,
  withMappingsOf,
} from "../lib/organization";
import { MAPPINGS } from "../lib/own-resources";
import { inDoubt, listOf, type ProjectAccess, readProjectAccess } from "../lib/project-access";
import type { Terminal } from "../lib/terminal";
import { peopleIn, SECRET_USERNAMES, undeterminedList } from "./find-undeclared";
import { rightsOfKey, rightsOfPerson } from "./organization-owners";
import { OwnersAbove, type OwnsAbove, ownsAboveAmong } from "./owners-above";
import {
  type Coverage,
  type Finding,
  type OrganizationCoverage,
  type Undetermined,
  type UnmanagedKind,
  type UnmanagedRow,
  unmanagedKinds,
} from "./report/model";
import {
  type Declared,
  findingsIn,
  isDeclaredTeam,
  isIgnoredUser,
  owningTeams,
  type ProjectContent,
  peopleOfTeam,
  undeclaredIn,
  undeclaredInTeam,
  undeclaredOwnersOf,
} from "./undeclared";

interface UnmanagedRequest {
  readonly declared: Declared;
  readonly client: ApiClient;
  /** Public keys of all given stacks of the service. They may own the projects that they created. */
  readonly ownKeys: ReadonlySet<string>;
  /** Organizations to read in addition to those of owned resources. */
  readonly orgIds?: readonly string[];
  readonly signal: AbortSignal;
  readonly terminal: Pick<Terminal, "stderr" | "isWatched">;
}

/** What was found in a service, in an organization, or in one part of it. */
interface Found {
  readonly organizations: readonly OrganizationCoverage[];
  readonly rows: readonly UnmanagedRow[];
  /** How many of the objects of each kind are owned. A kind that there cannot be is absent. */
  readonly coverage: Readonly<Partial<Record<UnmanagedKind, Coverage>>>;
  /** The undeclared people and teams of managed projects and teams. */
  readonly findings: readonly Finding[];
  /** The projects and teams (`<organization id>/<team id>`) that were compared or are unreadable. */
  readonly compared: readonly string[];
  readonly undetermined: readonly Undetermined[];
}

/** Everything that the parts have. */
function together(parts: readonly Partial<Found>[]): Found {
  const coverage = unmanagedKinds.flatMap((kind) => {
    const own = parts.flatMap((part) => part.coverage?.[kind] ?? []);
    return own.length === 0 ? [] : [[kind, sum(own)] as const];
  });
  return {
    organizations: parts.flatMap(({ organizations = [] }) => organizations),
    rows: parts.flatMap(({ rows = [] }) => rows),
    coverage: Object.fromEntries(coverage),
    findings: parts.flatMap(({ findings = [] }) => findings),
    compared: parts.flatMap(({ compared = [] }) => compared),
    undetermined: parts.flatMap(({ undetermined = [] }) => undetermined),
  };
}

function sum(coverages: readonly Coverage[]): Coverage {
  return coverages.reduce(
    (all, { total, managed }) => ({ total: all.total + total, managed: all.managed + managed }),
    NONE,
  );
}

const NONE: Coverage = { total: 0, managed: 0 };

/** A service of which nothing could be read. */
export const nothingFound = (stopped: unknown): FoundInService => ({ ...together([]), stopped });

/** What was found in a service, and what ended the search before its end. */
export interface FoundInService extends Found {
  readonly stopped?: unknown;
}

/**
 * Reads every project of the organizations, all of their people, teams, keys and mappings, who owns the
 * organizations, and the people of the teams that a Team declares or that have roles in a managed
 * project. A list that cannot be read is reported as undetermined. Its content counts neither as managed
 * nor as unmanaged.
 *
 * @throws the reason with which `signal` was aborted
 */
export async function findUnmanaged(request: UnmanagedRequest): Promise<FoundInService> {
  const { declared, client, signal } = request;
  const requested = (request.orgIds ?? []).map((id) => id.toLowerCase());
  const orgIds = [...new Set([...declared.owners.orgIds, ...requested])].sort();
  if (orgIds.length === 0) {
    const reason =
      "No resource of the given stacks records its organization. Name the organization with --org.";
    return together([{ undetermined: [{ what: "organizations", reason }] }]);
  }
  const parts: Partial<Found>[] = [];
  try {
    const names = await organizationNames(client, signal);
    // The projects of all organizations, because only this list is documented with LDAP groups: that
    // of one organization is not.
    const projects = (await orReason(readProjects(client, { signal }), signal)).take((reason) =>
      parts.push({ undetermined: [{ what: "group mappings of the projects", reason }] }),
    );
    const visible = new Map((projects ?? []).map((project) => [project.projectId, project]));
    for (const orgId of orgIds)
      parts.push(await findInOrganization({ orgId, name: names.get(orgId), visible }, request));
    return together(parts);
  } catch (error) {
    signal.throwIfAborted();
    if (!stopsAll(error)) throw error;
    return { ...together(parts), stopped: error };
  }
}

type Content = ProjectContent<PersonWithInvitations> & { readonly groups: readonly MappedGroup[] };

interface OrganizationToRead {
  readonly orgId: string;
  readonly name: string | undefined;
  /** The projects that the API key can see, in all organizations, with their group mappings, by ID. */
  readonly visible: ReadonlyMap<string, ProjectOutput>;
}

async function findInOrganization(
  { orgId, name, visible }: OrganizationToRead,
  request: UnmanagedRequest,
): Promise<Found> {
  const { client, signal, terminal, declared, ownKeys } = request;
  const undetermined: Undetermined[] = [];
  const list = async <T>(what: string, read: Promise<T>) =>
    (await orReason(read, signal)).take((reason) =>
      undetermined.push({ what: `${what} of ${organizationText({ orgId, orgName: name })}`, reason }),
    );
  const projects = await list("projects", readProjects(client, { orgId, signal }));
  const gaps: ListGap[] = [];
  const all = { client, orgId, includeIndirect: true, signal, terminal };
  const access = projects && (await readProjectAccess({ ...all, projects })).take((gap) => gaps.push(gap));
  const people = access && (await list("owners", readPeopleOfOrganization(client, orgId, { signal })));
  const keys = access && (await list("API keys", readKeysOfOrganization(client, orgId, { signal })));
  const ownsAbove = people
    ? ownsAboveAmong(orgId, people.filter(isActive))
    : await new OwnersAbove(client, signal).in(orgId);
  const contents = access?.map((project) => contentOf(project, visible)) ?? [];
  const inTeams = await findInTeams({ orgId, contents, ownsAbove }, request);
  if (access === undefined) return together([{ undetermined }, inTeams]);
  const unread = gaps.filter(({ why }) => why === "unread");
  const lists = unread.map((each) => undeterminedList(declared.owners, each));
  const found = together([
    { undetermined },
    inTeams,
    { undetermined: [...lists, ...inDoubt(orgId, gaps)] },
    ...contents.map((content) => findInProject(orgId, content, { ownsAbove, ownKeys }, declared)),
    people ? ownersIn(orgId, people, declared) : {},
    keys ? ownerKeysIn(orgId, keys, request) : {},
  ]);
  const {
    projects: ofProjects = NONE,
    people: ofPeople = NONE,
    owners,
    teamPeople,
    ...others
  } = found.coverage;
  const { teams, keys: ofKeys, mappings, ownerKeys } = others;
  return {
    ...found,
    organizations: [
      {
        orgId,
        ...(name !== undefined && { name }),
        projects: ofProjects,
        people: ofPeople,
        ...withoutUndefined({
          teams: orAbsent(teams),
          keys: orAbsent(ofKeys),
          mappings: orAbsent(mappings),
          owners,
          ownerKeys: orAbsent(ownerKeys),
          teamPeople,
        }),
      },
    ],
  };
}

const isActive = (membership: Membership): membership is Membership & { status: "active" } =>
  membership.status === "active";

function contentOf(
  { projectId, ...project }: ProjectAccess,
  visible: OrganizationToRead["visible"],
): Content {
  const { orgId, name, people, teams, keys } = project;
  const shown = visible.get(projectId);
  const groups = mappedGroups(shown ? withMappingsOf(shown, project) : project);
  return { id: projectId, orgId, name, people, teams, keys, groups };
}

function orAbsent(coverage: Coverage | undefined): Coverage | undefined {
  return coverage?.total === 0 ? undefined : coverage;
}

// Who owns the organization.

/** Who owns an organization and is declared by no OrganizationMember, by roles of it or of the whole service. */
function ownersIn(orgId: string, people: readonly Membership[], { owners }: Declared): Partial<Found> {
  const holders = people.filter((person) => rightsOfPerson(person).length > 0);
  const owned = owners.among(orgId, holders);
  return {
    coverage: { owners: { total: holders.length, managed: owned.size } },
    rows: holders
      .filter((person) => !owned.has(person))
      .map((person) => ({
        kind: "owners",
        holder: personNamed(person.username),
        ...inOrganization(orgId),
        status: person.status,
        roles: rightsOfPerson(person),
      })),
  };
}

/** The API keys that own an organization and are declared by no ApiKey, by such roles as people. */
function ownerKeysIn(
  orgId: string,
  keys: readonly LiveKey[],
  { declared: { owners }, ownKeys }: UnmanagedRequest,
): Partial<Found> {
  const holders = keys.filter((key) => !ownKeys.has(key.publicKey) && rightsOfKey(key).length > 0);
  const others = holders.filter((key) => !owners.declares(orgId, { ...key, kind: "API key" }));
  return {
    coverage: { ownerKeys: { total: holders.length, managed: holders.length - others.length } },
    rows: others.map((key) => ({
      kind: "ownerKeys",
      ...keyNamed(key),
      ...inOrganization(orgId),
      roles: rightsOfKey(key),
    })),
  };
}

function personNamed(username: string): UnmanagedRow["holder"] {
  return { name: username, id: username.toLowerCase() };
}

/** The service accepts an empty description. */
function keyNamed({ keyId, publicKey, description }: LiveKey): Pick<UnmanagedRow, "holder" | "keyId"> {
  return { keyId, holder: { name: description || publicKey, id: publicKey } };
}

function inOrganization(orgId: string): Pick<UnmanagedRow, "orgId" | "place"> {
  return { orgId, place: { name: orgId, id: orgId } };
}

// The people of teams.

const SECRET_MEMBERS =
  "The program keeps the members of this project secret, so the state does not show which people it declares.";

interface TeamsToRead {
  readonly orgId: string;
  readonly contents: readonly Content[];
  readonly ownsAbove: OwnsAbove;
}

/**
 * The people whom no resource declares in teams: in those that a Team declares, and in others that have
 * roles in a managed project. If there are no such teams, they have no coverage.
 */
async function findInTeams(
  { orgId, contents, ownsAbove }: TeamsToRead,
  { declared, client, signal }: UnmanagedRequest,
): Promise<Partial<Found>> {
  const { owners } = declared;
  const ofTeams = owners.teamsIn(orgId);
  const others = othersInManagedProjects(declared, orgId, contents);
  if (ofTeams.length + others.length === 0) return {};
  const isSecret = ({ teamId }: TeamName) => owners.hidesPeople(joinId(orgId, teamId));
  const readable = [...ofTeams.filter((team) => !isSecret(team)), ...others.map(({ team }) => team)];
  const unread = new Map<TeamName, string>();
  const read = (await readPeopleOfTeams(client, orgId, readable, { signal })).take(({ of, reason }) =>
    unread.set(of, reason),
  );
  // If they cannot be read, the owners of the organization are undetermined for the same reason.
  const invitations = await orReason(readInvitedToTeams(client, orgId, { signal }), signal);
  const invited = invitations.take(reportedElsewhere);
  const unknown = (team: TeamName) => (isSecret(team) ? SECRET_USERNAMES : unread.get(team));
  const peopleOf = (team: TeamName) =>
    unknown(team) === undefined ? peopleIn(read.get(team), invited?.get(team.teamId)) : [];
  const owning = new Map(owningTeams(declared, orgId, contents).map((each) => [each.team.teamId, each]));
  return together([
    ...[...ofTeams, ...others.map(({ team }) => team)].map((team) => {
      const reason = unknown(team);
      return reason === undefined ? {} : { undetermined: [{ what: peopleOfTeam(team), reason }] };
    }),
    ...ofTeams.map((team) => findInDeclaredTeam(orgId, team, peopleOf(team), declared)),
    ...others.map(({ team, roles }) => {
      // What a team gives to an owner of all projects is no news.
      const people = peopleOf(team).filter((person) => !ownsAbove(person));
      const ofProjects = owning.get(team.teamId);
      const owned = ofProjects && undeclaredOwnersOf(declared, ofProjects, people, ownsAbove);
      return {
        coverage: { teamPeople: { total: people.length, managed: 0 } },
        findings: [...(owned?.people.values() ?? [])],
        undetermined: owned?.undetermined ?? [],
        rows: people
          .filter((person) => !owned?.people.has(person))
          .map(({ username }) => personOfTeam(orgId, team, username, roles)),
      };
    }),
  ]);
}

function personOfTeam(
  orgId: string,
  { teamId, teamName }: TeamName,
  username: string,
  roles: readonly string[] = [],
): UnmanagedRow {
  const place = { name: teamName, id: teamId };
  return { kind: "teamPeople", holder: personNamed(username), place, orgId, roles };
}

/** The people whom the Team of their team does not declare. */
function findInDeclaredTeam(
  orgId: string,
  team: TeamName,
  people: ReturnType<typeof peopleIn>,
  declared: Declared,
): Partial<Found> {
  const owner = joinId(orgId, team.teamId);
  const owned = declared.owners.among(owner, people);
  const undeclared = undeclaredInTeam(declared, orgId, team, people);
  return {
    compared: [owner],
    coverage: { teamPeople: { total: people.length, managed: owned.size } },
    findings: [...undeclared.values()],
    rows: people
      .filter((person) => !owned.has(person) && !undeclared.has(person))
      .map(({ username }) => personOfTeam(orgId, team, username)),
  };
}

/** The teams with roles in managed projects whose people no Team declares, with these roles. */
function othersInManagedProjects(
  declared: Declared,
  orgId: string,
  contents: readonly Content[],
): { readonly team: TeamName; readonly roles: string[] }[] {
  const inManaged = contents
    .filter(({ id }) => declared.owners.manages(id))
    .flatMap(({ teams = [] }) => teams);
  return [...Map.groupBy(inManaged, ({ teamId }) => teamId)].flatMap(([teamId, same]) => {
    const team = { teamId, teamName: same[0]?.name ?? teamId };
    if (isDeclaredTeam(declared, orgId, team)) return [];
    return [{ team, roles: [...new Set(same.flatMap(({ roles }) => roles))].sort(inOrder) }];
  });
}

// The projects.

/** What no resource owns in a project, and how much of each kind is owned. */
function findInProject(
  orgId: string,
  content: Content,
  excepted: Parameters<typeof undeclaredIn>[2],
  declared: Declared,
): Found {
  const { owners } = declared;
  const { id, name, teams = [], keys = [] } = content;
  const place = { name, id };
  const isOwned = owners.ownsProject(id);
  const undeclared = undeclaredIn(declared, content, excepted);
  const ownsTeam = ({ teamId }: LiveTeam) => owners.declares(id, { kind: "team", teamId });
  const ownsKey = (key: LiveKey) => owners.declares(id, { ...key, kind: "API key" });
  // Who can change the people of a team decides who has its roles.
  const isManaged = (team: LiveTeam) => ownsTeam(team) && owners.declaresTeam(orgId, [team.teamId]);
  return together([
    {
      compared: [id],
      findings: findingsIn(undeclared),
      undetermined: undeclared.undetermined,
      coverage: { projects: { total: 1, managed: isOwned ? 1 : 0 } },
      rows: isOwned ? [] : [{ kind: "projects", holder: place, place, orgId, roles: [] }],
    },
    {
      coverage: { teams: { total: teams.length, managed: teams.filter(isManaged).length } },
      rows: teams
        .filter((team) => !ownsTeam(team) && !undeclared.teams.has(team))
        .map(({ teamId, name: teamName = teamId, roles }) => {
          const holder = { name: teamName, id: teamId };
          return { kind: "teams", holder, place, roles };
        }),
    },
    {
      coverage: { keys: { total: keys.length, managed: keys.filter(ownsKey).length } },
      rows: keys
        .filter((key) => !ownsKey(key) && !undeclared.keys.has(key))
        .map((key) => ({ kind: "keys", ...keyNamed(key), place, roles: key.roles })),
    },
    mappingsIn(content, undeclared.groups, declared),
    peopleInProject(content, undeclared.people, declared),
  ]);
}

function mappingsIn(
  { id, name, groups }: Content,
  undeclared: ReadonlyMap<MappedGroup, Finding>,
  { owners }: Declared,
): Partial<Found> {
  const mapped = MAPPINGS.filter((property) => groups.some((group) => group.property === property));
  const others = mapped.filter((property) => owners.declaringMappings(id, property).length === 0);
  return {
    coverage: { mappings: { total: mapped.length, managed: mapped.length - others.length } },
    rows: others.flatMap((property): UnmanagedRow[] => {
      const own = groups.filter((group) => group.property === property && !undeclared.has(group));
      const roles = [...new Set(own.flatMap((group) => group.roles))].sort(inOrder);
      if (roles.length === 0) return [];
      return [{ kind: "mappings", holder: { name: property, id: property }, place: { name, id }, roles }];
    }),
  };
}

function peopleInProject(
  { id, name, people = [] }: Content,
  undeclared: ReadonlyMap<PersonWithInvitations, Finding>,
  { owners }: Declared,
): Partial<Found> {
  if (owners.hidesPeople(id)) {
    const what = listOf("people", { projectId: id, projectName: name });
    return { coverage: { people: NONE }, undetermined: [{ what, reason: SECRET_MEMBERS }] };
  }
  const owned = owners.among(id, people);
  const declarer = owners.declarerOf(id);
  const counts = people.filter(
    (person) => owned.has(person) || declarer === undefined || !isIgnoredUser(declarer, person),
  );
  const direct = counts.filter(({ status }) => status !== "indirect");
  return {
    coverage: {
      people: { total: direct.length, managed: counts.filter((person) => owned.has(person)).length },
    },
    rows: counts
      .filter((person) => !owned.has(person) && !undeclared.has(person))
      .map(({ username, status, roles }) => ({
        kind: "people",
        holder: personNamed(username),
        place: { name, id },
        status,
        roles: [...roles].sort(inOrder),
      })),
  };
}
