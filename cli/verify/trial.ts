/**
 * One run against one organization: its settings, its requests, and the results of its experiments
 * so far.
 */
import { randomBytes } from "node:crypto";
import type { Settings } from "../../provider/settings/config";
import { CanceledError } from "../../provider/text/errors";
import { type Clock, type Pool, processClock, type SendRequest } from "../../provider/transport";
import { type ApiResponse, send, type TrialRequest } from "./service";
import { Throwaways } from "./throwaways";

export interface TrialOptions {
  /** Organization that gets the throw-away projects. */
  readonly orgId: string;
  /** Existing account that experiments with members may use. */
  readonly user?: string | undefined;
  /** Address that gets invitations; default: one of example.com. */
  readonly inviteAddress?: string | undefined;
  /**
   * How long a temporary state is observed, in seconds: the life of a nonce, a deleted project in
   * lists.
   */
  readonly waitSeconds: number;
}

interface TrialConnection {
  readonly settings: Settings;
  /** Requests with credentials, as the provider sends them. */
  readonly transport: SendRequest;
  /** Requests as they are, for experiments with the authentication. */
  readonly pool: Pick<Pool, "send">;
}

/** Part of the run whose result several points use. It throws Undetermined if it has none. */
type Experiment<T> = (trial: Trial) => Promise<T>;

export class Trial {
  readonly throwaways: Throwaways;
  readonly #results = new Map<Experiment<unknown>, Promise<unknown>>();
  /** Unique, so each object with it was made by this run. */
  readonly #mark = randomBytes(6).toString("hex");

  constructor(
    readonly connection: TrialConnection,
    readonly options: TrialOptions,
    readonly stop: AbortSignal,
    readonly clock: Clock = processClock,
  ) {
    this.throwaways = new Throwaways(options.orgId, this.#send);
  }

  /** Runs an experiment, or returns its earlier result. */
  run<T>(experiment: Experiment<T>): Promise<T> {
    const earlier = this.#results.get(experiment) as Promise<T> | undefined;
    if (earlier) return earlier;
    const result = experiment(this);
    this.#results.set(experiment, result);
    return result;
  }

  /** A name that no other object has. */
  name(suffix = ""): string {
    return `opsmanager-verify-delete-me-${this.#mark}${suffix}`;
  }

  /** A tag that no other project has: capitals and at most 32 characters. */
  tag(suffix: string): string {
    return `VERIFY-${this.#mark.toUpperCase()}-${suffix}`;
  }

  get inviteAddress(): string {
    return this.options.inviteAddress ?? `opsmanager-verify-${this.#mark}@example.com`;
  }

  /** Sends a GET request. An interruption cancels it. */
  read(path: readonly string[], rest: Pick<TrialRequest, "query"> = {}): Promise<ApiResponse> {
    const { settings, transport } = this.connection;
    this.throwIfStopped();
    return send(settings, transport, { ...rest, method: "GET", path }, this.stop);
  }

  /**
   * Sends a request that writes. An interruption does not cancel it: only its response shows what
   * has to be removed.
   *
   * @throws CanceledError if the run was interrupted before
   */
  write(request: TrialRequest): Promise<ApiResponse> {
    this.throwIfStopped();
    return this.#send(request);
  }

  /** Sends a request whether the run was interrupted or not. */
  readonly #send = (request: TrialRequest): Promise<ApiResponse> => {
    const { settings, transport } = this.connection;
    return send(settings, transport, request);
  };

  throwIfStopped(): void {
    if (this.stop.aborted) throw new CanceledError("The command was interrupted.");
  }
}
