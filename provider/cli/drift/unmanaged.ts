/**
 * `--unmanaged`: finds the objects of the organizations that no resource of the given stacks owns.
 */
import type { ApiClient } from "../../api/client";
import type { TeamName } from "../../api/teams";
import type { Settings } from "../../config";
import { CanceledError, messageOf, OpsManagerError } from "../../errors";
import { joinId } from "../../object-id";
import { inOrder } from "../../resources/values";
import { withClient } from "../connection";
import {
  type LivePerson,
  type LiveTeam,
  type ProjectOutput,
  readPeople,
  readPeopleOfTeams,
  readProjects,
  readTeams,
  type UnreadableList,
} from "../organization";
import { withProgress } from "../progress";
import { readCommandSettings } from "../settings";
import type { Terminal } from "../terminal";
import { type OwnedResource, ownership } from "./ownership";
import type { Coverage, Unmanaged, UnreadableThing } from "./report";
import type { StackState } from "./stacks";

interface UnmanagedRequest {
  /** The resources in the form of `pulumi stack export`, of either provider. */
  readonly stacks: readonly { readonly resources: readonly OwnedResource[] }[];
  readonly client: ApiClient;
  /** Organizations to read in addition to those of owned resources. */
  readonly orgIds?: readonly string[];
  readonly signal: AbortSignal;
  readonly terminal: Pick<Terminal, "stderr" | "isWatched">;
}

interface UnmanagedResult {
  readonly unmanaged: Unmanaged;
  readonly unreadable: UnreadableThing[];
}

function nothingFound(unreadable: UnreadableThing[]): UnmanagedResult {
  return {
    unmanaged: { organizations: [], projects: [], people: [], teams: [], teamPeople: [] },
    unreadable,
  };
}

type Owners = ReturnType<typeof ownership>;

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
  const owners = ownership(request.stacks.flatMap(({ resources }) => resources));
  const requested = (request.orgIds ?? []).map((id) => id.toLowerCase());
  const orgIds = [...new Set([...owners.orgIds, ...requested])].sort();
  if (orgIds.length === 0) {
    const reason =
      "No resource of the given stacks records its organization. Name the organization with --org.";
    result.unreadable.push({ what: "organizations", reason });
  }
  for (const orgId of orgIds) await readOrganization(orgId, owners, request, result);
  return result;
}

async function readOrganization(
  orgId: string,
  owners: Owners,
  request: UnmanagedRequest,
  result: UnmanagedResult,
): Promise<void> {
  const { client, signal, terminal } = request;
  const { unreadable } = result;
  const teamPeople = await addTeamPeople(result, orgId, owners, request);
  const projects = await readProjects(client, { orgId, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    unreadable.push({ what: `projects of organization ${orgId}`, reason: messageOf(error) });
    return undefined;
  });
  if (projects === undefined) return;
  await withProgress(terminal, `projects of organization ${orgId} read`, async (report) => {
    const onProgress = (done: number) => report(done, projects.length);
    const read = await readPeople(client, projects, { includeIndirect: true, signal, onProgress });
    const teams = await readTeams(client, projects, { signal });
    unreadable.push(
      ...[...read.unreadable, ...teams.unreadable].map(({ what, reason, ...project }) => ({
        what: listOf(what, project),
        reason,
      })),
      ...invitationsUnknown(orgId, read.inDoubt),
    );
    const listed = projects.map((project) => ({
      ...project,
      people: read.found.get(project.projectId) ?? [],
      teams: teams.found.get(project.projectId) ?? [],
    }));
    addUnmanaged(result, { orgId, teamPeople }, listed, owners);
  });
}

function listOf(
  what: "people" | "teams",
  { projectId, projectName }: Pick<UnreadableList, "projectId" | "projectName">,
): string {
  return `${what} of project ${projectName} (${projectId})`;
}

/** One entry for all projects, because a gateway usually returns the same for all. */
function invitationsUnknown(orgId: string, [first, ...others]: readonly UnreadableList[]): UnreadableThing[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const reason = `The response for project ${first.projectName} (${first.projectId})${more} means that the service does not offer invitations. A gateway may return the same. Check the proxies and gateways in front of the service. (${first.reason})`;
  return [{ what: `pending invitations in organization ${orgId}`, reason }];
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
  { unmanaged, unreadable }: UnmanagedResult,
  orgId: string,
  owners: Owners,
  { client, signal }: UnmanagedRequest,
): Promise<Coverage | undefined> {
  const teams = owners.teamsOf(orgId);
  if (teams.length === 0) return undefined;
  const coverage = { total: 0, managed: 0 };
  const isSecret = ({ teamId }: TeamName) => owners.hasSecretPeople(joinId(orgId, teamId));
  const readable = teams.filter((team) => !isSecret(team));
  const read = await readPeopleOfTeams(client, orgId, readable, { signal });
  for (const team of teams) {
    const { teamId, teamName } = team;
    const reason = isSecret(team) ? SECRET_USERNAMES : read.unreadable.get(team);
    if (reason !== undefined) {
      unreadable.push({ what: `people of team ${teamName} (${teamId})`, reason });
      continue;
    }
    const people = (read.found.get(team) ?? [])
      .map(({ id: userId, username }) => ({ userId, username }))
      .sort((one, other) => inOrder(one.username, other.username));
    const owned = owners.peopleOwned(joinId(orgId, teamId), people);
    coverage.total += people.length;
    coverage.managed += owned.size;
    for (const person of people) {
      if (owned.has(person)) continue;
      unmanaged.teamPeople.push({ orgId, teamId, teamName, username: person.username });
    }
  }
  return coverage;
}

function addUnmanaged(
  { unmanaged, unreadable }: UnmanagedResult,
  { orgId, teamPeople }: { readonly orgId: string; readonly teamPeople: Coverage | undefined },
  listed: readonly (ProjectOutput & {
    readonly people: readonly LivePerson[];
    readonly teams: readonly LiveTeam[];
  })[],
  owners: Owners,
): void {
  const projects = { total: listed.length, managed: 0 };
  const people = { total: 0, managed: 0 };
  const teams = { total: 0, managed: 0 };
  for (const { projectId, name, people: members, teams: inProject } of listed) {
    if (owners.ownsProject(projectId)) projects.managed += 1;
    else unmanaged.projects.push({ orgId, projectId, name });
    for (const { teamId, name: teamName = teamId, roles } of inProject) {
      teams.total += 1;
      if (owners.ownsTeam(projectId, teamId)) teams.managed += 1;
      else unmanaged.teams.push({ projectId, projectName: name, teamId, name: teamName, roles: [...roles] });
    }
    if (owners.hasSecretPeople(projectId)) {
      unreadable.push({ what: listOf("people", { projectId, projectName: name }), reason: SECRET_MEMBERS });
      continue;
    }
    const owned = owners.peopleOwned(projectId, members);
    for (const person of members) {
      const { username, status } = person;
      if (status !== "indirect") people.total += 1;
      const roles = [...person.roles].sort(inOrder);
      if (owned.has(person)) people.managed += 1;
      else unmanaged.people.push({ projectId, projectName: name, username, status, roles });
    }
  }
  unmanaged.organizations.push({
    orgId,
    projects,
    people,
    ...(teams.total > 0 && { teams }),
    ...(teamPeople && { teamPeople }),
  });
}

// Options of the search for unmanaged objects, for all stacks of a run: each service is read once.

interface UnmanagedOptions {
  /** States by the stack's name; `undefined` if the state could not be read. */
  readonly states: ReadonlyMap<string, StackState | undefined>;
  readonly orgIds: readonly string[];
}

/** `unmanaged` is absent if the owned objects are unknown. */
type UnmanagedOfStacks = Partial<UnmanagedResult> & Pick<UnmanagedResult, "unreadable">;

/**
 * Finds the unmanaged objects of all stacks. Services are identified by their addresses. Several
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
  { states, orgIds }: UnmanagedOptions,
): Promise<UnmanagedOfStacks> {
  const unknown = [...states].filter(([, state]) => state === undefined).map(([stack]) => stack);
  if (unknown.length > 0) {
    // Everything that such a stack owns would be reported as unmanaged.
    const reason = `The state of ${unknown.join(", ")} could not be read, so the owned objects are unknown.`;
    return { unreadable: [{ what: "unmanaged", reason }] };
  }
  const services = new Map<string, { settings: Settings; states: StackState[] }>();
  const unreadable: UnreadableThing[] = [];
  for (const [stack, state] of states) {
    const settings = await settingsOf(terminal, stack);
    if (typeof settings === "string") {
      unreadable.push({ what: `settings of stack ${stack}`, reason: settings, stack });
    } else if (state !== undefined) {
      const address = `${settings.origin}${settings.pathPrefix}`;
      const service = services.get(address) ?? { settings, states: [] };
      service.states.push(state);
      services.set(address, service);
    }
  }
  if (unreadable.length > 0) return { unreadable };
  if (orgIds.length > 0 && services.size > 1) {
    const reason = `The stacks belong to several services (${[...services.keys()].join(", ")}), and the service of --org is unknown. Run the command once for each service.`;
    return { unreadable: [{ what: "unmanaged", reason }] };
  }
  const result = nothingFound(unreadable);
  for (const { settings, states: stacks } of services.values()) {
    await withClient(settings, terminal, (client) =>
      findUnmanaged({ stacks, client, orgIds, signal: terminal.stop, terminal }, result),
    );
  }
  return result;
}

async function settingsOf(terminal: Terminal, stack: string): Promise<Settings | string> {
  try {
    return (await readCommandSettings(terminal, stack)).settings;
  } catch (error) {
    if (!(error instanceof OpsManagerError) || terminal.stop.aborted) throw error;
    return messageOf(error);
  }
}
