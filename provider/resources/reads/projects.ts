import type { ApiClient } from "../../api/client";
import { listProjectsOfOrganization } from "../../api/organizations";
import { getProject, type ProjectResponse } from "../../api/projects";
import type { Configured } from "../contract/session";
import { orRefusal, Refusal } from "../evidence/refusal";
import type { ProjectName } from "../session/observations";
import { SharedReads } from "../session/shared-reads";
import { type JudgeEntry, OrganizationList } from "./organization-list";

/**
 * What this operation has read about projects and organizations, and which projects it created and
 * deleted.
 */
export class ProjectCache {
  /**
   * IDs of an organization's projects that this key can see. `shared` reads them once per operation, and again after
   * a deletion. A response proves that this service holds the organization.
   */
  readonly ids: SharedReads<ReadonlySet<string>>;
  readonly #projects: SharedReads<ProjectResponse | Refusal>;
  readonly #lists = new Map<string, OrganizationList>();
  /** When this process last wrote to a project, in milliseconds of its clock. */
  readonly #written = new Map<string, number>();
  readonly #created = new Set<string>();
  readonly #deleted = new Set<string>();
  /** Number of requests that are deleting a project. */
  #deletions = 0;

  readonly #client: ApiClient;
  readonly #maxAgeSeconds: number;

  constructor({ client, settings }: Configured) {
    this.#client = client;
    this.#maxAgeSeconds = settings.readCacheSeconds;
    this.ids = new SharedReads(async (orgId, signal) => {
      const projects = await listProjectsOfOrganization(client, orgId, undefined, signal);
      return new Set(projects.map(({ id }) => id));
    }, Number.POSITIVE_INFINITY);
    this.#projects = new SharedReads(
      (projectId, signal) => orRefusal(getProject(client, projectId, signal)),
      this.#maxAgeSeconds,
    );
  }

  /**
   * The project for a reader: from a recent read, or from the list of its organization. Both are at
   * most `readCacheSeconds` old, and begun after the operation and this process's last write to the
   * project. Writers read the project themselves.
   *
   * @param orgId the recorded organization, if it is known
   * @param judge decides whether an entry of the list can replace a read of the project
   * @throws the error of the read if the service does not show the project to this key
   */
  async read(
    projectId: string,
    orgId: string | undefined,
    judge: JudgeEntry,
    signal: AbortSignal,
  ): Promise<ProjectResponse> {
    const listed =
      orgId && !this.#projects.has(projectId)
        ? await this.#listOf(orgId).find(projectId, this.#written.get(projectId) ?? 0, judge, signal)
        : undefined;
    const response = listed ?? (await this.#projects.shared(projectId, signal));
    if (response instanceof Refusal) throw response.error;
    return response;
  }

  /**
   * Whether the organization's list, at most `readCacheSeconds` old, shows no project of this name.
   * For previews: a write searches for the name itself.
   *
   * @returns false also if the list does not decide
   */
  async listLacksName({ orgId, name }: ProjectName, signal: AbortSignal): Promise<boolean> {
    return this.#maxAgeSeconds > 0 && this.#listOf(orgId).lacksName(name, signal);
  }

  /** Discards what was read of the project before a change by this process. */
  projectChanged(projectId: string): void {
    this.#written.set(projectId, performance.now());
    this.#projects.written(projectId);
  }

  /**
   * Follows the request that deletes a project. Until the deletion is finished, the service may list
   * the project, reject its name, and count its teams as used.
   */
  async followDeletion(projectId: string, orgId: string, request: Promise<void>): Promise<void> {
    this.#deletions += 1;
    try {
      await request;
      this.projectChanged(projectId);
      this.#deleted.add(projectId);
    } finally {
      this.#deletions -= 1;
      // Also where it fails: that may be the response to a repeated request, whose predecessor has
      // deleted the project.
      this.ids.written(orgId);
    }
  }

  projectCreated(projectId: string): void {
    this.#created.add(projectId);
  }

  /** Whether this operation created the project. */
  isNew(projectId: string): boolean {
    return this.#created.has(projectId);
  }

  /** Whether the service accepted the deletion of the project in this operation. */
  isDeleted(projectId: string): boolean {
    return this.#deleted.has(projectId);
  }

  /** Whether this operation deletes a project, or has deleted one. */
  deletesProjects(): boolean {
    return this.#deletions + this.#deleted.size > 0;
  }

  #listOf(orgId: string): OrganizationList {
    const known = this.#lists.get(orgId);
    if (known) return known;
    const list = new OrganizationList(this.#client, orgId, this.#maxAgeSeconds);
    this.#lists.set(orgId, list);
    return list;
  }
}
