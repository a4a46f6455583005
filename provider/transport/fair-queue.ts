/** Queues that take turns, so many calls about one object do not delay the calls about another. */

/** Serves first come, first served within a queue key; the queues of several keys take turns. */
export class FairQueue<Item> {
  /** The queues in the order of their turns; none is empty. */
  readonly #queues = new Map<string, Set<Item>>();

  get size(): number {
    return [...this.#queues.values()].reduce((sum, queue) => sum + queue.size, 0);
  }

  push(key: string, item: Item): void {
    const queue = this.#queues.get(key);
    if (queue) queue.add(item);
    else this.#queues.set(key, new Set([item]));
  }

  /** Removes and returns the item whose turn it is. */
  shift(): Item | undefined {
    for (const [key, queue] of this.#queues) {
      this.#queues.delete(key);
      for (const item of queue) {
        queue.delete(item);
        if (queue.size > 0) this.#queues.set(key, queue);
        return item;
      }
    }
    return undefined;
  }

  /** @returns whether the item was still waiting */
  delete(key: string, item: Item): boolean {
    const queue = this.#queues.get(key);
    if (!queue?.delete(item)) return false;
    if (queue.size === 0) this.#queues.delete(key);
    return true;
  }
}
