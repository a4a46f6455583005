/**
 * HTTP Digest as a layer: one round trip per call in steady state.
 *
 * After the first challenge every request carries its `Authorization` with a rising nonce count (RFC 7616 section
 * 3.4). A further 401 is answered once, and only where a second try can help: the server says `stale=true`, the
 * refused nonce was one of ours from before, or the challenge says `op` where RFC 7616 says `qop`. So a wrong key costs
 * two requests, three in the `op` dialect, and is never tried again.
 *
 * The first request goes ahead alone. The others wait until the key has proven itself: so that many at once take one
 * challenge, and a wrong key is not tried by all of them.
 */
import { randomBytes } from "node:crypto";
import { authorizationHeader, chooseChallenge, type DigestChallenge } from "./digest-challenge";
import { unlessInterrupted } from "./interruption";
import { headerValues, type Layer, type Send, WireFault, type WireRequest, type WireResponse } from "./wire";

export interface DigestKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** After so many refused nonces in a row the server is taken for one that allows each nonce once. */
const REUSE_REFUSALS_BEFORE_GIVING_UP = 3;

/**
 * What a 401 without `errorCode` refuses:
 * - `key`: the key pair, as far as anybody can tell
 * - `nonce`: one nonce after the other, as behind a balancer whose servers do not share them
 * - `scheme`: everybody who does not speak another way of signing in, such as a proxy's
 */
export type Refusal = "key" | "nonce" | "scheme";

/** @returns `undefined` for an answer that refuses nobody; errors of the application carry an `errorCode` */
export function refusalOf(response: WireResponse): Refusal | undefined {
  if (!isCredentialRefusal(response)) return undefined;
  const challenge = challengeOf(response);
  if (challenge) return challenge.stale ? "nonce" : "key";
  return headerValues(response, "www-authenticate").length > 0 ? "scheme" : "key";
}

function isCredentialRefusal(response: WireResponse): boolean {
  return response.status === 401 && !/"errorCode"\s*:\s*"/.test(response.body);
}

export function createDigestAuth(keys: DigestKeys): Layer {
  const auth = new DigestAuth(keys);
  return (next) => (request) => auth.send(next, request);
}

/** A nonce and how often it was used: the count is per nonce and begins at 1. */
class Nonce {
  #count = 0;
  // One cnonce per nonce, because the "-sess" algorithms bind the session key to the first one (RFC 7616 section 3.4.2).
  readonly #cnonce = randomBytes(12).toString("hex");
  /** The server did not take it again. */
  refused = false;

  constructor(readonly challenge: DigestChallenge) {}

  sign(request: WireRequest, keys: DigestKeys, withQop: boolean): WireRequest {
    this.#count += 1;
    const authorization = authorizationHeader({
      challenge: this.challenge,
      username: keys.publicKey,
      password: keys.privateKey,
      method: request.method,
      uri: request.target,
      auth: withQop ? { cnonce: this.#cnonce, nonceCount: this.#count } : undefined,
    });
    return { ...request, headers: { ...request.headers, authorization } };
  }
}

class DigestAuth {
  readonly #keys: DigestKeys;
  /** The nonce for new requests: the service has accepted the key with it. */
  #current: Nonce | undefined;
  /** The request that went ahead; resolves with the fault of the service, if that was why it got nowhere. */
  #leader: Promise<WireFault | undefined> | undefined;
  /** The server answered without asking for credentials: nothing to wait for. */
  #open = false;
  /** What a challenge with `op` turned out to mean: the RFC 2069 form, or `qop=auth`. */
  #opMeans: "plain" | "qop" | undefined;
  #reuseRefusals = 0;
  /** A refused key stays refused for the life of the process: going on would lock it out or hide the cause. */
  #refusal: WireResponse | undefined;

  constructor(keys: DigestKeys) {
    this.#keys = keys;
  }

  async send(next: Send, request: WireRequest): Promise<WireResponse> {
    while (!this.#current && this.#leader) {
      const fault = await unlessInterrupted(this.#leader, request.signal);
      // Not each in its turn: behind a service that hangs, the last one would wait for all time limits before it.
      if (fault !== undefined && !this.#current) throw fault;
    }
    if (this.#refusal) return this.#refusal;
    if (!this.#reuses) return this.#handshake(next, request);
    if (this.#current) return this.#answer(next, request, this.#current, true);
    return this.#open ? this.#handshake(next, request) : this.#lead(next, request);
  }

  get #reuses(): boolean {
    return this.#reuseRefusals < REUSE_REFUSALS_BEFORE_GIVING_UP;
  }

  #lead(next: Send, request: WireRequest): Promise<WireResponse> {
    const handshake = this.#handshake(next, request);
    const settle = (fault: WireFault | undefined) => {
      this.#leader = undefined;
      return fault;
    };
    this.#leader = handshake.then(
      (response) => settle(faultOfService(response)),
      (error: unknown) => settle(faultOfService(error)),
    );
    return handshake;
  }

  /**
   * Sends without credentials to get a challenge, and answers it. The body goes along: a server that asks for none would
   * otherwise take an empty write for the real one.
   */
  async #handshake(next: Send, request: WireRequest): Promise<WireResponse> {
    const response = await next(request);
    const challenge = challengeOf(response);
    if (challenge) return this.#answer(next, request, new Nonce(challenge), false);
    this.#open = response.status < 400;
    return response;
  }

  /** @param cached the nonce comes from an earlier answer, so that a refusal says nothing about the key yet */
  async #answer(next: Send, request: WireRequest, nonce: Nonce, cached: boolean): Promise<WireResponse> {
    const { challenge } = nonce;
    const first = await next(this.#sign(request, nonce));
    if (!isCredentialRefusal(first)) {
      if (cached) this.#reuseRefusals = 0;
      else this.#keep(nonce, undefined);
      return first;
    }
    const fresh = challengeOf(first);
    const otherDialect = challenge.opOnly && this.#opMeans === undefined && !fresh?.stale;
    if (!fresh || !(fresh.stale || cached || otherDialect)) return this.#refused(first, fresh);
    if (cached) this.#countRefusal(nonce);
    if (this.#refusal) return this.#refusal;

    // Each request that was refused got a nonce of its own, which nobody else uses before it was accepted. So no second
    // try can be overtaken, and it succeeds even where a nonce is good for one request only.
    const renewed = new Nonce(fresh);
    const second = await next(this.#sign(request, renewed, otherDialect || this.#opMeans === "qop"));
    if (isCredentialRefusal(second)) return this.#refused(second, challengeOf(second));
    if (otherDialect) this.#opMeans = "qop";
    this.#keep(renewed, nonce);
    return second;
  }

  #sign(request: WireRequest, nonce: Nonce, opMeansQop = this.#opMeans === "qop"): WireRequest {
    const { qopAuth, opOnly } = nonce.challenge;
    return nonce.sign(request, this.#keys, qopAuth || (opOnly && opMeansQop));
  }

  /** A nonce with which the key was accepted serves those that come after, in place of the one it follows. */
  #keep(nonce: Nonce, follows: Nonce | undefined): void {
    if (nonce.challenge.opOnly) this.#opMeans ??= "plain";
    if (this.#current === undefined || this.#current === follows) this.#current = nonce;
  }

  /** Many requests may hold one nonce when it is refused; that is one refusal. */
  #countRefusal(nonce: Nonce): void {
    if (nonce.refused) return;
    nonce.refused = true;
    this.#reuseRefusals += 1;
  }

  #refused(response: WireResponse, challenge: DigestChallenge | undefined): WireResponse {
    // A nonce that went stale twice in a row says nothing about the key, and neither does a 401 that asks for no key. A
    // key that was accepted before is not refused for good: some versions answer so for one project that is gone.
    if (challenge && !challenge.stale && !this.#current) this.#refusal = response;
    return response;
  }
}

/** Why a request that went ahead got nowhere, if its sender's own signal was not the reason: for those that waited. */
function faultOfService(result: unknown): WireFault | undefined {
  if (result instanceof WireFault) {
    const { kind, message, advice } = result;
    if (kind === "cancelled") return undefined;
    // A handshake that fails, fails for all of them: none has to try again, and each is told what to do.
    if (kind === "untrusted" || kind === "barred") return new WireFault(kind, false, message, { advice });
    return failedBefore(message);
  }
  if (typeof result !== "object" || result === null || !("status" in result)) return undefined;
  return Number(result.status) >= 500 || result.status === 429
    ? failedBefore(`status ${result.status}`)
    : undefined;
}

function failedBefore(why: string): WireFault {
  return new WireFault(
    "broken",
    false,
    `the request before this one, which asked for a challenge, failed: ${why}`,
  );
}

function challengeOf(response: WireResponse): DigestChallenge | undefined {
  return isCredentialRefusal(response)
    ? chooseChallenge(headerValues(response, "www-authenticate"))
    : undefined;
}
