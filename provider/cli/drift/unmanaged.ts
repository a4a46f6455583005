/**
 * `--unmanaged`: finds the objects of the organizations that no resource of the given stacks owns.
 */
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
  /** The resources in the form of `pulumi stack export`, of either provider. */
  readonly stacks: readonly { readonly resources: readonly OwnedResource[] }[];
  readonly client: ApiClient;
  /** Organizations to read in addition to those of owned resources. */
  readonly orgIds?: readonly string[];
  readonly signal: AbortSignal;
  readonly terminal: Pick<Terminal, "stderr" | "isWatched">;
}

interface UnmanagedAnswer {
  readonly unmanaged: Unmanaged;
  readonly unreadable: readonly UnreadableThing[];
}

type Owners = ReturnType<typeof ownership>;

/**
 * Reads every project of the organizations and all of their people. A list that cannot be read is
 * reported as unreadable. Its content counts neither as managed nor as unmanaged.
 *
 * @throws the reason with which `signal` was aborted
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

/** Combines several answers into one, such as those of several services. */
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
  // People whose declaration the state does not show are left out.
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

// Options of the search for unmanaged objects, for all stacks of a run: each service is read once.

interface UnmanagedOptions {
  /** States by the stack's name; `undefined` if the state could not be read. */
  readonly states: ReadonlyMap<string, StackState | undefined>;
  readonly orgIds: readonly string[];
}

interface Service {
  readonly settings: CommandSettings["settings"];
  readonly states: StackState[];
}

/** `unmanaged` is absent if the owned objects are unknown. */
type UnmanagedOfStacks = Partial<UnmanagedAnswer> & Pick<UnmanagedAnswer, "unreadable">;

/**
 * Finds the unmanaged objects of all stacks. Services are identified by their addresses. Several
 * stacks of one service own objects together, and the settings of the first of them are used.
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
    // Everything that such a stack owns would seem unmanaged.
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
