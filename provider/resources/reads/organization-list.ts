/** Pages of an organization's list of projects, which replace requests for single projects. */
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
  readonly names: ReadonlySet<string>;
  readonly hasNext: boolean;
}

/**
 * So many projects of an organization are read or searched singly, so that a small stack reads no
 * list.
 */
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
  /** IDs and names of the projects that callers needed. */
  readonly #wanted = new Set<string>();
  #requests = 0;
  #isUnreadable = false;
  /**
   * The page that was not read yet; `undefined` after the last one, or if the entries lack a field
   * that readers need.
   */
  #next: number | undefined = 1;

  constructor(client: ApiClient, orgId: string, maxAgeSeconds: number) {
    this.#pages = new SharedReads(async (key, signal) => {
      const number = Number(key);
      const begun = performance.now();
      const { entries, hasNext } = await pageOfProjects(client, orgId, number, signal);
      const own = entries.filter((entry) => entry.orgId === orgId);
      this.#learn(number, own, hasNext);
      const names = new Set(own.map(({ name }) => name));
      return { number, begun, entries: new Map(own.map((entry) => [entry.id, entry])), names, hasNext };
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

  /**
   * Whether no project of the organization has the name, by pages that are at most `maxAgeSeconds`
   * old. Another program may use the name since then, so a write cannot depend on it.
   *
   * @returns false also if the list does not decide
   */
  async lacksName(name: string, signal: AbortSignal): Promise<boolean> {
    this.#wanted.add(`name ${name}`);
    if (this.#wanted.size <= SINGLE_READS) return false;
    for (let number = 1; ; number += 1) {
      const page = await this.#page(number, signal);
      if (page === undefined || page.names.has(name)) return false;
      if (!page.hasNext) return true;
    }
  }

  /** The page that has the project, or may have it. */
  async #pageFor(projectId: string, signal: AbortSignal): Promise<ProjectPage | undefined> {
    const number = this.#pageNumbers.get(projectId) ?? this.#next;
    return number === undefined ? undefined : this.#page(number, signal);
  }

  /** @returns `undefined` if the page would be one request too many, or cannot be read */
  async #page(number: number, signal: AbortSignal): Promise<ProjectPage | undefined> {
    if (this.#isUnreadable) return undefined;
    const key = String(number);
    if (!this.#pages.has(key)) {
      if (this.#requests >= this.#wanted.size) return undefined;
      this.#requests += 1;
    }
    try {
      return await this.#pages.shared(key, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      // The key may not read the list, or the service does not offer it. A request for the one
      // project decides.
      this.#isUnreadable = true;
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
