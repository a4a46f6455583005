import { randomBytes, timingSafeEqual } from "node:crypto";
import {
  algorithms,
  type DigestAnswer,
  type DigestSession,
  expectedResponse,
  hash,
  parseAnswer,
  realm,
} from "./digest-answer";
import type { ApiKey } from "./model";
import type { World } from "./store";

/** The server's half of HTTP Digest authentication: challenges, nonces and verdicts. */

/** Nonces kept at most; the oldest go first. A client with a removed nonce gets stale=true. */
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
  | {
      readonly ok: true;
      readonly key: ApiKey;
      readonly form: DigestForm;
      readonly nc?: number;
      /** The value of an Authentication-Info header, where the answer is to have one. */
      readonly info?: string;
    }
  | {
      readonly ok: false;
      readonly refusal: DigestRefusal;
      readonly stale: boolean;
      readonly publicKey?: string;
    };

interface NonceRecord {
  readonly issuedAt: number;
  readonly counts: Set<number>;
  session: DigestSession | undefined;
  highest: number;
  used: boolean;
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

  /** The value of a WWW-Authenticate header with fresh nonces. */
  challenge(stale: boolean): string {
    const { digestAlgorithm } = this.world.switches;
    const offered = digestAlgorithm === "all" ? algorithms : [digestAlgorithm];
    return offered.map((algorithm) => this.challengeWith(algorithm, stale)).join(", ");
  }

  private challengeWith(algorithm: string, stale: boolean): string {
    const { challenge, opaque, userNames } = this.world.switches;
    const quality = { qop: ' qop="auth",', op: ' op="auth",', none: "" }[challenge];
    const echo = opaque ? ` opaque="${this.opaque}",` : "";
    const names = { plain: "", "utf-8": " charset=UTF-8,", userhash: " charset=UTF-8, userhash=true," }[
      userNames
    ];
    return `Digest realm="${realm}", domain="", nonce="${this.issue()}", algorithm=${algorithm},${quality}${echo}${names} stale=${stale}`;
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
    const key = this.keyOf(answer);
    const [username, secret] = [key?.publicKey ?? answer.username, key?.privateKey ?? this.decoy];
    const session = this.nonces.get(answer.nonce)?.session;
    const right = sameText(answer.response, expectedResponse(answer, username, secret, session, method));
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
    const { challenge, opAccepts, opaque, digestAlgorithm, userNames } = this.world.switches;
    if (opaque && answer.opaque !== this.opaque) return false;
    if (digestAlgorithm !== "all" && answer.algorithm !== digestAlgorithm) return false;
    if (answer.userhash && userNames !== "userhash") return false;
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
    record.session ??= { nonce: answer.nonce, cnonce: answer.qop.cnonce };
    const nc = Number.parseInt(answer.qop.nc, 16);
    // RFC 7616 3.4: the same count twice is a replay, but it leaves the answer open. A replay with the right
    // password may be an honest retry, so it gets a new nonce instead of a refusal of its key.
    const tooLow = nonceCount === "rising" && nc <= record.highest;
    if (nc === 0 || record.counts.has(nc) || tooLow) return refused("replayed-count", true);
    record.counts.add(nc);
    record.highest = Math.max(record.highest, nc);
    return { ok: true, key, form: "qop", nc, ...this.infoOf(answer, answer.qop, key, record.session) };
  }

  /** RFC 7616, 3.5. With the "-sess" algorithms the nonce that is named continues with the session. */
  private infoOf(
    answer: DigestAnswer,
    { nc, cnonce }: NonNullable<DigestAnswer["qop"]>,
    { publicKey, privateKey }: ApiKey,
    session: DigestSession,
  ): { info?: string } {
    const { authenticationInfo } = this.world.switches;
    if (authenticationInfo === "none") return {};
    const secret = authenticationInfo === "wrong-rspauth" ? this.decoy : privateKey;
    const rspauth = `qop=auth, rspauth="${expectedResponse(answer, publicKey, secret, session)}", cnonce="${cnonce}", nc=${nc}`;
    const next = () => `nextnonce="${this.issue(session)}"`;
    switch (authenticationInfo) {
      case "rspauth":
        return { info: rspauth };
      case "nextnonce":
        return { info: next() };
      default:
        return { info: `${rspauth}, ${next()}` };
    }
  }

  private keyOf({ username, userhash, algorithm }: DigestAnswer): ApiKey | undefined {
    const { keys } = this.world.store;
    if (!userhash) return keys.get(username);
    return keys.all().find(({ publicKey }) => hash(algorithm, `${publicKey}:${realm}`) === username);
  }

  private isExpired(record: NonceRecord): boolean {
    return this.world.clock.now() - record.issuedAt >= this.world.switches.nonceLifetimeSeconds * 1000;
  }

  /** A new nonce in base64, so that it may hold `+`, `/` and `=` as the real ones do. */
  private issue(session?: DigestSession): string {
    for (const [nonce, record] of this.nonces) {
      if (this.nonces.size < maxNonces && !this.isExpired(record)) break;
      this.nonces.delete(nonce);
    }
    const nonce = randomBytes(25).toString("base64");
    const issuedAt = this.world.clock.now();
    this.nonces.set(nonce, { issuedAt, counts: new Set(), session, highest: 0, used: false });
    return nonce;
  }
}
