/** One nonce: how often it was used, what is signed with it, and what comes after it. */
import { randomBytes } from "node:crypto";
import { Credentials, type DigestKeys, sessionKey } from "./digest-answer";
import type { DigestChallenge } from "./digest-challenge";
import { parseParameters } from "./digest-fields";
import { headerValues, type WireRequest, type WireResponse } from "./wire";

/** What an answer says of itself in `Authentication-Info` (RFC 7616 section 3.5). */
export interface AuthenticationInfo {
  /** `rspauth` was there and is not what a server computes that knows the key. */
  readonly isWrong: boolean;
  readonly nextNonce: string | undefined;
}

export interface SignedRequest {
  readonly request: WireRequest;
  /** With `qop=auth`, or in the RFC 2069 form. */
  readonly withQop: boolean;
  /** @returns `undefined` when the answer has no such field */
  infoOf(response: WireResponse): AuthenticationInfo | undefined;
}

/** What a nonce takes over from the one it follows by `nextnonce`: the authentication session goes on. */
interface AuthenticationSession {
  readonly cnonce: string;
  readonly key: string;
}

/** The real service's nonces live about 60 seconds; an older one that is refused has ended, whatever the server allows. */
const YOUNG_MILLISECONDS = 10_000;

/** The count is per nonce and begins at 1 (RFC 7616 section 3.4). */
export class Nonce {
  readonly #keys: DigestKeys;
  readonly #session: AuthenticationSession;
  readonly #credentials: Credentials;
  readonly #since = performance.now();
  #count = 0;
  /** The server did not take it again. */
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
      // Only with qop does the answer sign for this very request, by its cnonce and count.
      infoOf: (response) => readInfo(response, counted && (() => credentials.rspauth(target, counted))),
    };
  }

  /** The nonce that the server wants next. */
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
  // A server may sign its answer's body instead (auth-int), whatever was asked for; that is not checked here.
  const checkable = (parameters.get("qop") ?? "auth").toLowerCase() === "auth";
  const isWrong =
    rspauth !== undefined && expected !== undefined && checkable && rspauth.toLowerCase() !== expected();
  return { isWrong, nextNonce: parameters.get("nextnonce") || undefined };
}
