import { randomNumbers } from "../../../scripts/lib/proof.mts";

/** Random choices that are the same for the same seed. */
export class Random {
  /** At least 0 and less than 1. */
  private readonly fraction: () => number;

  constructor(seed: number) {
    this.fraction = randomNumbers(seed);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.fraction() * values.length)] as T;
  }

  some<T>(values: readonly T[], probability: number): T[] {
    return values.filter(() => this.chance(probability));
  }
}
