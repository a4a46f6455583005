/**
 * Keeps the write of a team in a project apart from all other writes of who has access to it.
 *
 * The service protects the last owner of a project, and an owner may be a person or a team. If such
 * writes crossed each other, its response would depend on chance. Writes of people go on side by
 * side.
 */
export class ProjectWrites {
  /** Writes of people that are under way, by project. */
  readonly #people = new Map<string, Set<Promise<unknown>>>();
  /** The write of a team that is under way, by project. */
  readonly #team = new Map<string, Promise<unknown>>();

  /**
   * Runs a write of a person. It waits for a write of a team and runs beside writes of other people.
   * It may contain further writes.
   */
  async ofPerson<T>(projectId: string, write: () => Promise<T>): Promise<T> {
    for (;;) {
      const team = this.#team.get(projectId);
      if (team === undefined) break;
      await Promise.allSettled([team]);
    }
    const writes = this.#people.get(projectId) ?? new Set();
    this.#people.set(projectId, writes);
    const result = write();
    writes.add(result);
    try {
      return await result;
    } finally {
      writes.delete(result);
      if (writes.size === 0) this.#people.delete(projectId);
    }
  }

  /** Runs a write of a team. It waits for all other writes of the project. */
  async ofTeam<T>(projectId: string, write: () => Promise<T>): Promise<T> {
    for (;;) {
      const team = this.#team.get(projectId);
      const others = [...(this.#people.get(projectId) ?? []), ...(team ? [team] : [])];
      if (others.length === 0) break;
      await Promise.allSettled(others);
    }
    const result = write();
    this.#team.set(projectId, result);
    try {
      return await result;
    } finally {
      this.#team.delete(projectId);
    }
  }
}
