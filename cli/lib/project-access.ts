/** Reads who and what has roles in the projects of an organization. */
import type { ApiClient } from "../../provider/api/client";
import {
  type LiveKey,
  type LiveTeam,
  type PersonWithInvitations,
  type ProjectOutput,
  readKeys,
  readPeople,
  readTeams,
  type UnreadableList,
} from "./organization";
import { withProgress } from "./progress";
import type { Terminal } from "./terminal";

/** What could not be read, and why. */
export interface Unread {
  readonly what: string;
  readonly reason: string;
}

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

interface ProjectAccessResult {
  readonly projects: readonly ProjectAccess[];
  readonly unreadable: readonly UnreadableList[];
  /** What a gateway may have hidden. */
  readonly inDoubt: readonly Unread[];
  /** Operations that the service does not offer, so there is nothing that they would list. */
  readonly notOffered: readonly string[];
}

/**
 * Reads the people, the teams and the API keys of each project, as many at once as the settings
 * allow.
 *
 * @throws the reason with which `signal` was aborted
 */
export function readProjectAccess({
  client,
  orgId,
  projects,
  includeIndirect,
  signal,
  terminal,
}: ProjectAccessRequest): Promise<ProjectAccessResult> {
  return withProgress(terminal, `projects of organization ${orgId} read`, async (report) => {
    const onProgress = (done: number) => report(done, projects.length);
    const people = await readPeople(client, projects, { includeIndirect, signal, onProgress });
    const teams = await readTeams(client, projects, { signal });
    const keys = await readKeys(client, projects, { signal });
    return {
      projects: projects.map((project) => ({
        ...project,
        people: people.found.get(project.projectId),
        teams: teams.found.get(project.projectId),
        keys: keys.found.get(project.projectId),
      })),
      unreadable: [people, teams, keys].flatMap((lists) => lists.unreadable),
      inDoubt: invitationsUnknown(orgId, people.inDoubt),
      notOffered: [
        ...(people.isOffered ? [] : ["invitations to projects"]),
        ...(teams.isOffered ? [] : ["teams in projects"]),
        ...(keys.isOffered ? [] : ["API keys in projects"]),
      ],
    };
  });
}

/** A list of a project that could not be read, as reports contain it. */
export function unreadList({ what, reason, ...project }: UnreadableList<string>): Unread {
  return { what: listOf(what, project), reason };
}

/** How messages name a list of a project: `people of project payments (5f…)` */
export function listOf(
  what: string,
  { projectId, projectName }: Pick<UnreadableList, "projectId" | "projectName">,
): string {
  return `${what} of project ${projectName} (${projectId})`;
}

/** One entry for all projects, because a gateway usually returns the same for all. */
function invitationsUnknown(orgId: string, [first, ...others]: readonly UnreadableList[]): Unread[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const reason = `The response for project ${first.projectName} (${first.projectId})${more} means that the service does not offer invitations. A gateway may return the same. Check the proxies and gateways in front of the service. (${first.reason})`;
  return [{ what: `pending invitations in organization ${orgId}`, reason }];
}
