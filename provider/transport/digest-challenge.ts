/**
 * Reading `WWW-Authenticate` and computing the answer: RFC 7616, RFC 2617 and RFC 2069. Pure; no I/O, no state.
 */
import { createHash } from "node:crypto";

/** The algorithms spoken here, strongest last. Names as in RFC 7616 section 6.1, lower case for comparison. */
const HASHES = { md5: "md5", "md5-sess": "md5", "sha-256": "sha256", "sha-256-sess": "sha256" } as const;
type Algorithm = keyof typeof HASHES;
const STRENGTH: readonly string[] = Object.keys(HASHES);

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
   * `op="auth"` without `qop`: the spelling that the API's documentation prints. The real service was only ever seen
   * with `qop`, so `op` is read as a hint: first the RFC 2069 form, and if that is refused, `qop=auth`.
   */
  readonly opOnly: boolean;
  readonly stale: boolean;
}

/** One scheme with its parameters out of a `WWW-Authenticate` field, which may hold several. */
interface Challenge {
  readonly scheme: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * RFC 9110 section 11.2: token68 or a list of `name = token / quoted-string`; schemes follow each other after commas.
 * Values without quotes are taken up to the next comma or space, because nonces hold `+`, `/` and `=`.
 */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = `(${TOKEN})\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]+))`;
const SCHEME = `(${TOKEN})(?=\\s|$|,)(?:\\s+[0-9A-Za-z._~+/-]+=*(?=\\s*(?:,|$)))?`;
const PART = new RegExp(`[\\s,]*(?:${PARAMETER}|${SCHEME})`, "y");

export function parseChallenges(header: string): Challenge[] {
  const challenges: { scheme: string; parameters: Map<string, string> }[] = [];
  PART.lastIndex = 0;
  for (let match = PART.exec(header); match; match = PART.exec(header)) {
    const [, name, quoted, token, scheme] = match;
    if (scheme !== undefined) {
      challenges.push({ scheme: scheme.toLowerCase(), parameters: new Map() });
    } else if (name !== undefined) {
      const value = quoted !== undefined ? quoted.replace(/\\(.)/g, "$1") : (token ?? "");
      challenges.at(-1)?.parameters.set(name.toLowerCase(), value);
    }
  }
  return challenges;
}

/**
 * The strongest Digest challenge we can answer.
 *
 * @param headers the values of all `WWW-Authenticate` fields
 * @returns `undefined` when there is none: another scheme, an unknown algorithm, or only `qop="auth-int"`
 */
export function chooseChallenge(headers: readonly string[]): DigestChallenge | undefined {
  const usable = headers
    .flatMap(parseChallenges)
    .filter((challenge) => challenge.scheme === "digest")
    .map(toDigestChallenge)
    .filter((challenge) => challenge !== undefined);
  const strength = (challenge: DigestChallenge) => STRENGTH.indexOf(challenge.algorithm);
  return usable.reduce<DigestChallenge | undefined>(
    (best, next) => (best === undefined || strength(next) > strength(best) ? next : best),
    undefined,
  );
}

function toDigestChallenge({ parameters }: Challenge): DigestChallenge | undefined {
  const nonce = parameters.get("nonce");
  const algorithmText = parameters.get("algorithm");
  const algorithm = (algorithmText ?? "MD5").toLowerCase();
  if (nonce === undefined || !isAlgorithm(algorithm)) return undefined;
  const offered = parameters
    .get("qop")
    ?.toLowerCase()
    .split(/[\s,]+/);
  const qopAuth = offered?.includes("auth") ?? false;
  // "auth-int" alone would need a digest of the body; the session algorithms need a cnonce, and so a qop.
  if (!qopAuth && (offered !== undefined || algorithm.endsWith("-sess"))) return undefined;
  return {
    realm: parameters.get("realm") ?? "",
    nonce,
    algorithmText,
    algorithm,
    opaque: parameters.get("opaque"),
    qopAuth,
    opOnly: !qopAuth && parameters.get("op")?.toLowerCase() === "auth",
    stale: parameters.get("stale")?.toLowerCase() === "true",
  };
}

function isAlgorithm(text: string): text is Algorithm {
  return Object.hasOwn(HASHES, text);
}

export interface DigestAnswer {
  readonly challenge: DigestChallenge;
  readonly username: string;
  readonly password: string;
  readonly method: string;
  /** The request target exactly as sent: path with query (RFC 7616 section 3.4.6). */
  readonly uri: string;
  /** Present for `qop=auth`; absent for the RFC 2069 form. */
  readonly auth?: { readonly cnonce: string; readonly nonceCount: number } | undefined;
}

/** The value of the `Authorization` field (RFC 7616 section 3.4). */
export function authorizationHeader(answer: DigestAnswer): string {
  const { challenge, username, uri, auth } = answer;
  const nc = auth?.nonceCount.toString(16).padStart(8, "0");
  const parts = [
    `username=${quoted(username)}`,
    `realm=${quoted(challenge.realm)}`,
    `nonce=${quoted(challenge.nonce)}`,
    `uri=${quoted(uri)}`,
    ...(challenge.algorithmText === undefined ? [] : [`algorithm=${challenge.algorithmText}`]),
    ...(auth ? [`qop=auth`, `nc=${nc}`, `cnonce=${quoted(auth.cnonce)}`] : []),
    `response="${responseOf(answer, nc)}"`,
    ...(challenge.opaque === undefined ? [] : [`opaque=${quoted(challenge.opaque)}`]),
  ];
  return `Digest ${parts.join(", ")}`;
}

function responseOf(
  { challenge, username, password, method, uri, auth }: DigestAnswer,
  nc: string | undefined,
) {
  const hash = (text: string) => createHash(HASHES[challenge.algorithm]).update(text, "utf8").digest("hex");
  const secret = hash(`${username}:${challenge.realm}:${password}`);
  const session = challenge.algorithm.endsWith("-sess");
  const a1 = session ? hash(`${secret}:${challenge.nonce}:${auth?.cnonce ?? ""}`) : secret;
  const a2 = hash(`${method}:${uri}`);
  return auth
    ? hash(`${a1}:${challenge.nonce}:${nc}:${auth.cnonce}:auth:${a2}`)
    : hash(`${a1}:${challenge.nonce}:${a2}`);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
