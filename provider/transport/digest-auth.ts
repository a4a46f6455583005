/**
 * HTTP Digest as a layer: one round trip per call in steady state.
 *
 * After the first challenge every request carries its `Authorization` with a rising nonce count (RFC 7616 section
 * 3.4). A further 401 is answered once, and only where a second try can help: the server says `stale=true`, the
 * refused nonce was one of ours from before, or the challenge says `op` where RFC 7616 says `qop`. So a wrong key costs
 * two requests, three in the `op` dialect, and is never tried again.
 */
import { randomBytes } from "node:crypto";
import { authorizationHeader, chooseChallenge, type DigestChallenge } from "./digest-challenge";
import { headerValues, type Layer, type Send, type WireRequest, type WireResponse } from "./wire";

export interface DigestKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** After so many refused nonces in a row the server is taken for one that allows each nonce once. */
const REUSE_REFUSALS_BEFORE_GIVING_UP = 3;

/** True for a 401 that is about the key itself: errors of the application carry an `errorCode`, refused keys do not. */
export function isCredentialRefusal(response: WireResponse): boolean {
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
  #current: Nonce | undefined;
  /** Resolves when the request that went ahead to fetch the first challenge has its answer. */
  #fetching: Promise<void> | undefined;
  /** The server answered without asking for credentials: nothing to wait for. */
  #open = false;
  /** In the `op` dialect: the RFC 2069 form was refused and `qop=auth` accepted. */
  #opMeansQop = false;
  #reuseRefusals = 0;
  /** A refused key stays refused for the life of the process: going on would lock it out or hide the cause. */
  #refusal: WireResponse | undefined;

  constructor(keys: DigestKeys) {
    this.#keys = keys;
  }

  async send(next: Send, request: WireRequest): Promise<WireResponse> {
    if (this.#reuses && !this.#current && !this.#open) await this.#fetching;
    if (this.#refusal) return this.#refusal;
    if (this.#reuses && this.#current) return this.#answer(next, request, this.#current, true);
    return this.#fetchAndAnswer(next, request);
  }

  get #reuses(): boolean {
    return this.#reuseRefusals < REUSE_REFUSALS_BEFORE_GIVING_UP;
  }

  /**
   * Sends without credentials to get a challenge. The body goes along: a server that asks for none would otherwise
   * take an empty write for the real one.
   */
  async #fetchAndAnswer(next: Send, request: WireRequest): Promise<WireResponse> {
    const first = next(request);
    const leads = this.#fetching === undefined;
    if (leads) {
      const settle = (response?: WireResponse) => {
        if (response) this.#learn(response);
        this.#fetching = undefined;
      };
      this.#fetching = first.then(settle, () => settle());
      await this.#fetching;
    }
    const response = await first;
    const challenge = challengeOf(response);
    if (!challenge) return response;
    const shared = leads && this.#current?.challenge.nonce === challenge.nonce ? this.#current : undefined;
    return this.#answer(next, request, shared ?? new Nonce(challenge), false);
  }

  #learn(response: WireResponse): void {
    const challenge = challengeOf(response);
    if (challenge) this.#current = new Nonce(challenge);
    else this.#open = response.status !== 401;
  }

  async #answer(next: Send, request: WireRequest, nonce: Nonce, reused: boolean): Promise<WireResponse> {
    const { challenge } = nonce;
    const withQop = challenge.qopAuth || (challenge.opOnly && this.#opMeansQop);
    const response = await next(nonce.sign(request, this.#keys, withQop));
    if (!isCredentialRefusal(response)) {
      if (reused) this.#reuseRefusals = 0;
      return response;
    }
    if (reused) this.#reuseRefusals += 1;
    const fresh = challengeOf(response);
    const tryQop = challenge.opOnly && !withQop;
    if (!fresh || !(fresh.stale || reused || tryQop)) return this.#refused(response, fresh);

    const renewed = this.#renew(nonce, fresh);
    const second = await next(
      renewed.sign(request, this.#keys, renewed.challenge.qopAuth || tryQop || withQop),
    );
    if (isCredentialRefusal(second)) return this.#refused(second, challengeOf(second));
    if (tryQop) this.#opMeansQop = true;
    return second;
  }

  /** Many requests can hold one nonce when it goes stale; the first to notice renews it for all. */
  #renew(refused: Nonce, fresh: DigestChallenge): Nonce {
    if (!this.#reuses) return new Nonce(fresh);
    if (this.#current === undefined || this.#current.challenge.nonce === refused.challenge.nonce) {
      this.#current = new Nonce(fresh);
    }
    return this.#current;
  }

  #refused(response: WireResponse, challenge: DigestChallenge | undefined): WireResponse {
    // A nonce that went stale twice in a row says nothing about the key.
    if (!challenge?.stale) this.#refusal = response;
    return response;
  }
}

function challengeOf(response: WireResponse): DigestChallenge | undefined {
  return isCredentialRefusal(response)
    ? chooseChallenge(headerValues(response, "www-authenticate"))
    : undefined;
}
