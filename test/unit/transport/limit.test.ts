import { createLimit } from "../../../provider/transport/limit";
import type { WireResponse } from "../../../provider/transport/wire";
import { FakeClock } from "./fake-clock";
import { fakeWire, get, held, ok, settled } from "./fake-wire";

/** A limit in front of a service whose responses are held back until the test releases them. */
function limited(maxConcurrentRequests: number) {
  const responses: ReturnType<typeof held<WireResponse>>[] = [];
  const wire = fakeWire(() => {
    const response = held<WireResponse>();
    responses.push(response);
    return response.promise;
  });
  return { wire, responses, send: createLimit({ maxConcurrentRequests })(wire.send) };
}

const targets = ({ sent }: { sent: { target: string }[] }) => sent.map(({ target }) => target);

test("starts calls up to the limit at once, and the others one by one in their order", async () => {
  const { wire, responses, send } = limited(2);
  const calls = ["/a", "/b", "/c", "/d"].map((target) => send(get(target)));
  await settled();
  expect(targets(wire)).toEqual(["/a", "/b"]);
  responses[1]?.resolve(ok);
  await settled();
  expect(targets(wire)).toEqual(["/a", "/b", "/c"]);
  responses[0]?.resolve(ok);
  await settled();
  expect(targets(wire)).toEqual(["/a", "/b", "/c", "/d"]);
  for (const response of responses) response.resolve(ok);
  expect(await Promise.all(calls)).toEqual([ok, ok, ok, ok]);
});

test("ends a waiting call at once when it is canceled, and gives its slot to the next call", async () => {
  const { wire, responses, send } = limited(1);
  const first = send(get("/a"));
  const cancel = new AbortController();
  const second = send({ ...get("/b"), signal: cancel.signal });
  const third = send(get("/c"));
  await settled();
  cancel.abort();
  await expect(second).rejects.toMatchObject({ code: "OPSMANAGER_CANCELLED" });
  await settled();
  expect(targets(wire)).toEqual(["/a"]);
  // A failed call gives its slot away as well.
  responses[0]?.reject(new Error("broken"));
  await expect(first).rejects.toThrow("broken");
  await settled();
  expect(targets(wire)).toEqual(["/a", "/c"]);
  responses[1]?.resolve(ok);
  expect(await third).toEqual(ok);
});

test("a call that starts and is canceled in the same moment frees its slot", async () => {
  const { wire, responses, send } = limited(1);
  const first = send(get("/a"));
  const cancel = new AbortController();
  const second = send({ ...get("/b"), signal: cancel.signal }).catch(() => undefined);
  const third = send(get("/c"));
  await settled();
  responses[0]?.resolve(ok);
  cancel.abort();
  await first;
  await second;
  await settled();
  responses.at(-1)?.resolve(ok);
  expect(await third).toEqual(ok);
  expect(targets(wire)).not.toContain("/b");
});

test("gives each object of the calls a turn, and keeps the order of its calls", async () => {
  const { wire, responses, send } = limited(1);
  const about = (queueKey: string, target: string) => send({ ...get(target), queueKey });
  const calls = [
    about("groups/a", "/a1"),
    about("groups/a", "/a2"),
    about("groups/a", "/a3"),
    about("groups/a", "/a4"),
    about("groups/b", "/b1"),
    about("groups/c", "/c1"),
    about("groups/b", "/b2"),
  ];
  for (const index of calls.keys()) {
    await settled();
    responses[index]?.resolve(ok);
  }
  await Promise.all(calls);
  expect(targets(wire)).toEqual(["/a1", "/a2", "/b1", "/c1", "/a3", "/b2", "/a4"]);
});

describe("requestsPerSecond", () => {
  test("spaces what comes after the first second's worth evenly", async () => {
    const wire = fakeWire(() => ok);
    const clock = new FakeClock();
    const send = createLimit({ maxConcurrentRequests: 16, requestsPerSecond: 2 }, clock)(wire.send);
    for (let count = 0; count < 5; count += 1) await send(get());
    expect(clock.waits).toEqual([500, 500, 500]);
  });

  test("begins one second's worth at once, and holds the next back until it is canceled", async () => {
    const wire = fakeWire(() => ok);
    const send = createLimit({ maxConcurrentRequests: 16, requestsPerSecond: 3 })(wire.send);
    const slow = new AbortController();
    const calls = ["/a", "/b", "/c", "/d"].map((target) => send({ ...get(target), signal: slow.signal }));
    await Promise.all(calls.slice(0, 3));
    expect(targets(wire)).toEqual(["/a", "/b", "/c"]);
    slow.abort();
    await expect(calls[3]).rejects.toMatchObject({ code: "OPSMANAGER_CANCELLED" });
    expect(wire.sent).toHaveLength(3);
  });
});
