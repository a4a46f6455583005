import { refuse } from "./errors";
import type { World } from "./store";

const windowMs = 60_000;

/** Counts per minute: requests of a caller, its requests for tokens, and invitations of everyone. */
export class RateLimits {
  private readonly windows = new Map<string, { startedAt: number; count: number }>();

  constructor(private readonly world: World) {}

  checkRequest(caller: string): void {
    const { requestsPerMinute: most } = this.world.switches;
    const waitMs = this.excess(`key ${caller}`, most);
    if (waitMs !== undefined) throw refuse.rateLimited(most, this.retryAfter(waitMs));
  }

  /** Counts a request for a token. The headers of the refusal when that is too many, undefined when it is not. */
  countTokenRequest(clientId: string): Readonly<Record<string, string>> | undefined {
    const waitMs = this.excess(`token ${clientId}`, this.world.switches.tokenRequestsPerMinute);
    return waitMs === undefined ? undefined : this.retryAfter(waitMs);
  }

  checkInvitation(): void {
    const most = this.world.switches.invitationsPerMinute;
    if (this.excess("invitations", most) !== undefined) throw refuse.invitationsRateLimited(most);
  }

  private retryAfter(waitMs: number): Readonly<Record<string, string>> {
    const { clock, switches } = this.world;
    const until = new Date(clock.now() + waitMs).toUTCString();
    const seconds = String(Math.ceil(waitMs / 1000));
    const value = { seconds, date: until, none: undefined }[switches.retryAfter];
    return value === undefined ? {} : { "Retry-After": value };
  }

  /** Counts one more; milliseconds to wait when that is too many, undefined when it is not. */
  private excess(name: string, most: number): number | undefined {
    if (most === 0) return undefined;
    const now = this.world.clock.now();
    const known = this.windows.get(name);
    const open =
      known !== undefined && now < known.startedAt + windowMs ? known : { startedAt: now, count: 0 };
    this.windows.set(name, open);
    open.count += 1;
    return open.count > most ? open.startedAt + windowMs - now : undefined;
  }
}
