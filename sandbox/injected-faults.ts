/** Faults that a test requests: what the sandbox does instead of answering properly. */
import type { Incoming } from "./http";

/** A response that does not come from the API. */
export interface StatusFault {
  readonly status: number;
  /** Text is sent as it is, anything else as JSON; left out: an error body of the usual shape. */
  readonly body?: unknown;
  /** Default `application/json`. */
  readonly contentType?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** True: the request takes effect first. Default: it does not. */
  readonly afterWrite?: boolean | undefined;
}

/** A response that takes its time. A client may have given up before the request takes effect. */
export interface DelayFault {
  readonly delayMs: number;
  /** True: the request takes effect at once, and the response waits. Default: both wait. */
  readonly afterWrite?: boolean | undefined;
}

/** A restart: the connection is reset, nothing happened, and for so long all connections are refused. */
export interface OutageFault {
  readonly outageMs: number;
}

/**
 * - `reset-before-write`: the connection is reset, nothing happened
 * - `reset-after-write`: the request takes effect, then the connection is reset
 * - `truncate`: the request takes effect, half of the response is sent
 * - `close-after-answer`: a proper response, and the connection is closed without a response while it is idle
 * - `stale-nonce`: 401 with stale=true, nothing happened
 * - `{ delayMs, ... }`: a slow response
 * - `{ outageMs }`: a service that restarts
 * - `{ status, ... }`: this response
 */
export type InjectedFault = (typeof faultNames)[number] | DelayFault | OutageFault | StatusFault;

export const faultNames = [
  "reset-before-write",
  "reset-after-write",
  "truncate",
  "close-after-answer",
  "stale-nonce",
] as const;

export interface FaultRule {
  /** Default: any method. */
  readonly method?: string | undefined;
  /** Regular expression on the path with query; default: any path. */
  readonly pathPattern?: string | undefined;
  /** Regular expression on the body as it was sent, for requests whose path does not distinguish them; default: any body. */
  readonly bodyPattern?: string | undefined;
  /** How many requests it applies to; default 1, and 0 is without end. */
  readonly times?: number | undefined;
  /** Which requests it applies to. Default `authorized`, so that the unauthenticated half of a Digest pair uses none up. */
  readonly meets?: "authorized" | "all" | undefined;
  readonly fault: InjectedFault;
}

/** The parts of a request that a rule compares. */
type FaultedRequest = Pick<Incoming, "method" | "target" | "text">;

interface LiveRule {
  readonly rule: FaultRule;
  readonly path: RegExp;
  readonly body: RegExp;
  left: number;
}

/** How a fault is called in the request log. */
export function faultName(fault: InjectedFault): string {
  if (typeof fault === "string") return fault;
  if ("delayMs" in fault) return `delay ${fault.delayMs} ms`;
  return "outageMs" in fault ? `outage of ${fault.outageMs} ms` : `status ${fault.status}`;
}

/** The rules in the order in which they were added. The first matching rule applies to a request. */
export class FaultRules {
  private live: LiveRule[] = [];

  /** Throws when the rule could not be carried out. */
  add(rule: FaultRule): void {
    const { times = 1, fault } = rule;
    if (!Number.isInteger(times) || times < 0) throw new Error("times must be a whole number, 0 or more.");
    const status = typeof fault === "object" && "status" in fault ? fault.status : 200;
    if (!Number.isInteger(status) || status < 200 || status > 599)
      throw new Error("status must be 200 to 599.");
    const left = times === 0 ? Number.POSITIVE_INFINITY : times;
    const path = new RegExp(rule.pathPattern ?? "");
    const body = new RegExp(rule.bodyPattern ?? "");
    this.live.push({ rule, left, path, body });
  }

  /** The rules that are not used up. */
  list(): FaultRule[] {
    return this.live.map(({ rule, left }) => ({ ...rule, times: Number.isFinite(left) ? left : 0 }));
  }

  clear(): void {
    this.live = [];
  }

  /** The fault for this request, if any; uses it up once. */
  take({ method, target, text = "" }: FaultedRequest, authorized: boolean): InjectedFault | undefined {
    const met = this.live.find(
      ({ rule, path, body }) =>
        (rule.method === undefined || rule.method.toUpperCase() === method) &&
        (authorized || rule.meets === "all") &&
        path.test(target) &&
        body.test(text),
    );
    if (met === undefined) return undefined;
    met.left -= 1;
    if (met.left <= 0) this.live = this.live.filter((other) => other !== met);
    return met.rule.fault;
  }
}
