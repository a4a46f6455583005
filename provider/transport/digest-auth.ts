/**
 * HTTP Digest as a layer: one round trip per call in steady state.
 *
 * After the first challenge every request carries its `Authorization` with a rising nonce count (RFC 7616 section
 * 3.4). A further 401 is answered once, and only where a second try can help: the server says `stale=true`, the
 * refused nonce was one of ours from before, or the challenge says `op` where RFC 7616 says `qop`. So a wrong key costs
 * two requests, three in the `op` dialect, and is never tried again. Where both refusals say `stale=true` and the key was
 * accepted before, the call starts over once, from a challenge of its own.
 *
 * The first request goes ahead alone. The others wait until the key has proven itself: so that many at once take one
 * challenge, and a wrong key is not tried by all of them. When a nonce goes stale, only requests that were under way
 * are refused; those that come after wait for the new one. A server that names the next nonce in its answers
 * (`Authentication-Info`) makes no refusal necessary at all.
 */
import type { DigestKeys } from "./digest-answer";
import type { DigestChallenge } from "./digest-challenge";
import { Nonce, type SignedRequest } from "./digest-nonce";
import { challengeIn, isCredentialRefusal } from "./digest-refusal";
import { unlessInterrupted } from "./interruption";
import { type Layer, type Send, WireFault, type WireRequest, type WireResponse } from "./wire";

/** After so many young nonces refused in a row the server is taken for one that allows each nonce once. */
const REUSE_REFUSALS_BEFORE_GIVING_UP = 3;

const WRONG_RSPAUTH =
  "An answer's rspauth is wrong (RFC 7616 section 3.5): whoever gave it did not show that it knows the private key, or something on the way changed it. Answers are used as before; check baseUrl, and proxies on the way.";

/** @param warn takes a line when an answer is not signed as it says; once */
export function createDigestAuth(keys: DigestKeys, warn: (message: string) => void): Layer {
  const auth = new DigestAuth(keys, warn);
  return (next) => (request) => auth.send(next, request);
}

/** Something that others wait for. */
class Awaited {
  readonly promise: Promise<WireFault | undefined>;
  /** @param fault why the service gave no answer, if that is how it ended */
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
  /** The nonce for new requests: the service has accepted the key with it, or offered it in an answer that was. */
  #current: Nonce | undefined;
  /** While there is no nonce: the request that went ahead to get one. */
  #awaited: Awaited | undefined;
  /** Unused nonces that a server which takes each one once gave along with its answers. */
  readonly #unused: Nonce[] = [];
  /** The server answered without asking for credentials: nothing to wait for. */
  #open = false;
  /** The service has accepted the key, by an answer that is its own. */
  #proven = false;
  /** What a challenge with `op` turned out to mean: the RFC 2069 form, or `qop=auth`. */
  #opMeans: "plain" | "qop" | undefined;
  #reuseRefusals = 0;
  #warned = false;
  /** A refused key stays refused for the life of the process: going on would lock it out or hide the cause. */
  #refusal: WireResponse | undefined;

  constructor(keys: DigestKeys, warn: (message: string) => void) {
    this.#keys = keys;
    this.#warn = warn;
  }

  send(next: Send, request: WireRequest): Promise<WireResponse> {
    return this.#awaited ? this.#sendLater(next, request) : this.#sendNow(next, request);
  }

  async #sendLater(next: Send, request: WireRequest): Promise<WireResponse> {
    while (this.#awaited) {
      const fault = await unlessInterrupted(this.#awaited.promise, request.signal);
      // Not each in its turn: behind a service that hangs, the last one would wait for all time limits before it.
      if (fault !== undefined && !this.#current) throw fault;
    }
    return this.#sendNow(next, request);
  }

  #sendNow(next: Send, request: WireRequest): Promise<WireResponse> {
    if (this.#refusal) return Promise.resolve(this.#refusal);
    const nonce = this.#reuses ? this.#current : this.#unused.pop();
    if (nonce) return this.#answer(next, request, nonce, true);
    return this.#open || !this.#reuses ? this.#handshake(next, request) : this.#lead(next, request);
  }

  get #reuses(): boolean {
    return this.#reuseRefusals < REUSE_REFUSALS_BEFORE_GIVING_UP;
  }

  async #lead(next: Send, request: WireRequest): Promise<WireResponse> {
    const awaited = this.#goAhead();
    let isChallenged = false;
    try {
      const response = await this.#handshake(next, request, () => {
        isChallenged = true;
      });
      this.#settle(awaited, faultOfService(response));
      return response;
    } catch (error) {
      // The service was there to ask for a key, so a connection that breaks after that is this request's alone: the next goes ahead.
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
   * Sends without credentials to get a challenge, and answers it whatever else the 401 says. The body goes along: a server
   * that asks for no credentials would otherwise take an empty write for the real one.
   */
  async #handshake(next: Send, request: WireRequest, challenged = () => {}): Promise<WireResponse> {
    const response = await next(request);
    const challenge = challengeIn(response);
    if (challenge) {
      challenged();
      return this.#answer(next, request, new Nonce(challenge, this.#keys), false);
    }
    this.#open = response.status < 400;
    return response;
  }

  /** @param cached the nonce comes from an earlier answer, so that a refusal says nothing about the key yet */
  async #answer(next: Send, request: WireRequest, nonce: Nonce, cached: boolean): Promise<WireResponse> {
    const { challenge } = nonce;
    const signed = this.#sign(request, nonce);
    const isReuse = nonce.reused;
    const first = await next(signed.request);
    if (!isCredentialRefusal(first)) {
      if (isReuse) this.#reuseRefusals = 0;
      if (!cached) this.#keep(nonce, undefined);
      return this.#learn(first, signed, nonce);
    }
    const fresh = challengeIn(first);
    const otherDialect = challenge.opOnly && this.#opMeans === undefined && !fresh?.stale;
    if (!fresh || !(fresh.stale || cached || otherDialect)) return this.#refused(first, fresh);
    if (isReuse && nonce.isYoung) this.#countRefusal(nonce);
    if (this.#refusal) return this.#refusal;
    return this.#renew(next, request, nonce, fresh, otherDialect);
  }

  /**
   * Each request that was refused got a nonce of its own, which nobody else uses before it was accepted. So no second
   * try can be overtaken, and it succeeds even where a nonce is good for one request only.
   */
  async #renew(
    next: Send,
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
        return this.#learn(second, signed, renewed);
      }
      refusal = second;
    } catch (error) {
      // The service has said that the key is right, so those who wait need not fail with this one.
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
   * Two nonces in a row were stale: they live too short for the load, or belong to servers that do not share them. A
   * challenge of its own is as young as one can be. Only for a key that was accepted: some servers look at the nonce before
   * the key (Jetty), so stale=true alone does not say that it is right. A third stale nonce is the answer.
   */
  async #startOver(next: Send, request: WireRequest): Promise<WireResponse> {
    const response = await next(request);
    const challenge = challengeIn(response);
    if (!challenge) return response;
    const nonce = new Nonce(challenge, this.#keys);
    const signed = this.#sign(request, nonce);
    const last = await next(signed.request);
    if (isCredentialRefusal(last)) return this.#refused(last, challengeIn(last));
    this.#keep(nonce, undefined);
    return this.#learn(last, signed, nonce);
  }

  /**
   * Nobody signs with a stale nonce any more: who comes after the first refusal waits for the first nonce that is accepted
   * in its place. Only for `stale=true`; without it the nonce may be good and the refusal mean this one request.
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

  /** A nonce that was not refused serves those that come after, in place of the one it follows. */
  #keep(nonce: Nonce, follows: Nonce | undefined): void {
    if (this.#current === undefined || this.#current === follows) this.#current = nonce;
    this.#settle(this.#awaited);
  }

  /**
   * Records what an answer other than a refusal shows of the key, and the nonce that it offers for later. Requests that are
   * under way keep theirs.
   */
  #learn(response: WireResponse, signed: SignedRequest, nonce: Nonce): WireResponse {
    if (isAccepted(response)) {
      this.#proven = true;
      if (nonce.challenge.opOnly) this.#opMeans ??= signed.withQop ? "qop" : "plain";
    }
    const info = signed.infoOf(response);
    if (info?.isWrong && !this.#warned) {
      this.#warned = true;
      this.#warn(WRONG_RSPAUTH);
    }
    // The same nonce again would begin its count again, which is a replay.
    if (info?.nextNonce !== undefined && !info.isWrong && info.nextNonce !== nonce.challenge.nonce) {
      const following = nonce.follow(info.nextNonce);
      if (!this.#reuses) this.#unused.push(following);
      else if (this.#current === nonce) this.#current = following;
    }
    return this.#proven ? { ...response, keyAccepted: true } : response;
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
    if (challenge && !challenge.stale && !this.#proven) this.#refusal = response;
    return response;
  }
}

/** What stands in front of a service, such as a limiter or a gateway, says 429 or 5xx without a look at the key. */
function isAccepted({ status }: WireResponse): boolean {
  return status < 500 && status !== 429;
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
