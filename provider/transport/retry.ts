/**
 * Trying again, decided by what is known about the outcome of the attempt before.
 *
 * Nothing was done (no connection, 429, 503, a refused invitation burst): any method may be repeated. The outcome is
 * open (connection lost, timeout, 500, 502, 504): GET, PATCH with the same body and DELETE may be repeated, as repeating
 * them changes nothing; a POST never is. It ends as `OutcomeUnknownError`, and the handler looks.
 */
import { setTimeout as sleep } from "node:timers/promises";
import {
  CancelledError,
  OutcomeUnknownError,
  RequestTimeoutError,
  UnexpectedResponseError,
  UnreachableError,
} from "../errors";
import { headerValues, type Layer, type Send, WireFault, type WireRequest, type WireResponse } from "./wire";

export interface RetrySettings {
  /** Attempts after the first one. */
  readonly maxRetries: number;
  readonly origin: string;
  readonly requestTimeoutSeconds: number;
  /** One line per repeated attempt. */
  readonly log: (message: string) => void;
}

const FIRST_DELAY_MILLISECONDS = 500;
const LONGEST_DELAY_MILLISECONDS = 10_000;
/** A longer `Retry-After` is answered with the error itself: no user expects `up` to sit still for minutes. */
const LONGEST_RETRY_AFTER_MILLISECONDS = 120_000;

/** Answers with these codes were refused before anything was done, whatever their status (MongoDB's error list). */
const REFUSED_UNDONE =
  /"errorCode"\s*:\s*"(INVITATIONS_RATE_LIMITED_IP|RATE_LIMITED_IP|WRITES_NOT_ALLOWED_DURING_APP_UPGRADES)"/;

type Outcome = "done" | "undone" | "open";

export function createRetry(settings: RetrySettings): Layer {
  return (next) => async (request) => {
    for (let attempt = 0; ; attempt += 1) {
      const result = await attemptOnce(next, request);
      const outcome = outcomeOf(result);
      const repeatable = outcome === "undone" || (outcome === "open" && request.method !== "POST");
      const delay = delayBefore(attempt, result);
      if (!repeatable || attempt >= settings.maxRetries || delay === undefined) {
        return conclude(settings, request, result, outcome);
      }
      settings.log(
        `${request.method} ${request.target}: ${describe(result)}; attempt ${attempt + 2} of ${settings.maxRetries + 1} in ${Math.round(delay)} ms`,
      );
      await pause(delay, request.signal);
    }
  };
}

async function attemptOnce(next: Send, request: WireRequest): Promise<WireResponse | WireFault> {
  try {
    return await next(request);
  } catch (error) {
    if (error instanceof WireFault) return error;
    throw error;
  }
}

function outcomeOf(result: WireResponse | WireFault): Outcome {
  if (result instanceof WireFault) {
    if (result.kind === "unsent") return "undone";
    return result.kind === "lost" || result.kind === "timeout" ? "open" : "done";
  }
  if (result.status === 429 || result.status === 503 || REFUSED_UNDONE.test(result.body)) return "undone";
  return result.status === 500 || result.status === 502 || result.status === 504 ? "open" : "done";
}

function conclude(
  settings: RetrySettings,
  request: WireRequest,
  result: WireResponse | WireFault,
  outcome: Outcome,
): WireResponse {
  if (outcome === "open" && request.method === "POST") {
    throw new OutcomeUnknownError(
      `${settings.origin} gave no usable answer (${describe(result)}), so it is not known whether it did what was asked.`,
      result instanceof WireFault ? { cause: result } : {},
    );
  }
  if (!(result instanceof WireFault)) return result;
  throw publicError(settings, result);
}

function publicError(settings: RetrySettings, fault: WireFault): Error {
  const options = { cause: fault };
  switch (fault.kind) {
    case "cancelled":
      return new CancelledError("The operation was cancelled.", options);
    case "timeout":
      return new RequestTimeoutError(
        `${settings.origin} did not answer within ${settings.requestTimeoutSeconds} s (setting requestTimeoutSeconds).`,
        options,
      );
    case "untrusted":
      return new UnreachableError(
        `${settings.origin} showed a certificate that is not trusted: ${fault.message}. Set caCert to the certificate of the authority that signed it.`,
        options,
      );
    case "oversize":
      return new UnexpectedResponseError(`${settings.origin}: ${fault.message}.`, options);
    default:
      return new UnreachableError(
        `${settings.origin} cannot be reached: ${fault.message}. Check baseUrl, the network and proxyUrl.`,
        options,
      );
  }
}

/** Full jitter, or what the service asks for; `undefined` when it asks for longer than anybody should wait. */
function delayBefore(attempt: number, result: WireResponse | WireFault): number | undefined {
  const ceiling = Math.min(LONGEST_DELAY_MILLISECONDS, FIRST_DELAY_MILLISECONDS * 2 ** attempt);
  const jittered = Math.random() * ceiling;
  const asked = result instanceof WireFault ? undefined : retryAfter(result);
  if (asked === undefined) return jittered;
  return asked > LONGEST_RETRY_AFTER_MILLISECONDS ? undefined : asked + jittered;
}

/** `Retry-After` in seconds or as a date (RFC 9110 section 10.2.3), in milliseconds from now. */
function retryAfter(response: WireResponse): number | undefined {
  const value = headerValues(response, "retry-after")[0]?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal ? { signal } : {});
  } catch (error) {
    throw new CancelledError("The operation was cancelled.", { cause: error });
  }
}

function describe(result: WireResponse | WireFault): string {
  return result instanceof WireFault ? result.message : `status ${result.status}`;
}
