/** What one configured provider remembers while its process lives. Nothing here is global. */
import type { ApiClient } from "../api/client";
import { listProjectsOfOrganization } from "../api/organizations";
import { getProject, type ProjectAnswer } from "../api/projects";
import { meaningOf } from "./meaning";
import { ProjectPeopleCache } from "./membership/project-people-cache";
import type { Properties } from "./values";

/** A look at an object: Read and Diff leave it, Check and Create of the same URN use it. */
export interface Observation {
  readonly id: string;
  readonly origin: string;
  /** Organizations and names that it was declared or found under: a change by hand makes it no other object. */
  readonly orgIds: readonly string[];
  readonly names: readonly string[];
  /** What is recorded of people who have been seen to be there: a replacement knows them by it. */
  readonly recorded?: Properties;
}

export interface SessionSettings {
  /** Replies ask the engine to read the object again before the next plain preview or up. */
  readonly refreshBeforeUpdate: boolean;
  /** How old an answer may be that the reads of a refresh share. */
  readonly readCacheSeconds: number;
  /** How many people all resources together may remove in one operation. */
  readonly maxRemovalsPerRun: number;
}

export class Session {
  /** Objects that this operation's program declares as a resource's own, with the URN that does. */
  readonly #owners = new Map<string, string>();
  readonly #observations = new Map<string, Observation>();
  readonly #organizations = new Map<string, Promise<ReadonlySet<string>>>();
  readonly #projects = new Map<string, Promise<ProjectAnswer | undefined>>();
  readonly #queues = new Map<string, Promise<unknown>>();
  #removals = 0;
  /** Projects whose deletion this operation has had accepted. */
  readonly #deletedProjects = new Set<string>();
  /** The people of each project. */
  readonly peopleCache: ProjectPeopleCache;

  constructor(
    readonly client: ApiClient,
    readonly settings: SessionSettings,
  ) {
    this.peopleCache = new ProjectPeopleCache(client, settings.readCacheSeconds);
  }

  /**
   * Remembers that a resource declares this object as its own, so that no Delete of the same operation takes it away
   * under another name.
   *
   * @returns the URN that had declared it before, if it is another one
   */
  claim(object: string, urn: string): string | undefined {
    const owner = this.#owners.get(object);
    this.#owners.set(object, urn);
    return owner === urn ? undefined : owner;
  }

  ownerOf(object: string): string | undefined {
    return this.#owners.get(object);
  }

  recordObservation(urn: string, observation: Observation): void {
    const before = this.#observations.get(urn);
    const same = before?.id === observation.id ? before : undefined;
    this.#observations.set(urn, {
      ...observation,
      orgIds: [...(same?.orgIds ?? []), ...observation.orgIds],
      names: [...(same?.names ?? []), ...observation.names],
    });
  }

  lastObservation(urn: string): Observation | undefined {
    return this.#observations.get(urn);
  }

  /** Everything that this operation has seen, whoever holds it. */
  observations(): Iterable<Observation> {
    return this.#observations.values();
  }

  /** The resource that this operation has seen to hold the object, if it is another one than `urn`. */
  otherHolderOf(id: string, urn: string): string | undefined {
    return [...this.#observations].find(
      ([holder, observation]) => holder !== urn && observation.id === id,
    )?.[0];
  }

  /** How a project came into this stack, where this operation has seen the Project resource that declares it. */
  originOf(projectId: string): string | undefined {
    return [...this.#observations.values()].find(({ id }) => id === projectId)?.origin;
  }

  /** The object that this URN was last seen to hold, if it was declared or found under this organization and name. */
  observationUnder(urn: string, orgId: unknown, name: unknown): Observation | undefined {
    const seen = this.#observations.get(urn);
    return seen?.orgIds.some((known) => known === orgId) && seen.names.some((known) => known === name)
      ? seen
      : undefined;
  }

  /**
   * Ids of the organization's projects that this key can see. They are read once per operation, and
   * again after a deletion. A response proves that this service holds the organization.
   */
  async projectIdsOf(orgId: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    return fetchOnce(this.#organizations, orgId, async () => {
      const projects = await listProjectsOfOrganization(this.client, orgId, undefined, signal);
      return new Set(projects.map(({ id }) => id));
    });
  }

  /** This process has changed the project, so that its name may be another one. */
  projectChanged(projectId: string): void {
    this.#projects.delete(projectId);
  }

  /** A list that was asked for before this process deleted a project of the organization may still name it. */
  projectDeleted(orgId: string): void {
    this.#organizations.delete(orgId);
  }

  /** The service may still list the project, and refuse its name, until it has finished the deletion. */
  deletionAccepted(projectId: string): void {
    this.#deletedProjects.add(projectId);
  }

  isDeleted(projectId: string): boolean {
    return this.#deletedProjects.has(projectId);
  }

  /**
   * What does not change while an operation runs: the organization and, for messages and outputs, the name.
   *
   * @returns `undefined` where the service does not tell this key
   */
  async projectFacts(projectId: string, signal: AbortSignal): Promise<ProjectAnswer | undefined> {
    return fetchOnce(this.#projects, projectId, () =>
      getProject(this.client, projectId, signal).catch((error: unknown) => {
        if (meaningOf(error) === "failure") throw error;
        return undefined;
      }),
    );
  }

  /**
   * Counts people who are about to be removed: all of them, or none if the operation would remove too many.
   *
   * @returns why nobody may be removed, as the end of a sentence; `undefined` if they may be
   */
  reserveRemovals(count: number): string | undefined {
    const { maxRemovalsPerRun } = this.settings;
    const wanted = this.#removals + count;
    if (count === 0 || wanted <= maxRemovalsPerRun) {
      this.#removals = wanted;
      return undefined;
    }
    return `this run would remove ${wanted} people from all projects, more than the setting maxRemovalsPerRun (${maxRemovalsPerRun}) allows. To allow it, run: pulumi config set opsmanager:maxRemovalsPerRun ${wanted}. If the run has more removals, set it to their number.`;
  }

  /** Runs operations with the same key one after the other. */
  async oneAtATime<T>(key: string, operation: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(key) ?? Promise.resolve();
    const result = before.then(operation, operation);
    const settled = result.catch(() => undefined);
    this.#queues.set(key, settled);
    try {
      return await result;
    } finally {
      if (this.#queues.get(key) === settled) this.#queues.delete(key);
    }
  }

  /** The operation is over (Configure, Cancel): what the next one declares may be something else. */
  forget(): void {
    this.#owners.clear();
    this.#observations.clear();
    this.#organizations.clear();
    this.#projects.clear();
    this.#removals = 0;
    this.#deletedProjects.clear();
    this.peopleCache.forget();
  }
}

/** A failed look proves nothing and is not remembered. */
async function fetchOnce<T>(
  answers: Map<string, Promise<T>>,
  key: string,
  load: () => Promise<T>,
): Promise<T> {
  const pending = answers.get(key);
  if (pending) {
    try {
      return await pending;
    } catch {
      // Whoever asked may have been interrupted; that is not this caller's answer.
    }
  }
  const answer = load();
  answers.set(key, answer);
  answer.catch(() => answers.delete(key));
  return answer;
}
