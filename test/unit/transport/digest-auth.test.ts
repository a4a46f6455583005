import { refusalOf } from "../../../provider/transport/digest-refusal";
import { WireFault, type WireResponse } from "../../../provider/transport/wire";
import {
  authenticated,
  challenge,
  credentials,
  refusalBody,
  server,
  stale,
  story,
  wrong,
} from "./fake-digest";
import { fakeWire, get, held, ok, post, settled, status } from "./fake-wire";

// The body of a challenge had an errorCode, so no request was ever signed and each was refused.
test("a challenge and a stale nonce are answered although the body of the 401 has an errorCode", async () => {
  const withCode = (nonce: string, more?: string) => ({
    ...challenge(nonce, more),
    body: '{"error":401,"errorCode":"UNAUTHORIZED"}',
  });
  const wire = fakeWire((request) => {
    const given = credentials(request);
    if (given === "-") return withCode("n1");
    return given === "n1:00000002" ? withCode("n2", stale) : ok;
  });
  const send = authenticated(wire);
  for (const _ of "ab") expect(await send(get())).toMatchObject(ok);
  expect(story(wire)).toEqual(["-", "n1:00000001", "n1:00000002", "n2:00000001"]);
});

// A wrong key counted as accepted, and an expired nonce as a missing role.
test("a 401 that demands a signature accepts no key whatever code its body has, and ends a nonce", async () => {
  const coded = (nonce: string) => ({ ...challenge(nonce), body: '{"error":401,"errorCode":"BAD_LOGIN"}' });
  const refusing = authenticated(fakeWire((_, count) => coded(`n${count}`)));
  for (const _ of "ab") {
    const response = await refusing(get());
    expect([response.status, response.keyAccepted, response.challengeAnswered]).toEqual([
      401,
      undefined,
      undefined,
    ]);
  }
  const wire = fakeWire((request, count) => {
    const given = credentials(request);
    return given === "-" || given === "n1:00000002" ? coded(`n${count}`) : ok;
  });
  const send = authenticated(wire);
  for (const _ of "ab") expect(await send(get())).toMatchObject(ok);
  expect(story(wire)).toEqual(["-", "n1:00000001", "n1:00000002", "n3:00000001"]);
});

test("a key is known to be accepted by the service's own response to a signed request", async () => {
  const open = fakeWire(() => status(404));
  expect(await authenticated(open)(get())).not.toHaveProperty("keyAccepted");
  expect(await authenticated(server(() => wrong))(get())).not.toHaveProperty("keyAccepted");
  const responses = [502, 404, 502].map((code) => status(code));
  const send = authenticated(server(undefined, () => responses.shift() ?? ok));
  // A gateway says nothing about the key.
  expect(await send(get())).not.toHaveProperty("keyAccepted");
  expect(await send(get())).toMatchObject({ status: 404, keyAccepted: true });
  expect(await send(get())).toMatchObject({ status: 502, keyAccepted: true });
});

describe("wrong keys", () => {
  test("that were right before are tried with one fresh nonce by each call: one project may be meant, not the key", async () => {
    let revoked = false;
    const wire = server(() => revoked && wrong);
    const send = authenticated(wire);
    await send(get());
    revoked = true;
    for (const _ of "ab") expect(refusalOf(await send(get()))).toBe("key");
    expect(story(wire)).toEqual([
      "-",
      "n1:00000001",
      ...["n1:00000002", "n2:00000001"],
      ...["n1:00000003", "n4:00000001"],
    ]);
    revoked = false;
    expect((await send(get())).status).toBe(200);
  });

  // A limiter's 503 was taken for an acceptance, so each of 200 calls tried the wrong key twice.
  test.each([429, 502])(
    "are not taken for right ones because of a %d, which others give without checking the key",
    async (code) => {
      let signed = 0;
      const wire = server(
        () => {
          signed += 1;
          return signed > 1 && wrong;
        },
        () => status(code),
      );
      const send = authenticated(wire);
      expect(await send(get())).toEqual(status(code));
      expect(refusalOf(await send(get()))).toBe("key");
      const responses = await Promise.all(Array.from({ length: 200 }, () => send(get())));
      expect(new Set(responses.map(refusalOf))).toEqual(new Set(["key"]));
      expect(story(wire)).toEqual(["-", "n1:00000001", "n1:00000002", "n2:00000001"]);
    },
  );

  test("are not meant by a 401 that requests no key", async () => {
    const bare = status(401, refusalBody);
    const wire = fakeWire((request, count) =>
      count === 1 ? challenge("n1") : request.target === "/a" ? bare : ok,
    );
    const send = authenticated(wire);
    expect(await send(get("/a"))).toEqual(bare);
    expect(await send(get("/b"))).toMatchObject(ok);
  });
});

// The 503 was taken for an acceptance of the RFC 2069 form, and the right key was refused from then on.
test("what op means is not settled by a 503, which a gateway gives without checking the signature", async () => {
  let isBusy = true;
  const wire = fakeWire((request, count) => {
    const given = credentials(request);
    if (given === "-") return challenge("n1", 'op="auth", stale=false');
    if (isBusy) return status(503);
    return given.endsWith(":plain") ? challenge(`n${count}`, 'op="auth", stale=false') : ok;
  });
  const send = authenticated(wire);
  expect(await send(get())).toEqual(status(503));
  isBusy = false;
  for (const _ of "ab") expect(await send(get())).toMatchObject(ok);
  expect(story(wire)).toEqual(["-", "n1:plain", "n1:plain", "n3:00000001", "n3:00000002"]);
});

describe("during the first call", () => {
  test("the others wait and fail with it if the service gives no response, having sent nothing; the next call starts again", async () => {
    const response = held<WireResponse>();
    const wire = fakeWire((request, count) => {
      if (count === 1) return response.promise;
      return credentials(request) === "-" ? challenge("n1") : ok;
    });
    const send = authenticated(wire);
    const results = Promise.allSettled([send(get()), send(post()), send(post())]);
    await settled();
    expect(wire.sent).toHaveLength(1);
    response.reject(new WireFault("timeout", true, "no complete response within 60 s"));
    const waited = { sent: false, message: expect.stringContaining("no complete response within 60 s") };
    expect((await results).map((result) => result.status === "rejected" && result.reason)).toMatchObject([
      { sent: true },
      waited,
      waited,
    ]);
    expect(wire.sent).toHaveLength(1);
    expect(await send(get())).toMatchObject(ok);
  });

  test("another goes ahead when the first was canceled", async () => {
    const wire = fakeWire((request, count) => {
      if (count === 1) throw new WireFault("canceled", true, "ended");
      return credentials(request) === "-" ? challenge("n1") : ok;
    });
    const send = authenticated(wire);
    const results = await Promise.allSettled([send(get()), send(get()), send(get())]);
    expect(results.map(({ status: outcome }) => outcome)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect(story(wire)).toEqual(["-", "-", "n1:00000001", "n1:00000002"]);
  });

  test("a waiting call ends at once when it is canceled", async () => {
    const wire = fakeWire(() => held<WireResponse>().promise);
    const send = authenticated(wire);
    void send(get());
    const cancel = new AbortController();
    const waiting = send({ ...get(), signal: cancel.signal });
    cancel.abort();
    await expect(waiting).rejects.toMatchObject({ code: "OPSMANAGER_CANCELLED" });
    expect(wire.sent).toHaveLength(1);
  });
});

const basic = { "www-authenticate": "Basic realm=x" };
test.each([
  { what: "the key", response: challenge("n"), by: "a challenge that is not stale" },
  { what: "the key", response: status(401, refusalBody), by: "a missing challenge" },
  { what: "the nonce", response: challenge("n", stale), by: "stale=true in spite of a fresh one" },
  { what: "the scheme", response: status(401, "", basic), by: "another scheme alone" },
  { what: undefined, response: status(403, refusalBody), by: "another status" },
])("a response refuses $what by $by", ({ what, response }) => {
  expect(refusalOf(response)).toBe(what?.replace("the ", ""));
});
