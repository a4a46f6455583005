import type { ApiClient } from "../api/client";
import { Claims } from "./claims";
import { ProjectPeopleCache } from "./membership/project-people-cache";
import { ObservationLog } from "./observations";
import { ProjectCache } from "./project-cache";
import { ProjectWrites } from "./project-writes";
import { TeamCache } from "./team/team-cache";

interface SessionSettings {
  /** Whether replies request a read of the object before the next plain preview or up. */
  readonly refreshBeforeUpdate: boolean;
  /** Largest age of a response that the reads of a refresh share. */
  readonly readCacheSeconds: number;
  /** Largest number of people whom all resources together may remove in one operation. */
  readonly maxRemovalsPerRun: number;
}

/** A configured provider: its client, and what the resources of one operation share. */
export class Session {
  readonly claims = new Claims();
  readonly observations = new ObservationLog();
  readonly projectCache: ProjectCache;
  readonly peopleCache: ProjectPeopleCache;
  readonly teamCache: TeamCache;
  readonly projectWrites = new ProjectWrites();
  readonly #queues = new Map<string, Promise<unknown>>();
  #removals = 0;

  constructor(
    readonly client: ApiClient,
    readonly settings: SessionSettings,
  ) {
    this.projectCache = new ProjectCache(client, settings.readCacheSeconds);
    this.peopleCache = new ProjectPeopleCache(client, settings.readCacheSeconds);
    this.teamCache = new TeamCache(client, settings.readCacheSeconds);
  }

  /**
   * Reserves removals: all of them, or none if the operation would remove too many people.
   *
   * @returns why none is allowed, as the end of a sentence; `undefined` if they are allowed
   */
  reserveRemovals(count: number): string | undefined {
    const { maxRemovalsPerRun } = this.settings;
    const wanted = this.#removals + count;
    if (count === 0 || wanted <= maxRemovalsPerRun) {
      this.#removals = wanted;
      return undefined;
    }
    return `this run would remove ${wanted} people from projects and teams, more than the setting maxRemovalsPerRun (${maxRemovalsPerRun}) allows. To allow it, run: pulumi config set opsmanager:maxRemovalsPerRun ${wanted}. If the run has more removals, set it to their number.`;
  }

  /**
   * Runs operations with the same words, such as an organization and a project name, one after the
   * other.
   */
  async oneAtATime<T>(words: readonly string[], operation: () => Promise<T>): Promise<T> {
    const queueKey = JSON.stringify(words);
    const before = this.#queues.get(queueKey) ?? Promise.resolve();
    const result = before.then(operation, operation);
    const settled = result.catch(() => undefined);
    this.#queues.set(queueKey, settled);
    try {
      return await result;
    } finally {
      if (this.#queues.get(queueKey) === settled) this.#queues.delete(queueKey);
    }
  }

  /** Ends the operation (Configure, Cancel): the next one may declare other objects. */
  forget(): void {
    this.claims.forget();
    this.observations.forget();
    this.projectCache.forget();
    this.peopleCache.forget();
    this.teamCache.forget();
    this.#removals = 0;
  }
}
