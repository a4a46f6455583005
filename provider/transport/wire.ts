/** What every layer of the transport has in common: the shape of a request, an answer, and a failed exchange. */

export interface WireRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Path with query as it goes on the wire, percent-encoded, beginning with `/`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The object it is about. Where requests wait, those of one object keep their order and the objects take turns. */
  readonly line?: string | undefined;
  /** It may send an invitation, of which a service takes only so many a minute. */
  readonly invites?: boolean | undefined;
}

/** For logs: without the query's values and without what is looked up by name, for a program may keep names secret. */
export function describeRequest({ method, target }: WireRequest): string {
  return `${method} ${target.replace(/\?.*$/s, "?...").replace(/(\/byName\/)[^/?]+/, "$1...")}`;
}

export interface WireResponse {
  readonly status: number;
  /** Names in lower case, as undici gives them. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** The request was signed with the API key, which the service accepted for this request or for an earlier one. */
  readonly keyAccepted?: boolean;
}

export type Send = (request: WireRequest) => Promise<WireResponse>;

/** A layer takes the next inner `Send` and gives back one of its own. */
export type Layer = (next: Send) => Send;

/**
 * Why an exchange has no answer:
 * - `broken`: no connection, or one that ended before the answer did
 * - `untrusted`: the TLS handshake failed; trying again cannot help
 * - `barred`: the proxy leads nobody there, or not us; trying again cannot help
 * - `timeout`: no complete answer in time
 * - `unusable`: the answer cannot be read: too long, badly compressed, not text
 * - `cancelled`: the caller's signal
 */
export type WireFaultKind = "broken" | "untrusted" | "barred" | "timeout" | "unusable" | "cancelled";

export class WireFault extends Error {
  /** What a person can do about it: a sentence of its own. */
  readonly advice: string | undefined;

  constructor(
    readonly kind: WireFaultKind,
    /** The request was written to a connection, so the service may have acted on it. */
    readonly sent: boolean,
    message: string,
    options: ErrorOptions & { readonly advice?: string | undefined } = {},
  ) {
    super(message, options);
    this.name = "WireFault";
    this.advice = options.advice;
  }
}

/** All values of a header that may stand in the answer more than once. */
export function headerValues(response: Pick<WireResponse, "headers">, name: string): string[] {
  const value = response.headers[name];
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/** The service's stable code in an error answer. */
export function errorCodeOf({ status, body }: WireResponse): string | undefined {
  return status < 400 ? undefined : /"errorCode"\s*:\s*"(\w+)"/.exec(body)?.[1];
}
