/** What a 401 means. */
import { chooseChallenge, type DigestChallenge } from "./digest-challenge";
import { headerValues, type WireResponse } from "./wire";

/**
 * What a 401 without `errorCode` refuses:
 * - `key`: the key pair, as far as anybody can tell
 * - `nonce`: one nonce after the other, as behind a balancer whose servers do not share them
 * - `scheme`: everybody who does not speak another way of signing in, such as a proxy's
 */
export type Refusal = "key" | "nonce" | "scheme";

/** @returns `undefined` for an answer that refuses no credentials; errors of the application carry an `errorCode` */
export function refusalOf(response: WireResponse): Refusal | undefined {
  if (!isCredentialRefusal(response)) return undefined;
  const challenge = challengeIn(response);
  if (challenge) return challenge.stale ? "nonce" : "key";
  return headerValues(response, "www-authenticate").length > 0 ? "scheme" : "key";
}

/**
 * Whether the answer to a signed request refuses its signature. Some errors of the application have status 401 too; these
 * carry an `errorCode`. `stale=true` is only said of a nonce (RFC 7616 section 3.3), whatever the body holds.
 */
export function isCredentialRefusal(response: WireResponse): boolean {
  if (response.status !== 401) return false;
  return !/"errorCode"\s*:\s*"/.test(response.body) || challengeIn(response)?.stale === true;
}

/**
 * The challenge of a 401, if it can be answered. The header alone decides: RFC 9110 section 15.5.2 gives the body no part
 * in authentication.
 */
export function challengeIn(response: WireResponse): DigestChallenge | undefined {
  return response.status === 401 ? chooseChallenge(headerValues(response, "www-authenticate")) : undefined;
}
