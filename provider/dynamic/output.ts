/** What the dynamic provider has to know of an output. */
export interface Output {
  /** It is the id. The host's state lacks it, but a mocked state may have it. */
  readonly isId?: true;
  readonly isSecret?: true;
  /** The input that it repeats under another name: if the input is secret, so is the output. */
  readonly repeats?: string;
}
