/**
 * Trying again, decided by what is known about the outcome of the attempt before.
 *
 * Nothing was done (no connection, 429, 503, a refused invitation burst): any method may be repeated. The outcome is
 * open (connection lost, timeout, 500, 502, 504): GET, PATCH with the same body and DELETE may be repeated, as repeating
 * them changes nothing; a POST never is. It ends as `OutcomeUnknownError`, and the handler looks. That includes a POST
 * that was cancelled on its way.
 */
import {
  OutcomeUnknownError,
  RequestTimeoutError,
  UnexpectedResponseError,
  UnreachableError,
} from "../errors";
import { interruption, pause } from "./interruption";
import {
  describeRequest,
  headerValues,
  type Layer,
  type Send,
  WireFault,
  type WireRequest,
  type WireResponse,
} from "./wire";

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

/** What an attempt came to: an answer, or the fault that stood in its way. */
type Result = WireResponse | WireFault;
type Outcome = "done" | "undone" | "open";

export function createRetry(settings: RetrySettings): Layer {
  return (next) => async (request) => {
    for (let attempt = 0; ; attempt += 1) {
      const result = await attemptOnce(next, request);
      const delay = delayBefore(attempt, result);
      if (!mayRepeat(request, result) || attempt >= settings.maxRetries || delay === undefined) {
        return conclude(settings, request, result);
      }
      settings.log(
        `${describeRequest(request)}: ${describe(result)}; attempt ${attempt + 2} of ${settings.maxRetries + 1} in ${Math.round(delay)} ms`,
      );
      await pause(delay, request.signal);
    }
  };
}

async function attemptOnce(next: Send, request: WireRequest): Promise<Result> {
  try {
    return await next(request);
  } catch (error) {
    if (error instanceof WireFault) return error;
    throw error;
  }
}

/** What the attempt did in the service, as far as anybody can know. */
function outcomeOf(result: Result): Outcome {
  if (result instanceof WireFault) return result.sent ? "open" : "undone";
  if (result.status === 429 || REFUSED_UNDONE.test(result.body)) return "undone";
  // A service that says when to come back has taken nothing; a proxy's bare 503 may come after the service's work.
  if (result.status === 503 && headerValues(result, "retry-after").length > 0) return "undone";
  return [500, 502, 503, 504].includes(result.status) ? "open" : "done";
}

function mayRepeat(request: WireRequest, result: Result): boolean {
  if (result instanceof WireFault && result.kind !== "broken" && result.kind !== "timeout") return false;
  const outcome = outcomeOf(result);
  return outcome === "undone" || (outcome === "open" && request.method !== "POST");
}

function conclude(settings: RetrySettings, request: WireRequest, result: Result): WireResponse {
  if (request.method === "POST" && outcomeOf(result) === "open") {
    throw new OutcomeUnknownError(
      `${settings.origin} gave no usable answer (${describe(result)}), so it is not known whether it did what was asked.`,
      result instanceof WireFault ? { cause: result } : {},
    );
  }
  if (!(result instanceof WireFault)) return result;
  throw publicError(settings, request, result);
}

function publicError({ origin }: RetrySettings, { signal }: WireRequest, fault: WireFault): Error {
  const options = { cause: fault };
  switch (fault.kind) {
    case "cancelled":
      return interruption(signal);
    case "timeout":
      return new RequestTimeoutError(
        `${origin}: ${fault.message} (setting requestTimeoutSeconds). ${fault.sent ? "The service may be slow" : "It could not be connected to: check baseUrl, the network and proxyUrl"}.`,
        options,
      );
    case "untrusted":
      return new UnreachableError(
        `No trusted connection to ${origin}: ${fault.message}.${adviceOf(fault)}`,
        options,
      );
    case "barred":
      return new UnreachableError(
        `${origin} cannot be reached: ${fault.message}.${adviceOf(fault)}`,
        options,
      );
    case "unusable":
      return new UnexpectedResponseError(`${origin}: ${fault.message}.`, options);
    case "broken":
      return new UnreachableError(
        `${origin} ${fault.sent ? "broke the connection" : "cannot be reached"}: ${fault.message}. Check baseUrl, the network and proxyUrl.`,
        options,
      );
  }
}

function adviceOf({ advice }: WireFault): string {
  return advice === undefined ? "" : ` ${advice}`;
}

/** Full jitter, or what the service asks for; `undefined` when it asks for longer than anybody should wait. */
function delayBefore(attempt: number, result: Result): number | undefined {
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

function describe(result: Result): string {
  if (result instanceof WireFault) return result.message;
  const errorCode = /"errorCode"\s*:\s*"(\w+)"/.exec(result.body)?.[1];
  return errorCode === undefined ? `status ${result.status}` : `status ${result.status} ${errorCode}`;
}
