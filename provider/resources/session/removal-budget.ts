import { foldName, type Identity } from "../../access/person";
import { RefusedError } from "../../text/errors";
import type { Context } from "../contract/resource";
import type { Configured } from "../contract/session";

/** One holder in one place: the unit of the budget. */
export interface Removal {
  /** ID of the project, team or organization. */
  readonly placeId: string;
  /** A person, a team or an API key, by its ID or by its name. */
  readonly holder: string;
}

/** @param who a person of whom only an invitation is known counts by name */
export function removalOf(placeId: string, { userId, username, invitationId }: Identity): Removal {
  const name = username === undefined ? invitationId : foldName(username);
  return { placeId, holder: userId ?? name ?? "" };
}

/** The run would remove too many. */
export class RemovalLimitError extends RefusedError {}

/**
 * Reserves removals, unless their day was recorded before it passed.
 *
 * @returns what to give back if the service does not offer them
 * @throws RemovalLimitError
 */
export function requireRemovals(
  { session, end }: Pick<Context, "session" | "end">,
  removals: readonly Removal[],
  refused: string,
): readonly Removal[] {
  if (end?.isPlanned) return [];
  session.of(RemovalBudget).require(removals, refused);
  return removals;
}

/**
 * From how many places all resources together may still remove people, teams and API keys in this
 * operation. A holder counts once in each place, also if one resource removes it there and another one
 * from the organization.
 */
export class RemovalBudget {
  readonly #maximum: number;
  /** How many operations have reserved a removal. */
  readonly #removals = new Map<string, number>();

  constructor({ settings }: Configured) {
    this.#maximum = settings.maxRemovalsPerRun;
  }

  /**
   * Reserves removals: all of them, or none if the operation would remove too many.
   *
   * @returns why none is allowed, as the end of a sentence; `undefined` if they are allowed
   */
  reserve(removals: readonly Removal[]): string | undefined {
    const own = new Set(removals.map(keyOf));
    const wanted = new Set([...this.#removals.keys(), ...own]);
    if (wanted.size === this.#removals.size || wanted.size <= this.#maximum) {
      for (const removal of own) this.#removals.set(removal, (this.#removals.get(removal) ?? 0) + 1);
      return undefined;
    }
    const count = wanted.size === 1 ? "1 removal" : `${wanted.size} removals`;
    return `this run would make ${count}, more than the setting maxRemovalsPerRun (${this.#maximum}) allows. Each person, team or API key counts once in each place. To allow it, run: pulumi config set opsmanager:maxRemovalsPerRun ${wanted.size}. If the run has more removals, set it to their number.`;
  }

  /**
   * Reserves removals.
   *
   * @param refused the beginning of the error: what is not removed, if the operation would remove
   * too many
   * @throws RemovalLimitError
   */
  require(removals: readonly Removal[], refused: string): void {
    const refusal = this.reserve(removals);
    if (refusal !== undefined) throw new RemovalLimitError(`${refused}: ${refusal}`);
  }

  /** Gives reserved removals back of which it turned out that the service does not offer them. */
  giveBack(removals: readonly Removal[]): void {
    for (const removal of new Set(removals.map(keyOf))) {
      const others = (this.#removals.get(removal) ?? 0) - 1;
      if (others > 0) this.#removals.set(removal, others);
      else this.#removals.delete(removal);
    }
  }
}

const keyOf = ({ placeId, holder }: Removal) => JSON.stringify([placeId, holder]);
