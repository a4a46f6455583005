import type { Clock } from "../../../provider/transport/clock";
import { interruption } from "../../../provider/transport/interruption";
import { settled } from "./fake-wire";

/** Time that passes only while code waits for it, and then at once. */
export class FakeClock implements Clock {
  /** Milliseconds of each wait, in order. */
  readonly waits: number[] = [];
  #now = 0;

  /** @param onPause what happens during a wait */
  constructor(private readonly onPause: () => void = () => {}) {}

  now(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  async pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    this.waits.push(milliseconds);
    this.onPause();
    await settled();
    if (signal?.aborted) throw interruption(signal);
    this.#now += milliseconds;
  }
}
