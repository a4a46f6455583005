/**
 * Invitations at the pace that the service allows.
 *
 * A service that sends mail takes ten invitations a minute from one address and refuses the others with a 400 that says so
 * (mongodbatlas provider, issue 1589). One that does not is never held up: the pace holds from the first such refusal on. It is
 * kept for any 60 seconds, which a service that counts by the clock, by the last minute or by tokens takes alike.
 *
 * Who waits here holds no place among the calls that are under way.
 */
import { type Clock, processClock } from "./clock";
import { FairQueue } from "./fair-queue";
import { unlessInterrupted } from "./interruption";
import {
  describeRequest,
  errorCodeOf,
  type Layer,
  type Send,
  type WireRequest,
  type WireResponse,
} from "./wire";

export interface PacingSettings {
  readonly invitationsPerMinute: number;
  /** How often one invitation may be refused as one too many before the refusal is its answer. */
  readonly maxRetries: number;
}

export interface PacingVoice {
  /** One line per refused attempt. */
  log(message: string): void;
  /** What a person should know while it takes its time. */
  tell(message: string): void;
}

const MINUTE = 60_000;
const ONE_TOO_MANY = ["INVITATIONS_RATE_LIMITED_IP", "RATE_LIMITED_IP"];

/** The answer to an invitation, or to what the service counts as one, that came too soon; nothing was done. */
export function isOneTooMany(response: WireResponse): boolean {
  return ONE_TOO_MANY.includes(errorCodeOf(response) ?? "");
}

export function createInvitationPacing(
  settings: PacingSettings,
  voice: PacingVoice,
  clock: Clock = processClock,
): Layer {
  const pacing = new Pacing(settings, voice, clock);
  return (next) => (request) => pacing.send(next, request);
}

class Pacing {
  readonly #waiting = new FairQueue<() => void>();
  #underWay = 0;
  /** When the attempts of the last minute were answered, in order: they reached the service before that. */
  #answered: number[] = [];
  /** The service has refused an invitation as one too many. */
  #isPaced = false;
  /** Others may invite from the same address, or the limit be lower: after a refusal nobody goes before this moment. */
  #notBefore = Number.NEGATIVE_INFINITY;
  #sleep: AbortController | undefined;

  constructor(
    private readonly settings: PacingSettings,
    private readonly voice: PacingVoice,
    private readonly clock: Clock,
  ) {}

  async send(next: Send, request: WireRequest): Promise<WireResponse> {
    const { maxRetries } = this.settings;
    for (let refusals = 0; ; ) {
      // Nobody knows beforehand of other requests that the service counts as invitations.
      const isPaced = request.invites || refusals > 0;
      const response = isPaced ? await this.#inTurn(next, request) : await next(request);
      if (!isOneTooMany(response)) return response;
      this.#slowDown(refusals);
      refusals += 1;
      if (refusals > maxRetries) return response;
      const attempt = `attempt ${refusals + 1} of ${maxRetries + 1} when its turn comes`;
      this.voice.log(
        `${describeRequest(request)}: status ${response.status} ${errorCodeOf(response)}; ${attempt}`,
      );
    }
  }

  async #inTurn(next: Send, request: WireRequest): Promise<WireResponse> {
    await this.#enter(request);
    try {
      return await next(request);
    } finally {
      this.#underWay -= 1;
      this.#answered.push(this.clock.now());
      this.#giveTurnsSoon();
    }
  }

  /** @param refusals of the same invitation before: with four more attempts its waits are longer than a minute together */
  #slowDown(refusals: number): void {
    const wait = Math.min(MINUTE, (MINUTE / this.settings.invitationsPerMinute) * 2 ** refusals);
    this.#isPaced = true;
    this.#notBefore = Math.max(this.#notBefore, this.clock.now() + wait);
  }

  async #enter({ line = "", signal }: WireRequest): Promise<void> {
    let admit = () => {};
    const admitted = new Promise<void>((resolve) => {
      admit = resolve;
    });
    this.#waiting.push(line, admit);
    if (this.#isPaced) this.#giveTurnsSoon();
    else this.#giveTurns();
    try {
      await unlessInterrupted(admitted, signal);
    } catch (error) {
      // Who was let in at the very moment of the interruption gives the turn back.
      if (!this.#waiting.delete(line, admit)) this.#underWay -= 1;
      this.#giveTurns();
      throw error;
    }
  }

  /** When all who were refused in the same moment are back in line, so that what is said counts them. */
  #giveTurnsSoon(): void {
    setImmediate(() => this.#giveTurns());
  }

  #giveTurns(): void {
    for (let wait = this.#untilNext(); wait <= 0; wait = this.#untilNext()) {
      this.#underWay += 1;
      this.#waiting.shift()?.();
    }
    const isIdle = this.#waiting.size === 0;
    if (isIdle) this.#sleep?.abort();
    else if (!this.#sleep && this.#underWay === 0) void this.#wakeLater(this.#untilNext());
  }

  /** Milliseconds until the next may go; infinite where no time brings it about. */
  #untilNext(): number {
    const { invitationsPerMinute: most } = this.settings;
    const now = this.clock.now();
    if (this.#waiting.size === 0 || this.#underWay >= most) return Number.POSITIVE_INFINITY;
    if (!this.#isPaced) return 0;
    this.#answered = this.#answered.filter((moment) => moment > now - MINUTE);
    const excess = this.#answered.length + this.#underWay - most;
    if (excess < 0) return this.#notBefore - now;
    const leaves = this.#answered[excess];
    return leaves === undefined ? Number.POSITIVE_INFINITY : Math.max(this.#notBefore, leaves + MINUTE) - now;
  }

  async #wakeLater(wait: number): Promise<void> {
    const sleep = new AbortController();
    this.#sleep = sleep;
    this.#announce(wait);
    // Nobody is waiting any more where it is interrupted.
    await this.clock.pause(wait, sleep.signal).catch(() => undefined);
    this.#sleep = undefined;
    this.#giveTurns();
  }

  #announce(wait: number): void {
    const { invitationsPerMinute: most } = this.settings;
    const { size } = this.#waiting;
    const time = wait + Math.floor((size - 1) / most) * MINUTE;
    const who = size === 1 ? "1 is waiting" : `${size} are waiting`;
    this.voice.tell(
      `The service takes only so many invitations a minute: ${who}, and ${most} a minute go out. This takes about ${duration(time)}; what is done by then stays done.`,
    );
  }
}

function duration(milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  if (seconds === 1) return "a second";
  return seconds < 90 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
}
