/** Reads who and what has roles in the projects of an organization. */
import type { ApiClient } from "../../provider/api/client";
import { Reading, type Unread } from "./access/reading";
import {
  type ListGap,
  type LiveKey,
  type LiveTeam,
  type PersonWithInvitations,
  type ProjectOutput,
  readKeys,
  readPeople,
  readTeams,
} from "./organization";
import { withProgress } from "./progress";
import type { Terminal } from "./terminal";

/** A project and its lists. A list that could not be read is absent. */
export interface ProjectAccess extends ProjectOutput {
  readonly people: readonly PersonWithInvitations[] | undefined;
  readonly teams: readonly LiveTeam[] | undefined;
  readonly keys: readonly LiveKey[] | undefined;
}

interface ProjectAccessRequest {
  readonly client: ApiClient;
  readonly orgId: string;
  readonly projects: readonly ProjectOutput[];
  /** Also people who have access only through a team or the organization. */
  readonly includeIndirect: boolean;
  readonly signal: AbortSignal;
  readonly terminal: Pick<Terminal, "stderr" | "isWatched">;
}

/**
 * Reads the people, the teams and the API keys of each project, as many at once as the settings
 * allow.
 *
 * @throws the reason with which `signal` was aborted
 */
export function readProjectAccess({
  client,
  projects,
  includeIndirect,
  signal,
  orgId,
  terminal,
}: ProjectAccessRequest): Promise<Reading<readonly ProjectAccess[], ListGap>> {
  return withProgress(terminal, `projects of organization ${orgId} read`, async (report) => {
    const onProgress = (done: number) => report(done, projects.length);
    const gaps: ListGap[] = [];
    const note = (gap: ListGap) => gaps.push(gap);
    const people = (await readPeople(client, projects, { includeIndirect, signal, onProgress })).take(note);
    const teams = (await readTeams(client, projects, { signal })).take(note);
    const keys = (await readKeys(client, projects, { signal })).take(note);
    const all = projects.map((project) => ({
      ...project,
      people: people.get(project.projectId),
      teams: teams.get(project.projectId),
      keys: keys.get(project.projectId),
    }));
    return new Reading(all, gaps);
  });
}

/** What lists of projects in doubt leave unknown: one entry, because a gateway usually returns the same for all. */
export function inDoubt(orgId: string, gaps: readonly ListGap[]): Unread[] {
  const [first, ...others] = gaps.filter(({ why }) => why === "in doubt");
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const reason = `The response for project ${first.projectName} (${first.projectId})${more} means that the service does not offer invitations. A gateway may return the same. Check the proxies and gateways in front of the service. (${first.reason})`;
  return [{ what: `pending invitations in organization ${orgId}`, reason }];
}

/** A list of a project that could not be read, as reports contain it. */
export function unreadList({ what, reason, ...project }: ListGap<string>): Unread {
  return { what: listOf(what, project), reason };
}

/** How messages name a list of a project: `people of project payments (5f…)` */
export function listOf(
  what: string,
  { projectId, projectName }: Pick<ListGap, "projectId" | "projectName">,
): string {
  return `${what} of project ${projectName} (${projectId})`;
}
