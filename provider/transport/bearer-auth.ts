/**
 * Access tokens of a service account as a layer, in the place of Digest: RFC 6749 section 4.4 (client
 * credentials) and RFC 6750.
 *
 * One token serves all requests. The first request that needs a token requests it, and the others
 * wait for the same response. A token is renewed before it ends. If the service rejects a token, it
 * is renewed once and the request is repeated once. A renewal that does not help is not repeated:
 * the rejection concerns the request or the account, and the token endpoint limits requests per
 * minute.
 *
 * A failure at the token endpoint happens before anything is sent to the service, so the retry layer can
 * retry any method.
 *
 * The client secret is sent to the token endpoint alone, and tokens to the service alone: each has a
 * pool for one origin. Tokens are held in memory only.
 */
import { z } from "zod";
import { attempt } from "../attempt";
import type { ServiceAccount } from "../settings/credentials";
import { type Clock, processClock } from "./clock";
import { unlessInterrupted } from "./interruption";
import {
  errorCodeOf,
  headerValues,
  type Layer,
  retryAfter,
  type SendRequest,
  USER_AGENT,
  WireFault,
  type WireRequest,
  type WireResponse,
} from "./wire";

/** A token is renewed this long before it ends, or after half of its life if that is shorter. */
const RENEWAL_MARGIN_MILLISECONDS = 60_000;

/** The wait before the next renewal after a failed one, while the old token is still good. */
const RENEWAL_PAUSE_MILLISECONDS = 5_000;

/**
 * The wait after a 429 without Retry-After. Cloud Manager allows 10 requests for tokens per minute
 * (its documentation of the token endpoint).
 */
const RATE_LIMIT_MILLISECONDS = 6_000;

/** The life of a token whose response lacks `expires_in`: that of the documented ones, in seconds. */
const USUAL_LIFE_SECONDS = 3600;

/** A successful response of the token endpoint (RFC 6749 section 5.1). */
const tokenResponse = z.object({
  access_token: z
    .string()
    .min(1)
    .regex(/^[!-~]+$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.coerce.number().positive().catch(USUAL_LIFE_SECONDS),
});

interface BearerOptions {
  /** Sends a request to the origin of the token endpoint. */
  readonly sendToTokenUrl: SendRequest;
  /** Receives each token as soon as it is known, so that logs and errors never contain it. */
  readonly onToken: (token: string) => void;
}

export function createBearerAuth(
  account: ServiceAccount,
  options: BearerOptions,
  clock: Clock = processClock,
): Layer {
  const auth = new BearerAuth(account, options, clock);
  return (next) => (request) => auth.send(next, request);
}

interface Token {
  readonly value: string;
  /** From then on, the next request renews it. Milliseconds of the clock, as `endsAt`. */
  renewAt: number;
  readonly endsAt: number;
  /** It replaced a rejected token, and the service rejected it for the same request. */
  isRenewalInVain: boolean;
}

/** A token, a response that denies it, or the reason why there was no usable response. */
type TokenResult =
  | { readonly token: Token }
  | { readonly denial: WireResponse }
  | { readonly fault: WireFault };

class BearerAuth {
  readonly #options: BearerOptions;
  readonly #clock: Clock;
  readonly #tokenUrl: string;
  readonly #request: WireRequest;
  #current: Token | undefined;
  /** The request for a token that is under way. */
  #underWay: Promise<TokenResult> | undefined;
  /** The token endpoint requires waiting: the fault of the last request, and when it ends. */
  #limited: { readonly fault: WireFault; readonly until: number } | undefined;
  /**
   * The token endpoint denied a token to the account, or the service rejected all its tokens. That
   * holds for the life of the process: further attempts could lock the account out or hide the
   * cause.
   */
  #refusal: WireResponse | undefined;
  /** The service has accepted a token. */
  #proven = false;

  constructor(account: ServiceAccount, options: BearerOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#tokenUrl = account.tokenUrl;
    this.#request = tokenRequest(account);
  }

  async send(next: SendRequest, request: WireRequest): Promise<WireResponse> {
    const first = await this.#usableToken(request.signal);
    if (!("token" in first)) return responseOr(first);
    const response = await next(withToken(request, first.token));
    if (!isTokenRejected(response)) return this.#accepted(response);
    const second = await this.#tokenAfter(first.token, request.signal);
    if (second === undefined) return this.#marked(response);
    if (!("token" in second)) return responseOr(second);
    const repeated = await next(withToken(request, second.token));
    if (!isTokenRejected(repeated)) return this.#accepted(repeated);
    second.token.isRenewalInVain = true;
    if (!this.#proven) this.#refusal = repeated;
    return this.#marked(repeated);
  }

  /** The current token, or a new one if it has to be renewed. */
  async #usableToken(signal: AbortSignal | undefined): Promise<TokenResult> {
    if (this.#refusal) return { denial: this.#refusal };
    const current = this.#current;
    if (current && this.#clock.now() < current.renewAt) return { token: current };
    const result = await this.#requestToken(signal);
    const now = this.#clock.now();
    if (!("fault" in result) || !current || now >= current.endsAt) return result;
    current.renewAt = now + RENEWAL_PAUSE_MILLISECONDS;
    return { token: current };
  }

  /**
   * The token for the repetition of a rejected request.
   *
   * @returns `undefined` if no other token can help
   */
  async #tokenAfter(rejected: Token, signal: AbortSignal | undefined): Promise<TokenResult | undefined> {
    if (this.#refusal || rejected.isRenewalInVain) return undefined;
    // Another request has renewed the token in the meantime.
    if (this.#current && this.#current !== rejected) return { token: this.#current };
    this.#current = undefined;
    return this.#requestToken(signal);
  }

  /** Requests a token, or waits for the request that is under way. */
  #requestToken(signal: AbortSignal | undefined): Promise<TokenResult> {
    if (this.#limited && this.#clock.now() < this.#limited.until) {
      return Promise.resolve({ fault: this.#limited.fault });
    }
    // One caller's interruption does not end it, because others wait for it.
    this.#underWay ??= this.#exchange().finally(() => {
      this.#underWay = undefined;
    });
    return unlessInterrupted(this.#underWay, signal);
  }

  async #exchange(): Promise<TokenResult> {
    // The life of a token counts from the request: the response does not show when it was issued.
    const start = this.#clock.now();
    try {
      const response = await this.#options.sendToTokenUrl(this.#request);
      if (response.status === 429 || response.status >= 500) return { fault: this.#unavailable(response) };
      const token = tokenIn(response, start);
      if (token === undefined) return { denial: this.#denied(response) };
      this.#options.onToken(token.value);
      this.#current = token;
      return { token };
    } catch (error) {
      if (error instanceof WireFault) return { fault: this.#noResponse(error) };
      throw error;
    }
  }

  #unavailable(response: WireResponse): WireFault {
    const { status } = response;
    const wait = retryAfter(response) ?? (status === 429 ? RATE_LIMIT_MILLISECONDS : 0);
    const code = /^[\w.-]{1,40}$/.exec(oauthErrorOf(response)?.error ?? "")?.[0];
    const result = [status, code].filter((part) => part !== undefined).join(" ");
    const fault = new WireFault(
      "noToken",
      false,
      `the token endpoint ${this.#tokenUrl} returned status ${result}`,
      {
        response,
        advice:
          status === 429
            ? "It limits requests for tokens per minute. Run the command again in a minute."
            : "Run the command again later.",
      },
    );
    this.#limited = { fault, until: this.#clock.now() + wait };
    return fault;
  }

  /** The request itself was not sent, whatever became of the request for a token. */
  #noResponse({ kind, message, advice, cause }: WireFault): WireFault {
    const mayRepeat = kind === "broken" || kind === "timeout" || kind === "unusable";
    const text = `the token endpoint ${this.#tokenUrl} gave no usable response: ${message}`;
    return new WireFault(mayRepeat ? "noToken" : kind, false, text, {
      cause,
      advice: advice?.replaceAll("baseUrl", "tokenUrl") ?? "Check tokenUrl, the network and proxyUrl.",
    });
  }

  #denied(response: WireResponse): WireResponse {
    const denial: WireResponse = { ...response, isOfTokenUrl: true };
    if (tokenRefusalOf(denial) === "account") this.#refusal = denial;
    return denial;
  }

  #accepted(response: WireResponse): WireResponse {
    // A limiter or gateway in front of the service returns 429 or 5xx without checking the token.
    if (response.status < 500 && response.status !== 429) this.#proven = true;
    return this.#marked(response);
  }

  #marked(response: WireResponse): WireResponse {
    return this.#proven ? { ...response, keyAccepted: true } : response;
  }
}

function responseOr(result: Exclude<TokenResult, { readonly token: Token }>): WireResponse {
  if ("fault" in result) throw result.fault;
  return result.denial;
}

function withToken(request: WireRequest, { value }: Token): WireRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${value}` } };
}

/** The request of RFC 6749 section 4.4.2, with the credentials of section 2.3.1. */
function tokenRequest(account: ServiceAccount): WireRequest {
  const { pathname } = new URL(account.tokenUrl);
  return {
    method: "POST",
    target: pathname,
    headers: {
      authorization: `Basic ${basicCredentials(account)}`,
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
      "user-agent": USER_AGENT,
    },
    body: "grant_type=client_credentials",
  };
}

/** The ID and the secret as they are sent: encoded as in a form, then as Basic credentials. */
export function basicCredentials({
  clientId,
  clientSecret,
}: Pick<ServiceAccount, "clientId" | "clientSecret">): string {
  const [id, secret] = [clientId, clientSecret].map((text) =>
    new URLSearchParams({ "": text }).toString().slice(1),
  );
  return Buffer.from(`${id}:${secret}`).toString("base64");
}

/** @returns `undefined` for a response that has no token */
function tokenIn(response: WireResponse, start: number): Token | undefined {
  if (response.status < 200 || response.status > 299) return undefined;
  const parsed = tokenResponse.safeParse(attempt(() => JSON.parse(response.body)));
  if (!parsed.success) return undefined;
  const life = parsed.data.expires_in * 1000;
  return {
    value: parsed.data.access_token,
    renewAt: start + life - Math.min(RENEWAL_MARGIN_MILLISECONDS, life / 2),
    endsAt: start + life,
    isRenewalInVain: false,
  };
}

/** Statuses that deny a token (documentation of Cloud Manager, token endpoint). */
const DENIALS: ReadonlySet<number> = new Set([400, 401, 403]);

const oauthError = z.object({
  error: z.string().min(1),
  error_description: z.string().optional().catch(undefined),
});

/** The error of a token endpoint (RFC 6749 section 5.2); `undefined` for any other response. */
export function oauthErrorOf({ status, body }: WireResponse): z.output<typeof oauthError> | undefined {
  return status < 400 ? undefined : oauthError.safeParse(attempt(() => JSON.parse(body))).data;
}

/**
 * Whether the service rejects the token. Errors of the application have status 401 too, with an
 * `errorCode`. `invalid_token` always concerns the token (RFC 6750 section 3.1), whatever the body
 * holds.
 */
function isTokenRejected(response: WireResponse): boolean {
  if (response.status !== 401) return false;
  const challenges = headerValues(response, "www-authenticate");
  return (
    errorCodeOf(response) === undefined ||
    challenges.some((challenge) => /\bbearer\b.*\binvalid_token\b/i.test(challenge))
  );
}

/**
 * What a response rejects:
 * - `account`: the token endpoint gave no token to the service account
 * - `token-url`: the address in tokenUrl gave no response of a token endpoint
 * - `token`: the service accepts no token of the account, as far as the response shows
 */
export type TokenRefusal = "account" | "token-url" | "token";

/** @returns `undefined` for a response that rejects no token */
export function tokenRefusalOf(response: WireResponse): TokenRefusal | undefined {
  if (response.isOfTokenUrl) {
    return DENIALS.has(response.status) && oauthErrorOf(response) ? "account" : "token-url";
  }
  return isTokenRejected(response) ? "token" : undefined;
}
