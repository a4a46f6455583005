/** Access tokens of a service account: one for all requests, and nothing is sent without one. */
import { createBearerAuth, tokenRefusalOf } from "../../../provider/transport/bearer-auth";
import { WireFault, type WireRequest, type WireResponse } from "../../../provider/transport/wire";
import { FakeClock } from "./fake-clock";
import { type FakeWire, fakeWire, get, held, ok, post, settled, status } from "./fake-wire";

const account = {
  clientId: "mdb_sa_id_5f0000000000000000000001",
  clientSecret: "mdb_sa_sk_not-a-secret",
  tokenUrl: "https://cloud.mongodb.com/api/oauth/token",
  tokenProxyUrl: undefined,
};

const json = (code: number, body: unknown, headers = {}) => status(code, JSON.stringify(body), headers);
const granted = (token: string, life: unknown = 3600) =>
  json(200, { access_token: token, expires_in: life, token_type: "Bearer" });
const rejected = json(401, { error: 401, reason: "Unauthorized" });
const missingRole = json(401, { error: 401, errorCode: "USER_UNAUTHORIZED" });
const invalidClient = json(401, { error: "invalid_client", error_description: "No such client." });

/** Grants `t1`, `t2` and so on. */
const tokens = (life?: unknown) => fakeWire((_, count) => granted(`t${count}`, life));

/** The token of a request: `t1`, or `-` without one. */
const tokenOf = ({ headers }: WireRequest) => headers.authorization?.replace(/^Bearer /, "") ?? "-";
const used = ({ sent }: FakeWire) => sent.map(tokenOf);

/** The service accepts these tokens, or all of them. */
const service = (accepted?: () => readonly string[]) =>
  fakeWire((request) => ((accepted?.().includes(tokenOf(request)) ?? true) ? ok : rejected));

function authenticated(endpoint: FakeWire, wire: FakeWire) {
  const clock = new FakeClock();
  const known: string[] = [];
  const options = { sendToTokenUrl: endpoint.send, onToken: (token: string) => known.push(token) };
  return { clock, known, send: createBearerAuth(account, options, clock)(wire.send) };
}

describe("a token", () => {
  test("is requested with the ID and the secret as Basic credentials, and as RFC 6749 section 4.4 defines", async () => {
    const endpoint = tokens();
    const wire = service();
    await authenticated(endpoint, wire).send(post());
    expect(endpoint.sent).toEqual([
      {
        method: "POST",
        target: "/api/oauth/token",
        headers: {
          authorization: `Basic ${Buffer.from(`${account.clientId}:${account.clientSecret}`).toString("base64")}`,
          accept: "application/json",
          "content-type": "application/x-www-form-urlencoded",
          "user-agent": "pulumi-opsmanager",
        },
        body: "grant_type=client_credentials",
      },
    ]);
    expect(used(wire)).toEqual(["t1"]);
  });

  test.each([
    ["a minute before it ends", 3600, 3539, 1],
    ["after half of a short life", 60, 29, 1],
    ["after an hour, if its life is not named", null, 3539, 1],
  ])("is renewed %s", async (_, life, seconds, more) => {
    const endpoint = tokens(life);
    const wire = service();
    const { send, clock } = authenticated(endpoint, wire);
    await send(get());
    clock.advance(seconds * 1000);
    await send(get());
    clock.advance(more * 1000);
    await Promise.all([send(get()), send(get())]);
    expect(used(wire)).toEqual(["t1", "t1", "t2", "t2"]);
    expect(endpoint.sent).toHaveLength(2);
  });

  test("that is still good is used while the token endpoint fails, and renewed after a pause", async () => {
    const endpoint = fakeWire((_, count) => (count === 2 ? status(503) : granted(`t${count}`)));
    const wire = service();
    const { send, clock } = authenticated(endpoint, wire);
    await send(get());
    clock.advance(3_550_000);
    await send(get());
    await send(get());
    clock.advance(5_000);
    await send(get());
    expect(used(wire)).toEqual(["t1", "t1", "t1", "t3"]);
    expect(endpoint.sent).toHaveLength(3);
  });

  test("is not waited for after an interruption, and the others get it", async () => {
    const response = held<WireResponse>();
    const wire = service();
    const { send } = authenticated(
      fakeWire(() => response.promise),
      wire,
    );
    const stop = new AbortController();
    const canceled = send({ ...get(), signal: stop.signal });
    const other = send(get());
    stop.abort();
    await expect(canceled).rejects.toMatchObject({ code: "OPSMANAGER_CANCELLED" });
    response.resolve(granted("t1"));
    expect(await other).toMatchObject(ok);
    expect(used(wire)).toEqual(["t1"]);
  });
});

describe("a rejected token", () => {
  // Some versions respond with a bare 401 for a project that does not exist.
  test("of an account that was accepted before costs one renewal, and other requests continue", async () => {
    const endpoint = tokens();
    const wire = fakeWire(({ target }) => (target === "/deleted" ? rejected : ok));
    const { send } = authenticated(endpoint, wire);
    await send(get());
    for (const _ of "abc") expect(await send(get("/deleted"))).toEqual({ ...rejected, keyAccepted: true });
    expect(await send(get())).toMatchObject(ok);
    expect(used(wire)).toEqual(["t1", "t1", "t2", "t2", "t2", "t2"]);
    expect(endpoint.sent).toHaveLength(2);
  });

  test("is one by the header too, whatever the body has", async () => {
    const named = {
      ...missingRole,
      headers: { "www-authenticate": 'Bearer realm="x", error="invalid_token"' },
    };
    const wire = fakeWire((request) => (tokenOf(request) === "t1" ? named : ok));
    expect(await authenticated(tokens(), wire).send(get())).toMatchObject(ok);
  });

  test("whose renewal fails was not replaced, so the request may be repeated later", async () => {
    const endpoint = fakeWire((_, count) => (count === 2 ? status(502) : granted(`t${count}`)));
    const wire = service(() => ["t3"]);
    const { send } = authenticated(endpoint, wire);
    await expect(send(post())).rejects.toMatchObject({ kind: "noToken", sent: false });
    expect(await send(post())).toMatchObject(ok);
  });
});

describe("without a token nothing is sent:", () => {
  test.each<[string, () => WireResponse, string]>([
    ["a rate limit", () => json(429, { error: "rate_limited" }), "returned status 429 rate_limited"],
    [
      "an error of the token endpoint",
      () => json(500, { error: "server_error" }),
      "returned status 500 server_error",
    ],
    ["a page of a proxy", () => status(502, "<html>"), "returned status 502"],
    [
      "a broken connection",
      () => {
        throw new WireFault("broken", true, "other side closed");
      },
      "gave no usable response: other side closed",
    ],
    [
      "a time limit",
      () => {
        throw new WireFault("timeout", true, "no complete response within 60 s");
      },
      "gave no usable response: no complete response within 60 s",
    ],
    [
      "a response that is too long",
      () => {
        throw new WireFault("unusable", true, "the response is longer than 1 bytes");
      },
      "gave no usable response: the response is longer than 1 bytes",
    ],
  ])("%s is a fault before sending", async (_, response, message) => {
    const wire = service();
    const { send } = authenticated(fakeWire(response), wire);
    const fault = await send(post()).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(WireFault);
    expect(fault).toMatchObject({ kind: "noToken", sent: false });
    expect(fault).toHaveProperty("message", `the token endpoint ${account.tokenUrl} ${message}`);
    expect(wire.sent).toEqual([]);
  });

  test("a token endpoint with an untrusted certificate is a fault that no repetition helps, and names tokenUrl", async () => {
    const advice = "Use a host name in baseUrl that the certificate contains.";
    const untrusted = new WireFault("untrusted", false, "wrong name", { advice });
    const { send } = authenticated(
      fakeWire(() => Promise.reject(untrusted)),
      service(),
    );
    await expect(send(get())).rejects.toMatchObject({
      kind: "untrusted",
      sent: false,
      advice: advice.replace("baseUrl", "tokenUrl"),
    });
  });

  test.each([
    ["as Retry-After requires", { "retry-after": "30" }, 30],
    ["as 10 requests per minute require, if there is no Retry-After", {}, 6],
  ])("after a 429, no caller requests a token for as long %s", async (_, headers, seconds) => {
    const limited = json(429, { error: "rate_limited" }, headers);
    const endpoint = fakeWire((__, count) => (count === 1 ? limited : granted(`t${count}`)));
    const { send, clock } = authenticated(endpoint, service());
    const fault = { kind: "noToken", response: limited };
    await expect(send(get())).rejects.toMatchObject(fault);
    clock.advance(seconds * 1000 - 1);
    await expect(send(get())).rejects.toMatchObject(fault);
    expect(endpoint.sent).toHaveLength(1);
    clock.advance(1);
    expect(await send(get())).toMatchObject(ok);
  });

  test.each([
    ["400 invalid_request", json(400, { error: "invalid_request" })],
    ["401 invalid_client", invalidClient],
    ["403 access_denied", json(403, { error: "access_denied", error_description: 7 })],
  ])("%s is the response to every request, and no further token is requested", async (_, response) => {
    const endpoint = fakeWire(() => response);
    const wire = service();
    const { send } = authenticated(endpoint, wire);
    const responses = [...(await Promise.all([send(get()), send(post())])), await send(get())];
    for (const one of responses) {
      expect(one).toEqual({ ...response, isOfTokenUrl: true });
      expect(tokenRefusalOf(one)).toBe("account");
    }
    expect(endpoint.sent).toHaveLength(1);
    expect(wire.sent).toEqual([]);
  });

  test("an account that loses its secret during a run is refused for good", async () => {
    const endpoint = fakeWire((_, count) => (count === 1 ? granted("t1") : invalidClient));
    const { send, clock } = authenticated(endpoint, service());
    await send(get());
    clock.advance(3_600_000);
    for (const _ of "ab") expect(tokenRefusalOf(await send(get()))).toBe("account");
    expect(endpoint.sent).toHaveLength(2);
  });

  test.each([
    ["a web page", status(200, "<html>")],
    ["a redirect", status(302, "", { location: "https://elsewhere.example.com/" })],
    ["a path that does not exist", json(404, { error: 404, reason: "Not Found" })],
    ["a path that a gateway does not know", json(404, { error: "not_found" })],
    ["a token of another type", json(200, { access_token: "t", token_type: "mac" })],
    ["a token that cannot be in a header", json(200, { access_token: "t\r\nx: y", token_type: "Bearer" })],
    ["an empty body", status(200)],
  ])("%s is none of a token endpoint", async (_, response) => {
    const wire = service();
    const { send } = authenticated(
      fakeWire(() => response),
      wire,
    );
    const received = await send(get());
    expect(received).toEqual({ ...response, isOfTokenUrl: true });
    expect(tokenRefusalOf(received)).toBe("token-url");
    expect(wire.sent).toEqual([]);
  });
});

test("a limiter's response does not prove that the token is accepted", async () => {
  const { send } = authenticated(
    tokens(),
    fakeWire(() => status(429)),
  );
  expect(await send(get())).toEqual(status(429));
});

test("an ID and a secret with special characters are encoded as in a form", async () => {
  const endpoint = tokens();
  const special = { ...account, clientId: "a:b", clientSecret: "c d/é" };
  const layer = createBearerAuth(special, { sendToTokenUrl: endpoint.send, onToken: () => undefined });
  await layer(service().send)(get());
  await settled();
  const sent = endpoint.sent[0]?.headers.authorization?.replace("Basic ", "") ?? "";
  expect(Buffer.from(sent, "base64").toString()).toBe("a%3Ab:c+d%2F%C3%A9");
});
