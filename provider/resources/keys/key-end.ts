/** What the end of a key that the service shows proves about the key in the state. Pure. */

interface KeyEnd {
  /** The key in the state; absent after an import. */
  readonly secret: string | undefined;
  /** The end that is recorded; `NO_EVIDENCE` for ever, once the first one was wrong. */
  readonly recorded: string | undefined;
}

/** Every key ends with it. */
const NO_EVIDENCE = "";

/**
 * The end to record. A gateway may mask keys in its own way, so the end of a key is evidence only if the first one that a
 * response showed was right. Create reads for that, because it has just received the key.
 *
 * @param shown by a response; `undefined` if it shows none
 */
export function endToRecord({ secret, recorded }: KeyEnd, shown: string | undefined): string | undefined {
  if (shown === undefined || recorded === NO_EVIDENCE) return recorded;
  const isFirst = secret !== undefined && recorded === undefined;
  return isFirst && !secret.endsWith(shown) ? NO_EVIDENCE : shown;
}

/** Whether the service has another key than the state. */
export function wasMadeAgain({ secret, recorded }: KeyEnd): boolean {
  return secret !== undefined && recorded !== undefined && !secret.endsWith(recorded);
}
