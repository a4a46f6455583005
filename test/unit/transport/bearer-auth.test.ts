/** Access tokens of a service account: one for all requests, and nothing is sent without one. */
import { createBearerAuth, tokenRefusalOf } from "../../../provider/transport/bearer-auth";
import { WireFault, type WireRequest, type WireResponse } from "../../../provider/transport/wire";
import { FakeClock } from "./fake-clock";
import { type FakeWire, fakeWire, get, held, ok, post, status } from "./fake-wire";

const account = {
  clientId: "mdb_sa_id:1",
  clientSecret: "not a secret/é",
  tokenUrl: "https://cloud.mongodb.com/api/oauth/token",
  tokenProxyUrl: undefined,
};

const json = (code: number, body: unknown, headers = {}) => status(code, JSON.stringify(body), headers);
const granted = (token: string, life: unknown = 3600) =>
  json(200, { access_token: token, expires_in: life, token_type: "Bearer" });
const rejected = json(401, { error: 401, reason: "Unauthorized" });

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
          // As in a form (RFC 6749 section 2.3.1).
          authorization: `Basic ${Buffer.from("mdb_sa_id%3A1:not+a+secret%2F%C3%A9").toString("base64")}`,
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
    { when: "a minute before it ends", life: 3600, seconds: 3539 },
    { when: "after half of a short life", life: 60, seconds: 29 },
  ])("is renewed $when", async ({ life, seconds }) => {
    const endpoint = tokens(life);
    const wire = service();
    const { send, clock } = authenticated(endpoint, wire);
    await send(get());
    clock.advance(seconds * 1000);
    await send(get());
    clock.advance(1000);
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

  test("whose renewal fails was not replaced, so the request may be repeated later", async () => {
    const endpoint = fakeWire((_, count) => (count === 2 ? status(502) : granted(`t${count}`)));
    const wire = service(() => ["t3"]);
    const { send } = authenticated(endpoint, wire);
    await expect(send(post())).rejects.toMatchObject({ kind: "noToken", sent: false });
    expect(await send(post())).toMatchObject(ok);
  });
});

describe("without a token nothing is sent:", () => {
  const thrown = (kind: WireFault["kind"], message: string) => () => {
    throw new WireFault(kind, true, message);
  };
  const late = "no complete response within 60 s";

  test.each<{ response: () => WireResponse; why: string }>([
    { response: () => json(500, { error: "server_error" }), why: "returned status 500 server_error" },
    { response: thrown("broken", "closed"), why: "gave no usable response: closed" },
    { response: thrown("timeout", late), why: `gave no usable response: ${late}` },
  ])("a token endpoint that $why is a fault before sending", async ({ response, why }) => {
    const wire = service();
    const { send } = authenticated(fakeWire(response), wire);
    const fault = await send(post()).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(WireFault);
    const message = `the token endpoint ${account.tokenUrl} ${why}`;
    expect(fault).toMatchObject({ kind: "noToken", sent: false, message });
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
    { as: "Retry-After requires", headers: { "retry-after": "30" }, seconds: 30 },
    { as: "10 requests per minute require, if there is no Retry-After", headers: {}, seconds: 6 },
  ])("after a 429, no caller requests a token for as long as $as", async ({ headers, seconds }) => {
    const limited = json(429, { error: "rate_limited" }, headers);
    const endpoint = fakeWire((_, count) => (count === 1 ? limited : granted(`t${count}`)));
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
    json(400, { error: "invalid_request" }),
    json(401, { error: "invalid_client", error_description: "No such client." }),
    json(403, { error: "access_denied", error_description: 7 }),
  ])("$status $body is the response to every request, and no further token is requested", async (refusal) => {
    const endpoint = fakeWire(() => refusal);
    const wire = service();
    const { send } = authenticated(endpoint, wire);
    const responses = [...(await Promise.all([send(get()), send(post())])), await send(get())];
    for (const one of responses) {
      expect(one).toEqual({ ...refusal, isOfTokenUrl: true });
      expect(tokenRefusalOf(one)).toBe("account");
    }
    expect(endpoint.sent).toHaveLength(1);
    expect(wire.sent).toEqual([]);
  });

  test.each([
    { what: "a web page", response: status(200, "<html>") },
    { what: "no header's text", response: json(200, { access_token: "t\r\nx: y", token_type: "Bearer" }) },
  ])("a response with $what is none of a token endpoint", async ({ response }) => {
    const wire = service();
    const endpoint = fakeWire(() => response);
    const received = await authenticated(endpoint, wire).send(get());
    expect(received).toEqual({ ...response, isOfTokenUrl: true });
    expect(tokenRefusalOf(received)).toBe("token-url");
    expect(wire.sent).toEqual([]);
  });
});
