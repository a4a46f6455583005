import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Incoming, Outgoing } from "./http";
import { isAllowedFrom } from "./key-access";
import type { ServiceAccount } from "./model";
import type { RateLimits } from "./rate-limit";
import type { World } from "./store";

/** The token endpoint of service accounts, and the tokens that it has issued: RFC 6749 section 4.4. */

export const tokenPath = "/api/oauth/token";

export type TokenRefusal = "wrong-client" | "wrong-token";

/** The verdict on an access token, or on the credentials of a request for one. */
export type TokenVerdict =
  | { readonly ok: true; readonly key: ServiceAccount }
  | { readonly ok: false; readonly refusal: TokenRefusal; readonly clientId?: string };

interface IssuedToken {
  readonly clientId: string;
  /** Milliseconds since 1970 of the sandbox's clock. */
  readonly endsAt: number;
}

/** Issues and judges tokens. A restart of the sandbox ends all of them. */
export class TokenGate {
  private readonly tokens = new Map<string, IssuedToken>();

  constructor(
    private readonly world: World,
    private readonly limits: RateLimits,
  ) {}

  /** Judges the Basic credentials of a request for a token; both parts are encoded as in a form (RFC 6749, 2.3.1). */
  checkClient(header = ""): TokenVerdict {
    const [, encoded = ""] = /^Basic\s+(\S+)$/i.exec(header) ?? [];
    const [clientId = "", secret = ""] = Buffer.from(encoded, "base64")
      .toString("utf8")
      .split(":")
      .map((part) => new URLSearchParams(`part=${part}`).get("part") ?? "");
    const account = this.world.store.serviceAccounts.get(clientId);
    return account !== undefined && sameText(secret, account.clientSecret)
      ? { ok: true, key: account }
      : { ok: false, refusal: "wrong-client", ...(clientId === "" ? {} : { clientId }) };
  }

  /** Judges the Authorization header of one request; undefined for one without a token. */
  checkToken(header = ""): TokenVerdict | undefined {
    const [, token] = /^Bearer\s+(\S+)$/i.exec(header) ?? [];
    if (token === undefined) return undefined;
    const { clientId = "", endsAt = 0 } = this.tokens.get(token) ?? {};
    const account = this.world.store.serviceAccounts.get(clientId);
    return account !== undefined && this.world.clock.now() < endsAt
      ? { ok: true, key: account }
      : { ok: false, refusal: "wrong-token" };
  }

  /** Ends every token issued so far. */
  revokeAll(): void {
    this.tokens.clear();
  }

  /** The response to a request for a token. */
  respond({ method, text, contentType, authorization }: Incoming, ip: string): Outgoing {
    const verdict = this.checkClient(authorization);
    if (method !== "POST") return { status: 405, headers: { Allow: "POST" } };
    if (!verdict.ok) return refusal(401, "invalid_client", { "WWW-Authenticate": 'Basic realm="token"' });
    const tooMany = this.limits.countTokenRequest(verdict.key.clientId);
    if (tooMany !== undefined) return refusal(429, "rate_limited", tooMany);
    if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType))
      return refusal(400, "invalid_request");
    const grant = new URLSearchParams(text ?? "").get("grant_type");
    if (grant === null) return refusal(400, "invalid_request");
    if (grant !== "client_credentials") return refusal(400, "unsupported_grant_type");
    if (!isAllowedFrom(this.world, verdict.key, ip)) return refusal(403, "access_denied");
    return json(200, this.issue(verdict.key));
  }

  private issue(account: ServiceAccount): Record<string, unknown> {
    const { clock, store, switches } = this.world;
    const { clientId, secrets } = account;
    const used = secrets.map((secret, index) =>
      index === secrets.length - 1 ? { ...secret, lastUsedAt: clock.iso() } : secret,
    );
    store.serviceAccounts.put({ ...account, secrets: used });
    const seconds = switches.tokenLifetimeSeconds;
    const endsAt = clock.now() + seconds * 1000;
    const token = [
      encoded({ alg: "ES512", typ: "JWT" }),
      encoded({ sub: clientId, exp: Math.floor(endsAt / 1000) }),
      randomBytes(32).toString("base64url"),
    ].join(".");
    this.tokens.set(token, { clientId, endsAt });
    return { access_token: token, expires_in: seconds, token_type: "Bearer" };
  }
}

const encoded = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");

function sameText(left: string, right: string): boolean {
  const [a, b] = [left, right].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

const descriptions: Readonly<Record<string, string>> = {
  invalid_client: "The client ID or the client secret is not valid.",
  rate_limited: "Too many requests for tokens.",
  invalid_request: "The request needs a form with grant_type.",
  unsupported_grant_type: "The only grant type is client_credentials.",
  access_denied: "The address is not on the access list of the service account.",
};

/** An error of the form of RFC 6749, 5.2. */
const refusal = (status: number, error: string, headers: Outgoing["headers"] = {}): Outgoing =>
  json(status, { error, error_description: descriptions[error] }, headers);

function json(status: number, body: unknown, headers: Outgoing["headers"] = {}): Outgoing {
  return {
    status,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers },
    body: JSON.stringify(body),
  };
}
