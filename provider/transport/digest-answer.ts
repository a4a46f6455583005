/**
 * Computes the `Authorization` field and the expected `rspauth`: RFC 7616 sections 3.4 and 3.5.
 * Pure; no I/O, no state.
 */
import { hashOf } from "./digest-algorithms";
import type { DigestChallenge } from "./digest-challenge";
import { bytesOf, quoted } from "./digest-fields";

export interface DigestKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * H(A1) of RFC 7616 section 3.4.2. The "-sess" algorithms bind it to the nonce of the challenge
 * and the first cnonce. That also holds for the nonces that follow by `nextnonce`.
 */
export function sessionKey(challenge: DigestChallenge, keys: DigestKeys, cnonce: string): string {
  const { algorithm, realm, nonce } = challenge;
  const [username, password] = [keys.publicKey, keys.privateKey].map((text) =>
    credentialBytes(challenge, text),
  );
  const secret = hashOf(algorithm, `${username}:${realm}:${password}`);
  return algorithm.endsWith("-sess") ? hashOf(algorithm, `${secret}:${nonce}:${cnonce}`) : secret;
}

/** The client nonce and the count of a `qop=auth` response; the RFC 2069 form has none. */
interface NonceUse {
  readonly cnonce: string;
  readonly nonceCount: number;
}

/**
 * Computes responses to one challenge. The common parts are computed once, because each of a
 * thousand calls is signed.
 */
export class Credentials {
  readonly #challenge: DigestChallenge;
  readonly #key: string;
  readonly #head: string;
  readonly #algorithm: string;
  readonly #tail: string;

  /** @param key from `sessionKey`; it serves all requests of one authentication session */
  constructor(challenge: DigestChallenge, username: string, key: string) {
    const { realm, nonce, algorithmText, opaque, userhash } = challenge;
    this.#challenge = challenge;
    this.#key = key;
    this.#head = `Digest ${usernameField(challenge, username)}, realm=${quoted(realm)}, nonce=${quoted(nonce)}`;
    this.#algorithm = algorithmText === undefined ? "" : `, algorithm=${algorithmText}`;
    this.#tail = `${opaque === undefined ? "" : `, opaque=${quoted(opaque)}`}${userhash ? ", userhash=true" : ""}`;
  }

  /**
   * The value of the `Authorization` field (RFC 7616 section 3.4).
   *
   * @param uri the request target exactly as sent: path with query (RFC 7616 section 3.4.6)
   * @param counted present for `qop=auth`; absent for the RFC 2069 form
   */
  authorization(method: string, uri: string, counted?: NonceUse): string {
    const auth = counted ? `, qop=auth, nc=${countOf(counted)}, cnonce=${quoted(counted.cnonce)}` : "";
    const response = this.#response(method, uri, counted);
    return `${this.#head}, uri=${quoted(uri)}${this.#algorithm}${auth}, response="${response}"${this.#tail}`;
  }

  /**
   * The `rspauth` that the server's response must have. It is hashed without a method (RFC 7616
   * section 3.5).
   */
  rspauth(uri: string, counted?: NonceUse): string {
    return this.#response("", uri, counted);
  }

  #response(method: string, uri: string, counted: NonceUse | undefined): string {
    const { algorithm, nonce } = this.#challenge;
    const middle = counted ? `${nonce}:${countOf(counted)}:${counted.cnonce}:auth` : nonce;
    return hashOf(algorithm, `${this.#key}:${middle}:${hashOf(algorithm, `${method}:${uri}`)}`);
  }
}

function countOf({ nonceCount }: NonceUse): string {
  return nonceCount.toString(16).padStart(8, "0");
}

/**
 * The field for the user name. RFC 7616 section 3.4: `username*` is for names that a quoted string
 * cannot hold. Servers that do not announce UTF-8 may not support it. They get the bytes of UTF-8
 * in the quoted string, as curl and Go send them.
 */
function usernameField(challenge: DigestChallenge, username: string): string {
  const bytes = credentialBytes(challenge, username);
  if (challenge.userhash) {
    return `username="${hashOf(challenge.algorithm, `${bytes}:${challenge.realm}`)}"`;
  }
  return challenge.utf8 && /[^\x20-\x7e]/.test(bytes)
    ? `username*=UTF-8''${extended(bytes)}`
    : `username=${quoted(bytes)}`;
}

/**
 * Encodes a credential. RFC 7616 section 3.3: `charset=UTF-8` requires Unicode's normalization
 * form C.
 */
function credentialBytes({ utf8 }: DigestChallenge, text: string): string {
  return bytesOf(utf8 ? text.normalize("NFC") : text);
}

/** The value characters of RFC 8187 section 3.2.1. */
function extended(bytes: string): string {
  const hex = (byte: string) => byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0");
  return bytes.replace(/[^A-Za-z0-9!#$&+.^_`|~-]/g, (byte) => `%${hex(byte)}`);
}
