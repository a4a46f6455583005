/** Creates and updates under way, without those that end an access. */
export class Underway {
  readonly #writes = new Map<Promise<unknown>, string>();

  async during<T>(urn: string, write: Promise<T>): Promise<T> {
    const settled = write.then(ignore, ignore).finally(() => this.#writes.delete(settled));
    this.#writes.set(settled, urn);
    return write;
  }

  get isBusy(): boolean {
    return this.#writes.size > 0;
  }

  async settled(): Promise<void> {
    while (this.isBusy) await Promise.all(this.#writes.keys());
  }

  /** The resource has written all but its ends, for which nobody waits. */
  async othersSettled(urn: string): Promise<void> {
    for (const [write, by] of this.#writes) if (by === urn) this.#writes.delete(write);
    await this.settled();
  }
}

function ignore(): void {}
