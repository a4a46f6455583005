/** Interprets a 401. */
import { chooseChallenge, type DigestChallenge } from "./digest-challenge";
import { headerValues, type WireResponse } from "./wire";

/**
 * What a 401 without `errorCode` rejects:
 * - `key`: the key pair, as far as the response shows
 * - `nonce`: several nonces in a row, as behind a load balancer whose servers do not share them
 * - `scheme`: Digest itself; another authentication scheme is required, such as a proxy's
 */
export type DigestRefusal = "key" | "nonce" | "scheme";

/**
 * @returns `undefined` for a response that rejects no credentials; errors of the application have
 * an `errorCode`
 */
export function refusalOf(response: WireResponse): DigestRefusal | undefined {
  if (!isCredentialRefusal(response)) return undefined;
  const challenge = challengeIn(response);
  if (challenge) return challenge.stale ? "nonce" : "key";
  return headerValues(response, "www-authenticate").length > 0 ? "scheme" : "key";
}

/**
 * Whether the response to a signed request rejects its signature. Some errors of the application
 * have status 401 too, with an `errorCode`. `stale=true` always concerns a nonce (RFC 7616 section
 * 3.3), whatever the body holds.
 */
export function isCredentialRefusal(response: WireResponse): boolean {
  if (response.status !== 401) return false;
  return !/"errorCode"\s*:\s*"/.test(response.body) || challengeIn(response)?.stale === true;
}

/**
 * The challenge of a 401, if it can be answered. Only the header decides: in RFC 9110 section
 * 15.5.2 the body has no part in authentication.
 */
export function challengeIn(response: WireResponse): DigestChallenge | undefined {
  return response.status === 401 ? chooseChallenge(headerValues(response, "www-authenticate")) : undefined;
}
