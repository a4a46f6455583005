/**
 * Parses challenges and chooses the one to answer: RFC 7616, RFC 2617 and RFC 2069. Pure; no I/O,
 * no state.
 */
import { type Algorithm, algorithmOf, strengthOf } from "./digest-algorithms";
import { type Challenge, parseChallenges } from "./digest-fields";

export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  /** As the server wrote it, so that it is echoed unchanged; `undefined` means MD5. */
  readonly algorithmText: string | undefined;
  readonly algorithm: Algorithm;
  readonly opaque: string | undefined;
  /** `qop` offers `auth`. */
  readonly qopAuth: boolean;
  /**
   * `op="auth"` without `qop`: the spelling in the API's documentation. All observed responses of
   * the real service have `qop`, so `op` is a hint. The first response has the RFC 2069 form. If
   * that is rejected, the second has `qop=auth`.
   */
  readonly opOnly: boolean;
  readonly stale: boolean;
  /** `charset=UTF-8`: the server supports names outside of ASCII. */
  readonly utf8: boolean;
  /** The server requires the user's name as its hash. */
  readonly userhash: boolean;
}

/**
 * Chooses the strongest supported Digest challenge.
 *
 * @param headers the values of all `WWW-Authenticate` fields
 * @returns `undefined` if there is none: another scheme, an unknown algorithm, or only
 * `qop="auth-int"`
 */
export function chooseChallenge(headers: readonly string[]): DigestChallenge | undefined {
  const usable = headers
    .flatMap(parseChallenges)
    .filter((challenge) => challenge.scheme === "digest")
    .map(toDigestChallenge)
    .filter((challenge) => challenge !== undefined);
  return usable.reduce<DigestChallenge | undefined>(
    (best, next) =>
      best === undefined || strengthOf(next.algorithm) > strengthOf(best.algorithm) ? next : best,
    undefined,
  );
}

function toDigestChallenge({ parameters }: Challenge): DigestChallenge | undefined {
  const nonce = parameters.get("nonce");
  // An empty value is as good as none.
  const algorithmText = parameters.get("algorithm") || undefined;
  const algorithm = algorithmOf(algorithmText ?? "MD5");
  if (nonce === undefined || algorithm === undefined) return undefined;
  const hasParameter = (name: string, value: string) => parameters.get(name)?.toLowerCase() === value;
  const offered = (parameters.get("qop") ?? "")
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => name !== "");
  const qopAuth = offered.includes("auth");
  // "auth-int" alone would need a digest of the body. The session algorithms need a cnonce, and so
  // a qop.
  if (!qopAuth && (offered.length > 0 || algorithm.endsWith("-sess"))) return undefined;
  return {
    realm: parameters.get("realm") ?? "",
    nonce,
    algorithmText,
    algorithm,
    opaque: parameters.get("opaque"),
    qopAuth,
    opOnly: !qopAuth && hasParameter("op", "auth"),
    stale: hasParameter("stale", "true"),
    utf8: hasParameter("charset", "utf-8"),
    userhash: hasParameter("userhash", "true"),
  };
}
