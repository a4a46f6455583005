/**
 * The shapes that all layers of the transport share: a request, a response, and a failed exchange.
 */
import type { SharedCause } from "../text/errors";
import { own } from "../text/own";

/** The `User-Agent` of every request. */
export const USER_AGENT = "pulumi-opsmanager";

export interface WireRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path with query as it is sent, percent-encoded, beginning with `/`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, or a form for a token endpoint. */
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Key of the object that the request is about. Waiting requests of one object keep their order,
   * and the objects take turns.
   */
  readonly queueKey?: string | undefined;
  /**
   * The request may send an invitation. A service accepts only a limited number of them per
   * minute.
   */
  readonly invites?: boolean | undefined;
  /** The request is sent without a signature first, so the response shows whether the server demands one. */
  readonly asksForChallenge?: boolean | undefined;
}

/**
 * Describes a request for logs, without the query's values and names in paths: a program may keep
 * names secret.
 */
export function describeRequest({ method, target }: WireRequest): string {
  return `${method} ${target.replace(/\?.*$/s, "?...").replace(/(\/byName\/)[^/?]+/, "$1...")}`;
}

export interface WireResponse {
  readonly status: number;
  /** Names in lower case, as undici gives them. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /**
   * The request was signed with the API key, or had a token of the service account. The service
   * accepted these credentials for this request or for an earlier one.
   */
  readonly keyAccepted?: boolean;
  /**
   * The server demanded a Digest signature for this very request and took the key's. Its own signature
   * (`rspauth`), if there is one, is right. Another server doesn't know the key.
   */
  readonly challengeAnswered?: boolean;
  /** The token endpoint gave this response instead of a token. The request itself was not sent. */
  readonly isOfTokenUrl?: boolean;
}

export type SendRequest = (request: WireRequest) => Promise<WireResponse>;

/** A layer wraps the next inner `SendRequest` and returns another one. */
export type Layer = (next: SendRequest) => SendRequest;

/**
 * Why an exchange has no response:
 * - `broken`: no connection, or one that ended before the response was complete
 * - `untrusted`: the TLS handshake failed; a retry cannot help
 * - `proxyRefused`: the proxy rejected the connection; a retry cannot help
 * - `timeout`: no complete response in time
 * - `unusable`: the response cannot be read: too long, badly compressed, not text
 * - `noToken`: the token endpoint gave no token for now, so nothing was sent
 * - `canceled`: the caller's signal was aborted
 */
type WireFaultKind =
  | "broken"
  | "untrusted"
  | "proxyRefused"
  | "timeout"
  | "unusable"
  | "noToken"
  | "canceled";

export class WireFault extends Error {
  /** What the user can do about it, as a complete sentence. */
  readonly advice: string | undefined;
  /** The response that led to the fault. It may require waiting. */
  readonly response: WireResponse | undefined;

  constructor(
    readonly kind: WireFaultKind,
    /** The request was written to a connection, so the service may have acted on it. */
    readonly sent: boolean,
    message: string,
    options: ErrorOptions & {
      readonly advice?: string | undefined;
      readonly response?: WireResponse;
    } = {},
  ) {
    super(message, options);
    this.name = "WireFault";
    this.advice = options.advice;
    this.response = options.response;
  }
}

/** The cause of a status that a limiter or a gateway returns for any call. */
export function causeOfStatus(status: number): Omit<SharedCause, "explanation"> | undefined {
  if (status === 429) return { name: "Too many requests", mayPass: true };
  return [502, 503, 504].includes(status) ? { name: "Service not available", mayPass: true } : undefined;
}

/** All values of a header that a response may contain more than once. */
export function headerValues(response: Pick<WireResponse, "headers">, name: string): string[] {
  const value = own(response.headers, name);
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/**
 * The value of the header `X-<vendor>-Service-Version`, which successful responses carry (API document,
 * "Versioning"): `gitHash=<hash>; versionString=<version>`.
 */
export function serviceVersionOf({ headers }: Pick<WireResponse, "headers">): string | undefined {
  const name = Object.keys(headers).find((key) => /^x-.+-service-version$/.test(key));
  const value = name && headerValues({ headers }, name)[0];
  return value?.includes("versionString=") ? value : undefined;
}

/** The service's stable code in an error response. */
export function errorCodeOf({ status, body }: WireResponse): string | undefined {
  return status < 400 ? undefined : /"errorCode"\s*:\s*"(\w+)"/.exec(body)?.[1];
}

/** `Retry-After` in seconds or as a date (RFC 9110 section 10.2.3), in milliseconds from now. */
export function retryAfter(response: WireResponse): number | undefined {
  const value = headerValues(response, "retry-after")[0]?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - serversNow(response));
}

/**
 * The service's time, by the clock that made the response's date if it has one: this machine's clock
 * may be minutes off.
 */
function serversNow(response: WireResponse): number {
  const date = Date.parse(headerValues(response, "date")[0] ?? "");
  return Number.isNaN(date) ? Date.now() : date;
}
