import { refusalOf } from "../../../provider/transport/digest-refusal";
import { WireFault, type WireResponse } from "../../../provider/transport/wire";
import { authenticated, credentials, nonceOf, server, stale, story, wrong } from "./fake-digest";
import { fakeWire, get, held, ok, post, settled } from "./fake-wire";

describe("a stale nonce", () => {
  test("that ended by age, time after time, is not taken for a server that forbids reuse", async () => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask", "setImmediate"] });
    try {
      const expired = new Set<string>();
      const wire = server((given) => expired.has(nonceOf(given)) && stale);
      const send = authenticated(wire);
      for (let minute = 0; minute < 5; minute += 1) {
        await send(get());
        jest.advanceTimersByTime(61_000);
        for (const given of story(wire)) expired.add(nonceOf(given));
      }
      await send(get());
      wire.sent.length = 0;
      await send(get());
      expect(wire.sent).toHaveLength(1);
    } finally {
      jest.useRealTimers();
    }
  });

  test("whose successor is refused with stale=false does not reject a key that was right", async () => {
    let revoked = false;
    const wire = server((given) => revoked && (nonceOf(given) === "n1" ? stale : wrong));
    const send = authenticated(wire);
    await send(get());
    revoked = true;
    expect(refusalOf(await send(get()))).toBe("key");
    revoked = false;
    expect(await send(get())).toMatchObject(ok);
  });

  test("twice in a row is given back, and does not mention the key", async () => {
    let refused = 0;
    const wire = server(() => {
      refused += 1;
      return refused <= 2 && stale;
    });
    const send = authenticated(wire);
    const response = await send(get());
    expect(refusalOf(response)).toBe("nonce");
    expect(await send(get())).toMatchObject(ok);
  });

  test("three times in a row is given back, and the next call is free to try", async () => {
    let refusals = 0;
    const wire = server(() => refusals-- > 0 && stale);
    const send = authenticated(wire);
    await send(get());
    refusals = 3;
    expect(refusalOf(await send(get()))).toBe("nonce");
    expect(wire.sent).toHaveLength(6);
    expect(await send(get())).toMatchObject(ok);
  });

  test("that makes a call start over does not delay calls that wait for the new one", async () => {
    const expired = new Set<string>(["n2"]);
    const challenged = held<void>();
    let isHeld = false;
    const inner = server((given) => expired.has(nonceOf(given)) && stale);
    const wire = fakeWire(async (request) => {
      if (isHeld && request.target === "/early" && credentials(request) === "-") await challenged.promise;
      return inner.send(request);
    });
    const send = authenticated(wire);
    await send(get());
    expired.add("n1");
    isHeld = true;
    const early = send(get("/early"));
    const late = [send(get("/late")), send(post("/late"))];
    expect(await Promise.all(late)).toMatchObject([ok, ok]);
    challenged.resolve();
    expect(await early).toMatchObject(ok);
  });

  test("is refused only to those who were under way; who comes later waits for the new one", async () => {
    const expired = new Set<string>();
    const renewal = held<WireResponse>();
    const wire = server(
      (given) => expired.has(nonceOf(given)) && stale,
      (request) => (credentials(request) === "n2:00000001" ? renewal.promise : ok),
    );
    const send = authenticated(wire);
    await send(get());
    expired.add("n1");
    const early = send(get("/early"));
    await settled();
    const late = [send(get("/late")), send(get("/late")), send(post("/late"))];
    await settled();
    expect(story(wire).slice(2)).toEqual(["n1:00000002", "n2:00000001"]);
    renewal.resolve(ok);
    expect(await Promise.all([early, ...late])).toMatchObject([ok, ok, ok, ok]);
    expect(story(wire).slice(4)).toEqual(["n2:00000002", "n2:00000003", "n2:00000004"]);
  });

  test.each([
    ["breaks", new WireFault("broken", true, "reset")],
    ["is canceled", new WireFault("canceled", true, "ended")],
  ])("does not make others fail when the call that renews it %s", async (_, fault) => {
    const expired = new Set<string>();
    const renewal = held<WireResponse>();
    const wire = server(
      (given) => expired.has(nonceOf(given)) && stale,
      (request) => (credentials(request) === "n2:00000001" ? renewal.promise : ok),
    );
    const send = authenticated(wire);
    await send(get());
    expired.add("n1");
    const early = send(post("/early"));
    await settled();
    const late = [send(get("/late")), send(get("/late"))];
    await settled();
    renewal.reject(fault);
    await expect(early).rejects.toBe(fault);
    expect(await Promise.all(late)).toMatchObject([ok, ok]);
    expect(story(wire).slice(4)).toEqual(["n2:00000002", "n2:00000003"]);
  });

  test("leaves a call that waits for the new one when that is canceled", async () => {
    const expired = new Set<string>();
    const wire = server(
      (given) => expired.has(nonceOf(given)) && stale,
      (request) => (credentials(request) === "n2:00000001" ? held<WireResponse>().promise : ok),
    );
    const send = authenticated(wire);
    await send(get());
    expired.add("n1");
    void send(get());
    await settled();
    const cancel = new AbortController();
    const waiting = send({ ...get(), signal: cancel.signal });
    cancel.abort();
    await expect(waiting).rejects.toMatchObject({ code: "OPSMANAGER_CANCELLED" });
    expect(wire.sent).toHaveLength(4);
  });
});
