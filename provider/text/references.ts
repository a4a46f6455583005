/**
 * A line that refers to the resource whose error explains the same cause: `Key refused: see payments.`
 *
 * The provider writes it in place of an explanation that it has given already. Commands that read the
 * engine's messages recognize it.
 */

interface Reference {
  /** `Key refused` */
  readonly cause: string;
  /** What the provider calls the resource that explains it. */
  readonly name: string;
}

export function formatReference({ cause, name }: Reference): string {
  return `${cause}: see ${name}.`;
}

/** @returns `undefined` for a text that explains itself */
export function parseReference(text: string): Reference | undefined {
  const [, cause, name] = /^([A-Z][\w ]*): see (.+)\.$/.exec(text) ?? [];
  return cause === undefined || name === undefined ? undefined : { cause, name };
}
