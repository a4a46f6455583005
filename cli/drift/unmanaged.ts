/**
 * `--unmanaged`: finds the objects of the organizations that no resource of the given stacks owns.
 */

import type { Membership } from "../../provider/access/person";
import { owningRoles, type RoleAbove, unknownRights } from "../../provider/access/rights";
import type { ApiClient } from "../../provider/api/client";
import type { TeamName } from "../../provider/api/teams";
import { inOrder, withoutUndefined } from "../../provider/resources/contract/values";
import type { Settings } from "../../provider/settings/config";
import { CanceledError, messageOf, OpsManagerError, stopsAll } from "../../provider/text/errors";
import { joinId } from "../../provider/text/object-id";
import { withClient } from "../lib/connection";
import {
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
import { ownership } from "../lib/ownership";
import { listOf, type ProjectAccess, readProjectAccess } from "../lib/project-access";
import { readCommandSettings } from "../lib/settings";
import type { Terminal } from "../lib/terminal";
import {
  declarersToRead,
  findUndeclared,
  peopleIn,
  SECRET_USERNAMES,
  undeterminedList,
} from "./find-undeclared";
import { OwnersAbove, type OwnsAbove, ownsAboveAmong } from "./owners-above";
import { type Coverage, type Finding, UNMANAGED_UNKNOWN, type Undetermined, type Unmanaged } from "./report";
import type { DeclaringResources } from "./stack-drift";
import {
  type Declared,
  findingsIn,
  isDeclaredTeam,
  isIgnoredUser,
  owningTeams,
  type ProjectContent,
  peopleOfTeam,
  undeclaredIn,
  undeclaredInReads,
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

interface UnmanagedResult {
  readonly unmanaged: Unmanaged;
  /** The undeclared people and teams of managed projects and teams. */
  readonly findings: Finding[];
  /** The projects and teams (`<organization id>/<team id>`) that were compared or are unreadable. */
  readonly compared: Set<string>;
  readonly undetermined: Undetermined[];
}

function nothingFound(undetermined: Undetermined[]): UnmanagedResult {
  return {
    unmanaged: {
      organizations: [],
      projects: [],
      people: [],
      teams: [],
      keys: [],
      mappings: [],
      owners: [],
      ownerKeys: [],
      teamPeople: [],
    },
    findings: [],
    compared: new Set(),
    undetermined,
  };
}

/**
 * Reads every project of the organizations, all of their people, teams, keys and mappings, who owns the
 * organizations, and the people of the teams that a Team declares or that have roles in a managed
 * project. A list that cannot be read is reported as unreadable. Its content counts neither as managed
 * nor as unmanaged.
 *
 * @param result receives the result
 * @throws the reason with which `signal` was aborted
 */
export async function findUnmanaged(
  request: UnmanagedRequest,
  result: UnmanagedResult = nothingFound([]),
): Promise<UnmanagedResult> {
  const { owners } = request.declared;
  const requested = (request.orgIds ?? []).map((id) => id.toLowerCase());
  const orgIds = [...new Set([...owners.orgIds, ...requested])].sort();
  if (orgIds.length === 0) {
    const reason =
      "No resource of the given stacks records its organization. Name the organization with --org.";
    result.undetermined.push({ what: "organizations", reason });
  }
  const names = await organizationNames(request.client, request.signal);
  const projects = orgIds.length === 0 ? [] : await readVisibleProjects(request, result);
  const visible = new Map(projects.map((project) => [project.projectId, project]));
  for (const orgId of orgIds) {
    await readOrganization({ orgId, name: names.get(orgId), visible }, request, result);
  }
  return result;
}

/**
 * The projects of all organizations, because only this list is documented with LDAP groups: that of one
 * organization is not.
 */
async function readVisibleProjects(
  { client, signal }: UnmanagedRequest,
  { undetermined }: UnmanagedResult,
): Promise<readonly ProjectOutput[]> {
  return readProjects(client, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (stopsAll(error)) throw error;
    undetermined.push({ what: "group mappings of the projects", reason: messageOf(error) });
    return [];
  });
}

type Content = ProjectContent<PersonWithInvitations> & { readonly groups: readonly MappedGroup[] };

interface OrganizationToRead {
  readonly orgId: string;
  readonly name: string | undefined;
  /** The projects that the API key can see, in all organizations, with their group mappings, by ID. */
  readonly visible: ReadonlyMap<string, ProjectOutput>;
}

async function readOrganization(
  { orgId, name, visible }: OrganizationToRead,
  request: UnmanagedRequest,
  result: UnmanagedResult,
): Promise<void> {
  const { client, signal, terminal, declared, ownKeys } = request;
  const { undetermined, unmanaged } = result;
  const organization = organizationText({ orgId, orgName: name });
  /** `undefined` if it cannot be read. */
  const orUndetermined = async <T>(what: string, list: Promise<T>): Promise<T | undefined> =>
    list.catch((error: unknown) => {
      signal.throwIfAborted();
      if (stopsAll(error)) throw error;
      undetermined.push({ what: `${what} of ${organization}`, reason: messageOf(error) });
      return undefined;
    });
  const projects = await orUndetermined("projects", readProjects(client, { orgId, signal }));
  const access =
    projects &&
    (await readProjectAccess({ client, orgId, projects, includeIndirect: true, signal, terminal }));
  const people =
    projects && (await orUndetermined("owners", readPeopleOfOrganization(client, orgId, { signal })));
  const keys =
    projects && (await orUndetermined("API keys", readKeysOfOrganization(client, orgId, { signal })));
  const ownsAbove = people
    ? ownsAboveAmong(orgId, people.filter(isActive))
    : await new OwnersAbove(client, signal).in(orgId);
  const contents = access?.projects.map((project) => contentOf(project, visible)) ?? [];
  const teamPeople = await addTeamPeople(result, { orgId, contents, ownsAbove }, request);
  if (access === undefined) return;
  const { owners } = declared;
  undetermined.push(...access.unreadable.map((list) => undeterminedList(owners, list)), ...access.inDoubt);
  const inProjects = contents.map((content) =>
    addProject(result, { orgId, content, excepted: { ownsAbove, ownKeys } }, declared),
  );
  unmanaged.organizations.push({
    orgId,
    ...(name !== undefined && { name }),
    projects: sum(inProjects.map((each) => each.projects)),
    people: sum(inProjects.map((each) => each.people)),
    ...withoutUndefined({
      teams: orAbsent(sum(inProjects.map((each) => each.teams))),
      keys: orAbsent(sum(inProjects.map((each) => each.keys))),
      mappings: orAbsent(sum(inProjects.map((each) => each.mappings))),
      owners: people && addOwners(result, orgId, people, declared),
      ownerKeys:
        keys &&
        orAbsent(
          addOwnerKeys(
            result,
            orgId,
            keys.filter(({ publicKey }) => !ownKeys.has(publicKey)),
            declared,
          ),
        ),
      teamPeople,
    }),
  });
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

function sum(coverages: readonly Coverage[]): Coverage {
  return coverages.reduce(
    (all, { total, managed }) => ({ total: all.total + total, managed: all.managed + managed }),
    { total: 0, managed: 0 },
  );
}

function orAbsent(coverage: Coverage): Coverage | undefined {
  return coverage.total === 0 ? undefined : coverage;
}

/** The roles that own an organization, make owners, or may do so for all that this version knows. */
function rightsAmong(roles: readonly string[]): string[] {
  return [...owningRoles(roles), ...unknownRights(roles)];
}

/** Those that count in all organizations. */
function rolesOfService(rolesAbove: readonly RoleAbove[] = []): string[] {
  return rolesAbove.filter(({ orgId }) => orgId === undefined).map(({ role }) => role);
}

/**
 * Adds who owns an organization and is declared by no OrganizationMember, by roles of the organization
 * or of the whole service.
 *
 * @returns how many of them are declared
 */
function addOwners(
  { unmanaged }: UnmanagedResult,
  orgId: string,
  people: readonly Membership[],
  { owners }: Declared,
): Coverage {
  const held = new Map(
    people.map((person) => {
      const above = person.status === "active" ? (person.rolesAbove ?? []) : [];
      const offered = person.invitations.flatMap(({ roles }) => roles);
      const all = new Set([...person.roles, ...offered, ...rolesOfService(above)]);
      return [person, rightsAmong([...all])];
    }),
  );
  const holders = people.filter((person) => held.get(person)?.length);
  const owned = owners.peopleOwned(orgId, holders);
  for (const person of holders.filter((each) => !owned.has(each))) {
    const { username, status } = person;
    unmanaged.owners?.push({ orgId, username, status, roles: held.get(person) ?? [] });
  }
  return { total: holders.length, managed: owned.size };
}

/** Adds the API keys that own an organization and are declared by no ApiKey, by such roles as people. */
function addOwnerKeys(
  { unmanaged }: UnmanagedResult,
  orgId: string,
  keys: readonly LiveKey[],
  { owners }: Declared,
): Coverage {
  const rightsOf = ({ roles, rolesAbove }: LiveKey) => rightsAmong([...roles, ...rolesOfService(rolesAbove)]);
  const holders = keys.filter((key) => rightsOf(key).length > 0);
  const others = holders.filter((key) => !owners.ownsKey(orgId, key));
  for (const key of others) {
    const { keyId, publicKey, description } = key;
    const name = description || publicKey; // The service accepts an empty description.
    unmanaged.ownerKeys?.push({ orgId, keyId, publicKey, name, roles: rightsOf(key) });
  }
  return { total: holders.length, managed: holders.length - others.length };
}

const SECRET_MEMBERS =
  "The program keeps the members of this project secret, so the state does not show which people it declares.";

interface TeamsToRead {
  readonly orgId: string;
  readonly contents: readonly Content[];
  readonly ownsAbove: OwnsAbove;
}

/**
 * Adds the people whom no resource declares in teams: in those that a Team declares, and in others that
 * have roles in a managed project.
 *
 * @returns how many people of the teams are declared; `undefined` if there are no such teams
 */
async function addTeamPeople(
  result: UnmanagedResult,
  { orgId, contents, ownsAbove }: TeamsToRead,
  { declared, client, signal }: UnmanagedRequest,
): Promise<Coverage | undefined> {
  const { owners } = declared;
  const ofTeams = owners.teamsOf(orgId);
  const others = othersInManagedProjects(declared, orgId, contents);
  if (ofTeams.length + others.length === 0) return undefined;
  const isSecret = ({ teamId }: TeamName) => owners.hasSecretPeople(joinId(orgId, teamId));
  const readable = [...ofTeams.filter((team) => !isSecret(team)), ...others.map(({ team }) => team)];
  const read = await readPeopleOfTeams(client, orgId, readable, { signal });
  // If they cannot be read, the owners of the organization are undetermined for the same reason.
  const invited = await readInvitedToTeams(client, orgId, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (stopsAll(error)) throw error;
    return new Map<string, readonly string[]>();
  });
  /** `undefined` if they are not known. */
  const peopleOf = (team: TeamName) => {
    const reason = isSecret(team) ? SECRET_USERNAMES : read.unreadable.get(team);
    if (reason === undefined) return peopleIn(read.found.get(team), invited.get(team.teamId));
    result.undetermined.push({ what: peopleOfTeam(team), reason });
    return undefined;
  };
  const owning = new Map(owningTeams(declared, orgId, contents).map((each) => [each.team.teamId, each]));
  return sum([
    ...ofTeams.map((team) => addPeopleOfTeam(result, { orgId, team, people: peopleOf(team) }, declared)),
    ...others.map(({ team, roles }) => {
      // What a team gives to an owner of all projects is no news.
      const people = peopleOf(team)?.filter((person) => !ownsAbove(person)) ?? [];
      const ofProjects = owning.get(team.teamId);
      const owned = ofProjects && undeclaredOwnersOf(declared, ofProjects, people, ownsAbove);
      result.findings.push(...(owned?.people.values() ?? []));
      result.undetermined.push(...(owned?.undetermined ?? []));
      for (const { username } of people.filter((person) => !owned?.people.has(person)))
        result.unmanaged.teamPeople.push({ orgId, ...team, username, roles });
      return { total: people.length, managed: 0 };
    }),
  ]);
}

interface TeamToAdd {
  readonly orgId: string;
  readonly team: TeamName;
  readonly people: ReturnType<typeof peopleIn> | undefined;
}

/** Adds the people whom the Team of their team does not declare. */
function addPeopleOfTeam(
  { unmanaged, findings, compared }: UnmanagedResult,
  { orgId, team, people = [] }: TeamToAdd,
  declared: Declared,
): Coverage {
  const { teamId, teamName } = team;
  const owner = joinId(orgId, teamId);
  compared.add(owner);
  const owned = declared.owners.peopleOwned(owner, people);
  const undeclared = undeclaredInTeam(declared, orgId, team, people);
  findings.push(...undeclared.values());
  for (const person of people) {
    if (owned.has(person) || undeclared.has(person)) continue;
    unmanaged.teamPeople.push({ orgId, teamId, teamName, username: person.username });
  }
  return { total: people.length, managed: owned.size };
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

interface ProjectToAdd {
  readonly orgId: string;
  readonly content: Content;
  readonly excepted: Parameters<typeof undeclaredIn>[2];
}

/**
 * Adds what no resource owns in a project.
 *
 * @returns how many objects of each kind are owned
 */
function addProject(
  { unmanaged, findings, compared, undetermined }: UnmanagedResult,
  { orgId, content, excepted }: ProjectToAdd,
  declared: Declared,
): Readonly<Record<"projects" | "people" | "teams" | "keys" | "mappings", Coverage>> {
  const { owners } = declared;
  const { id: projectId, name: projectName, people: members = [], teams = [], keys = [], groups } = content;
  const project = { projectId, projectName };
  const isOwned = owners.ownsProject(projectId);
  if (!isOwned) unmanaged.projects.push({ orgId, projectId, name: projectName });
  compared.add(projectId);
  const undeclared = undeclaredIn(declared, content, excepted);
  findings.push(...findingsIn(undeclared));
  undetermined.push(...undeclared.undetermined);
  const ownsTeam = ({ teamId }: LiveTeam) => owners.ownsTeam(projectId, teamId);
  for (const team of teams.filter((each) => !ownsTeam(each) && !undeclared.teams.has(each))) {
    const { teamId, name = teamId, roles } = team;
    unmanaged.teams.push({ ...project, teamId, name, roles: [...roles] });
  }
  const ownsKey = (key: LiveKey) => owners.ownsKey(projectId, key);
  for (const key of keys.filter((each) => !ownsKey(each) && !undeclared.keys.has(each))) {
    const { keyId, publicKey, description, roles } = key;
    // The service accepts an empty description.
    unmanaged.keys?.push({ ...project, keyId, publicKey, name: description || publicKey, roles: [...roles] });
  }
  const mapped = MAPPINGS.filter((property) => groups.some((group) => group.property === property));
  for (const property of mapped.filter((each) => !owners.ownsMappings(projectId, each))) {
    const others = groups.filter((group) => group.property === property && !undeclared.groups.has(group));
    const roles = [...new Set(others.flatMap((group) => group.roles))].sort(inOrder);
    if (roles.length > 0) unmanaged.mappings?.push({ ...project, property, roles });
  }
  // Who can change the people of a team decides who has its roles.
  const isManaged = (team: LiveTeam) => ownsTeam(team) && owners.declaresTeam(orgId, [team.teamId]);
  const coverage = {
    projects: { total: 1, managed: isOwned ? 1 : 0 },
    teams: { total: teams.length, managed: teams.filter(isManaged).length },
    keys: { total: keys.length, managed: keys.filter(ownsKey).length },
    mappings: {
      total: mapped.length,
      managed: mapped.filter((property) => owners.ownsMappings(projectId, property)).length,
    },
  };
  const people = { total: 0, managed: 0 };
  if (owners.hasSecretPeople(projectId)) {
    undetermined.push({ what: listOf("people", project), reason: SECRET_MEMBERS });
    return { ...coverage, people };
  }
  const owned = owners.peopleOwned(projectId, members);
  const declarer = owners.declarerOf(projectId);
  for (const person of members) {
    const { username, status } = person;
    if (declarer && !owned.has(person) && isIgnoredUser(declarer, person)) continue;
    if (status !== "indirect") people.total += 1;
    const roles = [...person.roles].sort(inOrder);
    if (owned.has(person)) people.managed += 1;
    else if (!undeclared.people.has(person)) unmanaged.people.push({ ...project, username, status, roles });
  }
  return { ...coverage, people };
}

// Options of the search for unmanaged objects, for all stacks of a run: each service is read once.

interface UnmanagedOptions {
  /** By the stack's name; `undefined` if the state could not be read. */
  readonly stacks: ReadonlyMap<string, DeclaringResources | undefined>;
  readonly orgIds: readonly string[];
  readonly comparison: Finding["comparison"];
  /** Whether all objects of the organizations are read, or only those of managed projects. */
  readonly isUnmanagedWanted: boolean;
}

/** `unmanaged` is absent if it was not requested, or if the owned objects are unknown. */
export type UnmanagedOfStacks = Partial<Pick<UnmanagedResult, "unmanaged" | "findings">> &
  Pick<UnmanagedResult, "undetermined">;

/**
 * Finds the undeclared and the unmanaged objects of all stacks. Services are identified by their addresses. Several
 * stacks of one service own objects together, and the settings of the first of them are used.
 *
 * @throws CanceledError
 */
export async function findUnmanagedOfStacks(
  terminal: Terminal,
  options: UnmanagedOptions,
): Promise<UnmanagedOfStacks> {
  return findByService(terminal, options).catch((error: unknown) => {
    throw terminal.stop.aborted ? new CanceledError("Stopped; no report was written.") : error;
  });
}

async function findByService(
  terminal: Terminal,
  { stacks, orgIds, comparison, isUnmanagedWanted }: UnmanagedOptions,
): Promise<UnmanagedOfStacks> {
  const unknown = [...stacks].filter(([, resources]) => resources === undefined).map(([stack]) => stack);
  if (unknown.length > 0) {
    // Everything that such a stack declares or owns would be reported. The stack itself is
    // undetermined.
    const reason = `The state of ${unknown.join(", ")} could not be read, so`;
    const declaring = [...stacks.values()].flatMap((each) => ownership(each?.inStack ?? []).declarers());
    return {
      undetermined: [
        ...declaring
          .filter(({ resource }) => resource.isRead === true)
          .map(({ resource: { urn: what = "", stack } }) => ({
            what,
            reason: `${reason} the undeclared people and teams are unknown.`,
            stack,
          })),
        ...(isUnmanagedWanted
          ? [{ what: UNMANAGED_UNKNOWN, reason: `${reason} the owned objects are unknown.` }]
          : []),
      ],
    };
  }
  const services = new Map<string, Service>();
  const undetermined: Undetermined[] = [];
  for (const [stack, resources] of stacks) {
    if (resources === undefined) continue;
    const needsClient = declarersToRead(ownership(resources.inStack), stack).length > 0;
    if (!isUnmanagedWanted && !needsClient) continue;
    const settings = await settingsOf(terminal, stack);
    if (typeof settings === "string") {
      undetermined.push({ what: `settings of stack ${stack}`, reason: settings, stack });
    } else {
      const address = `${settings.origin}${settings.pathPrefix}`;
      const service = services.get(address) ?? { settings, stacks: [] };
      service.stacks.push({ stack, settings, resources });
      services.set(address, service);
    }
  }
  const declaredBy = (each: Iterable<DeclaringResources>): Declared => {
    const all = [...each];
    return {
      owners: ownership(all.flatMap(({ inStack }) => inStack)),
      planned: ownership(all.flatMap(({ planned }) => planned)),
      comparison,
    };
  };
  const everything = declaredBy([...stacks.values()].filter((each) => each !== undefined));
  const result = nothingFound(undetermined);
  const whyUnknown = whyUnmanagedUnknown(undetermined, [...services.keys()], orgIds);
  let isUnmanagedKnown = isUnmanagedWanted && whyUnknown === undefined;
  if (isUnmanagedWanted && whyUnknown !== undefined)
    undetermined.push({ what: UNMANAGED_UNKNOWN, reason: whyUnknown });
  const { stop: signal } = terminal;
  /** A cause that stops every call is one thing, whatever was to be read. */
  const withService = async (own: Settings, what: Pick<Undetermined, "what" | "stack">, work: Work) => {
    await withClient(own, terminal, work).catch((error: unknown) => {
      if (!stopsAll(error)) throw error;
      undetermined.push({ ...what, reason: messageOf(error) });
      if (what.what === UNMANAGED_UNKNOWN) isUnmanagedKnown = false;
    });
  };
  for (const { settings, stacks: ofService } of services.values()) {
    const ownKeys = new Set(ofService.flatMap(({ settings: { publicKey } }) => publicKey ?? []));
    if (isUnmanagedKnown) {
      const declared = declaredBy(ofService.map(({ resources }) => resources));
      await withService(settings, { what: UNMANAGED_UNKNOWN }, (client) =>
        findUnmanaged({ declared, client, ownKeys, orgIds, signal, terminal }, result),
      );
    }
    // Each stack may have a key that sees only its own organization.
    for (const { stack, settings: own } of ofService) {
      const declarers = declarersToRead(everything.owners, stack, result.compared);
      if (declarers.length === 0) continue;
      await withService(own, { what: "undeclared people, teams and API keys", stack }, async (client) => {
        const found = await findUndeclared({ declared: everything, client, ownKeys, signal }, declarers);
        result.findings.push(...found.findings);
        undetermined.push(...found.undetermined);
        for (const projectId of found.compared) result.compared.add(projectId);
      });
    }
  }
  const inReads = undeclaredInReads(everything, result.compared);
  result.findings.push(...inReads.findings);
  result.undetermined.push(...inReads.undetermined);
  const { unmanaged, findings } = result;
  return { findings, undetermined, ...(isUnmanagedKnown && { unmanaged }) };
}

/**
 * @param withoutSettings the stacks whose settings could not be read. Their states show what they
 * declare.
 */
function whyUnmanagedUnknown(
  withoutSettings: readonly Undetermined[],
  addresses: readonly string[],
  orgIds: readonly string[],
): string | undefined {
  if (withoutSettings.length > 0) {
    const stacks = withoutSettings.map(({ stack }) => stack).join(", ");
    return `The settings of ${stacks} could not be read, so the owned objects are unknown.`;
  }
  if (orgIds.length > 0 && addresses.length > 1)
    return `The stacks belong to several services (${addresses.join(", ")}), and the service of --org is unknown. Run the command once for each service.`;
  return undefined;
}

type Work = (client: ApiClient) => Promise<unknown>;

interface Service {
  /** Those of the first stack. */
  readonly settings: Settings;
  readonly stacks: { stack: string; settings: Settings; resources: DeclaringResources }[];
}

async function settingsOf(terminal: Terminal, stack: string): Promise<Settings | string> {
  try {
    return (await readCommandSettings(terminal, stack)).settings;
  } catch (error) {
    if (!(error instanceof OpsManagerError) || terminal.stop.aborted) throw error;
    return messageOf(error);
  }
}
