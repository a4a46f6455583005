import { WireFault } from "../../../provider/transport/wire";
import { get, status } from "./fake-wire";
import { retrying, type Step, timeout, upgrading } from "./retrying";

// Full jitter multiplies by a random number.
beforeEach(() => {
  jest.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe("between two attempts", () => {
  test("a canceled call ends at once", async () => {
    const stop = new AbortController();
    const { wire, send } = retrying([status(503)], { onLog: () => stop.abort() });
    await expect(send({ ...get(), signal: stop.signal })).rejects.toMatchObject({
      code: "OPSMANAGER_CANCELLED",
    });
    expect(wire.sent).toHaveLength(1);
  });

  test.each<[string, Step, number[]]>([
    ["grows, up to ten seconds, without Retry-After", status(503), [0.5, 1, 2, 4, 8, 10, 10]],
    ["is counted in minutes after a 429 without Retry-After", status(429), [15, 30, 60]],
    ["is counted in minutes while the service is being upgraded", upgrading, [15, 30, 60]],
    [
      "is what the service requests in seconds, and some jitter",
      status(429, "", { "retry-after": "30" }),
      [30.5, 31, 32],
    ],
  ])("the wait %s", async (_, step, seconds) => {
    jest.spyOn(Math, "random").mockReturnValue(0.99999);
    const { clock, send } = retrying([step], { maxRetries: 7 });
    await send(get());
    const rounded = clock.waits.map((wait) => Math.round(wait / 100) / 10);
    expect(rounded).toEqual(seconds);
  });

  test("the wait is anything between nothing and its ceiling, so that those who failed together come back apart", async () => {
    jest.spyOn(Math, "random").mockReturnValueOnce(0.25).mockReturnValueOnce(0.5).mockReturnValue(0);
    const { clock, send } = retrying([status(503)], { maxRetries: 3 });
    await send(get());
    expect(clock.waits).toEqual([125, 500, 0]);
  });
});

describe("all attempts of a call and the waits between them have twice the time of one, so", () => {
  test("a longer wait than that is not made: the response itself is given, and the log reports why", async () => {
    const { wire, lines, send } = retrying([status(429, "", { "retry-after": "121" })]);
    expect((await send(get())).status).toBe(429);
    expect(wire.sent).toHaveLength(1);
    expect(lines).toEqual([
      "GET /groups: status 429; no further attempt, as it would come 121 s later and a call has 120 s for all its attempts",
    ]);
  });

  test("slow attempts leave no time for another", async () => {
    const { wire, send } = retrying([timeout], { secondsEach: 60 });
    await expect(send(get())).rejects.toMatchObject({ code: "OPSMANAGER_TIMEOUT" });
    expect(wire.sent).toHaveLength(2);
  });

  test("an attempt that has less than its own time limit and fails otherwise is reported as what it was", async () => {
    const steps = [timeout, () => new WireFault("unusable", true, "the response is longer than 1 bytes")];
    const { wire, send } = retrying(steps, { secondsEach: 65 });
    await expect(send(get())).rejects.toMatchObject({ code: "OPSMANAGER_UNEXPECTED_RESPONSE" });
    expect(wire.sent).toHaveLength(2);
  });
});
