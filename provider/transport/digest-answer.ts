/** Computing what is sent, and what must come back: RFC 7616 sections 3.4 and 3.5. Pure; no I/O, no state. */
import { hashOf } from "./digest-algorithms";
import type { DigestChallenge } from "./digest-challenge";
import { bytesOf, quoted } from "./digest-fields";

export interface DigestKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

export interface DigestAnswer {
  readonly challenge: DigestChallenge;
  readonly username: string;
  /** From `sessionKey`; it serves all requests of one authentication session. */
  readonly key: string;
  readonly method: string;
  /** The request target exactly as sent: path with query (RFC 7616 section 3.4.6). */
  readonly uri: string;
  /** Present for `qop=auth`; absent for the RFC 2069 form. */
  readonly auth?: { readonly cnonce: string; readonly nonceCount: number } | undefined;
}

/**
 * H(A1) of RFC 7616 section 3.4.2. The "-sess" algorithms bind it to the nonce of the challenge and the first cnonce,
 * also for the nonces that follow by `nextnonce`.
 */
export function sessionKey(challenge: DigestChallenge, keys: DigestKeys, cnonce: string): string {
  const { algorithm, realm, nonce } = challenge;
  const [username, password] = [keys.publicKey, keys.privateKey].map((text) =>
    credentialBytes(challenge, text),
  );
  const secret = hashOf(algorithm, `${username}:${realm}:${password}`);
  return algorithm.endsWith("-sess") ? hashOf(algorithm, `${secret}:${nonce}:${cnonce}`) : secret;
}

/** The value of the `Authorization` field (RFC 7616 section 3.4). */
export function authorizationHeader(answer: DigestAnswer): string {
  const { challenge, uri, auth } = answer;
  const parts = [
    usernameField(answer),
    `realm=${quoted(challenge.realm)}`,
    `nonce=${quoted(challenge.nonce)}`,
    `uri=${quoted(uri)}`,
    ...(challenge.algorithmText === undefined ? [] : [`algorithm=${challenge.algorithmText}`]),
    ...(auth ? [`qop=auth`, `nc=${countOf(auth)}`, `cnonce=${quoted(auth.cnonce)}`] : []),
    `response="${responseOf(answer, answer.method)}"`,
    ...(challenge.opaque === undefined ? [] : [`opaque=${quoted(challenge.opaque)}`]),
    ...(challenge.userhash ? ["userhash=true"] : []),
  ];
  return `Digest ${parts.join(", ")}`;
}

/** What `rspauth` must be in a server's answer to this: it is hashed without a method (RFC 7616 section 3.5). */
export function expectedRspauth(answer: DigestAnswer): string {
  return responseOf(answer, "");
}

function responseOf({ challenge, key, uri, auth }: DigestAnswer, method: string): string {
  const hash = (text: string) => hashOf(challenge.algorithm, text);
  const middle = auth ? `${challenge.nonce}:${countOf(auth)}:${auth.cnonce}:auth` : challenge.nonce;
  return hash(`${key}:${middle}:${hash(`${method}:${uri}`)}`);
}

function countOf({ nonceCount }: { readonly nonceCount: number }): string {
  return nonceCount.toString(16).padStart(8, "0");
}

/**
 * RFC 7616 section 3.4: `username*` is for names that a quoted string cannot hold. Servers that say nothing of UTF-8
 * may not know it; they get the bytes of UTF-8 in the quoted string, as curl and Go send them.
 */
function usernameField({ challenge, username }: DigestAnswer): string {
  const bytes = credentialBytes(challenge, username);
  if (challenge.userhash) {
    return `username="${hashOf(challenge.algorithm, `${bytes}:${challenge.realm}`)}"`;
  }
  return challenge.utf8 && /[^\x20-\x7e]/.test(bytes)
    ? `username*=UTF-8''${extended(bytes)}`
    : `username=${quoted(bytes)}`;
}

/** RFC 7616 section 3.3: with `charset=UTF-8` in Unicode's normalization form C. */
function credentialBytes({ utf8 }: DigestChallenge, text: string): string {
  return bytesOf(utf8 ? text.normalize("NFC") : text);
}

/** The value characters of RFC 8187 section 3.2.1. */
function extended(bytes: string): string {
  const hex = (byte: string) => byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0");
  return bytes.replace(/[^A-Za-z0-9!#$&+.^_`|~-]/g, (byte) => `%${hex(byte)}`);
}
