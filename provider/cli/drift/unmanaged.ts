/** `--unmanaged`: what the organizations hold that no resource of the given stacks owns. */
import type { ApiClient } from "../../api/client";
import { CancelledError, messageOf, OpsManagerError } from "../../errors";
import { inOrder } from "../../resources/values";
import { withClient } from "../connection";
import {
  type LivePerson,
  type LiveProject,
  readPeople,
  readProjects,
  type Unreadable,
} from "../organization";
import { startProgress } from "../progress";
import { type CommandSettings, readCommandSettings } from "../settings";
import type { Terminal } from "../terminal";
import { type OwnedResource, ownership } from "./ownership";
import type { Unmanaged, UnreadableThing } from "./report";
import type { StackState } from "./stacks";

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
  for (const orgId of orgIds) answers.push(await readOrganization(orgId, owners, request));
  return combined(answers);
}

/** One report of several looks, such as at several services. */
export function combined(answers: readonly UnmanagedAnswer[]): UnmanagedAnswer {
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

async function readOrganization(
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
    const projectPeople = projects.map((project) => ({
      project,
      people: people.get(project.projectId) ?? [],
    }));
    return {
      unmanaged: inOrganization(orgId, projectPeople, owners),
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

interface PeopleOfProject {
  readonly project: LiveProject;
  readonly people: readonly LivePerson[];
}

function inOrganization(orgId: string, projectPeople: readonly PeopleOfProject[], owners: Owners): Unmanaged {
  const unmanagedProjects = projectPeople.filter(({ project }) => !owners.ownsProject(project.projectId));
  // Of whom the state does not show that they are declared, nothing is claimed.
  const shown = projectPeople.filter(
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
        projects: { total: projectPeople.length, managed: projectPeople.length - unmanagedProjects.length },
        people: { total: direct.length, managed },
      },
    ],
    projects: unmanagedProjects.map(({ project: { projectId, name } }) => ({ orgId, projectId, name })),
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

// The look at what nobody owns, for all stacks of a run: at each service once.

interface UnmanagedOptions {
  /** By name; `undefined` where the state could not be had. */
  readonly states: ReadonlyMap<string, StackState | undefined>;
  readonly orgIds: readonly string[];
}

interface Service {
  readonly settings: CommandSettings["settings"];
  readonly states: StackState[];
}

/** Without `unmanaged` where nobody can say what is owned. */
type UnmanagedOfStacks = Partial<UnmanagedAnswer> & Pick<UnmanagedAnswer, "unreadable">;

/**
 * Services are told apart by their addresses: two stacks of one service own things together, and the settings of the first of them
 * are used for the look.
 *
 * @throws CancelledError
 */
export async function findUnmanagedOfStacks(
  terminal: Terminal,
  options: UnmanagedOptions,
): Promise<UnmanagedOfStacks> {
  try {
    return await findByService(terminal, options);
  } catch (error) {
    throw terminal.stop.aborted ? new CancelledError("Stopped; no report was written.") : error;
  }
}

async function findByService(
  terminal: Terminal,
  { states, orgIds }: UnmanagedOptions,
): Promise<UnmanagedOfStacks> {
  const unknown = [...states].filter(([, state]) => state === undefined).map(([stack]) => stack);
  if (unknown.length > 0) {
    // Everything that such a stack owns would look like owned by nobody.
    const reason = `The state of ${unknown.join(", ")} could not be read, so nobody knows what is owned.`;
    return { unreadable: [{ what: "unmanaged", reason }] };
  }
  const services = new Map<string, Service>();
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
    const reason = `The stacks belong to several services (${[...services.keys()].join(", ")}), and --org does not say which it is of. Run the command once for each service.`;
    return { unreadable: [{ what: "unmanaged", reason }] };
  }
  const answers: UnmanagedAnswer[] = [];
  for (const { settings, states: own } of services.values()) {
    const answer = withClient(settings, terminal, (client) =>
      findUnmanaged({ stacks: own, client, orgIds, signal: terminal.stop, terminal }),
    );
    answers.push(await answer);
  }
  return combined(answers);
}

async function settingsOf(terminal: Terminal, stack: string): Promise<Service["settings"] | string> {
  try {
    return (await readCommandSettings(terminal, stack)).settings;
  } catch (error) {
    if (!(error instanceof OpsManagerError) || terminal.stop.aborted) throw error;
    return messageOf(error);
  }
}
