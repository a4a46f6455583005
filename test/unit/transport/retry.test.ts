import { WireFault, type WireRequest } from "../../../provider/transport/wire";
import { get, ok, post, status } from "./fake-wire";
import { lost, retrying, type Step, timeout, unsent, upgrading } from "./retrying";

const requests: Record<WireRequest["method"], WireRequest> = {
  GET: get("/groups"),
  POST: post("/groups"),
  PUT: { ...post("/groups/1"), method: "PUT" },
  PATCH: { ...post("/groups/1"), method: "PATCH" },
  DELETE: { ...get("/groups/1"), method: "DELETE" },
};
const methods = Object.keys(requests) as WireRequest["method"][];

// Full jitter multiplies by a random number.
beforeEach(() => {
  jest.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe.each([
  ["no connection", unsent],
  ["429", status(429, '{"errorCode":"RATE_LIMITED"}')],
  ["503 with Retry-After", status(503, "", { "retry-after": "0" })],
  ["a service that is being upgraded", upgrading],
])("after %s nothing was done, so", (_, step) => {
  test.each(methods)("%s is tried again", async (method) => {
    const { wire, send } = retrying([step, step, ok]);
    expect(await send(requests[method])).toEqual(ok);
    expect(wire.sent).toHaveLength(3);
  });
});

describe.each([
  ["a lost connection", lost],
  ["no response in time", timeout],
  ["500", status(500)],
  ["502", status(502, "<html>")],
  ["a bare 503, which a proxy may say after the service has done its work", status(503)],
  ["504", status(504)],
])("after %s the outcome is open, so", (_, step) => {
  test.each(methods.filter((method) => method !== "POST"))("%s is tried again", async (method) => {
    const { wire, send } = retrying([step, ok]);
    expect(await send(requests[method])).toEqual(ok);
    expect(wire.sent).toHaveLength(2);
  });

  test("POST is not, and its outcome is reported as unknown", async () => {
    const { wire, send } = retrying([step, ok]);
    await expect(send(requests.POST)).rejects.toMatchObject({ code: "OPSMANAGER_OUTCOME_UNKNOWN" });
    expect(wire.sent).toHaveLength(1);
  });
});

describe.each([
  ["200", ok],
  ["400", status(400)],
  ["401", status(401)],
  ["404", status(404)],
  ["409", status(409)],
  ["501", status(501)],
  ["an invitation too many", status(400, '{"errorCode":"INVITATIONS_RATE_LIMITED_IP"}')],
])("%s is a response, so", (_, step) => {
  test.each(methods)("%s is given it and sends nothing more", async (method) => {
    const { wire, send } = retrying([step]);
    expect(await send(requests[method])).toEqual(step);
    expect(wire.sent).toHaveLength(1);
  });
});

describe.each([
  [
    "a certificate that is not trusted",
    () => new WireFault("untrusted", false, "self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)"),
    "OPSMANAGER_UNREACHABLE",
  ],
  [
    "a proxy that refuses",
    () => new WireFault("proxyRefused", false, "the proxy p returned status 403"),
    "OPSMANAGER_UNREACHABLE",
  ],
  [
    "a response that is too long",
    () => new WireFault("unusable", true, "the response is longer than 1 bytes"),
    "OPSMANAGER_UNEXPECTED_RESPONSE",
  ],
  ["a cancellation", () => new WireFault("canceled", true, "ended here"), "OPSMANAGER_CANCELLED"],
] as const)("%s does not get better, so", (_, step, code) => {
  test("GET is not tried again", async () => {
    const { wire, send } = retrying([step]);
    await expect(send(requests.GET)).rejects.toMatchObject({ code });
    expect(wire.sent).toHaveLength(1);
  });
});

describe("who gives up", () => {
  test("after maxRetries gets the last response", async () => {
    const { wire, lines, send } = retrying([status(503)], { maxRetries: 2 });
    expect((await send(get())).status).toBe(503);
    expect(wire.sent).toHaveLength(3);
    expect(lines).toEqual([
      "GET /groups: status 503; attempt 2 of 3 in 0 ms",
      "GET /groups: status 503; attempt 3 of 3 in 0 ms",
    ]);
  });

  test("with maxRetries 0 tries once", async () => {
    const { wire, send } = retrying([unsent], { maxRetries: 0 });
    await expect(send(post())).rejects.toMatchObject({ code: "OPSMANAGER_UNREACHABLE" });
    expect(wire.sent).toHaveLength(1);
  });
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
    expect(await send(get())).toEqual(ok);
    expect(await send(get())).toEqual(ok);
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
  ["a lost connection", lost],
  ["no response in time", timeout],
])("%s ends no other call early: the service may only be slow", async (_, step) => {
  const { wire, send } = retrying([step, step, step, ok], { maxRetries: 1 });
  await expect(send(get())).rejects.toThrow();
  expect(await send(get())).toEqual(ok);
  expect(wire.sent).toHaveLength(4);
});

describe("the message", () => {
  test("of an open outcome reports what came back", async () => {
    const { send } = retrying([status(500, '{"error":500,"errorCode":"UNEXPECTED_ERROR"}')]);
    await expect(send(post())).rejects.toThrow("status 500 UNEXPECTED_ERROR");
  });
});

describe("an operation that was ended here", () => {
  const endedBy = async (reason: unknown) => {
    const { send } = retrying([() => new WireFault("canceled", false, "ended here")]);
    return send({ ...get(), signal: AbortSignal.abort(reason) }).catch((error: unknown) => error);
  };

  test("by the engine reports that it was canceled", async () => {
    expect(await endedBy(undefined)).toMatchObject({
      code: "OPSMANAGER_CANCELLED",
      message: "The operation was canceled.",
    });
  });

  test("by a custom timeout reports that the time ran out, and whose", async () => {
    expect(await endedBy(new DOMException("timed out", "TimeoutError"))).toMatchObject({
      code: "OPSMANAGER_TIMEOUT",
      message: "The resource's timeout expired (resource option customTimeouts).",
    });
  });
});
