/** One nonce: its use count, the signing of requests with it, and its successor. */
import { randomBytes } from "node:crypto";
import { Credentials, type DigestKeys, sessionKey } from "./digest-answer";
import type { DigestChallenge } from "./digest-challenge";
import { parseParameters } from "./digest-fields";
import { headerValues, type WireRequest, type WireResponse } from "./wire";

/** The content of `Authentication-Info` in a response (RFC 7616 section 3.5). */
interface AuthenticationInfo {
  /** `rspauth` is present and differs from what a server that knows the key computes. */
  readonly isWrong: boolean;
  /** `rspauth` is present and cannot be checked. */
  readonly isUnchecked: boolean;
  readonly nextNonce: string | undefined;
}

export interface SignedRequest {
  readonly request: WireRequest;
  /** `true` for `qop=auth`, `false` for the RFC 2069 form. */
  readonly withQop: boolean;
  /** @returns `undefined` if the response has no such field */
  infoOf(response: WireResponse): AuthenticationInfo | undefined;
}

/**
 * What a nonce takes over from its predecessor by `nextnonce`: the authentication session
 * continues.
 */
interface AuthenticationSession {
  readonly cnonce: string;
  readonly key: string;
}

/**
 * Age below which a rejected nonce counts as young. The real service's nonces live about 60
 * seconds.
 */
const YOUNG_MILLISECONDS = 10_000;

/** A nonce with its count, which is per nonce and begins at 1 (RFC 7616 section 3.4). */
export class Nonce {
  readonly #keys: DigestKeys;
  readonly #session: AuthenticationSession;
  readonly #credentials: Credentials;
  readonly #since = performance.now();
  #count = 0;
  /** The server rejected it on repeated use. */
  refused = false;

  constructor(
    readonly challenge: DigestChallenge,
    keys: DigestKeys,
    session?: AuthenticationSession,
  ) {
    this.#keys = keys;
    this.#session = session ?? beginSession(challenge, keys);
    this.#credentials = new Credentials(challenge, keys.publicKey, this.#session.key);
  }

  /** More than one request was signed with it. */
  get reused(): boolean {
    return this.#count > 1;
  }

  get isYoung(): boolean {
    return performance.now() - this.#since < YOUNG_MILLISECONDS;
  }

  sign(request: WireRequest, withQop: boolean): SignedRequest {
    this.#count += 1;
    const { method, target, headers } = request;
    const credentials = this.#credentials;
    const counted = withQop ? { cnonce: this.#session.cnonce, nonceCount: this.#count } : undefined;
    const authorization = credentials.authorization(method, target, counted);
    return {
      request: { ...request, headers: { ...headers, authorization } },
      withQop,
      // Only with qop does the response sign this request, by its cnonce and count.
      infoOf: (response) => readInfo(response, counted && (() => credentials.rspauth(target, counted))),
    };
  }

  /** The nonce that the server requires next. */
  follow(nonce: string): Nonce {
    return new Nonce({ ...this.challenge, nonce }, this.#keys, this.#session);
  }
}

function beginSession(challenge: DigestChallenge, keys: DigestKeys): AuthenticationSession {
  const cnonce = randomBytes(12).toString("hex");
  return { cnonce, key: sessionKey(challenge, keys, cnonce) };
}

function readInfo(
  response: WireResponse,
  expected: (() => string) | undefined,
): AuthenticationInfo | undefined {
  const headers = headerValues(response, "authentication-info");
  if (headers.length === 0) return undefined;
  const parameters = parseParameters(headers.join(", "));
  const rspauth = parameters.get("rspauth");
  // A server may sign its response's body instead (auth-int), whatever was requested. That is not
  // checked here.
  const checkable = (parameters.get("qop") ?? "auth").toLowerCase() === "auth";
  const isWrong =
    rspauth !== undefined && expected !== undefined && checkable && rspauth.toLowerCase() !== expected();
  const isUnchecked = rspauth !== undefined && !checkable;
  return { isWrong, isUnchecked, nextNonce: parameters.get("nextnonce") || undefined };
}
