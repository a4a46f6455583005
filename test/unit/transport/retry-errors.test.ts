/** The whole error that ends a call: its code, its text to the last character, and the fault as its cause. */
import { WireFault } from "../../../provider/transport/wire";
import { get, post, status } from "./fake-wire";
import { lost, retrying, type Step } from "./retrying";

const origin = "https://ops-manager.example.com";

async function errorOf(step: Step, request = get()): Promise<Error & { code?: string }> {
  const { send } = retrying([step], { maxRetries: 0 });
  return send(request).then(
    () => {
      throw new Error("The call succeeded.");
    },
    (error) => error,
  );
}

test.each([
  [
    "untrusted",
    false,
    "self-signed certificate",
    "OPSMANAGER_UNREACHABLE",
    `No trusted connection to ${origin}: self-signed certificate.`,
  ],
  [
    "proxyRefused",
    false,
    "the proxy p returned status 403",
    "OPSMANAGER_UNREACHABLE",
    `${origin} cannot be reached: the proxy p returned status 403.`,
  ],
  [
    "unusable",
    true,
    "the response is longer than 1 bytes",
    "OPSMANAGER_UNEXPECTED_RESPONSE",
    `${origin}: the response is longer than 1 bytes.`,
  ],
  [
    "timeout",
    true,
    "no complete response within 60 s",
    "OPSMANAGER_TIMEOUT",
    `${origin}: no complete response within 60 s (setting requestTimeoutSeconds). The service may be slow.`,
  ],
  [
    "broken",
    true,
    "other side closed",
    "OPSMANAGER_UNREACHABLE",
    `${origin} broke the connection: other side closed. Check baseUrl, the network and proxyUrl.`,
  ],
] as const)(
  "a GET fails with its fault as the cause: %s, sent: %s",
  async (kind, sent, text, code, message) => {
    const fault = new WireFault(kind, sent, text);
    const error = await errorOf(() => fault);
    expect({ code: error.code, message: error.message, cause: error.cause }).toEqual({
      code,
      message,
      cause: fault,
    });
  },
);

test("a POST without a response fails with the fault as its cause", async () => {
  const fault = lost();
  const error = await errorOf(() => fault, post());
  expect(error.message).toBe(
    `${origin} returned no usable response (other side closed). It may or may not have performed the request.`,
  );
  expect(error.cause).toBe(fault);
});

test("a POST that a 500 returned fails without a cause, as its status is in the text", async () => {
  const error = await errorOf(status(500), post());
  expect(error.message).toBe(
    `${origin} returned no usable response (status 500). It may or may not have performed the request.`,
  );
  expect(error.cause).toBeUndefined();
});
