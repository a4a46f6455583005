/**
 * The transport: from a request of the API client to the network and back.
 *
 * Layers, from the outermost to the innermost:
 * - log: one debug line per call, redacted
 * - invitations: after a rejected invitation, as many a minute as the service allows; a waiting
 *   request holds no slot
 * - limit: maxConcurrentRequests, requestsPerSecond; a call that waits before its next attempt
 *   keeps its slot
 * - retry: repeats by what is known about the outcome, within a budget; never repeats a POST that
 *   was sent
 * - digest: one challenge per nonce, not per request. auth decides, refusal interprets a 401,
 *   nonce counts and signs, challenge and fields parse, answer and algorithms compute
 * - bearer, in place of digest for a service account: one access token for all requests, renewed
 *   before it ends; requested through a pool of its own if tokenUrl has another origin
 * - service-clock: reads the date of each response
 * - pool: undici: connections, time limit; `trust` for TLS and proxy, `body` decodes responses
 *
 * Redirects are not followed, so credentials are never sent to another origin.
 */
import type { Credentials } from "../settings/credentials";
import { messageOf } from "../text/errors";
import { createBearerAuth } from "./bearer-auth";
import { createDigestAuth } from "./digest-auth";
import { createInvitationPacing, type PacingSettings } from "./invitation-pacing";
import { createLimit, type LimitSettings } from "./limit";
import { createPool, type Pool, type PoolSettings } from "./pool";
import { createSettingsRedact, type Redact } from "./redact";
import { createRetry, type RetrySettings } from "./retry";
import { createServiceClock } from "./service-clock";
import { describeRequest, type Layer, type SendRequest } from "./wire";

export { oauthErrorOf, type TokenRefusal, tokenRefusalOf } from "./bearer-auth";
export { type Clock, processClock } from "./clock";
export { type ConnectionRoute, connectionFault } from "./connection-fault";
export { chooseChallenge, type DigestChallenge } from "./digest-challenge";
export { parseChallenges, parseParameters } from "./digest-fields";
export { Nonce } from "./digest-nonce";
export { type DigestRefusal, refusalOf } from "./digest-refusal";
export { createPool, type Pool, type PoolSettings, routeOf } from "./pool";
export { alsoRedact, CUT, createRedact, createSettingsRedact, type Redact } from "./redact";
export { trustInProxy, trustInService } from "./trust";
export {
  causeOfStatus,
  headerValues,
  type SendRequest,
  serviceVersionOf,
  USER_AGENT,
  WireFault,
  type WireRequest,
  type WireResponse,
} from "./wire";

export type TransportSettings = Credentials &
  LimitSettings &
  PacingSettings &
  PoolSettings &
  Omit<RetrySettings, "log" | "origin">;

export type LogSink = (message: string, severity: "debug" | "info" | "warn") => void;

export interface Transport {
  readonly send: SendRequest;
  /**
   * Milliseconds since 1970 by the service's clock; by this machine's while no response had a date.
   */
  now(): number;
  /** Masks the secrets of the settings, and the access tokens so far. */
  readonly redact: Redact;
  /** Ends all connections at once. */
  close(): Promise<void>;
}

/**
 * @param settings of one provider; nothing is global, so two providers with different keys can
 * share a process
 * @param log receives one line per call and per repeated attempt. It also receives a remark if a
 * call takes long, and a warning if the signature of a response is wrong
 */
export function createTransport(settings: TransportSettings, log: LogSink): Transport {
  const tokens: string[] = [];
  let redactAll = createSettingsRedact(settings);
  const redact: Redact = (text) => redactAll(text);
  const write = (message: string) => log(redact(message), "debug");
  const pool = createPool(settings);
  const tokenPool = tokenPoolFor(settings, pool);
  const serviceClock = createServiceClock();
  const auth = settings.serviceAccount
    ? createBearerAuth(settings.serviceAccount, {
        sendToTokenUrl: createLog(write)(tokenPool.send),
        onToken: (token) => {
          tokens.push(token);
          redactAll = createSettingsRedact(settings, tokens);
        },
      })
    : createDigestAuth(settings, (message) => log(redact(`${settings.origin}: ${message}`), "warn"));
  const layers: readonly Layer[] = [
    createLog(write),
    createInvitationPacing(settings, { log: write, report: (message) => log(redact(message), "info") }),
    createLimit(settings),
    createRetry({ ...settings, log: write }),
    auth,
    serviceClock.layer,
  ];
  return {
    send: layers.reduceRight<SendRequest>((inner, layer) => layer(inner), pool.send),
    now: serviceClock.now,
    redact,
    close: async () => {
      await Promise.all([pool.close(), tokenPool.close()]);
    },
  };
}

/**
 * The pool for the token endpoint. A token endpoint with another origin than the service does not get
 * the client certificate for the service.
 */
function tokenPoolFor(settings: TransportSettings, pool: Pool): Pool {
  const { serviceAccount } = settings;
  if (serviceAccount === undefined) return pool;
  const { origin } = new URL(serviceAccount.tokenUrl);
  if (origin === settings.origin) return pool;
  const { tokenProxyUrl: proxyUrl } = serviceAccount;
  return createPool({ ...settings, origin, proxyUrl, clientCert: undefined, clientKey: undefined });
}

function createLog(log: (message: string) => void): Layer {
  return (next) => async (request) => {
    const start = performance.now();
    const logOutcome = (outcome: string | number) =>
      log(`${describeRequest(request)}: ${outcome} in ${Math.round(performance.now() - start)} ms`);
    try {
      const response = await next(request);
      logOutcome(response.status);
      return response;
    } catch (error) {
      logOutcome(messageOf(error));
      throw error;
    }
  };
}
