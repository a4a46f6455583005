/**
 * Keeps some writes of a project or an API key apart from all its others.
 *
 * The service protects the last owner of a project, and an owner may be a person or a team. A change of a key is
 * compared with the key before it. If such writes crossed each other, the result would depend on chance. Writes of
 * people, and those of a key's roles in projects, run side by side.
 */
export class Writes {
  /** Writes under way that allow others beside them, by the ID of the project or key. */
  readonly #beside = new Map<string, Set<Promise<unknown>>>();
  /** The write under way that allows none, by the ID. */
  readonly #apart = new Map<string, Promise<unknown>>();

  /**
   * Runs a write beside others of its kind. It waits for one that runs apart, and may contain further
   * writes.
   */
  async beside<T>(id: string, write: () => Promise<T>): Promise<T> {
    for (;;) {
      const apart = this.#apart.get(id);
      if (apart === undefined) break;
      await Promise.allSettled([apart]);
    }
    const writes = this.#beside.get(id) ?? new Set();
    this.#beside.set(id, writes);
    const result = write();
    writes.add(result);
    try {
      return await result;
    } finally {
      writes.delete(result);
      if (writes.size === 0) this.#beside.delete(id);
    }
  }

  /** Runs a write that waits for all others of the project or key. */
  async apart<T>(id: string, write: () => Promise<T>): Promise<T> {
    for (;;) {
      const apart = this.#apart.get(id);
      const others = [...(this.#beside.get(id) ?? []), ...(apart ? [apart] : [])];
      if (others.length === 0) break;
      await Promise.allSettled(others);
    }
    const result = write();
    this.#apart.set(id, result);
    try {
      return await result;
    } finally {
      this.#apart.delete(id);
    }
  }
}
