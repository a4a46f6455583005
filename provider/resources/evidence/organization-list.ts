/** Pages of an organization's list of projects, which replace reads of single projects. */
import type { ApiClient } from "../../api/client";
import { pageOfProjects } from "../../api/organizations";
import type { ProjectResponse } from "../../api/projects";
import { SharedReads } from "../session/shared-reads";

/**
 * How an entry serves a reader: it has all that the reader needs, it lacks a field, or it differs
 * from what is recorded. In the last two cases the project itself is read.
 */
type EntryVerdict = "sufficient" | "lacking" | "unexpected";

/** @param isShown whether the list shows a value of the field for any project */
export type JudgeEntry = (
  entry: ProjectResponse,
  isShown: (field: keyof ProjectResponse) => boolean,
) => EntryVerdict;

interface ProjectPage {
  readonly number: number;
  /** Milliseconds of the process's clock, when the request began. */
  readonly begun: number;
  readonly entries: ReadonlyMap<string, ProjectResponse>;
}

/** So many projects of an organization are read singly, so that a small stack reads no list. */
const SINGLE_READS = 4;

/**
 * The list of one organization, page by page as it is needed.
 *
 * A page is requested only while fewer pages than projects were. So a small stack in a large
 * organization makes at most twice as many requests as by single reads, and a large one few.
 */
export class OrganizationList {
  readonly #pages: SharedReads<ProjectPage>;
  readonly #pageNumbers = new Map<string, number>();
  readonly #shown = new Set<string>();
  readonly #wanted = new Set<string>();
  #requests = 0;
  /**
   * The page that was not read yet; `undefined` after the last one, or if the list is of no use.
   */
  #next: number | undefined = 1;

  constructor(client: ApiClient, orgId: string, maxAgeSeconds: number) {
    this.#pages = new SharedReads(async (key, signal) => {
      const number = Number(key);
      const begun = performance.now();
      const { entries, hasNext } = await pageOfProjects(client, orgId, number, signal);
      const own = entries.filter((entry) => entry.orgId === orgId);
      this.#learn(number, own, hasNext);
      return { number, begun, entries: new Map(own.map((entry) => [entry.id, entry])) };
    }, maxAgeSeconds);
  }

  /**
   * The entry of a project, if it can replace a read of the project.
   *
   * @param since milliseconds of the process's clock: an older entry is not used
   */
  async find(
    projectId: string,
    since: number,
    judge: JudgeEntry,
    signal: AbortSignal,
  ): Promise<ProjectResponse | undefined> {
    this.#wanted.add(projectId);
    if (this.#wanted.size <= SINGLE_READS) return undefined;
    for (;;) {
      const page = await this.#pageFor(projectId, signal);
      if (page === undefined) return undefined;
      const entry = page.entries.get(projectId);
      if (entry === undefined) {
        if (this.#pageNumbers.get(projectId) !== page.number) continue;
        // The project has left the page since it was read before.
        this.#pageNumbers.delete(projectId);
        return undefined;
      }
      if (page.begun <= since) return undefined;
      const verdict = judge(entry, (field) => this.#shown.has(field));
      // Further pages would lack the field as well.
      if (verdict === "lacking") this.#next = undefined;
      return verdict === "sufficient" ? entry : undefined;
    }
  }

  /** The page that has the project, or may have it. */
  async #pageFor(projectId: string, signal: AbortSignal): Promise<ProjectPage | undefined> {
    const number = this.#pageNumbers.get(projectId) ?? this.#next;
    if (number === undefined) return undefined;
    const key = String(number);
    if (!this.#pages.has(key)) {
      if (this.#requests >= this.#wanted.size) return undefined;
      this.#requests += 1;
    }
    try {
      return await this.#pages.shared(key, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      // The key may not read the list, or the service does not offer it. The read of the project
      // decides.
      this.#next = undefined;
      return undefined;
    }
  }

  #learn(number: number, entries: readonly ProjectResponse[], hasNext: boolean): void {
    for (const entry of entries) {
      this.#pageNumbers.set(entry.id, number);
      // The documented entries have no lists of a project.
      for (const [field, value] of Object.entries(entry))
        if (Array.isArray(value) && value.length > 0) this.#shown.add(field);
    }
    if (this.#next === number) this.#next = hasNext ? number + 1 : undefined;
  }
}
