/** The teams of projects and organizations, read once for several resources where that is safe. */

import {
  listTeams,
  listTeamsOfProject,
  type TeamInProjectResponse,
  type TeamName,
  type TeamResponse,
} from "../../api/teams";
import { messageOf, RefusedError } from "../../text/errors";
import type { Context } from "../contract/resource";
import type { Configured } from "../contract/session";
import { inOrder } from "../contract/values";
import { orRefusal, Refusal } from "../evidence/refusal";
import { type Purpose, SharedReads } from "../session/shared-reads";

export interface ProjectTeamEntry {
  readonly teamId: string;
  /** Sorted. */
  readonly roles: readonly string[];
}

/** What this operation has read about teams. All lists are complete, or there is a refusal. */
export class TeamCache {
  readonly ofProject: SharedReads<readonly ProjectTeamEntry[] | Refusal>;
  /** The teams that the API key can see. */
  readonly ofOrganization: SharedReads<readonly TeamResponse[] | Refusal>;

  constructor({ client, settings }: Configured) {
    const shared = <T>(load: (id: string, signal: AbortSignal) => Promise<T>) =>
      new SharedReads<T | Refusal>((id, signal) => orRefusal(load(id, signal)), settings.readCacheSeconds);
    this.ofProject = shared(async (id, signal) => toEntries(await listTeamsOfProject(client, id, signal)));
    this.ofOrganization = shared((id, signal) => listTeams(client, id, signal));
  }
}

/** Each team once, with its roles in one order. */
export function toEntries(responses: readonly TeamInProjectResponse[]): ProjectTeamEntry[] {
  const byId = new Map(responses.map((response) => [response.teamId, response.roleNames]));
  return [...byId].map(([teamId, roleNames]) => ({ teamId, roles: [...new Set(roleNames)].sort(inOrder) }));
}

interface NamedTeam extends ProjectTeamEntry {
  /** Absent if the service does not show it to the API key. */
  readonly name?: string | undefined;
}

/**
 * The teams of a project, sorted by name, then by ID. Their names come from the list of the
 * organization, if the API key can read it.
 */
export async function namedTeamsOfProject(
  { projectId, orgId }: { readonly projectId: string; readonly orgId: string | undefined },
  { session, signal }: Pick<Context, "session" | "signal">,
): Promise<NamedTeam[]> {
  const [entries, names] = await Promise.all([
    listTeamsOfProject(session.client, projectId, signal).then(toEntries),
    orgId === undefined ? [] : session.of(TeamCache).ofOrganization.shared(orgId, signal),
  ]);
  const byId = new Map(names instanceof Refusal ? [] : names.map(({ id, name }) => [id, name]));
  return entries
    .map(({ teamId, roles }): NamedTeam => ({ teamId, name: byId.get(teamId), roles }))
    .sort((one, other) => inOrder(one.name ?? "", other.name ?? "") || inOrder(one.teamId, other.teamId));
}

/**
 * The team's name, for messages and outputs.
 *
 * @returns `undefined` if the API key does not see the team, or the organization is not known
 */
export async function nameOfTeam(
  teamId: string,
  orgId: string | undefined,
  { session, signal }: Context,
): Promise<string | undefined> {
  if (orgId === undefined) return undefined;
  const teams = await session.of(TeamCache).ofOrganization.shared(orgId, signal);
  return teams instanceof Refusal ? undefined : teams.find(({ id }) => id === teamId)?.name;
}

/**
 * Finds the team of exactly this name. A team may have been created since the list was read, so a
 * list without it is read again.
 *
 * @param purpose for a write, the list is read after this call: another team may have the name since
 * then
 * @throws RefusedError if the API key cannot list the teams
 */
export async function teamNamed(
  name: string,
  orgId: string,
  { session, signal }: Context,
  purpose: Purpose = "reading",
): Promise<TeamResponse | undefined> {
  const { ofOrganization } = session.of(TeamCache);
  const find = (teams: readonly TeamResponse[] | Refusal) => {
    if (!(teams instanceof Refusal)) return teams.find((team) => team.name === name);
    const { error } = teams;
    throw new RefusedError(
      `Team "${name}" cannot be found by name: these credentials cannot list the teams of organization ${orgId}. (${messageOf(error)})`,
      { cause: error },
    );
  };
  const known = purpose === "writing" ? undefined : find(await ofOrganization.shared(orgId, signal));
  return known ?? find(await ofOrganization.fresh(orgId, signal));
}

/** What messages call a team. */
export function named(teamId: string, name: string | undefined): TeamName {
  return { teamId, teamName: name ?? teamId };
}
