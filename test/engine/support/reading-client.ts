/** A program of somebody else that uses an API key. */
import { setTimeout } from "node:timers/promises";
import { type ApiClient, createClient } from "../../../provider/api/client";
import { getProject } from "../../../provider/api/projects";
import { resolveSettings } from "../../../provider/settings/config";
import { ApiError } from "../../../provider/text/errors";

/** Without one, the client takes the processor from the run that it watches. */
const PAUSE_MILLISECONDS = 10;

export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Reads a project again and again, by Digest, until it is stopped. */
export class ReadingClient {
  /** How many reads were answered. */
  answered = 0;
  /** How many were refused. */
  refused = 0;
  #client: ApiClient;
  #isStopped = false;
  readonly #reads: Promise<void>;

  constructor(
    private readonly baseUrl: string,
    key: KeyPair,
    private readonly projectId: string,
  ) {
    this.#client = this.#clientOf(key);
    this.#reads = this.#read();
    this.#reads.catch(() => undefined); // `stop` rejects in its place.
  }

  /** Takes another key for all reads that follow. */
  use(key: KeyPair): void {
    this.#client = this.#clientOf(key);
  }

  async stop(): Promise<this> {
    this.#isStopped = true;
    await this.#reads;
    return this;
  }

  async #read(): Promise<void> {
    do {
      const client = this.#client;
      try {
        await getProject(client, this.projectId);
        this.answered++;
      } catch (error) {
        if (!(error instanceof ApiError && [401, 403].includes(error.status ?? 0))) throw error;
        this.refused++;
      } finally {
        if (client !== this.#client || this.#isStopped) await client.close();
      }
      await setTimeout(PAUSE_MILLISECONDS);
    } while (!this.#isStopped);
  }

  #clientOf({ publicKey, privateKey }: KeyPair): ApiClient {
    const args = { baseUrl: this.baseUrl, publicKey, privateKey, maxRetries: 0 };
    const settings = resolveSettings({ args, env: {}, isDefaultProvider: false, directory: __dirname });
    return createClient(settings, () => undefined);
  }
}
