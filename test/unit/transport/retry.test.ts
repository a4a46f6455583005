/** What is reported of the last attempt, and when others give up. `integration/faults/matrix.ts` has what is sent again after what. */
import { WireFault } from "../../../provider/transport/wire";
import { get, ok, post, status } from "./fake-wire";
import { lost, retrying, type Step, timeout, unsent } from "./retrying";

// Full jitter multiplies by a random number.
beforeEach(() => {
  jest.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const origin = "https://ops-manager.example.com";
const late = "no complete response within 60 s";
const setting = "(setting requestTimeoutSeconds)";
const check = "heck baseUrl, the network and proxyUrl.";

describe("the error of a GET", () => {
  test.each([
    {
      fault: new WireFault("unusable", true, "the response is longer than 1 bytes"),
      attempts: 1,
      code: "OPSMANAGER_UNEXPECTED_RESPONSE",
      message: `${origin}: the response is longer than 1 bytes.`,
    },
    {
      fault: new WireFault("timeout", true, late),
      attempts: 2,
      code: "OPSMANAGER_TIMEOUT",
      message: `${origin}: ${late} ${setting}. The service may be slow.`,
    },
    {
      fault: new WireFault("timeout", false, late),
      attempts: 2,
      code: "OPSMANAGER_TIMEOUT",
      message: `${origin}: ${late} ${setting}. No connection was made: c${check}`,
    },
    {
      fault: new WireFault("broken", true, "other side closed"),
      attempts: 2,
      code: "OPSMANAGER_UNREACHABLE",
      message: `${origin} broke the connection: other side closed. C${check}`,
    },
    {
      fault: new WireFault("broken", false, "connect ECONNREFUSED 127.0.0.1:1"),
      attempts: 2,
      code: "OPSMANAGER_UNREACHABLE",
      message: `${origin} cannot be reached: connect ECONNREFUSED 127.0.0.1:1. C${check}`,
    },
  ])("after $attempts attempts, with the fault as its cause: $message", async (row) => {
    const { fault, attempts, code, message } = row;
    const { wire, send } = retrying([() => fault], { maxRetries: 1 });
    const error = await send(get()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message });
    expect(error).toHaveProperty("cause", fault);
    expect(wire.sent).toHaveLength(attempts);
  });
});

test.each([
  {
    by: "the engine",
    reason: undefined,
    code: "OPSMANAGER_CANCELLED",
    message: "The operation was canceled.",
  },
  {
    by: "a custom timeout",
    reason: new DOMException("timed out", "TimeoutError"),
    code: "OPSMANAGER_TIMEOUT",
    message: "The resource's timeout expired (resource option customTimeouts).",
  },
])("an operation that $by ended here reports that, after one attempt", async ({ reason, code, message }) => {
  const { wire, send } = retrying([() => new WireFault("canceled", false, "ended here")]);
  const call = send({ ...get(), signal: AbortSignal.abort(reason) });
  await expect(call).rejects.toMatchObject({ code, message });
  expect(wire.sent).toHaveLength(1);
});

test("who gives up after maxRetries gets the last response, and each further attempt is one line", async () => {
  const { wire, lines, send } = retrying([status(503)], { maxRetries: 2 });
  expect((await send(get())).status).toBe(503);
  expect(wire.sent).toHaveLength(3);
  expect(lines).toEqual([
    "GET /groups: status 503; attempt 2 of 3 in 0 ms",
    "GET /groups: status 503; attempt 3 of 3 in 0 ms",
  ]);
});

describe("after a call that got no connection in any of its attempts", () => {
  const outage = async (steps: readonly Step[]) => {
    const setup = retrying(steps, { maxRetries: 1 });
    await expect(setup.send(get())).rejects.toMatchObject({ code: "OPSMANAGER_UNREACHABLE" });
    expect(setup.wire.sent).toHaveLength(2);
    return setup;
  };

  test("others fail without an attempt for a second, with the same error", async () => {
    const { wire, clock, send } = await outage([unsent]);
    clock.advance(999);
    await expect(send(post())).rejects.toMatchObject({
      code: "OPSMANAGER_UNREACHABLE",
      message: expect.stringContaining("ECONNREFUSED"),
    });
    expect(wire.sent).toHaveLength(2);
  });

  test("later ones have one attempt each, until the service responds", async () => {
    const { wire, clock, send } = await outage([unsent, unsent, unsent, ok, unsent, ok]);
    clock.advance(1000);
    await expect(send(get())).rejects.toMatchObject({ code: "OPSMANAGER_UNREACHABLE" });
    expect(wire.sent).toHaveLength(3);
    clock.advance(1000);
    for (const _ of "ab") expect(await send(get())).toEqual(ok);
    expect(wire.sent).toHaveLength(6);
  });

  test("a canceled attempt shows nothing about the service", async () => {
    const canceled = () => new WireFault("canceled", false, "ended here");
    const { wire, clock, send } = await outage([unsent, unsent, canceled, unsent]);
    clock.advance(1000);
    await expect(send(get())).rejects.toMatchObject({ code: "OPSMANAGER_CANCELLED" });
    await expect(send(get())).rejects.toMatchObject({ code: "OPSMANAGER_UNREACHABLE" });
    expect(wire.sent).toHaveLength(4);
  });
});

test.each([
  { what: "a lost connection", step: lost },
  { what: "no response in time", step: timeout },
])("$what ends no other call early: the service may only be slow", async ({ step }) => {
  const { wire, send } = retrying([step, step, step, ok], { maxRetries: 1 });
  await expect(send(get())).rejects.toThrow();
  expect(await send(get())).toEqual(ok);
  expect(wire.sent).toHaveLength(4);
});
