/** What `npm run test:interop` is made of: software of others that speaks Digest, and what was found with it. */

export interface Keys {
  readonly publicKey: string;
  readonly privateKey: string;
}

export interface Finding {
  readonly what: string;
  /** What came of it, such as the number of requests on the wire. */
  readonly outcome: string;
  readonly agrees: boolean;
}

export interface Surroundings {
  /** A folder for what is installed; it outlives the run. */
  readonly cache: string;
  print(line: string): void;
}

export interface Peer {
  readonly name: string;
  /** @throws Missing where it cannot be had on this machine */
  run(surroundings: Surroundings): Promise<readonly Finding[]>;
}

/** A tool is not there; the message reports how to get it. */
export class Missing extends Error {}
