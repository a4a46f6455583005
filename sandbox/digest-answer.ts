import { createHash } from "node:crypto";

/**
 * Reads `Authorization: Digest` and computes the expected values. It is written from RFC 7616 and
 * RFC 2069, and on purpose shares no code with the provider. So a mistake in one of them does not
 * hide in the other.
 */

export const realm = "MMS Public API";

/** Algorithms of RFC 7616, weakest first. */
export const algorithms = [
  "MD5",
  "MD5-sess",
  "SHA-256",
  "SHA-256-sess",
  "SHA-512-256",
  "SHA-512-256-sess",
] as const;

const nodeNames: Readonly<Record<string, string>> = {
  MD5: "md5",
  "SHA-256": "sha256",
  "SHA-512-256": "sha512-256",
};

export interface DigestAnswer {
  /** As sent: the name itself, or its hash. */
  readonly username: string;
  readonly nonce: string;
  readonly uri: string;
  readonly response: string;
  /** As the challenge spells it; MD5 when the answer names none. */
  readonly algorithm: string;
  readonly opaque: string | undefined;
  readonly userhash: boolean;
  /** Absent in the RFC 2069 form. */
  readonly qop?: { readonly nc: string; readonly cnonce: string };
}

/** What the "-sess" algorithms bind the key to: nonce and cnonce of the session's first answer. */
export interface DigestSession {
  readonly nonce: string;
  readonly cnonce: string;
}

export function hash(algorithm: string, text: string): string {
  const name = nodeNames[algorithm.replace(/-sess$/, "")];
  if (name === undefined) throw new Error(`There is no hash for ${algorithm}.`);
  return createHash(name).update(text, "utf8").digest("hex");
}

/** The parameters of an `Authorization: Digest` header, names in lower case; undefined when it is not one. */
function parseParameters(header: string): Map<string, string> | undefined {
  const scheme = /^Digest\s+/i.exec(header);
  if (scheme === null) return undefined;
  const parameters = new Map<string, string>();
  const pattern = /\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))\s*(?:,|$)/gy;
  pattern.lastIndex = scheme[0].length;
  while (pattern.lastIndex < header.length) {
    const match = pattern.exec(header);
    if (match === null) return undefined;
    const [, name = "", quoted, token] = match;
    parameters.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? token ?? "");
  }
  return parameters;
}

/** Node gives a header's bytes as one character each; names are UTF-8, plain or percent-encoded (RFC 8187). */
function usernameOf(parameters: ReadonlyMap<string, string>): string | undefined {
  const extended = /^UTF-8'[^']*'(.*)$/i.exec(parameters.get("username*") ?? "")?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  const plain = parameters.get("username");
  return plain === undefined ? undefined : Buffer.from(plain, "latin1").toString("utf8");
}

/** Undefined when the header is not a Digest answer for this realm. */
export function parseAnswer(header: string): DigestAnswer | undefined {
  const parameters = parseParameters(header);
  if (parameters === undefined || parameters.get("realm") !== realm) return undefined;
  const algorithm = algorithms.find(
    (known) => known.toLowerCase() === (parameters.get("algorithm") ?? "MD5").toLowerCase(),
  );
  const username = usernameOf(parameters);
  const [nonce, uri, response] = ["nonce", "uri", "response"].map((n) => parameters.get(n));
  if (algorithm === undefined || username === undefined) return undefined;
  if (nonce === undefined || uri === undefined || response === undefined) return undefined;
  const userhash = parameters.get("userhash")?.toLowerCase() === "true";
  const opaque = parameters.get("opaque");
  const answer = { username, nonce, uri, response, algorithm, userhash, opaque };
  const qop = parameters.get("qop");
  if (qop === undefined) return algorithm.endsWith("-sess") ? undefined : answer;
  const nc = parameters.get("nc") ?? "";
  const cnonce = parameters.get("cnonce");
  // Eight digits by the RFC; one well-known client sends `nc=1` and is accepted by the real service.
  if (qop !== "auth" || cnonce === undefined || !/^[0-9a-f]{1,8}$/i.test(nc)) return undefined;
  return { ...answer, qop: { nc, cnonce } };
}

/** The `response` of a request with this method; without a method the `rspauth` of its answer (RFC 7616, 3.5). */
export function expectedResponse(
  answer: DigestAnswer,
  username: string,
  privateKey: string,
  session: DigestSession | undefined,
  method = "",
): string {
  const h = (text: string) => hash(answer.algorithm, text);
  const secret = h(`${username}:${realm}:${privateKey}`);
  const { nonce, cnonce } = session ?? { nonce: answer.nonce, cnonce: answer.qop?.cnonce };
  const ha1 = answer.algorithm.endsWith("-sess") ? h(`${secret}:${nonce}:${cnonce}`) : secret;
  const ha2 = h(`${method}:${answer.uri}`);
  const middle = answer.qop ? `${answer.nonce}:${answer.qop.nc}:${answer.qop.cnonce}:auth` : answer.nonce;
  return h(`${ha1}:${middle}:${ha2}`);
}
