import type { ApiClient } from "../api/client";
import { listProjectsOfOrganization } from "../api/organizations";
import { getProject, type ProjectAnswer } from "../api/projects";
import { meaningOf } from "./meaning";

/** What this operation has read about projects and organizations, and which projects it deleted. */
export class ProjectCache {
  readonly #idsByOrganization = new Map<string, Promise<ReadonlySet<string>>>();
  readonly #projects = new Map<string, Promise<ProjectAnswer | undefined>>();
  readonly #deleted = new Set<string>();

  constructor(private readonly client: ApiClient) {}

  /**
   * IDs of the organization's projects that this key can see. They are read once per operation, and
   * again after a deletion. A response proves that this service holds the organization.
   */
  async idsIn(orgId: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    return fetchOnce(this.#idsByOrganization, orgId, async () => {
      const projects = await listProjectsOfOrganization(this.client, orgId, undefined, signal);
      return new Set(projects.map(({ id }) => id));
    });
  }

  /**
   * The project's organization, which does not change during an operation, and its name.
   *
   * @returns `undefined` if the service does not show them to this key
   */
  async project(projectId: string, signal: AbortSignal): Promise<ProjectAnswer | undefined> {
    return fetchOnce(this.#projects, projectId, () =>
      getProject(this.client, projectId, signal).catch((error: unknown) => {
        if (meaningOf(error) === "failure") throw error;
        return undefined;
      }),
    );
  }

  /** Discards the project after a change by this process: its name may be another one. */
  projectChanged(projectId: string): void {
    this.#projects.delete(projectId);
  }

  /** Discards the organization's list, which may contain a project that this process deleted. */
  organizationChanged(orgId: string): void {
    this.#idsByOrganization.delete(orgId);
  }

  /** Until a deletion is finished, the service may list the project and reject its name. */
  recordDeletion(projectId: string): void {
    this.#deleted.add(projectId);
  }

  /** Whether the service accepted the deletion of the project in this operation. */
  isDeleted(projectId: string): boolean {
    return this.#deleted.has(projectId);
  }

  forget(): void {
    this.#idsByOrganization.clear();
    this.#projects.clear();
    this.#deleted.clear();
  }
}

/** Callers with the same key share one read. A failed read proves nothing and is discarded. */
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
      // The caller that started the read may have been interrupted. That is not this caller's answer.
    }
  }
  const answer = load();
  answers.set(key, answer);
  answer.catch(() => answers.delete(key));
  return answer;
}
