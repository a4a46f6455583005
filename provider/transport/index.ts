/**
 * From a request of the API client to the wire and back.
 *
 *   log            one debug line per call, redacted
 *     invitations    as many a minute as the service allows, once it has refused one; who waits holds no place
 *       limit          maxConcurrentRequests, requestsPerSecond; a call that waits before its next attempt keeps its place
 *         retry          by what is known about the outcome, within a budget; a POST that was sent is never repeated
 *           digest         one challenge per nonce, not per request: auth decides, refusal says what a 401 means, nonce counts
 *                          and signs, challenge and fields read, answer and algorithms compute
 *             service-clock  reads the date of each answer
 *             pool           undici: connections, time limit; `trust` for TLS and proxy, `body` for what comes back
 *
 * Redirects are not followed, so credentials never leave for another origin.
 */
import { messageOf } from "../errors";
import type { DigestKeys } from "./digest-answer";
import { createDigestAuth } from "./digest-auth";
import { createInvitationPacing, type PacingSettings } from "./invitation-pacing";
import { createLimit, type LimitSettings } from "./limit";
import { createPool, type PoolSettings } from "./pool";
import { createSettingsRedact } from "./redact";
import { createRetry, type RetrySettings } from "./retry";
import { createServiceClock } from "./service-clock";
import { describeRequest, type Layer, type Send } from "./wire";

export { type Clock, processClock } from "./clock";
export { connectionFault, type Way } from "./connection-fault";
export { chooseChallenge, type DigestChallenge } from "./digest-challenge";
export { parseChallenges, parseParameters } from "./digest-fields";
export { Nonce } from "./digest-nonce";
export { type Refusal, refusalOf } from "./digest-refusal";
export { createPool, type Pool, type PoolSettings, wayOf } from "./pool";
export { CUT, createRedact, createSettingsRedact, type Redact } from "./redact";
export { trustInProxy, trustInService } from "./trust";
export { headerValues, type Send, WireFault, type WireRequest, type WireResponse } from "./wire";

export interface TransportSettings
  extends DigestKeys,
    LimitSettings,
    PacingSettings,
    PoolSettings,
    Omit<RetrySettings, "log" | "origin"> {}

export type Log = (message: string, severity: "debug" | "info" | "warn") => void;

export interface Transport {
  readonly send: Send;
  /** Milliseconds since 1970 by the service's clock; by this machine's while no answer had a date. */
  now(): number;
  /** Ends all connections at once. */
  close(): Promise<void>;
}

/**
 * @param settings of one provider; nothing is global, so two providers with different keys live in one process
 * @param log takes one line per call and per repeated attempt, a remark where a call takes its time, and a warning where an answer is
 *   not signed as it says
 */
export function createTransport(settings: TransportSettings, log: Log): Transport {
  const redact = createSettingsRedact(settings);
  const write = (message: string) => log(redact(message), "debug");
  const pool = createPool(settings);
  const serviceClock = createServiceClock();
  const layers: readonly Layer[] = [
    createLog(write),
    createInvitationPacing(settings, { log: write, tell: (message) => log(redact(message), "info") }),
    createLimit(settings),
    createRetry({ ...settings, log: write }),
    createDigestAuth(settings, (message) => log(redact(`${settings.origin}: ${message}`), "warn")),
    serviceClock.layer,
  ];
  return {
    send: layers.reduceRight<Send>((inner, layer) => layer(inner), pool.send),
    now: serviceClock.now,
    close: pool.close,
  };
}

function createLog(log: (message: string) => void): Layer {
  return (next) => async (request) => {
    const start = performance.now();
    const say = (outcome: string | number) =>
      log(`${describeRequest(request)}: ${outcome} in ${Math.round(performance.now() - start)} ms`);
    try {
      const response = await next(request);
      say(response.status);
      return response;
    } catch (error) {
      say(messageOf(error));
      throw error;
    }
  };
}
