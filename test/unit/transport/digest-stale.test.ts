import { refusalOf } from "../../../provider/transport/digest-refusal";
import { WireFault, type WireResponse } from "../../../provider/transport/wire";
import { authenticated, credentials, nonceOf, server, stale, story } from "./fake-digest";
import { get, held, ok, post, settled } from "./fake-wire";

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

  test.each([
    { times: "twice in the first call", proven: false, refused: 2, requests: 3 },
    { times: "three times in a later call", proven: true, refused: 3, requests: 4 },
  ])("$times in a row is the response, not the key's fault, and the next call tries", async (row) => {
    let refusals = 0;
    const wire = server(() => refusals-- > 0 && stale);
    const send = authenticated(wire);
    if (row.proven) await send(get());
    wire.sent.length = 0;
    refusals = row.refused;
    expect(refusalOf(await send(get()))).toBe("nonce");
    expect(wire.sent).toHaveLength(row.requests);
    expect(await send(get())).toMatchObject(ok);
  });
});

describe("while one call renews the nonce", () => {
  /** A call is under way with the nonce `n2`, and `renewal` is its response. */
  async function renewing() {
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
    early.catch(() => undefined);
    await settled();
    expect(story(wire).slice(2)).toEqual(["n1:00000002", "n2:00000001"]);
    return { send, early, renewal, later: () => story(wire).slice(4) };
  }

  test("who comes later waits for the new one, and is refused nothing", async () => {
    const { send, early, renewal, later } = await renewing();
    const late = [send(get("/late")), send(get("/late")), send(post("/late"))];
    await settled();
    expect(later()).toEqual([]);
    renewal.resolve(ok);
    expect(await Promise.all([early, ...late])).toMatchObject([ok, ok, ok, ok]);
    expect(later()).toEqual(["n2:00000002", "n2:00000003", "n2:00000004"]);
  });

  test.each(["broken", "canceled"] as const)("the others do not fail when it is %s", async (kind) => {
    const { send, early, renewal, later } = await renewing();
    const late = [send(get("/late")), send(get("/late"))];
    await settled();
    const fault = new WireFault(kind, true, "ended");
    renewal.reject(fault);
    await expect(early).rejects.toBe(fault);
    expect(await Promise.all(late)).toMatchObject([ok, ok]);
    expect(later()).toEqual(["n2:00000002", "n2:00000003"]);
  });

  test("a waiting call that is canceled ends at once", async () => {
    const { send, later } = await renewing();
    const cancel = new AbortController();
    const waiting = send({ ...get(), signal: cancel.signal });
    cancel.abort();
    await expect(waiting).rejects.toMatchObject({ code: "OPSMANAGER_CANCELLED" });
    expect(later()).toEqual([]);
  });
});
