/**
 * `--unmanaged`: finds the objects of the organizations that no resource of the given stacks owns.
 */
import type { ApiClient } from "../../provider/api/client";
import type { TeamName } from "../../provider/api/teams";
import { inOrder, withoutUndefined } from "../../provider/resources/contract/values";
import type { Settings } from "../../provider/settings/config";
import { CanceledError, messageOf, OpsManagerError, stopsAll } from "../../provider/text/errors";
import { joinId } from "../../provider/text/object-id";
import { withClient } from "../connection";
import {
  type ListedProject,
  type LiveKey,
  type LiveTeam,
  organizationNames,
  type ProjectOutput,
  readOwnersOfOrganization,
  readPeople,
  readPeopleOfTeams,
  readProjects,
  readTeams,
  type UnreadableList,
  withoutDoubtful,
} from "../organization";
import { MAPPINGS } from "../own-resources";
import { listOf, type ProjectAccess, readProjectAccess, unreadList } from "../project-access";
import { readCommandSettings } from "../settings";
import type { Terminal } from "../terminal";
import { organizationText } from "./formats/wording";
import { ownership, type PeopleDeclarer } from "./ownership";
import { type Coverage, type Finding, UNMANAGED_UNKNOWN, type Undetermined, type Unmanaged } from "./report";
import type { DeclaringResources } from "./stack-drift";
import {
  type Declared,
  isIgnoredUser,
  undeclaredInReads,
  undeclaredInTeam,
  undeclaredKeys,
  undeclaredPeople,
  undeclaredTeams,
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
      teamPeople: [],
    },
    findings: [],
    compared: new Set(),
    undetermined,
  };
}

/**
 * Reads every project of the organizations, all of their people and their teams, and the people of
 * the teams that a Team declares. A list that cannot be read is reported as unreadable. Its content
 * counts neither as managed nor as unmanaged.
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
  const visible = orgIds.length === 0 ? [] : await readVisibleProjects(request, result);
  for (const orgId of orgIds) {
    await readOrganization({ orgId, name: names.get(orgId), visible }, request, result);
  }
  return result;
}

/**
 * The projects of all organizations, because only this list shows group mappings: that of one
 * organization is documented without them.
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

/**
 * Adds the group mappings of an organization's projects that no Project declares.
 *
 * @returns how many of them are declared; `undefined` if there are none
 */
function addMappings(
  orgId: string,
  visible: readonly ProjectOutput[],
  { owners }: Declared,
  { unmanaged }: UnmanagedResult,
): Coverage | undefined {
  const coverage = { total: 0, managed: 0 };
  for (const project of visible.filter((one) => one.orgId.toLowerCase() === orgId)) {
    const { projectId, name: projectName } = project;
    for (const property of MAPPINGS) {
      const roles = (project[property] ?? []).map(({ roleName }) => roleName);
      if (roles.length === 0) continue;
      coverage.total += 1;
      if (owners.ownsMappings(projectId, property)) coverage.managed += 1;
      else unmanaged.mappings?.push({ projectId, projectName, property, roles });
    }
  }
  return coverage.total === 0 ? undefined : coverage;
}

/**
 * Adds the owners of an organization whom no OrganizationMember declares.
 *
 * @returns how many owners are declared; `undefined` if they cannot be read
 */
async function addOwners(
  { orgId, name }: Omit<OrganizationToRead, "visible">,
  { declared: { owners }, client, signal }: UnmanagedRequest,
  { unmanaged, undetermined }: UnmanagedResult,
): Promise<Coverage | undefined> {
  const people = await readOwnersOfOrganization(client, orgId, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (stopsAll(error)) throw error;
    undetermined.push({
      what: `owners of ${organizationText({ orgId, orgName: name })}`,
      reason: messageOf(error),
    });
    return undefined;
  });
  if (people === undefined) return undefined;
  const owned = owners.peopleOwned(orgId, people);
  for (const person of people) {
    if (!owned.has(person))
      unmanaged.owners?.push({ orgId, username: person.username, status: person.status });
  }
  return { total: people.length, managed: owned.size };
}

interface OrganizationToRead {
  readonly orgId: string;
  readonly name: string | undefined;
  /** The projects that the API key can see, in all organizations, with their group mappings. */
  readonly visible: readonly ProjectOutput[];
}

async function readOrganization(
  { orgId, name, visible }: OrganizationToRead,
  request: UnmanagedRequest,
  result: UnmanagedResult,
): Promise<void> {
  const { client, signal, terminal } = request;
  const { undetermined } = result;
  const teamPeople = await addTeamPeople(result, orgId, request);
  const projects = await readProjects(client, { orgId, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (stopsAll(error)) throw error;
    undetermined.push({
      what: `projects of ${organizationText({ orgId, orgName: name })}`,
      reason: messageOf(error),
    });
    return undefined;
  });
  if (projects === undefined) return;
  const ownersOfOrganization = await addOwners({ orgId, name }, request, result);
  const access = await readProjectAccess({
    client,
    orgId,
    projects,
    includeIndirect: true,
    signal,
    terminal,
  });
  const { owners } = request.declared;
  undetermined.push(...access.unreadable.map((list) => undeterminedList(owners, list)), ...access.inDoubt);
  addUnmanaged(
    result,
    {
      orgId,
      name,
      coverage: {
        teamPeople,
        owners: ownersOfOrganization,
        mappings: addMappings(orgId, visible, request.declared, result),
      },
      ownKeys: request.ownKeys,
    },
    access.projects,
    request.declared,
  );
}

const SECRET_MEMBERS =
  "The program keeps the members of this project secret, so the state does not show which people it declares.";

const SECRET_USERNAMES =
  "The program keeps the usernames of this team secret, so the state does not show which people it declares.";

/**
 * Adds the people of declared teams that no Team declares.
 *
 * @returns how many people of the teams are declared; `undefined` if no team is declared
 */
async function addTeamPeople(
  { unmanaged, findings, compared, undetermined }: UnmanagedResult,
  orgId: string,
  { declared, client, signal }: UnmanagedRequest,
): Promise<Coverage | undefined> {
  const { owners } = declared;
  const teams = owners.teamsOf(orgId);
  if (teams.length === 0) return undefined;
  const coverage = { total: 0, managed: 0 };
  const isSecret = ({ teamId }: TeamName) => owners.hasSecretPeople(joinId(orgId, teamId));
  const readable = teams.filter((team) => !isSecret(team));
  const read = await readPeopleOfTeams(client, orgId, readable, { signal });
  for (const team of teams) {
    const { teamId, teamName } = team;
    compared.add(joinId(orgId, teamId));
    const reason = isSecret(team) ? SECRET_USERNAMES : read.unreadable.get(team);
    if (reason !== undefined) {
      undetermined.push({ what: `people of team ${teamName} (${teamId})`, reason });
      continue;
    }
    const people = (read.found.get(team) ?? [])
      .map(({ id: userId, username }) => ({ userId, username }))
      .sort((one, other) => inOrder(one.username, other.username));
    const owned = owners.peopleOwned(joinId(orgId, teamId), people);
    coverage.total += people.length;
    coverage.managed += owned.size;
    const undeclared = undeclaredInTeam(declared, orgId, team, people);
    findings.push(...undeclared.values());
    for (const person of people) {
      if (owned.has(person) || undeclared.has(person)) continue;
      unmanaged.teamPeople.push({ orgId, teamId, teamName, username: person.username });
    }
  }
  return coverage;
}

function addUnmanaged(
  { unmanaged, findings, compared, undetermined }: UnmanagedResult,
  {
    orgId,
    name: orgName,
    coverage,
    ownKeys,
  }: {
    readonly orgId: string;
    readonly name: string | undefined;
    /** Of what is in no project. */
    readonly coverage: Readonly<Record<"teamPeople" | "owners" | "mappings", Coverage | undefined>>;
    /** Public key of the command. */
    readonly ownKeys: ReadonlySet<string>;
  },
  listed: readonly ProjectAccess[],
  declared: Declared,
): void {
  const { owners } = declared;
  const projects = { total: listed.length, managed: 0 };
  const people = { total: 0, managed: 0 };
  const teams = { total: 0, managed: 0 };
  const keys = { total: 0, managed: 0 };
  for (const {
    projectId,
    name,
    people: members = [],
    teams: inProject = [],
    keys: ofProject = [],
  } of listed) {
    if (owners.ownsProject(projectId)) projects.managed += 1;
    else unmanaged.projects.push({ orgId, projectId, name });
    compared.add(projectId);
    const undeclaredInProject = undeclaredTeams(declared, { id: projectId, name }, inProject);
    findings.push(...undeclaredInProject.values());
    const ownsTeam = ({ teamId }: LiveTeam) => owners.ownsTeam(projectId, teamId);
    for (const team of unowned(inProject, ownsTeam, undeclaredInProject, teams)) {
      const { teamId, name: teamName = teamId, roles } = team;
      unmanaged.teams.push({ projectId, projectName: name, teamId, name: teamName, roles: [...roles] });
    }
    const ownerKeys = undeclaredKeys(declared, { id: projectId, name }, ofProject, ownKeys);
    findings.push(...ownerKeys.values());
    const ownsKey = (key: LiveKey) => owners.ownsKey(projectId, key);
    for (const key of unowned(ofProject, ownsKey, ownerKeys, keys)) {
      const { keyId, publicKey, description, roles } = key;
      // The service accepts an empty description.
      const facts = { projectId, projectName: name, keyId, publicKey, name: description || publicKey };
      unmanaged.keys?.push({ ...facts, roles: [...roles] });
    }
    if (owners.hasSecretPeople(projectId)) {
      undetermined.push({ what: listOf("people", { projectId, projectName: name }), reason: SECRET_MEMBERS });
      continue;
    }
    const owned = owners.peopleOwned(projectId, members);
    const undeclared = undeclaredPeople(declared, { id: projectId, name }, members);
    findings.push(...undeclared.values());
    const declarer = owners.declarerOf(projectId);
    for (const person of members) {
      const { username, status } = person;
      if (declarer && !owned.has(person) && isIgnoredUser(declarer, person)) continue;
      if (status !== "indirect") people.total += 1;
      const roles = [...person.roles].sort(inOrder);
      if (owned.has(person)) people.managed += 1;
      else if (!undeclared.has(person))
        unmanaged.people.push({ projectId, projectName: name, username, status, roles });
    }
  }
  unmanaged.organizations.push({
    orgId,
    ...(orgName !== undefined && { name: orgName }),
    projects,
    people,
    ...(teams.total > 0 && { teams }),
    ...(keys.total > 0 && { keys }),
    ...withoutUndefined(coverage),
  });
}

/**
 * Counts the objects of a project, and selects those that neither a resource owns nor a finding names.
 *
 * @param coverage receives the counts
 */
function unowned<T>(
  objects: readonly T[],
  isOwned: (object: T) => boolean,
  undeclared: ReadonlyMap<T, Finding>,
  coverage: { total: number; managed: number },
): T[] {
  const others = objects.filter((object) => !isOwned(object));
  coverage.total += objects.length;
  coverage.managed += objects.length - others.length;
  return others.filter((object) => !undeclared.has(object));
}

// The undeclared objects without `--unmanaged`: only the managed projects are read.

/** The resources of a stack that declare people of projects, and whose projects were not compared. */
export function declarersToRead(
  owners: Declared["owners"],
  stack: string,
  compared: ReadonlySet<string> = new Set(),
): PeopleDeclarer[] {
  return owners
    .declarers()
    .filter(({ resource }) => resource.isRead === true && resource.stack === stack)
    .filter(({ owner }) => owners.teamOf(owner) === undefined && !compared.has(owner));
}

/**
 * Reads the teams of the projects in which a resource declares people, and the people beside a
 * ProjectMember. A ProjectMembers or a Team has read its people itself. A list that cannot be read
 * makes the resource undetermined.
 */
export async function findUndeclared(
  { declared, client, signal }: Pick<UnmanagedRequest, "declared" | "client" | "signal">,
  declarers: readonly PeopleDeclarer[],
  { findings, undetermined }: Pick<UnmanagedResult, "findings" | "undetermined">,
): Promise<void> {
  const { owners } = declared;
  const listed = declarers.map(({ owner }): ListedProject => {
    const { name = owner, orgId } = owners.factsOf(owner);
    return { projectId: owner, name, orgId };
  });
  const teams = await readTeams(client, listed, { signal });
  const withMember = listed.filter(({ projectId }) => owners.declarerOf(projectId)?.exceptFor === undefined);
  const people = withoutDoubtful(await readPeople(client, withMember, { includeIndirect: false, signal }));
  for (const { projectId: id, name } of listed) {
    const project = { id, name };
    findings.push(
      ...undeclaredPeople(declared, project, people.found.get(id) ?? []).values(),
      ...undeclaredTeams(declared, project, teams.found.get(id) ?? []).values(),
    );
  }
  for (const list of [...teams.unreadable, ...people.unreadable])
    undetermined.push(undeterminedList(owners, list));
}

/**
 * What is undetermined without a list of a project: the resource that declares people there, whose
 * undeclared people, teams and API keys are unknown, or else the list.
 */
function undeterminedList(owners: Declared["owners"], list: UnreadableList): Undetermined {
  const declarer = owners.declarerOf(list.projectId);
  if (declarer === undefined) return unreadList(list);
  const { what, projectId, reason } = list;
  const { urn = "", stack } = declarer.resource;
  const text = `The ${what} of project ${projectId} cannot be read, so undeclared ones would not be found: ${reason}`;
  return { what: urn, reason: text, stack };
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
    if (isUnmanagedKnown) {
      const declared = declaredBy(ofService.map(({ resources }) => resources));
      const ownKeys = new Set(ofService.flatMap(({ settings: { publicKey } }) => publicKey ?? []));
      await withService(settings, { what: UNMANAGED_UNKNOWN }, (client) =>
        findUnmanaged({ declared, client, ownKeys, orgIds, signal, terminal }, result),
      );
    }
    // Each stack may have a key that sees only its own organization.
    for (const { stack, settings: own } of ofService) {
      const declarers = declarersToRead(everything.owners, stack, result.compared);
      if (declarers.length === 0) continue;
      await withService(own, { what: "undeclared people, teams and API keys", stack }, (client) =>
        findUndeclared({ declared: everything, client, signal }, declarers, result),
      );
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
