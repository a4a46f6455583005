import { createDigestAuth } from "../../../provider/transport/digest-auth";
import type { SendRequest, WireRequest, WireResponse } from "../../../provider/transport/wire";
import { type FakeWire, fakeWire, ok, status } from "./fake-wire";

export const keys = { publicKey: "public", privateKey: "private" };
export const refusalBody =
  '{"error":401,"reason":"Unauthorized","detail":"You are not authorized for this resource."}';

/** A 401 as the real service gives it; every one has a nonce of its own. */
export function challenge(nonce: string, more = 'qop="auth", stale=false'): WireResponse {
  const header = `Digest realm="MMS Public API", domain="", nonce="${nonce}", algorithm=MD5, ${more}`;
  return status(401, refusalBody, { "www-authenticate": header });
}

/** The content of an Authorization header: `n1:00000001`, `n1:plain` in the RFC 2069 form, or `-` without credentials. */
export function credentials(request: WireRequest): string {
  const { authorization } = request.headers;
  if (authorization === undefined) return "-";
  const nonce = /nonce="([^"]*)"/.exec(authorization)?.[1];
  return `${nonce}:${/nc=(\w+)/.exec(authorization)?.[1] ?? "plain"}`;
}

export const nonceOf = (given: string): string => given.split(":")[0] ?? "";

export const story = ({ sent }: FakeWire): string[] => sent.map(credentials);

/** @param warnings takes what the layer warns of */
export function authenticated(wire: FakeWire, warnings: string[] = []): SendRequest {
  return createDigestAuth(keys, (message) => warnings.push(message))(wire.send);
}

/** Takes any nonce with qop any number of times, unless it was made stale. */
export function server(
  isRefused: (credentials: string) => string | false = () => false,
  response: (request: WireRequest) => WireResponse | Promise<WireResponse> = () => ok,
): FakeWire {
  let nonces = 0;
  const another = (more?: string) => {
    nonces += 1;
    return challenge(`n${nonces}`, more);
  };
  return fakeWire((request) => {
    const given = credentials(request);
    if (given === "-") return another();
    const refusal = isRefused(given);
    return refusal === false ? response(request) : another(refusal);
  });
}

export const stale = 'qop="auth", stale=true';
export const wrong = 'qop="auth", stale=false';
