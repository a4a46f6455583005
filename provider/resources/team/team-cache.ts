/** The teams of projects and organizations, read once for several resources where that is safe. */
import type { ApiClient } from "../../api/client";
import {
  listTeams,
  listTeamsOfProject,
  type TeamInProjectResponse,
  type TeamResponse,
} from "../../api/teams";
import { listUsersOfOrganization, type UserResponse } from "../../api/users";
import { orRefusal, type Refusal } from "../refusal";
import { SharedReads } from "../shared-reads";
import { inOrder } from "../values";

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
  /** The accounts of an organization. */
  readonly usersOfOrganization: SharedReads<readonly UserResponse[] | Refusal>;

  /**
   * @param maxAgeSeconds largest age of a response that readers share; 0: only a read in progress
   */
  constructor(client: ApiClient, maxAgeSeconds: number) {
    const shared = <T>(load: (id: string, signal: AbortSignal) => Promise<T>) =>
      new SharedReads<T | Refusal>((id, signal) => orRefusal(load(id, signal)), maxAgeSeconds);
    this.ofProject = shared(async (id, signal) => toEntries(await listTeamsOfProject(client, id, signal)));
    this.ofOrganization = shared((id, signal) => listTeams(client, id, signal));
    this.usersOfOrganization = shared((id, signal) => listUsersOfOrganization(client, id, signal));
  }

  forget(): void {
    this.ofProject.forget();
    this.ofOrganization.forget();
    this.usersOfOrganization.forget();
  }
}

/** Each team once, with its roles in one order. */
export function toEntries(responses: readonly TeamInProjectResponse[]): ProjectTeamEntry[] {
  const byId = new Map(responses.map((response) => [response.teamId, response.roleNames]));
  return [...byId].map(([teamId, roleNames]) => ({ teamId, roles: [...new Set(roleNames)].sort(inOrder) }));
}
