import { RefusedError } from "../../text/errors";
import type { Configured } from "../contract/session";

/** How many people and keys all resources together may still remove in this operation. */
export class RemovalBudget {
  readonly #maximum: number;
  #removals = 0;

  constructor({ settings }: Configured) {
    this.#maximum = settings.maxRemovalsPerRun;
  }

  /**
   * Reserves removals: all of them, or none if the operation would remove too many.
   *
   * @returns why none is allowed, as the end of a sentence; `undefined` if they are allowed
   */
  reserve(count: number): string | undefined {
    const wanted = this.#removals + count;
    if (count === 0 || wanted <= this.#maximum) {
      this.#removals = wanted;
      return undefined;
    }
    const who = wanted === 1 ? "1 person or API key" : `${wanted} people and API keys`;
    return `this run would remove ${who} from projects, teams and organizations, more than the setting maxRemovalsPerRun (${this.#maximum}) allows. To allow it, run: pulumi config set opsmanager:maxRemovalsPerRun ${wanted}. If the run has more removals, set it to their number.`;
  }

  /**
   * Reserves removals.
   *
   * @param refused the beginning of the error: what is not removed, if the operation would remove
   * too many
   * @throws RefusedError
   */
  require(count: number, refused: string): void {
    const refusal = this.reserve(count);
    if (refusal !== undefined) throw new RefusedError(`${refused}: ${refusal}`);
  }

  forget(): void {
    this.#removals = 0;
  }
}
