/** What an organization holds at the service: its projects, and the people in them. */
import type { ApiClient } from "../api/client";
import { listOrganizations } from "../api/organizations";
import { ApiError, messageOf } from "../errors";
import { type ProjectPerson as LivePerson, lookUpProjectMembers } from "../functions/get-project-members";
import { lookUpProjects } from "../functions/get-projects";
import { type LiveProject, readSingly } from "../functions/project-fields";
import { meaningOf } from "../resources/meaning";
import { isRefused } from "../resources/membership/project-people-cache";
import { toLive } from "../resources/project/state";
import { Session } from "../resources/session";

export type { LivePerson, LiveProject };

/** A list of people that could not be read, with the reason. */
export interface Unreadable {
  readonly projectId: string;
  readonly projectName: string;
  readonly reason: string;
}

export interface PeopleOf {
  /** By project id; a project whose people could not be read is missing. */
  readonly people: ReadonlyMap<string, readonly LivePerson[]>;
  readonly unreadable: readonly Unreadable[];
  /**
   * Projects whose answer means that the service does not offer invitations, but may come from a
   * gateway. The answer has no error code of Ops Manager, or the invitations to another project
   * were listed. Their people are in `people`, without pending invitations.
   */
  readonly invitationsInDoubt: readonly Unreadable[];
}

/** A session without cached reads: a command reads each thing once. */
function sessionOf(client: ApiClient): Session {
  return new Session(client, { maxRemovalsPerRun: 0, refreshBeforeUpdate: false, readCacheSeconds: 0 });
}

/**
 * The projects that the key can see, sorted by name, then by id.
 *
 * @param orgId only those of this organization
 */
export async function readProjects(
  client: ApiClient,
  { orgId, signal }: { readonly orgId?: string | undefined; readonly signal: AbortSignal },
): Promise<LiveProject[]> {
  const args = orgId === undefined ? {} : { orgId };
  return lookUpProjects({ args, context: { session: sessionOf(client), signal } });
}

/**
 * Returns a function that reads projects individually if their list may lack fields. The list of
 * one organization is documented without tags and LDAP mappings. Each project is read once. A
 * project that cannot be read remains as it was.
 */
export function completeProjects(
  client: ApiClient,
  { orgId, signal }: { readonly orgId: string | undefined; readonly signal: AbortSignal },
): (projects: readonly LiveProject[]) => Promise<LiveProject[]> {
  const reads = new Map<string, Promise<LiveProject>>();
  const readOnce = (listed: LiveProject): Promise<LiveProject> => {
    if (orgId === undefined || (listed.tags && listed.ldapGroupMappings)) return Promise.resolve(listed);
    const read =
      reads.get(listed.projectId) ??
      readSingly(client, listed.projectId, signal).then((found) => (found ? toLive(found) : listed));
    reads.set(listed.projectId, read);
    return read;
  };
  return (projects) => Promise.all(projects.map(readOnce));
}

/**
 * The projects without those of deleted organizations, which a global key may see for some time.
 * If the organizations cannot be read, all projects.
 */
export async function ofLivingOrganizations(
  client: ApiClient,
  projects: readonly LiveProject[],
  signal: AbortSignal,
): Promise<readonly LiveProject[]> {
  if (new Set(projects.map(({ orgId }) => orgId)).size < 2) return projects;
  const organizations = await listOrganizations(client, signal).catch((error: unknown) => {
    if (meaningOf(error) === "failure") throw error;
    return [];
  });
  const living = new Set(organizations.map(({ id }) => id));
  const found = projects.filter(({ orgId }) => living.has(orgId));
  return found.length > 0 ? found : projects;
}

interface ReadPeopleOptions {
  /** Whether also people who have access only through a team or the organization are read. */
  readonly includeIndirect: boolean;
  readonly signal: AbortSignal;
  /** Called after each project with how many are done. */
  readonly onProgress: (done: number) => void;
}

/**
 * Reads all people of each project, as many lists at once as the settings allow. A rejected list
 * does not stop the others.
 */
export async function readPeople(
  client: ApiClient,
  projects: readonly LiveProject[],
  { includeIndirect, signal, onProgress }: ReadPeopleOptions,
): Promise<PeopleOf> {
  const session = sessionOf(client);
  const people = new Map<string, readonly LivePerson[]>();
  const unreadable: Unreadable[] = [];
  const notOffered: (Unreadable & { readonly error: unknown })[] = [];
  let done = 0;
  const read = async ({ projectId, name }: LiveProject) => {
    try {
      const args = { projectId, includeIndirect };
      const { answer, invitations } = await lookUpProjectMembers({ args, context: { session, signal } });
      people.set(projectId, answer.members);
      if (isRefused(invitations)) {
        const { error } = invitations;
        notOffered.push({ projectId, projectName: name, reason: messageOf(error), error });
      }
    } catch (error) {
      signal.throwIfAborted();
      unreadable.push({ projectId, projectName: name, reason: messageOf(error) });
    }
    done += 1;
    onProgress(done);
  };
  await Promise.all(projects.map(read));
  const isListedElsewhere = people.size > notOffered.length;
  const invitationsInDoubt = notOffered.filter(
    ({ error }) => isListedElsewhere || !(error instanceof ApiError && error.errorCode !== undefined),
  );
  return { people, unreadable, invitationsInDoubt };
}
