import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { ApiKey } from "./model";
import type { World } from "./store";

/**
 * The server's half of HTTP Digest authentication with MD5, written from RFC 7616 (and RFC 2069 for challenges
 * without qop), and on purpose not from the provider's client half: a mistake in one cannot hide in the other.
 */

const realm = "MMS Public API";

/** Nonces kept at most; the oldest go first. A client whose nonce went is told stale=true. */
const maxNonces = 100_000;

/** The form of an answer: with qop, nc and cnonce, or the older one without. */
export type DigestForm = "qop" | "rfc2069";

export type DigestRefusal =
  | "no-credentials"
  | "malformed"
  | "wrong-form"
  | "wrong-uri"
  | "unknown-key"
  | "wrong-response"
  | "stale-nonce"
  | "reused-nonce"
  | "replayed-count";

export type DigestVerdict =
  | { readonly ok: true; readonly key: ApiKey; readonly form: DigestForm; readonly nc?: number }
  | {
      readonly ok: false;
      readonly refusal: DigestRefusal;
      readonly stale: boolean;
      readonly publicKey?: string;
    };

interface NonceRecord {
  readonly issuedAt: number;
  readonly counts: Set<number>;
  highest: number;
  used: boolean;
}

interface DigestAnswer {
  readonly username: string;
  readonly nonce: string;
  readonly uri: string;
  readonly response: string;
  readonly opaque: string | undefined;
  /** Absent in the RFC 2069 form. */
  readonly qop?: { readonly nc: string; readonly cnonce: string };
}

const md5 = (text: string): string => createHash("md5").update(text, "utf8").digest("hex");

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

function parseAnswer(header: string): DigestAnswer | undefined {
  const parameters = parseParameters(header);
  if (parameters === undefined || parameters.get("realm") !== realm) return undefined;
  if ((parameters.get("algorithm") ?? "MD5").toUpperCase() !== "MD5") return undefined;
  const [username, nonce, uri, response] = ["username", "nonce", "uri", "response"].map((n) =>
    parameters.get(n),
  );
  if (username === undefined || nonce === undefined || uri === undefined || response === undefined)
    return undefined;
  const answer = { username, nonce, uri, response, opaque: parameters.get("opaque") };
  const qop = parameters.get("qop");
  if (qop === undefined) return answer;
  const nc = parameters.get("nc") ?? "";
  const cnonce = parameters.get("cnonce");
  // Eight digits by the RFC; one well-known client sends `nc=1` and is accepted by the real service.
  if (qop !== "auth" || cnonce === undefined || !/^[0-9a-f]{1,8}$/i.test(nc)) return undefined;
  return { ...answer, qop: { nc, cnonce } };
}

function expectedResponse(answer: DigestAnswer, privateKey: string, method: string): string {
  const ha1 = md5(`${answer.username}:${realm}:${privateKey}`);
  const ha2 = md5(`${method}:${answer.uri}`);
  const middle = answer.qop ? `${answer.nonce}:${answer.qop.nc}:${answer.qop.cnonce}:auth` : answer.nonce;
  return md5(`${ha1}:${middle}:${ha2}`);
}

function sameText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Issues challenges and judges answers. It forgets nonces when they expire. */
export class DigestGate {
  private readonly nonces = new Map<string, NonceRecord>();
  private readonly opaque = randomBytes(8).toString("hex");
  /** Stands in for an unknown key, so that its refusal takes as long as that of a wrong one. */
  private readonly decoy = randomBytes(16).toString("hex");

  constructor(private readonly world: World) {}

  /** The value of a WWW-Authenticate header with a fresh nonce. */
  challenge(stale: boolean): string {
    const { challenge, opaque } = this.world.switches;
    const quality = { qop: ' qop="auth",', op: ' op="auth",', none: "" }[challenge];
    const echo = opaque ? ` opaque="${this.opaque}",` : "";
    return `Digest realm="${realm}", domain="", nonce="${this.issue()}", algorithm=MD5,${quality}${echo} stale=${stale}`;
  }

  /** Judges the Authorization header of one request. `target` is the request's path with its query. */
  check(method: string, target: string, header: string | undefined): DigestVerdict {
    if (header === undefined) return { ok: false, refusal: "no-credentials", stale: false };
    const answer = parseAnswer(header);
    if (answer === undefined) return { ok: false, refusal: "malformed", stale: false };
    const refused = (refusal: DigestRefusal, stale = false): DigestVerdict => ({
      ok: false,
      refusal,
      stale,
      publicKey: answer.username,
    });
    if (!this.accepts(answer)) return refused("wrong-form");
    if (answer.uri.replace(/^https?:\/\/[^/]+/i, "") !== target) return refused("wrong-uri");
    const key = this.world.store.keys.get(answer.username);
    const right = sameText(answer.response, expectedResponse(answer, key?.privateKey ?? this.decoy, method));
    if (key === undefined) return refused("unknown-key");
    if (!right) return refused("wrong-response");
    // Only now may stale be true: RFC 7616 3.3 keeps it for a right answer to a nonce that is no longer good.
    return this.useNonce(answer, key, refused);
  }

  /** Makes every nonce issued so far stale. */
  expireNonces(): void {
    this.nonces.clear();
  }

  private accepts(answer: DigestAnswer): boolean {
    const { challenge, opAccepts, opaque } = this.world.switches;
    if (opaque && answer.opaque !== this.opaque) return false;
    if (challenge === "qop") return answer.qop !== undefined;
    if (challenge === "none") return answer.qop === undefined;
    return opAccepts === "both" || (answer.qop === undefined ? "rfc2069" : "qop") === opAccepts;
  }

  private useNonce(
    answer: DigestAnswer,
    key: ApiKey,
    refused: (refusal: DigestRefusal, stale: boolean) => DigestVerdict,
  ): DigestVerdict {
    const { nonceReuse, nonceCount } = this.world.switches;
    const record = this.nonces.get(answer.nonce);
    if (record === undefined || this.isExpired(record)) return refused("stale-nonce", true);
    if (record.used && nonceReuse !== "allow") return refused("reused-nonce", nonceReuse === "refuse");
    record.used = true;
    if (answer.qop === undefined) return { ok: true, key, form: "rfc2069" };
    const nc = Number.parseInt(answer.qop.nc, 16);
    // RFC 7616 3.4: the same count twice is a replay, but it leaves the answer open. A replay with the right
    // password may be an honest retry, so it is told to take a new nonce instead of doubting its key.
    const tooLow = nonceCount === "rising" && nc <= record.highest;
    if (nc === 0 || record.counts.has(nc) || tooLow) return refused("replayed-count", true);
    record.counts.add(nc);
    record.highest = Math.max(record.highest, nc);
    return { ok: true, key, form: "qop", nc };
  }

  private isExpired(record: NonceRecord): boolean {
    return this.world.clock.now() - record.issuedAt >= this.world.switches.nonceLifetimeSeconds * 1000;
  }

  /** A new nonce in base64, so that it may hold `+`, `/` and `=` as the real ones do. */
  private issue(): string {
    for (const [nonce, record] of this.nonces) {
      if (this.nonces.size < maxNonces && !this.isExpired(record)) break;
      this.nonces.delete(nonce);
    }
    const nonce = randomBytes(25).toString("base64");
    this.nonces.set(nonce, { issuedAt: this.world.clock.now(), counts: new Set(), highest: 0, used: false });
    return nonce;
  }
}
