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

/** @returns `undefined` for an answer that refuses nobody; errors of the application carry an `errorCode` */
export function refusalOf(response: WireResponse): Refusal | undefined {
  if (!isCredentialRefusal(response)) return undefined;
  const challenge = challengeOf(response);
  if (challenge) return challenge.stale ? "nonce" : "key";
  return headerValues(response, "www-authenticate").length > 0 ? "scheme" : "key";
}

export function isCredentialRefusal(response: WireResponse): boolean {
  return response.status === 401 && !/"errorCode"\s*:\s*"/.test(response.body);
}

/** @returns the challenge of an answer that refuses credentials, if it can be answered */
export function challengeOf(response: WireResponse): DigestChallenge | undefined {
  return isCredentialRefusal(response)
    ? chooseChallenge(headerValues(response, "www-authenticate"))
    : undefined;
}
