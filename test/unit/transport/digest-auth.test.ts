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
describe("a 401 whose body has an errorCode", () => {
  const body = '{"error":401,"errorCode":"UNAUTHORIZED"}';
  const withBody = (nonce: string, more?: string) => ({ ...challenge(nonce, more), body });

  test("is answered if it is the response to an unsigned request and holds a Digest challenge", async () => {
    const wire = fakeWire((request) => (credentials(request) === "-" ? withBody("n1") : ok));
    const send = authenticated(wire);
    for (const _ of "ab") expect(await send(get())).toMatchObject(ok);
    expect(story(wire)).toEqual(["-", "n1:00000001", "n1:00000002"]);
  });

  test("renews the nonce if it states stale=true", async () => {
    const wire = fakeWire((request) => {
      const given = credentials(request);
      if (given === "-") return withBody("n1");
      return given === "n1:00000002" ? withBody("n2", stale) : ok;
    });
    const send = authenticated(wire);
    for (const _ of "ab") expect(await send(get())).toMatchObject(ok);
    expect(story(wire)).toEqual(["-", "n1:00000001", "n1:00000002", "n2:00000001"]);
  });

  test("is an error of the application if it answers a signed request and its challenge is not stale", async () => {
    const wire = fakeWire((_, count) => withBody(`n${count}`));
    const send = authenticated(wire);
    expect(await send(get())).toMatchObject({ status: 401, body });
    expect(story(wire)).toEqual(["-", "n1:00000001"]);
  });
});

describe("keyAccepted", () => {
  test("is set on a response to a signed request, and on no other", async () => {
    const open = fakeWire(() => status(404));
    expect(await authenticated(open)(get())).not.toHaveProperty("keyAccepted");
    expect(await authenticated(server(() => wrong))(get())).not.toHaveProperty("keyAccepted");
    const signed = server(undefined, () => status(404));
    expect(await authenticated(signed)(get())).toMatchObject({ status: 404, keyAccepted: true });
  });

  test("is set on a response from a gateway only after the service itself has responded", async () => {
    const responses = [502, 200, 502].map((code) => status(code));
    const send = authenticated(server(undefined, () => responses.shift() ?? ok));
    expect(await send(get())).not.toHaveProperty("keyAccepted");
    expect(await send(get())).toHaveProperty("keyAccepted", true);
    expect(await send(get())).toMatchObject({ status: 502, keyAccepted: true });
  });
});

describe("wrong keys", () => {
  test("that were right before are tried with one fresh nonce by each call: one project may be meant, not the key", async () => {
    let revoked = false;
    const wire = server(() => revoked && wrong);
    const send = authenticated(wire);
    await send(get());
    revoked = true;
    expect(refusalOf(await send(get()))).toBe("key");
    expect(refusalOf(await send(get()))).toBe("key");
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
  test.each([429, 502, 503])(
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
      expect(responses.map(refusalOf)).toEqual(responses.map(() => "key"));
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

describe("the op dialect", () => {
  const dialect = (accepts: "plain" | "qop") => {
    let nonces = 0;
    const expired = new Set<string>();
    const wire = fakeWire((request) => {
      const given = credentials(request);
      const [nonce = "", form] = given.split(":");
      const right = given !== "-" && (form === "plain") === (accepts === "plain");
      if (right && !expired.has(nonce)) return ok;
      nonces += 1;
      return challenge(`n${nonces}`, `op="auth", stale=${right}`);
    });
    return { wire, expired };
  };

  // The 503 was taken for an acceptance of the RFC 2069 form, and the right key was refused from then on.
  test("is not settled by a 503, which a gateway gives without checking the signature", async () => {
    const { wire } = dialect("qop");
    let isBusy = true;
    const gateway = fakeWire((request) =>
      isBusy && credentials(request) !== "-" ? status(503) : wire.send(request),
    );
    const send = authenticated(gateway);
    expect(await send(get())).toEqual(status(503));
    isBusy = false;
    expect(await send(get())).toMatchObject(ok);
    expect(await send(get())).toMatchObject(ok);
    expect(story(gateway)).toEqual(["-", "n1:plain", "n1:plain", "n2:00000001", "n2:00000002"]);
  });
});

describe("during the first call", () => {
  test("the others wait, and fail with it when the service gives no response; nothing of theirs was sent", async () => {
    const response = held<WireResponse>();
    const wire = fakeWire(() => response.promise);
    const send = authenticated(wire);
    const calls = [send(get()), send(post()), send(post())];
    const results = Promise.allSettled(calls);
    await settled();
    expect(wire.sent).toHaveLength(1);
    response.reject(new WireFault("timeout", true, "no complete response within 60 s"));
    const faults = (await results).map((result) =>
      result.status === "rejected" ? result.reason : undefined,
    );
    expect(faults.map((fault) => (fault as WireFault).sent)).toEqual([true, false, false]);
    expect(String(faults[1])).toContain("no complete response within 60 s");
    expect(wire.sent).toHaveLength(1);
  });

  test("a call after such a failure starts again", async () => {
    const wire = fakeWire((request, count) => {
      if (count === 1) throw new WireFault("broken", false, "refused");
      return credentials(request) === "-" ? challenge("n1") : ok;
    });
    const send = authenticated(wire);
    await expect(send(get())).rejects.toThrow("refused");
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

  test("the others continue with its nonce even when its own response is a server error", async () => {
    const wire = fakeWire((_, count) => (count === 1 ? challenge("n1") : count === 2 ? status(500) : ok));
    const send = authenticated(wire);
    const responses = await Promise.all([send(get()), send(get())]);
    expect(responses.map(({ status: code }) => code)).toEqual([500, 200]);
  });
});

describe("what a 401 refuses", () => {
  test.each([
    ["the key, with a challenge that is not stale", challenge("n"), "key"],
    ["the key, which a missing challenge suggests", status(401, refusalBody), "key"],
    ["the nonce, when stale=true came back in spite of a fresh one", challenge("n", stale), "nonce"],
    [
      "the scheme, when only another one is offered",
      status(401, "", { "www-authenticate": "Basic realm=x" }),
      "scheme",
    ],
    ["no client, with another status", status(403, refusalBody), undefined],
  ])("%s", (_, response, expected) => {
    expect(refusalOf(response)).toBe(expected);
  });
});
