/** The teams of projects and organizations, read once for several resources where that is safe. */

import {
  listTeams,
  listTeamsOfProject,
  type TeamInProjectResponse,
  type TeamResponse,
} from "../../api/teams";
import type { Configured } from "../contract/session";
import { inOrder } from "../contract/values";
import { orRefusal, type Refusal } from "../evidence/refusal";
import { SharedReads } from "../session/shared-reads";

/** A team in a project. */
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
