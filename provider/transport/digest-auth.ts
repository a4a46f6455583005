/**
 * HTTP Digest as a layer: one round trip per call in steady state.
 *
 * After the first challenge every request carries its `Authorization` with a rising nonce count
 * (RFC 7616 section 3.4). A further 401 is answered once, and only if a second attempt can help:
 * - the server sends `stale=true`
 * - the rejected nonce was one from an earlier response
 * - the challenge has `op` where RFC 7616 has `qop`
 *
 * So a wrong key costs two requests (three with `op`) and is never tried again. If both rejections
 * have `stale=true` and the key was accepted before, the call starts over once. It then requests a
 * challenge of its own.
 *
 * The first request goes ahead alone. The others wait until the service has accepted the key. So
 * many concurrent requests need one challenge, and they do not all try a wrong key. When a nonce
 * goes stale, only the requests in flight are rejected; later ones wait for the new nonce. A
 * server that sends the next nonce in its responses (`Authentication-Info`) makes every rejection
 * unnecessary.
 */
import type { DigestKeys } from "./digest-answer";
import type { DigestChallenge } from "./digest-challenge";
import { Nonce, type SignedRequest } from "./digest-nonce";
import { challengeIn, isCredentialRefusal } from "./digest-refusal";
import { unlessInterrupted } from "./interruption";
import { type Layer, type SendRequest, WireFault, type WireRequest, type WireResponse } from "./wire";

/**
 * After this many rejections of young nonces in a row, the server is treated as one that allows
 * each nonce once.
 */
const REUSE_REFUSALS_BEFORE_GIVING_UP = 3;

const WRONG_RSPAUTH =
  "A response's rspauth is wrong (RFC 7616 section 3.5). The server does not have the private key, or a proxy changed the response. Responses are used as before. Check baseUrl and the proxies.";

/** @param warn logs once if the signature of a response is wrong */
export function createDigestAuth(keys: DigestKeys, warn: (message: string) => void): Layer {
  const auth = new DigestAuth(keys, warn);
  return (next) => (request) => auth.send(next, request);
}

/** A result that other requests wait for. */
class Awaited {
  readonly promise: Promise<WireFault | undefined>;
  /** @param fault the reason if the service gave no response */
  settle: (fault: WireFault | undefined) => void = () => {};

  constructor() {
    this.promise = new Promise((resolve) => {
      this.settle = resolve;
    });
  }
}

class DigestAuth {
  readonly #keys: DigestKeys;
  readonly #warn: (message: string) => void;
  /**
   * The nonce for new requests. The service accepted the key with it, or offered it in an accepted
   * response.
   */
  #current: Nonce | undefined;
  /** Set while there is no nonce: the request that went ahead to get one. */
  #awaited: Awaited | undefined;
  /** Unused nonces from the responses of a server that accepts each nonce once. */
  readonly #unused: Nonce[] = [];
  /** The server responded without requiring credentials, so no request waits. */
  #open = false;
  /** The service itself has accepted the key. */
  #proven = false;
  /** What a challenge with `op` means: the RFC 2069 form, or `qop=auth`. */
  #opMeans: "plain" | "qop" | undefined;
  #reuseRefusals = 0;
  #warned = false;
  /**
   * A rejected key stays rejected for the life of the process: further attempts could lock it out
   * or hide the cause.
   */
  #refusal: WireResponse | undefined;

  constructor(keys: DigestKeys, warn: (message: string) => void) {
    this.#keys = keys;
    this.#warn = warn;
  }

  send(next: SendRequest, request: WireRequest): Promise<WireResponse> {
    return this.#awaited ? this.#sendLater(next, request) : this.#sendNow(next, request);
  }

  async #sendLater(next: SendRequest, request: WireRequest): Promise<WireResponse> {
    while (this.#awaited) {
      const fault = await unlessInterrupted(this.#awaited.promise, request.signal);
      // The waiting requests fail together, not one after the other. If the service hangs, the
      // last one would otherwise wait for all time limits before it.
      if (fault !== undefined && !this.#current) throw fault;
    }
    return this.#sendNow(next, request);
  }

  #sendNow(next: SendRequest, request: WireRequest): Promise<WireResponse> {
    if (this.#refusal) return Promise.resolve(this.#refusal);
    if (request.asksForChallenge) return this.#handshake(next, request);
    const nonce = this.#reuses ? this.#current : this.#unused.pop();
    if (nonce) return this.#answer(next, request, nonce, true);
    return this.#open || !this.#reuses ? this.#handshake(next, request) : this.#lead(next, request);
  }

  get #reuses(): boolean {
    return this.#reuseRefusals < REUSE_REFUSALS_BEFORE_GIVING_UP;
  }

  async #lead(next: SendRequest, request: WireRequest): Promise<WireResponse> {
    const awaited = this.#goAhead();
    let isChallenged = false;
    try {
      const response = await this.#handshake(next, request, () => {
        isChallenged = true;
      });
      this.#settle(awaited, faultOfService(response));
      return response;
    } catch (error) {
      // The service has sent a challenge, so it is reachable. A connection that breaks later
      // affects this request alone, and the next one goes ahead.
      const isItsOwn = isChallenged && error instanceof WireFault && error.kind === "broken";
      this.#settle(awaited, isItsOwn ? undefined : faultOfService(error));
      throw error;
    }
  }

  #goAhead(): Awaited {
    this.#awaited = new Awaited();
    return this.#awaited;
  }

  #settle(awaited: Awaited | undefined, fault?: WireFault): void {
    if (awaited === undefined || this.#awaited !== awaited) return;
    this.#awaited = undefined;
    awaited.settle(fault);
  }

  /**
   * Sends the request without credentials to get a challenge, and answers it whatever else the 401
   * contains. The body is sent too: a server that requires no credentials would otherwise execute
   * an empty write.
   */
  async #handshake(next: SendRequest, request: WireRequest, challenged = () => {}): Promise<WireResponse> {
    const response = await next(request);
    const challenge = challengeIn(response);
    if (challenge) {
      challenged();
      return this.#answer(next, request, new Nonce(challenge, this.#keys), false);
    }
    this.#open = response.status < 400;
    return response;
  }

  /**
   * @param cached the nonce comes from an earlier response, so a rejection does not concern the key
   * yet
   */
  async #answer(
    next: SendRequest,
    request: WireRequest,
    nonce: Nonce,
    cached: boolean,
  ): Promise<WireResponse> {
    const { challenge } = nonce;
    const signed = this.#sign(request, nonce);
    const isReuse = nonce.reused;
    const first = await next(signed.request);
    const fresh = challengeIn(first);
    const isRefused = isCredentialRefusal(first);
    // Beside a challenge, an error code of the application may be that of an expired nonce.
    if (!isRefused && !(cached && fresh)) {
      if (isReuse) this.#reuseRefusals = 0;
      if (!cached) this.#keep(nonce, undefined);
      return this.#learn(first, signed, nonce, !cached);
    }
    const otherDialect = challenge.opOnly && this.#opMeans === undefined && !fresh?.stale;
    if (!fresh || !(fresh.stale || cached || otherDialect)) return this.#refused(first, fresh);
    if (isRefused && isReuse && nonce.isYoung) this.#countRefusal(nonce);
    if (this.#refusal) return this.#refusal;
    return this.#renew(next, request, nonce, fresh, otherDialect);
  }

  /**
   * Repeats a rejected request with a nonce of its own. No other request uses that nonce before it
   * is accepted. So no second attempt can be overtaken, and it succeeds even if a nonce is valid
   * for one request only.
   */
  async #renew(
    next: SendRequest,
    request: WireRequest,
    stale: Nonce,
    fresh: DigestChallenge,
    otherDialect: boolean,
  ): Promise<WireResponse> {
    const awaited = fresh.stale ? this.#retire(stale) : undefined;
    const renewed = new Nonce(fresh, this.#keys);
    const signed = this.#sign(request, renewed, otherDialect || this.#opMeans === "qop");
    let refusal: WireResponse;
    try {
      const second = await next(signed.request);
      if (!isCredentialRefusal(second)) {
        this.#keep(renewed, stale);
        return this.#learn(second, signed, renewed, true);
      }
      refusal = second;
    } catch (error) {
      // The service has accepted the key, so waiting requests need not fail with this one.
      if (awaited && this.#awaited === awaited) this.#keep(renewed, stale);
      throw error;
    } finally {
      this.#settle(awaited);
    }
    const challenge = challengeIn(refusal);
    const isStaleTwice = fresh.stale && challenge?.stale === true;
    return isStaleTwice && this.#proven ? this.#startOver(next, request) : this.#refused(refusal, challenge);
  }

  /**
   * Repeats a request after two stale nonces in a row. They live too short for the load, or belong
   * to servers that do not share them. A challenge of its own is as recent as possible. Only for a
   * key that was accepted: some servers check the nonce before the key (Jetty). There,
   * `stale=true` alone does not prove that the key is right. A third stale nonce is the response.
   */
  async #startOver(next: SendRequest, request: WireRequest): Promise<WireResponse> {
    const response = await next(request);
    const challenge = challengeIn(response);
    if (!challenge) return response;
    const nonce = new Nonce(challenge, this.#keys);
    const signed = this.#sign(request, nonce);
    const last = await next(signed.request);
    if (isCredentialRefusal(last)) return this.#refused(last, challengeIn(last));
    this.#keep(nonce, undefined);
    return this.#learn(last, signed, nonce, true);
  }

  /**
   * Retires a stale nonce. Requests after the first rejection wait for the first accepted nonce
   * that replaces it. Only for `stale=true`: without it the nonce may be valid and the rejection
   * concern this request alone.
   */
  #retire(stale: Nonce): Awaited | undefined {
    if (this.#current !== stale) return undefined;
    this.#current = undefined;
    return this.#goAhead();
  }

  #sign(request: WireRequest, nonce: Nonce, opMeansQop = this.#opMeans === "qop"): SignedRequest {
    const { qopAuth, opOnly } = nonce.challenge;
    return nonce.sign(request, qopAuth || (opOnly && opMeansQop));
  }

  /**
   * Keeps a nonce that was not rejected for later requests. It replaces the nonce that it follows.
   */
  #keep(nonce: Nonce, follows: Nonce | undefined): void {
    if (this.#current === undefined || this.#current === follows) this.#current = nonce;
    this.#settle(this.#awaited);
  }

  /**
   * Records what a response (other than a rejection) shows about the key, and the nonce that it
   * offers. Requests in flight keep theirs.
   *
   * @param challenged the server demanded the signature of this request
   */
  #learn(response: WireResponse, signed: SignedRequest, nonce: Nonce, challenged: boolean): WireResponse {
    // A 401 with a challenge may refuse the key whatever its body says.
    const accepted = isAccepted(response) && challengeIn(response) === undefined;
    if (accepted) {
      this.#proven = true;
      if (nonce.challenge.opOnly) this.#opMeans ??= signed.withQop ? "qop" : "plain";
    }
    const info = signed.infoOf(response);
    if (info?.isWrong && !this.#warned) {
      this.#warned = true;
      this.#warn(WRONG_RSPAUTH);
    }
    // The same nonce would restart its count, which is a replay.
    if (info?.nextNonce !== undefined && !info.isWrong && info.nextNonce !== nonce.challenge.nonce) {
      const following = nonce.follow(info.nextNonce);
      if (!this.#reuses) this.#unused.push(following);
      else if (this.#current === nonce) this.#current = following;
    }
    // A service may respond with 501 to an operation that it lacks, once it knows who is calling.
    const isDoubtful = info !== undefined && (info.isWrong || info.isUnchecked);
    const challengeAnswered = challenged && (accepted || response.status === 501) && !isDoubtful;
    return {
      ...response,
      ...(this.#proven && { keyAccepted: true }),
      ...(challengeAnswered && { challengeAnswered }),
    };
  }

  /**
   * Counts a rejection once per nonce, because many requests may use one nonce when it is
   * rejected.
   */
  #countRefusal(nonce: Nonce): void {
    if (nonce.refused) return;
    nonce.refused = true;
    this.#reuseRefusals += 1;
  }

  #refused(response: WireResponse, challenge: DigestChallenge | undefined): WireResponse {
    // Records a rejected key. A second stale nonce does not concern the key, and neither does a
    // 401 without a challenge. A key that was accepted before is not rejected for good: some
    // versions respond so for one deleted project.
    if (challenge && !challenge.stale && !this.#proven) this.#refusal = response;
    return response;
  }
}

/**
 * Whether the service itself accepted the key. A limiter or gateway in front of it returns 429 or
 * 5xx without checking the key.
 */
function isAccepted({ status }: WireResponse): boolean {
  return status < 500 && status !== 429;
}

/**
 * Why the request that went ahead got no response, for the requests that waited; `undefined` if its
 * own signal was the reason.
 */
function faultOfService(result: unknown): WireFault | undefined {
  if (result instanceof WireFault) {
    const { kind, message, advice } = result;
    if (kind === "canceled") return undefined;
    // A failed handshake concerns all waiting requests. None retries, and each gets the advice.
    if (kind === "untrusted" || kind === "proxyRefused")
      return new WireFault(kind, false, message, { advice });
    return failedBefore(message);
  }
  if (!isResponse(result)) return undefined;
  const { status } = result;
  // 501 is a response to this method alone.
  const isOfService = status === 429 || (status >= 500 && status !== 501);
  return isOfService ? failedBefore(`status ${status}`, result) : undefined;
}

function isResponse(result: unknown): result is WireResponse {
  return typeof result === "object" && result !== null && "status" in result;
}

function failedBefore(why: string, response?: WireResponse): WireFault {
  const message = `the previous request, which requested a challenge, failed: ${why}`;
  return new WireFault("broken", false, message, response && { response });
}
