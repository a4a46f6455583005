/**
 * Lets resources of one project that are written at the same time share the read before their
 * writes.
 */
import { pauseUnlessCanceled } from "../session/pause";

/**
 * How long reads of a project are apart. The engine starts resources 20 to 50 milliseconds apart
 * (measured).
 */
const MILLISECONDS = 250;
/** So many resources never wait. */
const FREE = 4;

/**
 * The operations of one project that are under way.
 *
 * The engine runs a limited number at a time. When as many wait as have ever been under way, no
 * other can come, and they all continue at once.
 */
export class Gathering {
  #begun = 0;
  #underWay = 0;
  #most = 0;
  #waiting = 0;
  #all = new AbortController();

  /** Counts an operation from its start to its end. */
  async during<T>(operation: () => Promise<T>): Promise<T> {
    this.#begun += 1;
    this.#underWay += 1;
    this.#most = Math.max(this.#most, this.#underWay);
    try {
      return await operation();
    } finally {
      this.#underWay -= 1;
    }
  }

  /**
   * Waits for others, inside `during`.
   *
   * @param age milliseconds since the latest read of the project began
   */
  async wait(age: number, signal: AbortSignal): Promise<void> {
    if (this.#begun <= FREE || age >= MILLISECONDS) return;
    this.#waiting += 1;
    if (this.#waiting >= Math.max(this.#most, FREE)) {
      this.#all.abort();
      this.#all = new AbortController();
    } else {
      await pauseUnlessCanceled(MILLISECONDS - age, AbortSignal.any([signal, this.#all.signal]));
    }
    this.#waiting -= 1;
  }
}
