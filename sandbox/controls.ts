import type { DigestGate } from "./digest-server";
import { DirectChanges } from "./direct-changes";
import type { FaultRule, FaultRules } from "./injected-faults";
import type { RequestLog, RequestRecord } from "./request-log";
import type { World } from "./store";
import { checkSwitches, type Switches } from "./switches";
import type { TokenGate } from "./token-server";

/** The parts of a running sandbox that can be turned. */
interface ControlledParts {
  readonly world: World;
  readonly gate: DigestGate;
  readonly tokens: TokenGate;
  readonly faults: FaultRules;
  readonly log: RequestLog;
  readonly changed: () => void;
}

/** Everything that can be done to a running sandbox from outside; the control address offers the same over HTTP. */
export class Controls extends DirectChanges {
  constructor(private readonly parts: ControlledParts) {
    super(parts.world, parts.changed);
  }

  /** All requests since the start or the last `clearRequests()`, in order. */
  get requests(): readonly RequestRecord[] {
    return this.parts.log.all();
  }

  clearRequests(): void {
    this.parts.log.clear();
  }

  get switches(): Switches {
    return this.world.switches;
  }

  /** Changes behavior while it runs. Throws when a name or a value is not known; then nothing is changed. */
  setSwitches(change: Partial<Switches>): Switches {
    this.world.switches = { ...this.world.switches, ...checkSwitches(change) };
    return this.world.switches;
  }

  /** The sandbox's time, ISO 8601. */
  get time(): string {
    return this.world.clock.iso();
  }

  /** Lets time pass: invitations and tokens expire, nonces get stale, rate windows open. */
  advanceClock(seconds: number): void {
    this.world.clock.advance(seconds);
  }

  /** Makes every nonce issued so far stale, as a restart of the service does. */
  expireNonces(): void {
    this.parts.gate.expireNonces();
  }

  /** Ends every access token issued so far. */
  revokeTokens(): void {
    this.parts.tokens.revokeAll();
  }

  /** Rules that are not used up yet. */
  get faults(): readonly FaultRule[] {
    return this.parts.faults.list();
  }

  addFault(rule: FaultRule): void {
    this.parts.faults.add(rule);
  }

  clearFaults(): void {
    this.parts.faults.clear();
  }
}
