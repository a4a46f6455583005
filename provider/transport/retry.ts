/**
 * Retries requests by what is known about the outcome of the last attempt.
 *
 * - The request did nothing (no connection, no access token, 429, 503 with Retry-After, an upgrade):
 *   any method may be repeated.
 * - The outcome is unknown (connection lost, timeout, 500, 502, bare 503, 504): GET, DELETE, and
 *   PATCH or PUT with the same body may be repeated, because a repetition changes nothing.
 * - A POST with an unknown outcome is never repeated. It ends as `OutcomeUnknownError`, and the
 *   resource reads the state. That includes a POST that was canceled after it was sent. A write that
 *   got no response to any attempt ends in the same way.
 *
 * All attempts and the waits between them share one time budget. So a service that hangs or
 * requires long waits costs a call twice the time of one attempt, not `maxRetries` times.
 */

import {
  OutcomeUnknownError,
  RequestTimeoutError,
  UnexpectedResponseError,
  UnreachableError,
} from "../text/errors";
import { type Clock, processClock } from "./clock";
import { interruption } from "./interruption";
import { isOneTooMany } from "./invitation-pacing";
import {
  causeOfStatus,
  describeRequest,
  errorCodeOf,
  headerValues,
  type Layer,
  retryAfter,
  type SendRequest,
  WireFault,
  type WireRequest,
  type WireResponse,
} from "./wire";

export interface RetrySettings {
  /** Attempts after the first one. */
  readonly maxRetries: number;
  readonly origin: string;
  readonly requestTimeoutSeconds: number;
  /** Logs one line per repeated attempt. */
  readonly log: (message: string) => void;
}

/**
 * Budget for all attempts of a call and the waits between them, in multiples of
 * `requestTimeoutSeconds`.
 */
const BUDGET_IN_TIMEOUTS = 2;

/**
 * Code of a request that was rejected without effect, whatever the status (MongoDB's error list).
 */
const REFUSED_UNDONE = "WRITES_NOT_ALLOWED_DURING_APP_UPGRADES";

type AttemptResult = WireResponse | WireFault;

type AttemptOutcome = "done" | "undone" | "open";

/**
 * How long calls fail without an attempt after one that did not get a connection in all of its
 * attempts. Calls that come later have one attempt each, until the service responds.
 */
const OUTAGE_MILLISECONDS = 1_000;

/** The service cannot be reached. */
interface Outage {
  readonly fault: WireFault;
  readonly until: number;
}

export function createRetry(settings: RetrySettings, clock: Clock = processClock): Layer {
  const { maxRetries, requestTimeoutSeconds, log } = settings;
  const budget = BUDGET_IN_TIMEOUTS * requestTimeoutSeconds * 1000;
  let outage: Outage | undefined;
  return (next) => async (request) => {
    const end = clock.now() + budget;
    for (let attempt = 0; ; attempt += 1) {
      if (outage && clock.now() < outage.until) return conclude(settings, request, outage.fault);
      const result = await attemptOnce(next, request, settings, end - clock.now());
      const isLast = attempt >= maxRetries;
      if (hasConnection(result)) outage = undefined;
      else if (isUnreachable(result) && (isLast || outage)) {
        outage = { fault: result, until: clock.now() + OUTAGE_MILLISECONDS };
      }
      if (!mayRepeat(request, result) || isLast || outage) return conclude(settings, request, result);
      const wait = waitBefore(attempt, result instanceof WireFault ? result.response : result);
      const prefix = `${describeRequest(request)}: ${describe(result)};`;
      if (wait >= end - clock.now()) {
        log(
          `${prefix} no further attempt, as it would come ${seconds(wait)} later and a call has ${seconds(budget)} for all its attempts`,
        );
        return conclude(settings, request, result);
      }
      log(`${prefix} attempt ${attempt + 2} of ${maxRetries + 1} in ${Math.round(wait)} ms`);
      await clock.pause(wait, request.signal);
    }
  };
}

function seconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)} s`;
}

/**
 * @param remaining milliseconds of the budget; an attempt that has less than its own time limit
 * ends with the budget
 */
function attemptOnce(
  next: SendRequest,
  request: WireRequest,
  settings: RetrySettings,
  remaining: number,
): Promise<AttemptResult> {
  return remaining >= settings.requestTimeoutSeconds * 1000
    ? resultOf(next(request))
    : attemptWithin(next, request, settings, remaining);
}

async function attemptWithin(
  next: SendRequest,
  request: WireRequest,
  { origin, requestTimeoutSeconds }: RetrySettings,
  remaining: number,
): Promise<AttemptResult> {
  const message = `no complete response within ${BUDGET_IN_TIMEOUTS * requestTimeoutSeconds} s, the limit for all attempts of a call`;
  const budget = new AbortController();
  const reason = new RequestTimeoutError(`${origin}: ${message} (twice the setting requestTimeoutSeconds).`);
  const timer = setTimeout(() => budget.abort(reason), remaining);
  const signal = request.signal ? AbortSignal.any([request.signal, budget.signal]) : budget.signal;
  try {
    const result = await resultOf(next({ ...request, signal }));
    const isOurs = result instanceof WireFault && result.kind === "canceled" && !request.signal?.aborted;
    return isOurs ? new WireFault("timeout", result.sent, message, { cause: result }) : result;
  } finally {
    clearTimeout(timer);
  }
}

async function resultOf(exchange: Promise<WireResponse>): Promise<AttemptResult> {
  try {
    return await exchange;
  } catch (error) {
    if (error instanceof WireFault) return error;
    throw error;
  }
}

/** What the attempt did in the service, as far as that can be known. */
function outcomeOf(result: AttemptResult): AttemptOutcome {
  if (result instanceof WireFault) return result.sent ? "open" : "undone";
  // The layer that paces invitations handles this response: no wait here would be long enough.
  if (isOneTooMany(result)) return "done";
  if (result.status === 429 || errorCodeOf(result) === REFUSED_UNDONE) return "undone";
  // A service that sends Retry-After has not processed the request. A proxy's 503 without it may
  // come after the service's work.
  if (result.status === 503 && headerValues(result, "retry-after").length > 0) return "undone";
  return [500, 502, 503, 504].includes(result.status) ? "open" : "done";
}

function hasConnection(result: AttemptResult): boolean {
  return !(result instanceof WireFault) || result.sent;
}

/** The kinds of faults that may pass. */
const REPEATABLE: ReadonlySet<WireFault["kind"]> = new Set(["broken", "timeout", "noToken"]);

/** A canceled attempt shows nothing. */
function isUnreachable(result: AttemptResult): result is WireFault {
  return result instanceof WireFault && !result.sent && REPEATABLE.has(result.kind);
}

function mayRepeat(request: WireRequest, result: AttemptResult): boolean {
  if (result instanceof WireFault && !REPEATABLE.has(result.kind)) return false;
  const outcome = outcomeOf(result);
  return outcome === "undone" || (outcome === "open" && request.method !== "POST");
}

function conclude(settings: RetrySettings, request: WireRequest, result: AttemptResult): WireResponse {
  // An error response to a write that may be repeated is more than a loss: the resource reads the state after it.
  const isLost = result instanceof WireFault && REPEATABLE.has(result.kind) && request.method !== "GET";
  if ((request.method === "POST" || isLost) && outcomeOf(result) === "open") {
    throw new OutcomeUnknownError(
      `${settings.origin} returned no usable response (${describe(result)}). It may or may not have performed the request.`,
      result instanceof WireFault ? { cause: result } : {},
    );
  }
  if (!(result instanceof WireFault)) return result;
  throw publicError(settings, request, result);
}

function publicError({ origin }: RetrySettings, { signal }: WireRequest, fault: WireFault): Error {
  const options = { cause: fault };
  switch (fault.kind) {
    case "canceled":
      return interruption(signal);
    case "timeout":
      return timeoutError(
        `${origin}: ${fault.message} (setting requestTimeoutSeconds). ${fault.sent ? "The service may be slow" : "No connection was made: check baseUrl, the network and proxyUrl"}.`,
        fault,
      );
    case "untrusted":
      return new UnreachableError(
        `No trusted connection to ${origin}: ${fault.message}.${adviceOf(fault)}`,
        options,
      );
    case "noToken":
      return new UnreachableError(
        `No access token for ${origin}: ${fault.message}.${adviceOf(fault)}`,
        options,
      );
    case "proxyRefused":
      return new UnreachableError(
        `${origin} cannot be reached: ${fault.message}.${adviceOf(fault)}`,
        options,
      );
    case "unusable":
      return new UnexpectedResponseError(`${origin}: ${fault.message}.`, options);
    case "broken":
      return brokenError(
        `${origin} ${fault.sent ? "broke the connection" : "cannot be reached"}: ${fault.message}.`,
        fault,
      );
  }
}

/** A call that waited for the response to another one shares its cause. */
function brokenError(what: string, fault: WireFault): UnreachableError {
  const named = fault.response && causeOfStatus(fault.response.status);
  const advice = named ? "Run the command again later." : "Check baseUrl, the network and proxyUrl.";
  const explanation = `${what} ${advice}`;
  return new UnreachableError(explanation, {
    cause: fault,
    ...(named && { sharedCause: { ...named, explanation } }),
  });
}

/** Without a connection, no call gets one. A slow response may be that of one call. */
function timeoutError(explanation: string, fault: WireFault): RequestTimeoutError {
  const sharedCause = fault.sent
    ? { name: "No response in time", explanation, mayPass: true }
    : { name: "Unreachable", explanation };
  return new RequestTimeoutError(explanation, { cause: fault, sharedCause });
}

function adviceOf({ advice }: WireFault): string {
  return advice === undefined ? "" : ` ${advice}`;
}

function describe(result: AttemptResult): string {
  if (result instanceof WireFault) return result.message;
  const errorCode = errorCodeOf(result);
  return errorCode === undefined ? `status ${result.status}` : `status ${result.status} ${errorCode}`;
}

// The wait before the next attempt: as the service requires, or full jitter. Pure except for the
// random number.

/** The longest first wait and the longest of all waits, in milliseconds. */
interface Ceilings {
  readonly first: number;
  readonly longest: number;
}

const SHORT: Ceilings = { first: 500, longest: 10_000 };

/**
 * For limits per minute (service's error list) and upgrades, which take minutes: short waits would
 * all be in vain.
 */
const LONG: Ceilings = { first: 15_000, longest: 60_000 };

/**
 * @param attempt number of attempts before this response
 * @param response `undefined` if there is none
 * @returns milliseconds
 */
function waitBefore(attempt: number, response: WireResponse | undefined): number {
  const required = response && retryAfter(response);
  const { first, longest } = required === undefined && response && isBusyForLonger(response) ? LONG : SHORT;
  return (required ?? 0) + Math.random() * Math.min(longest, first * 2 ** attempt);
}

function isBusyForLonger(response: WireResponse): boolean {
  return response.status === 429 || errorCodeOf(response) === REFUSED_UNDONE;
}
