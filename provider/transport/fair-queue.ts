/** Waiting lines that take turns, so that the many calls about one object do not hold up the one about another. */

/** First come, first served within a line; of several lines each gets its turn. */
export class FairQueue<Item> {
  /** In the order of their turns; none is empty. */
  readonly #lines = new Map<string, Set<Item>>();

  get size(): number {
    return [...this.#lines.values()].reduce((sum, line) => sum + line.size, 0);
  }

  push(name: string, item: Item): void {
    const line = this.#lines.get(name);
    if (line) line.add(item);
    else this.#lines.set(name, new Set([item]));
  }

  /** Takes the item whose turn it is. */
  shift(): Item | undefined {
    for (const [name, line] of this.#lines) {
      this.#lines.delete(name);
      for (const item of line) {
        line.delete(item);
        if (line.size > 0) this.#lines.set(name, line);
        return item;
      }
    }
    return undefined;
  }

  /** @returns whether it was still waiting */
  delete(name: string, item: Item): boolean {
    const line = this.#lines.get(name);
    if (!line?.delete(item)) return false;
    if (line.size === 0) this.#lines.delete(name);
    return true;
  }
}
