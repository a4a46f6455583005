/** What the end of a key that the service shows proves about the key in the state. Pure. */

interface KeyEnd {
  /** The key in the state; absent after an import. */
  readonly secret: string | undefined;
  /** The end that is recorded. */
  readonly recorded: string | undefined;
}

/**
 * The end to record. A gateway may mask keys in its own way, so the end of a key is evidence only after a response has
 * shown the right one. Create reads for that, because it has just received the key.
 *
 * @param shown by a response; `undefined` if it shows none
 */
export function endToRecord({ secret, recorded }: KeyEnd, shown: string | undefined): string | undefined {
  const isTrusted = secret === undefined || recorded !== undefined || (shown && secret.endsWith(shown));
  return isTrusted ? (shown ?? recorded) : undefined;
}

/** Whether the service has another key than the state. */
export function wasMadeAgain({ secret, recorded }: KeyEnd): boolean {
  return secret !== undefined && recorded !== undefined && !secret.endsWith(recorded);
}
