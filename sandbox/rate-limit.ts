import { refuse } from "./errors";
import type { World } from "./store";

const windowMs = 60_000;

/** Counts per minute: requests of a key, and invitations of everyone. */
export class RateLimits {
  private readonly windows = new Map<string, { startedAt: number; count: number }>();

  constructor(private readonly world: World) {}

  checkRequest(publicKey: string): void {
    const { requestsPerMinute: most, retryAfter } = this.world.switches;
    const waitMs = this.excess(`key ${publicKey}`, most);
    if (waitMs === undefined) return;
    const until = new Date(this.world.clock.now() + waitMs).toUTCString();
    const value = { seconds: String(Math.ceil(waitMs / 1000)), date: until, none: undefined }[retryAfter];
    throw refuse.rateLimited(most, value === undefined ? {} : { "Retry-After": value });
  }

  checkInvitation(): void {
    const most = this.world.switches.invitationsPerMinute;
    if (this.excess("invitations", most) !== undefined) throw refuse.invitationsRateLimited(most);
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
