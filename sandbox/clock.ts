/** The sandbox's time: the real time plus what tests have added. No test has to sleep 30 days. */
export class Clock {
  private offsetMs = 0;

  now(): number {
    return Date.now() + this.offsetMs;
  }

  advance(seconds: number): void {
    this.offsetMs += seconds * 1000;
  }

  /** Now (or so many milliseconds later) as the service writes it: ISO 8601, UTC, whole seconds. */
  iso(laterMs = 0): string {
    return new Date(this.now() + laterMs).toISOString().replace(/\.\d{3}Z$/, "Z");
  }
}
