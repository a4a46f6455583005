/** Operations of which only one may run at a time. */
export class Queues {
  readonly #latest = new Map<string, Promise<unknown>>();

  /**
   * Runs operations with the same words, such as an organization and a project name, one after the
   * other.
   */
  async oneAtATime<T>(words: readonly string[], operation: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(words);
    const before = this.#latest.get(key) ?? Promise.resolve();
    const result = before.then(operation, operation);
    const settled = result.catch(() => undefined);
    this.#latest.set(key, settled);
    try {
      return await result;
    } finally {
      if (this.#latest.get(key) === settled) this.#latest.delete(key);
    }
  }
}
