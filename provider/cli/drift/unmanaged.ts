/** `--unmanaged`: what the organizations hold that no resource of the given stacks owns. */
import type { ApiClient } from "../../api/client";
import { messageOf } from "../../errors";
import { inOrder } from "../../resources/values";
import {
  type LivePerson,
  type LiveProject,
  readPeople,
  readProjects,
  type Unreadable,
} from "../organization";
import { startProgress } from "../progress";
import type { Terminal } from "../terminal";
import { type OwnedResource, ownership } from "./ownership";
import type { Unmanaged, UnreadableThing } from "./report";

interface UnmanagedRequest {
  /** As `pulumi stack export` has them, of either door. */
  readonly stacks: readonly { readonly resources: readonly OwnedResource[] }[];
  readonly client: ApiClient;
  /** Organizations to look at besides those in which an owned resource lives. */
  readonly orgIds?: readonly string[];
  readonly signal: AbortSignal;
  readonly terminal: Pick<Terminal, "stderr" | "isWatched">;
}

export interface UnmanagedAnswer {
  readonly unmanaged: Unmanaged;
  readonly unreadable: readonly UnreadableThing[];
}

type Owners = ReturnType<typeof ownership>;

/**
 * Reads every project of the organizations and everybody in them. A list that cannot be read is told as unreadable, and what is in
 * it counts neither as managed nor as unmanaged.
 *
 * @throws whatever `signal` was aborted with
 */
export async function findUnmanaged(request: UnmanagedRequest): Promise<UnmanagedAnswer> {
  const owners = ownership(request.stacks.flatMap(({ resources }) => resources));
  const orgIds = [
    ...new Set([...owners.orgIds, ...(request.orgIds ?? []).map((id) => id.toLowerCase())]),
  ].sort();
  if (orgIds.length === 0) {
    const reason =
      "No resource of the given stacks records the organization that it lives in. Name the organization with --org.";
    return { unmanaged: nothing(), unreadable: [{ what: "organizations", reason }] };
  }
  const answers: UnmanagedAnswer[] = [];
  for (const orgId of orgIds) answers.push(await lookAt(orgId, owners, request));
  return together(answers);
}

/** One report of several looks, such as at several services. */
export function together(answers: readonly UnmanagedAnswer[]): UnmanagedAnswer {
  const all = answers.map(({ unmanaged }) => unmanaged);
  return {
    unmanaged: {
      organizations: all.flatMap(({ organizations }) => organizations),
      projects: all.flatMap(({ projects }) => projects),
      people: all.flatMap(({ people }) => people),
    },
    unreadable: answers.flatMap(({ unreadable }) => unreadable),
  };
}

async function lookAt(
  orgId: string,
  owners: Owners,
  { client, signal, terminal }: UnmanagedRequest,
): Promise<UnmanagedAnswer> {
  const projects = await readProjects(client, { orgId, signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    return messageOf(error);
  });
  if (typeof projects === "string") {
    return {
      unmanaged: nothing(),
      unreadable: [{ what: `projects of organization ${orgId}`, reason: projects }],
    };
  }
  const progress = startProgress(terminal, `projects of organization ${orgId} read`);
  try {
    const onProgress = (done: number) => progress.report(done, projects.length);
    const { people, unreadable, invitationsInDoubt } = await readPeople(client, projects, {
      includeIndirect: true,
      signal,
      onProgress,
    });
    const peopleCache = projects.map((project) => ({ project, people: people.get(project.projectId) ?? [] }));
    return {
      unmanaged: inOrganization(orgId, peopleCache, owners),
      unreadable: [
        ...unreadable.map(({ projectId, projectName, reason }) => ({
          what: `people of project ${projectName} (${projectId})`,
          reason,
        })),
        ...invitationsUnknown(orgId, invitationsInDoubt),
        ...secretLists(projects, owners),
      ],
    };
  } finally {
    progress.end();
  }
}

/** One entry for all projects, because a gateway usually answers the same for all. */
function invitationsUnknown(orgId: string, [first, ...others]: readonly Unreadable[]): UnreadableThing[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const reason = `The answer for project ${first.projectName} (${first.projectId})${more} means that the service does not offer invitations. A gateway may answer the same. Check the proxies and gateways in front of the service. (${first.reason})`;
  return [{ what: `pending invitations in organization ${orgId}`, reason }];
}

function secretLists(projects: readonly LiveProject[], { secretProjects }: Owners): UnreadableThing[] {
  const reason =
    "The program keeps the members of this project secret, so the state does not show whom it declares.";
  return projects
    .filter(({ projectId }) => secretProjects.has(projectId.toLowerCase()))
    .map(({ projectId, name }) => ({ what: `people of project ${name} (${projectId})`, reason }));
}

interface LiveRoster {
  readonly project: LiveProject;
  readonly people: readonly LivePerson[];
}

function inOrganization(orgId: string, peopleCache: readonly LiveRoster[], owners: Owners): Unmanaged {
  const strays = peopleCache.filter(({ project }) => !owners.ownsProject(project.projectId));
  // Of whom the state does not show that they are declared, nothing is claimed.
  const shown = peopleCache.filter(
    ({ project }) => !owners.secretProjects.has(project.projectId.toLowerCase()),
  );
  const people = shown.flatMap(({ project, people: everybody }) => {
    const owned = owners.peopleOwned(project.projectId, everybody);
    return everybody.map((person) => ({ project, person, isOwned: owned.has(person) }));
  });
  const direct = people.filter(({ person }) => person.status !== "indirect");
  const managed = direct.filter(({ isOwned }) => isOwned).length;
  return {
    organizations: [
      {
        orgId,
        projects: { total: peopleCache.length, managed: peopleCache.length - strays.length },
        people: { total: direct.length, managed },
      },
    ],
    projects: strays.map(({ project: { projectId, name } }) => ({ orgId, projectId, name })),
    people: people
      .filter(({ isOwned }) => !isOwned)
      .map(({ project, person: { username, status, roles } }) => ({
        projectId: project.projectId,
        projectName: project.name,
        username,
        status,
        roles: [...roles].sort(inOrder),
      })),
  };
}

function nothing(): Unmanaged {
  return { organizations: [], projects: [], people: [] };
}
