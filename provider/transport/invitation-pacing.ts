/**
 * Sends invitations at the pace that the service allows.
 *
 * A service that sends mail accepts ten invitations a minute from one address. It rejects the
 * others with a 400 that names the limit (mongodbatlas provider, issue 1589). The pace applies
 * from the first such rejection on, so a service without the limit is never slowed down. The pace
 * holds for any period of 60 seconds. It therefore fits services that count by the clock, by the
 * last minute or by tokens.
 *
 * Waiting requests hold no slot among the calls in flight.
 */
import { type Clock, processClock } from "./clock";
import { FairQueue } from "./fair-queue";
import { unlessInterrupted } from "./interruption";
import {
  describeRequest,
  errorCodeOf,
  type Layer,
  type SendRequest,
  type WireRequest,
  type WireResponse,
} from "./wire";

export interface PacingSettings {
  readonly invitationsPerMinute: number;
  /** How often one invitation may be rejected for the limit before the rejection is its response. */
  readonly maxRetries: number;
}

interface PacingOutput {
  /** Logs one line per rejected attempt. */
  log(message: string): void;
  /** Reports to the user why a call takes long. */
  report(message: string): void;
}

const MINUTE = 60_000;
const ONE_TOO_MANY = ["INVITATIONS_RATE_LIMITED_IP", "RATE_LIMITED_IP"];

/**
 * Whether the response rejects an invitation, or a request that the service counts as one, for the
 * limit; nothing was done.
 */
export function isOneTooMany(response: WireResponse): boolean {
  return ONE_TOO_MANY.includes(errorCodeOf(response) ?? "");
}

export function createInvitationPacing(
  settings: PacingSettings,
  output: PacingOutput,
  clock: Clock = processClock,
): Layer {
  const pacing = new Pacing(settings, output, clock);
  return (next) => (request) => pacing.send(next, request);
}

class Pacing {
  readonly #waiting = new FairQueue<() => void>();
  #inFlight = 0;
  /**
   * When the attempts of the last minute were answered, in order; they reached the service before
   * that.
   */
  #answered: number[] = [];
  /** The service has rejected an invitation for the limit. */
  #isPaced = false;
  /**
   * No invitation is sent before this moment. Set after a rejection: other clients may invite from
   * the same address, or the limit may be lower.
   */
  #notBefore = Number.NEGATIVE_INFINITY;
  #sleep: AbortController | undefined;

  constructor(
    private readonly settings: PacingSettings,
    private readonly output: PacingOutput,
    private readonly clock: Clock,
  ) {}

  async send(next: SendRequest, request: WireRequest): Promise<WireResponse> {
    const { maxRetries } = this.settings;
    for (let refusals = 0; ; ) {
      // Which other requests the service counts as invitations is not known in advance.
      const isPaced = request.invites || refusals > 0;
      const response = isPaced ? await this.#inTurn(next, request) : await next(request);
      if (!isOneTooMany(response)) return response;
      this.#slowDown(refusals);
      refusals += 1;
      if (refusals > maxRetries) return response;
      const attempt = `attempt ${refusals + 1} of ${maxRetries + 1} when its turn comes`;
      this.output.log(
        `${describeRequest(request)}: status ${response.status} ${errorCodeOf(response)}; ${attempt}`,
      );
    }
  }

  async #inTurn(next: SendRequest, request: WireRequest): Promise<WireResponse> {
    await this.#enter(request);
    try {
      return await next(request);
    } finally {
      this.#inFlight -= 1;
      this.#answered.push(this.clock.now());
      this.#giveTurnsSoon();
    }
  }

  /**
   * @param refusals earlier rejections of the same invitation; with four more attempts its waits
   * add up to more than a minute
   */
  #slowDown(refusals: number): void {
    const wait = Math.min(MINUTE, (MINUTE / this.settings.invitationsPerMinute) * 2 ** refusals);
    this.#isPaced = true;
    this.#notBefore = Math.max(this.#notBefore, this.clock.now() + wait);
  }

  async #enter({ queueKey = "", signal }: WireRequest): Promise<void> {
    let takeTurn = () => {};
    const turn = new Promise<void>((resolve) => {
      takeTurn = resolve;
    });
    this.#waiting.push(queueKey, takeTurn);
    if (this.#isPaced) this.#giveTurnsSoon();
    else this.#giveTurns();
    try {
      await unlessInterrupted(turn, signal);
    } catch (error) {
      // A request that got its turn at the moment of the interruption releases it.
      if (!this.#waiting.delete(queueKey, takeTurn)) this.#inFlight -= 1;
      this.#giveTurns();
      throw error;
    }
  }

  /**
   * Gives the turns after all requests that were rejected in the same moment are queued again, so
   * the reported count includes them.
   */
  #giveTurnsSoon(): void {
    setImmediate(() => this.#giveTurns());
  }

  #giveTurns(): void {
    for (let wait = this.#untilNext(); wait <= 0; wait = this.#untilNext()) {
      this.#inFlight += 1;
      this.#waiting.shift()?.();
    }
    const isIdle = this.#waiting.size === 0;
    if (isIdle) this.#sleep?.abort();
    else if (!this.#sleep && this.#inFlight === 0) void this.#wakeLater(this.#untilNext());
  }

  /** Milliseconds until the next request may be sent; infinite if time alone does not allow it. */
  #untilNext(): number {
    const { invitationsPerMinute: most } = this.settings;
    const now = this.clock.now();
    if (this.#waiting.size === 0 || this.#inFlight >= most) return Number.POSITIVE_INFINITY;
    if (!this.#isPaced) return 0;
    this.#answered = this.#answered.filter((moment) => moment > now - MINUTE);
    const excess = this.#answered.length + this.#inFlight - most;
    if (excess < 0) return this.#notBefore - now;
    const leaves = this.#answered[excess];
    return leaves === undefined ? Number.POSITIVE_INFINITY : Math.max(this.#notBefore, leaves + MINUTE) - now;
  }

  async #wakeLater(wait: number): Promise<void> {
    const sleep = new AbortController();
    this.#sleep = sleep;
    this.#announce(wait);
    // An interrupted pause means that no request waits any longer.
    await this.clock.pause(wait, sleep.signal).catch(() => undefined);
    this.#sleep = undefined;
    this.#giveTurns();
  }

  #announce(wait: number): void {
    const { invitationsPerMinute: most } = this.settings;
    const { size } = this.#waiting;
    const time = wait + Math.floor((size - 1) / most) * MINUTE;
    const who = size === 1 ? "1 is waiting" : `${size} are waiting`;
    this.output.report(
      `The service limits invitations per minute: ${who}, and ${most} are sent per minute. This takes about ${duration(time)}.`,
    );
  }
}

function duration(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  if (seconds === 1) return "a second";
  return seconds < 90 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
}
