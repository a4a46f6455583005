/** The days of worlds. Each begins at the noon of one day, by this machine's clock and by the service's, and either may go on alone. */
import { among } from "./draws";

const DAY = 24 * 60 * 60 * 1000;
const noon = Date.parse("2030-03-20T12:00:00Z");

/** Milliseconds since 1970 at noon, so many days after the first. */
export const timeAt = (days: number): number => noon + days * DAY;

/** A last day: past, today, to come, or far. */
export const lastDay = among(
  ...["2029-12-31", "2030-03-19", "2030-03-20", "2030-03-20", "2030-03-21", "2030-03-22", "2999-12-31"],
);

/** Whose clock goes on. */
export const clock = among("both", "both", "both", "machine", "service");

/** Whether the last day is over, in UTC. A day that is not given never is. */
export const isOver = (until: unknown, now: number): boolean =>
  typeof until === "string" && now >= Date.parse(`${until}T00:00:00Z`) + DAY;

/** This machine's clock in this process. It stands, and goes on when it is told to. */
export class MachineClock {
  readonly #real = Date;
  #days = 0;

  start(): void {
    const now = () => timeAt(this.#days);
    const Real = this.#real;
    globalThis.Date = class extends Real {
      constructor(...given: []) {
        super(...((given.length === 0 ? [now()] : given) as []));
      }

      static override now = now;
    } as DateConstructor;
  }

  advance(days: number): void {
    this.#days += days;
  }

  stop(): void {
    globalThis.Date = this.#real;
  }
}
